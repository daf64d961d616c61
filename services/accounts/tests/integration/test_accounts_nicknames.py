"""Nicknames through the routes: chosen, shown to others, reported, hidden."""

from collections.abc import Callable
from typing import Any

from dynabench_common.testing import FixedClock

from .conftest import Api

Rows = Callable[[], list[Any]]


def choose(person: Api, text: str) -> Any:
    return person.call("PUT", "/me/nickname", {"nickname": text})


def shown(api: Api, *people: Api) -> dict[str, str]:
    """Return the nicknames of people as anybody gets them."""
    asked = "&".join(f"person_id={person.person_id}" for person in people)
    items = api.call("GET", f"/nicknames?{asked}").get_json()["items"]
    return {each["person_id"]: each["nickname"] for each in items}


def problem(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["type"].rpartition("/")[2]


def test_a_nickname_is_chosen_changed_and_removed(api: Api) -> None:
    ada, bob = api.new_person("ada"), api.new_person("bob")
    assert ada.call("GET", "/me/nickname").get_json() == {"nickname": None, "hidden_reason": ""}
    assert choose(ada, "  Queen   of Irony ").get_json()["nickname"] == "Queen of Irony"
    assert shown(api, ada, bob) == {ada.person_id: "Queen of Irony"}
    choose(ada, "\u0639\u0644\u064a")
    assert shown(api, ada) == {ada.person_id: "\u0639\u0644\u064a"}
    assert choose(ada, " ").get_json()["nickname"] is None
    assert shown(api, ada) == {}
    assert api.call("PUT", "/me/nickname", {"nickname": "Nobody"}).status_code == 401


def test_a_name_that_looks_like_anothers_is_refused_until_it_is_free(api: Api) -> None:
    ada, bob = api.new_person("ada"), api.new_person("bob")
    choose(ada, "Modern Ada")
    assert problem(choose(bob, "m0dem \u0430d\u0430")) == (409, "nickname-taken")
    assert choose(ada, "modern-ada").status_code == 200
    choose(ada, "Somebody else")
    assert choose(bob, "Modern Ada").status_code == 200


def test_a_bad_nickname_names_field_reason_and_remedy(api: Api) -> None:
    answer = choose(api.new_person("ada"), "ada@example.org")
    assert answer.status_code == 422
    found = answer.get_json()
    assert (found["field"], found["remedy"]) == ("nickname", "Choose another nickname.")


def test_a_reported_nickname_is_hidden_with_a_reason_and_stays_away(
    api: Api, administrator: Api, outbox_rows: Rows, clock: FixedClock
) -> None:
    ada, bob, cyd = (api.new_person(name) for name in ("ada", "bob", "cyd"))
    choose(ada, "Rude Word")
    report = f"/people/{ada.person_id}/nickname-reports"
    for person, reason in ((bob, "It is rude."), (cyd, "Rude."), (cyd, "Very rude.")):
        clock.move(1)
        assert person.call("POST", report, {"reason": reason}).status_code == 204
    assert api.call("POST", report, {"reason": "x"}).status_code == 401
    assert bob.call("POST", f"/people/{bob.person_id}/nickname-reports", {"reason": "x"}).status_code == 404
    choose(ada, "rude word")
    choose(ada, "Rude Word")
    (reported,) = administrator.call("GET", "/nickname-reports").get_json()["items"]
    assert (reported["nickname"], reported["reports"], reported["reason"]) == ("Rude Word", 2, "Very rude.")
    assert bob.call("GET", "/nickname-reports").status_code == 403
    state = f"/people/{ada.person_id}/nickname-state"
    assert bob.call("PUT", state, {"state": "hidden", "reason": "x"}).status_code == 403
    assert administrator.call("PUT", state, {"state": "hidden", "reason": "Rude."}).status_code == 204
    assert shown(api, ada) == {}
    assert administrator.call("GET", "/nickname-reports").get_json()["items"] == []
    assert ada.call("GET", "/me/nickname").get_json() == {"nickname": "Rude Word", "hidden_reason": "Rude."}
    choose(ada, "")
    for person in (ada, bob):
        assert problem(choose(person, "rude-word")) == (409, "nickname-hidden")
    assert any(row.type.endswith("ActionTaken") for row in outbox_rows())
    assert choose(ada, "Kind Word").status_code == 200
    assert shown(api, ada) == {ada.person_id: "Kind Word"}


def test_a_wrongly_hidden_nickname_is_shown_again(api: Api, administrator: Api) -> None:
    ada = api.new_person("ada")
    choose(ada, "Ada")
    assert ada.call("GET", "/hidden-nicknames").status_code == 403
    hidden = [{"person_id": ada.person_id, "nickname": "Ada", "reason": "So."}]
    for state, names in (("hidden", {}), ("shown", {ada.person_id: "Ada"})):
        administrator.call(
            "PUT", f"/people/{ada.person_id}/nickname-state", {"state": state, "reason": "So."}
        )
        assert shown(api, ada) == names
        listed = administrator.call("GET", "/hidden-nicknames").get_json()["items"]
        assert listed == (hidden if state == "hidden" else [])


def test_hidden_nicknames_come_in_pages(api: Api, administrator: Api) -> None:
    people = [api.new_person(name) for name in ("ada", "bob", "cyd")]
    for person, nickname in zip(people, ("Zoe", "Max", "Eve"), strict=True):
        choose(person, nickname)
        body = {"state": "hidden", "reason": "So."}
        administrator.call("PUT", f"/people/{person.person_id}/nickname-state", body)
    first = administrator.call("GET", "/hidden-nicknames?limit=2").get_json()
    rest = administrator.call("GET", f"/hidden-nicknames?limit=2&cursor={first['next_cursor']}").get_json()
    assert [[each["nickname"] for each in page["items"]] for page in (first, rest)] == [
        ["Zoe", "Max"],
        ["Eve"],
    ]
    assert rest["next_cursor"] is None
    assert administrator.call("GET", "/hidden-nicknames?cursor=no").status_code == 422

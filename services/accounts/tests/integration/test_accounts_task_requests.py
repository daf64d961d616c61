"""The right to start a task: requests, answers, and notices about both."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from dynabench_events.audit import ActionTaken

from .conftest import Api
from .notice_story import Story, listed, notices_of, of

Rows = Callable[[], list[Any]]


def ask(person: Api, slug: str = "irony", reason: str = "People write ironic reviews.") -> Any:
    return person.call("PUT", "/me/task-request", {"task_slug": slug, "reason": reason})


def answer(administrator: Api, person: Api, state: str, slug: str = "irony", words: str = "Fine.") -> Any:
    body = {"task_slug": slug, "state": state, "answer": words}
    return administrator.call("PUT", f"/people/{person.person_id}/task-request", body)


def refusal(reply: Any) -> tuple[int, str]:
    return reply.status_code, reply.get_json()["type"].rpartition("/")[2]


def test_a_granted_request_gives_the_role_of_the_owner(api: Api, administrator: Api) -> None:
    ada = api.new_person("ada")
    assert ada.call("GET", "/me/task-request").get_json() == {"request": None}
    assert ask(ada).get_json()["request"]["state"] == "open"
    (asked,) = administrator.call("GET", "/task-requests").get_json()["items"]
    assert (asked["user_name"], asked["task_slug"], asked["reason"]) == (
        *("ada", "irony"),
        "People write ironic reviews.",
    )
    assert answer(administrator, ada, "granted").status_code == 204
    assert "owner:irony" in ada.again().call("GET", "/me").get_json()["roles"]
    assert administrator.call("GET", "/task-requests").get_json()["items"] == []
    found = ada.again().call("GET", "/me/task-request").get_json()["request"]
    assert (found["state"], found["answer"]) == ("granted", "Fine.")


def test_after_a_refusal_the_person_keeps_the_answer_and_may_ask_again(api: Api, administrator: Api) -> None:
    ada = api.new_person("ada")
    ask(ada)
    answer(administrator, ada, "refused", words="Too broad.")
    assert ada.call("GET", "/me").get_json()["roles"] == ["annotator"]
    assert ada.call("GET", "/me/task-request").get_json()["request"]["answer"] == "Too broad."
    assert ask(ada, "mild-irony").get_json()["request"]["state"] == "open"


@pytest.mark.parametrize(
    ("slug", "reason", "expected"),
    [
        ("Irony!", "A reason.", (422, "task-slug-unusable")),
        ("irony", " ", (422, "reason-unusable")),
        ("sentiment", "A reason.", (409, "task-owned")),
    ],
)
def test_a_request_that_breaks_a_rule_is_refused(
    slug: str, reason: str, expected: tuple[int, str], api: Api, administrator: Api
) -> None:
    ada, bob = api.new_person("ada"), api.new_person("bob")
    administrator.call("PUT", f"/people/{bob.person_id}/roles", {"roles": ["owner:sentiment"]})
    assert refusal(ask(ada, slug, reason)) == expected


def test_a_person_asks_for_one_task_at_a_time(api: Api) -> None:
    ada = api.new_person("ada")
    ask(ada)
    assert refusal(ask(ada, "puns")) == (409, "task-request-open")


def actions(rows: list[Any]) -> int:
    """Count the entries of the audit log that these messages carry."""
    return sum(row.type.endswith("ActionTaken") for row in rows)


def test_the_same_request_or_answer_again_changes_nothing(
    api: Api, administrator: Api, outbox_rows: Rows
) -> None:
    ada, bob = api.new_person("ada"), api.new_person("bob")
    for person, slug, state in ((ada, "irony", "granted"), (bob, "puns", "refused")):
        first = ask(person, slug).get_json()
        before = actions(outbox_rows())
        again = ask(person, f" {slug} ", " People write ironic reviews. ")
        assert (again.status_code, again.get_json()) == (200, first)
        assert actions(outbox_rows()) == before
        assert answer(administrator, person, state, slug).status_code == 204
        before = actions(outbox_rows())
        assert answer(administrator, person, state, slug).status_code == 204
        assert actions(outbox_rows()) == before
        assert answer(administrator, person, state, slug, words="Other words.").status_code == 404
    assert answer(administrator, bob, "granted", "puns").status_code == 404


def test_one_person_is_granted_an_address(api: Api, administrator: Api) -> None:
    ada, bob = api.new_person("ada"), api.new_person("bob")
    assert (ask(ada).status_code, ask(bob).status_code) == (200, 200)
    assert answer(administrator, ada, "granted").status_code == 204
    assert refusal(answer(administrator, bob, "granted")) == (409, "task-owned")
    assert bob.again().call("GET", "/me").get_json()["roles"] == ["annotator"]
    assert bob.call("GET", "/me/task-request").get_json()["request"]["state"] == "open"
    assert answer(administrator, bob, "refused", words="Ada writes it.").status_code == 204


def test_the_address_of_a_task_is_granted_to_nobody_also_while_it_has_no_owner(
    api: Api, story: Story, administrator: Api
) -> None:
    ada, bob = api.new_person("ada"), api.new_person("bob")
    ask(ada, "irony")
    story.slug = "irony"
    story.tell(story.task())
    assert refusal(ask(bob, "irony")) == (409, "task-owned")
    assert refusal(answer(administrator, ada, "granted", "irony")) == (409, "task-owned")
    assert ada.again().call("GET", "/me").get_json()["roles"] == ["annotator"]


def test_a_request_can_be_granted_to_who_got_the_role_meanwhile(api: Api, administrator: Api) -> None:
    ada = api.new_person("ada")
    ask(ada)
    administrator.call("PUT", f"/people/{ada.person_id}/roles", {"roles": ["annotator", "owner:irony"]})
    assert answer(administrator, ada, "granted").status_code == 204


def test_an_answer_needs_an_open_request_for_that_task_and_a_sentence(api: Api, administrator: Api) -> None:
    ada = api.new_person("ada")
    assert answer(administrator, ada, "granted").status_code == 404
    ask(ada)
    assert answer(administrator, ada, "granted", slug="sentiment").status_code == 404
    assert refusal(answer(administrator, ada, "granted", words=" ")) == (422, "answer-unusable")
    assert ada.again().call("GET", "/me").get_json()["roles"] == ["annotator"]


def test_only_administrators_see_and_answer_requests(api: Api) -> None:
    ada = api.new_person("ada")
    ask(ada)
    assert ada.call("GET", "/task-requests").status_code == 403
    assert answer(ada, ada, "granted").status_code == 403
    assert api.call("GET", "/me/task-request").status_code == 401


def told(story: Story, action: str, person: Api) -> ActionTaken:
    """Return the entry of the audit log about a person."""
    at: datetime = story.now()
    return ActionTaken(
        entry_id=uuid4(),
        actor_id=of(person),
        action=action,
        object_kind="person",
        object_id=of(person),
        task_slug="",
        round_id=None,
        reason="A reason.",
        details={"task": "irony"},
        taken_at=at,
    )


def test_administrators_get_the_number_of_requests_and_people_the_answer(
    api: Api, story: Story, administrator: Api
) -> None:
    ada, bob = api.new_person("ada"), api.new_person("bob")
    ask(ada)
    story.tell(told(story, "task_request.made", ada))
    ask(bob, "puns")
    story.tell(told(story, "task_request.made", bob))
    assert notices_of(administrator) == [("task_requested", {"asked": 2})]
    answer(administrator, ada, "refused")
    story.tell(told(story, "task_request.refused", ada))
    assert notices_of(administrator) == [("task_requested", {"asked": 1})]
    answer(administrator, bob, "granted", slug="puns")
    story.tell(told(story, "task_request.granted", bob))
    assert notices_of(administrator) == []
    assert notices_of(ada) == [("task_answered", {"refused": 1})]
    assert [(each["kind"], each["task_slug"]) for each in listed(bob)] == [("task_answered", "irony")]


def test_requests_of_disabled_people_are_neither_listed_nor_counted(
    api: Api, story: Story, administrator: Api
) -> None:
    ada, bob = api.new_person("ada"), api.new_person("bob")
    for person, slug in ((ada, "irony"), (bob, "puns")):
        ask(person, slug)
        story.tell(told(story, "task_request.made", person))
    for person, names, notices in (
        (ada, ["bob"], [("task_requested", {"asked": 1})]),
        (bob, [], []),
    ):
        body = {"state": "disabled", "reason": "Spam."}
        assert administrator.call("PUT", f"/people/{person.person_id}/state", body).status_code == 200
        story.tell(told(story, "person.disabled", person))
        items = administrator.call("GET", "/task-requests").get_json()["items"]
        assert ([each["user_name"] for each in items], notices_of(administrator)) == (names, notices)

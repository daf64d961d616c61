"""Assigned work: the owner's page, the person's home page, and the bar on pages of work."""

from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from web_fake_members import GROUP_ID
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PAGE = "/tasks/sentiment/assigned-work"
TOPIC = "sarcasm <b> 🙃 سخرية"


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


@pytest.fixture
def ada_id(fake: FakePlatform) -> str:
    return str(fake.people["ada"].person_id)


def assign(olga: Visitor, fake: FakePlatform, **other: Any) -> Any:
    form = {"people": "Ada, olga", "work": "create", "round_id": fake.loop.round_id, "units": "10"}
    return olga.post(PAGE, **{**form, "due_on": "2099-01-09", "topic": TOPIC, **other})


def main(page: Any) -> str:
    return unescape(page.text).split("<main")[1]


def test_without_assigned_work_the_page_tells_how_to_assign_it(olga: Visitor, fake: FakePlatform) -> None:
    page = main(olga.get(PAGE))
    assert "No work is assigned" in page
    assert "Assign the work" in page
    fake.loop.rounds.clear()
    assert "Draft a round first." in main(olga.get(PAGE))


def test_several_people_are_assigned_the_same_topic(olga: Visitor, fake: FakePlatform) -> None:
    assert assign(olga, fake).status_code == 303
    assert [each["name"] for each in fake.orders.orders.values()] == ["ada", "olga"]
    page = main(olga.get(PAGE))
    assert "sarcasm <b> 🙃 سخرية" in page
    assert page.count("3 of 10\u00a0texts") == 2


def test_the_people_of_a_group_are_assigned_with_those_named(olga: Visitor, fake: FakePlatform) -> None:
    page = main(olga.get(PAGE))
    assert "Linguists · 1 person" in page
    assert assign(olga, fake, people="", group=GROUP_ID).status_code == 303
    assert [each["name"] for each in fake.orders.orders.values()] == ["ada"]
    fake.orders.orders.clear()
    assert assign(olga, fake, people="olga ADA", group=GROUP_ID).status_code == 303
    assert sorted(each["name"] for each in fake.orders.orders.values()) == ["ada", "olga"]


def test_a_group_without_people_is_refused(olga: Visitor, fake: FakePlatform) -> None:
    fake.members.groups[GROUP_ID]["people"].clear()
    page = assign(olga, fake, people="", group=GROUP_ID)
    assert page.status_code == 422
    assert "There is nobody in this group." in main(page)
    assert f'value="{GROUP_ID}" selected' in page.text
    assert fake.orders.orders == {}


def test_owners_without_a_group_are_not_asked_for_one(olga: Visitor, fake: FakePlatform) -> None:
    fake.members.groups.clear()
    assert 'name="group"' not in olga.get(PAGE).text


def test_chosen_contexts_are_assigned(olga: Visitor, fake: FakePlatform) -> None:
    listed = olga.get(f"/rounds/{fake.loop.round_id}/contexts").text
    assert 'name="context"' in listed
    chosen = [each["context_id"] for each in fake.loop.contexts[:2]]
    query = "&".join(f"context={each}" for each in chosen)
    page = main(olga.get(f"{PAGE}?round_id={fake.loop.round_id}&{query}"))
    assert "2 texts are chosen." in page
    assert page.count('type="hidden" name="context"') == 2
    assign(olga, fake, context=chosen)
    assert {each["contexts"] for each in fake.orders.orders.values()} == {2}


def test_chosen_examples_are_assigned_to_check(olga: Visitor, fake: FakePlatform) -> None:
    example_ids = [str(uuid4()) for _ in range(3)]
    query = "&".join(f"example={each}" for each in example_ids)
    page = main(olga.get(f"{PAGE}?round_id={fake.loop.round_id}&{query}"))
    assert "3 texts to check are chosen." in page
    assert 'value="create"' not in page
    assert 'name="units" value="3"' in page
    refused = assign(olga, fake, example=example_ids, work="validate", due_on="Friday")
    assert main(refused).count('type="hidden" name="example"') == 3
    assert assign(olga, fake, example=example_ids, work="validate", units="3").status_code == 303
    assert {each["examples"] for each in fake.orders.orders.values()} == {3}
    assert main(olga.get(PAGE)).count("1 of 3\u00a0texts") == 2
    fake.orders.left = 1
    page = main(olga.get(PAGE))
    assert page.count("One of its texts needs no vote any more.") == 2
    assert "Done" not in page
    fake.orders.left = 0
    assert main(olga.get(PAGE)).count("2 of its texts need no vote any more.") == 2
    assert main(olga.get(PAGE)).count("Done") == 2


def test_after_a_refusal_people_of_the_group_can_be_left_out(olga: Visitor, fake: FakePlatform) -> None:
    page = assign(olga, fake, people="olga", group=GROUP_ID, due_on="2020-01-01")
    assert page.status_code == 422
    assert "ada\nolga</textarea>" in page.text
    assert f'value="{GROUP_ID}" selected' not in page.text


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"people": " "}, "No user name is given."),
        ({"people": "ada, nobdy"}, "Nobody here has this user name"),
        ({"people": "x" * 5_000}, "Nobody here has this user name"),
        ({"people": " ".join(f"a{n}" for n in range(101))}, "These are too many people."),
        ({"people": "🙂\u202e"}, "Nobody here has this user name"),
        ({"units": "ten"}, "The number of texts is missing"),
        ({"due_on": "Friday"}, "The last day is missing"),
        ({"due_on": "2020-01-01"}, "is in the past"),
    ],
)
def test_a_mistake_is_named_and_the_form_kept(
    olga: Visitor, fake: FakePlatform, other: dict[str, str], said: str
) -> None:
    page = assign(olga, fake, **other)
    assert page.status_code == 422
    assert said in main(page)
    assert TOPIC in main(page)
    assert fake.orders.orders == {}


def test_overdue_work_is_marked_reassigned_and_withdrawn(
    olga: Visitor, fake: FakePlatform, ada_id: str
) -> None:
    late = fake.orders.add(fake.loop.round_id, ada_id, "ada", due_on="2026-01-07")
    fake.orders.add(fake.loop.round_id, ada_id, "ada", activity="validate", units=2)
    page = main(olga.get(PAGE))
    assert page.count("Overdue") == 1
    assert page.count("</span> Done") == 1
    address = f"{PAGE}/{late['order_id']}"
    two = olga.post(f"{address}/reassignment", people="ada olga", units="7", due_on="2026-01-10")
    assert (two.status_code, "Name one person." in main(two)) == (422, True)
    assert (
        olga.post(f"{address}/reassignment", people="olga", units="7", due_on="2026-01-10").status_code == 303
    )
    assert (late["name"], late["units"]) == ("olga", 7)
    assert olga.post(f"{address}/withdrawal").status_code == 303
    assert len(fake.orders.orders) == 1


def test_other_people_do_not_see_the_page(ada: Visitor) -> None:
    assert ada.get(PAGE).status_code == 403


@pytest.mark.parametrize(("activity", "words"), [("create", "3 of 10"), ("validate", "2 of 10")])
def test_the_person_sees_it_at_home_and_at_work(
    ada: Visitor, fake: FakePlatform, ada_id: str, activity: str, words: str
) -> None:
    fake.orders.add(fake.loop.round_id, ada_id, "ada", activity=activity, topic=TOPIC)
    home = main(ada.get("/"))
    assert f"{words}\u00a0texts" in home
    assert "sarcasm <b> 🙃" in home
    work = main(ada.get(f"/rounds/{fake.loop.round_id}/{activity}"))
    assert 'aria-label="Work assigned to you"' in work
    assert "It is due on 9 Jan." in work
    other = {"create": "validate", "validate": "create"}[activity]
    assert "Work assigned to you" not in ada.get(f"/rounds/{fake.loop.round_id}/{other}").text


@pytest.mark.parametrize("activity", ["create", "validate"])
def test_pages_of_a_round_without_assigned_work_do_not_ask_for_it(
    ada: Visitor, fake: FakePlatform, ada_id: str, activity: str
) -> None:
    fake.orders.add(fake.loop.round_id, ada_id, "ada", activity=activity)
    fake.loop.rounds[fake.loop.round_id]["has_assigned_work"] = False
    assert "Work assigned to you" not in main(ada.get(f"/rounds/{fake.loop.round_id}/{activity}"))


def test_finished_closed_and_withdrawn_work_is_said(ada: Visitor, fake: FakePlatform, ada_id: str) -> None:
    order = fake.orders.add(fake.loop.round_id, ada_id, "ada", contexts=2, withdrawn_contexts=2)
    assert "All its texts were withdrawn." in main(ada.get("/"))
    fake.loop.rounds[fake.loop.round_id]["state"] = "closed"
    assert "The round is not open now." in main(ada.get("/"))
    fake.loop.rounds[fake.loop.round_id]["state"] = "open"
    order["units"] = 3
    assert "Assigned to you" not in main(ada.get("/"))
    assert "All done. Thank you." in main(ada.get(f"/rounds/{fake.loop.round_id}/create"))


def test_without_its_service_the_pages_stay(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/api/annotation/v1/work-orders", 503, times=9)
    for path in ("/", f"/rounds/{fake.loop.round_id}/create"):
        assert ada.get(path).status_code == 200

"""The practice of a task: answer, see the model's answer and reasons, go on; and who is invited to it."""

from html import unescape
from urllib.parse import quote
from uuid import uuid4

import pytest
from web_fake_arena import FakeTask
from web_fake_figures import my_round
from web_fake_platform import FakePlatform
from web_visiting import Visitor

SLUGS = ["sentiment", "nli", "qa", "hate-speech", "topics", "anli", "dynasent"]


@pytest.fixture
def nli(fake: FakePlatform) -> FakeTask:
    fake.my_rounds.clear()
    return fake.loop.add("nli", has_practice=True)


def create(task: FakeTask) -> str:
    return f"/rounds/{task.round_id}/create"


def practice(task: FakeTask) -> str:
    return f"/tasks/{task.slug}/practice"


def answer(visitor: Visitor, task: FakeTask, value: str, item: int = 1) -> str:
    form = {"item": str(item), "next": create(task), "practice.value": value}
    page = visitor.post(practice(task), **form)
    assert page.status_code == 200, page.text
    return unescape(page.text)


def test_an_item_is_answered_and_then_told_of(visitor: Visitor, nli: FakeTask) -> None:
    page = visitor.get(practice(nli)).text
    assert "1 of 3" in page
    assert "Nobody but Omar had read the letter." in page
    assert "takes the second sentence for a repetition" not in page

    told = answer(visitor, nli, "contradiction")

    assert "verdict-fooled is-new" in told
    assert "You and most people agree." in told
    assert "takes the second sentence for a repetition" in told
    assert f"{practice(nli)}?item=2&next={quote(create(nli), safe='')}" in told


def test_an_answer_unlike_peoples_is_told_kindly(visitor: Visitor, nli: FakeTask) -> None:
    told = answer(visitor, nli, "entailment")
    assert "Most people chose another answer." in told
    assert "The model was wrong too." in told


def test_an_item_that_fooled_nobody_says_so(visitor: Visitor, nli: FakeTask) -> None:
    told = answer(visitor, nli, "neutral", 2)
    assert "verdict-not-fooled" in told
    assert "You, most people and the model agree." in told


def test_after_the_last_item_one_writes(visitor: Visitor, nli: FakeTask) -> None:
    told = answer(visitor, nli, "entailment", 3)
    assert f'href="{create(nli)}"' in told
    assert "Write your own" in told
    assert "End of the practice" in visitor.get(f"{practice(nli)}?item=4").text


def test_it_can_be_skipped_at_every_item(visitor: Visitor, nli: FakeTask) -> None:
    for item in (1, 2, 3):
        page = visitor.get(f"{practice(nli)}?item={item}").text
        assert f'href="{create(nli)}">Skip the practice' in page


@pytest.mark.parametrize(
    ("marked", "told"),
    [("stone", "You and most people agree."), ("oak", "Most people chose another answer.")],
)
def test_an_answer_is_marked_where_the_task_marks_answers(
    visitor: Visitor, fake: FakePlatform, marked: str, told: str
) -> None:
    task = fake.loop.add("qa", has_practice=True)
    assert 'id="passage-passage"' in visitor.get(practice(task)).text
    assert told in answer(visitor, task, marked)


def test_several_labels_are_chosen_where_the_task_has_several(visitor: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("topics", has_practice=True)
    assert 'type="checkbox"' in visitor.get(practice(task)).text
    assert "You and most people agree." in answer(visitor, task, "technology")


@pytest.mark.parametrize(
    "form", [{}, {"practice.value": ""}, {"practice.value": "no such label"}, {"practice.valu": "neutral"}]
)
def test_an_answer_that_is_none_is_asked_for_again(
    visitor: Visitor, nli: FakeTask, form: dict[str, str]
) -> None:
    page = visitor.post(practice(nli), item="1", **form)
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    assert "takes the second sentence" not in page.text


@pytest.mark.parametrize("item", ["0", "-1", "x", "999999999999999999999", "²"])
def test_an_item_that_is_none_is_the_first_or_the_end(visitor: Visitor, nli: FakeTask, item: str) -> None:
    assert visitor.get(f"{practice(nli)}?item={item}").status_code == 200
    assert visitor.post(practice(nli), item=item, **{"practice.value": "neutral"}).status_code == 200


@pytest.mark.parametrize("next_", ["https://evil.example/", "//evil.example", "/\\evil.example"])
def test_the_way_back_stays_on_the_platform(visitor: Visitor, nli: FakeTask, next_: str) -> None:
    page = visitor.get(f"{practice(nli)}?next={quote(next_, safe='')}").text
    assert f'href="{create(nli)}">Skip the practice' in page
    assert "evil" not in page.split("<main")[1].split("</main>")[0]


def test_a_task_without_items_says_so_and_leads_on(visitor: Visitor) -> None:
    page = visitor.get("/tasks/sentiment/practice").text
    assert "No practice in this task" in page


def test_a_configuration_that_these_pages_do_not_know_has_no_practice(
    visitor: Visitor, nli: FakeTask
) -> None:
    nli.document["wrong_when"] = {"of_a_later_version": {}}
    assert "No practice in this task" in visitor.get(practice(nli)).text


def test_the_tasks_page_leads_to_its_practice(visitor: Visitor, nli: FakeTask) -> None:
    assert f'href="{practice(nli)}"' in visitor.get(f"/tasks/{nli.slug}").text
    assert "/sentiment/practice" not in visitor.get("/tasks/sentiment").text


def test_nothing_is_sent_to_any_service(ada: Visitor, fake: FakePlatform, nli: FakeTask) -> None:
    fake.calls.clear()
    answer(ada, nli, "neutral")
    assert [path for method, path, _ in fake.calls if method != "GET"] == []


@pytest.mark.parametrize("slug", SLUGS)
def test_all_tasks_that_come_with_the_platform_can_be_practised(
    visitor: Visitor, fake: FakePlatform, slug: str
) -> None:
    task = fake.loop.add(slug, has_practice=True)
    assert "1 of 3" in _after_notice(visitor, task)


def test_content_that_may_hurt_comes_after_its_notice(visitor: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("hate-speech", has_practice=True)
    for page in (visitor.get(practice(task)), visitor.post(practice(task), item="1")):
        assert "Before you continue" in page.text
        assert "Monday meetings" not in page.text
    assert "Monday meetings" in _after_notice(visitor, task)


def _after_notice(visitor: Visitor, task: FakeTask) -> str:
    led = visitor.post(f"/tasks/{task.slug}/content-notice", next=practice(task))
    return visitor.get(led.headers["Location"]).text


def test_who_begins_is_led_to_the_practice_once_with_the_way_back(ada: Visitor, nli: FakeTask) -> None:
    led = ada.get(create(nli))
    assert led.status_code == 303
    assert led.headers["Location"] == f"{practice(nli)}?next={quote(create(nli), safe='')}"

    page = ada.get(led.headers["Location"]).text
    assert f'href="{create(nli)}">Skip the practice' in page

    assert ada.get(create(nli)).status_code == 200


def test_who_did_the_practice_before_signing_in_is_not_led_there_again(
    visitor: Visitor, nli: FakeTask
) -> None:
    visitor.get(practice(nli))
    visitor.sign_in("ada")
    assert visitor.get(create(nli)).status_code == 200


def test_the_practice_of_one_task_is_not_that_of_another(
    ada: Visitor, fake: FakePlatform, nli: FakeTask
) -> None:
    ada.get(practice(nli))
    assert ada.get(create(fake.loop.add("qa", has_practice=True))).status_code == 303


def test_who_wrote_in_the_round_is_not_led_away(ada: Visitor, fake: FakePlatform, nli: FakeTask) -> None:
    ada.get(practice(nli))
    assigned = fake.loop.assign(nli.round_id, str(fake.people["ada"].person_id), None)
    context_id = assigned["context"]["context_id"]
    label = assigned["assigned_label"] or "neutral"
    form = {"input.hypothesis": "They met.", "input.label": label, "context_id": context_id}
    assert ada.post(create(nli), key="a" * 20, **form).status_code == 303
    ada.client.delete_cookie("dynabench_practised")
    assert ada.get(create(nli)).status_code == 200


def test_who_wrote_in_an_earlier_round_of_the_task_is_not_led_away(
    ada: Visitor, fake: FakePlatform, nli: FakeTask
) -> None:
    fake.my_rounds.append({**my_round(str(uuid4())), "task_slug": nli.slug, "number": 1})
    assert ada.get(create(nli)).status_code == 200


def test_owners_and_administrators_are_not_led_away(visitor: Visitor, nli: FakeTask) -> None:
    visitor.sign_in("olga")
    assert visitor.get(create(nli)).status_code == 200


@pytest.mark.parametrize("path", ["/people/me/rounds", "/rounds/[^/]+/me$"])
def test_who_may_have_written_before_is_not_led_away_while_that_can_not_be_told(
    ada: Visitor, fake: FakePlatform, nli: FakeTask, path: str
) -> None:
    fake.fail("GET", path, 503, times=9)
    assert ada.get(create(nli)).status_code == 200


def test_a_page_with_a_try_or_an_edit_is_never_left(ada: Visitor, nli: FakeTask) -> None:
    assert ada.get(f"{create(nli)}?hint=1").status_code == 200


def test_a_task_without_practice_is_written_in_at_once(ada: Visitor, fake: FakePlatform) -> None:
    fake.my_rounds.clear()
    assert ada.get(create(fake.loop.add("nli"))).status_code == 200


def test_what_somebody_writes_into_the_cookie_only_concerns_themselves(ada: Visitor, nli: FakeTask) -> None:
    for value in ("::::", "x" * 3000, '";nli', f"{'a' * 40}:nli"):
        ada.client.set_cookie("dynabench_practised", value)
        assert ada.get(create(nli)).status_code == 303

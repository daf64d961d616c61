"""A validator at work: by keys from the blind vote to the correction, back, undone, and measured by gold items."""

from collections.abc import Callable
from typing import Any

import pytest
from dynabench_client import Dynabench
from dynabench_client.results.validation import CastVote
from dynabench_common.testing import wait_until
from playwright.sync_api import Page, expect

from tests.scenarios import OwnTask, answer, lease, record

pytestmark = pytest.mark.slow

WHY = "One wants a hot dish."
FACT = "It only states how warm it was."
CHECK = "Attention, reader number {}: this is to be called positive."
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def task(new_task: Callable[..., OwnTask]) -> OwnTask:
    return new_task(policy={"fixed": {"votes": 5, "agree": 3}})


@pytest.fixture(scope="module")
def waiting(task: OwnTask, new_annotator: Callable[[], Dynabench]) -> str:
    """A round in which three examples, with their authors' reasons, wait for four more people each."""
    round_id = task.bring_in(record(number, explanations={"label": WHY}) for number in range(3))
    first = new_annotator()
    for _ in range(3):
        answer(first, lease(first, round_id), "positive")
    cast = [each.vote_id for each in first.validation.my_recent_votes(round_id)]

    def reasons() -> set[str | None]:
        reveals = [first.validation.reveal(vote_id).reveal for vote_id in cast]
        return {each.explanation for each in reveals if each}

    wait_until(lambda: reasons() == {WHY}, what="the reasons")
    return round_id


def shown(page: Page, *earlier: str) -> str:
    """Return the text of the validator's current example, once it is none of these."""
    text = page.locator(".example-text")
    for each in earlier:
        expect(text).not_to_have_text(each)
    expect(page.locator("#question")).to_be_visible()
    return text.inner_text()


def votes_of(owner: Dynabench, example_id: str) -> tuple[CastVote, ...]:
    """Return the votes on an example that no longer waits for its owner."""
    owner.validation.give_up_vote(example_id)
    return owner.validation.votes(example_id).items


@pytest.mark.parametrize("width", [1280, 390])
def test_a_validator_votes_undoes_goes_back_and_corrects_by_keys(
    width: int, task: OwnTask, waiting: str, new_member: Callable[..., Any]
) -> None:
    member = new_member(width=width, height=844)
    member.sign_in()
    page = member.open(f"/rounds/{waiting}/validate")
    first = shown(page)
    expect(page.locator("#work")).not_to_contain_text(WHY)
    page.keyboard.press("3")
    expect(page.locator("#answered-heading")).to_contain_text("positive")
    expect(page.locator("#work")).not_to_contain_text(WHY)
    page.keyboard.press("u")
    assert shown(page) == first
    expect(page.locator("#work")).not_to_contain_text(WHY)

    page.keyboard.press("2")
    expect(page.locator("#answered-heading")).to_contain_text("neutral")
    page.keyboard.press("Enter")
    expect(page.locator("#reveal-heading")).to_contain_text("neutral")
    expect(page.locator(".reveal")).to_contain_text(WHY)
    expect(page.locator(".toast")).to_have_count(0)
    page.keyboard.press("2")
    expect(page.locator("#reveal-heading")).to_have_text("What is the right answer?")
    page.get_by_label("Why?").fill(FACT)
    page.locator("#reveal-heading").focus()
    page.keyboard.press("Enter")
    second = shown(page, first)
    page.keyboard.press("1")
    expect(page.locator("#answered-heading")).to_be_visible()
    page.keyboard.press("n")
    third = shown(page, first, second)

    page.keyboard.press("b")
    expect(page.locator("#past-heading")).to_contain_text("Your answer 1 of 2")
    expect(page.locator("#past-heading")).to_be_focused()
    page.keyboard.press("b")
    expect(page.locator("#past-heading")).to_contain_text("Your answer 2 of 2")
    expect(page.locator("#past-heading")).to_be_focused()
    expect(page.locator(".example-text")).to_have_text(first)
    page.keyboard.press("l")
    expect(page.locator("#past-heading")).to_contain_text("Your answer 1 of 2")
    expect(page.locator("#past-heading")).to_be_focused()
    page.keyboard.press("3")
    expect(page.locator("#work")).to_contain_text("Your new answer replaces")

    page = member.open(f"/rounds/{waiting}/validate")
    assert shown(page) == third
    page.keyboard.press("1")
    expect(page.locator("#answered-heading")).to_be_visible()
    page.keyboard.press("n")
    expect(page.locator(".empty")).to_contain_text("All done for now")
    expect(page.locator(".empty")).to_contain_text("looks again in")
    assert page.evaluate(OVERFLOW) <= 0

    recent = {each.example.input["text"]: each for each in member.client.validation.my_recent_votes(waiting)}
    answers = {text: vote.value for text, vote in recent.items()}
    assert answers == {first: "neutral", second: "positive", third: "negative"}
    votes = votes_of(task.owner.client, recent[first].example.example_id)
    (mine,) = [each for each in votes if each.voter_id == member.person_id]
    assert (mine.option, mine.agrees, mine.corrected, mine.explanation) == ("neutral", False, "neutral", FACT)


def test_who_fails_known_answers_is_warned_paused_and_reinstated(
    new_task: Callable[..., OwnTask], new_member: Callable[..., Any]
) -> None:
    task = new_task()
    owner, round_id = task.owner.client, task.bring_in(map(record, range(6)))
    for number in range(5):
        checked = {"text": CHECK.format(number)}
        owner.validation.add_gold(task.slug, {"prompt": "We ate by the sea."}, checked, "positive")
    member = new_member()
    notices = answer_wrongly(member.client, round_id, failures=4)
    assert notices[:2] == [None, "warned"]
    answer(member.client, lease(member.client, round_id), "negative")
    member.sign_in()
    page = member.open(f"/rounds/{round_id}/validate")
    expect(page.locator("#work")).to_contain_text("About your last answers.")
    assert "Attention" in shown(page)
    page.keyboard.press("1")
    expect(page.locator("#answered-heading")).to_contain_text("negative")
    page.keyboard.press("Enter")
    expect(page.locator("#reveal-heading")).to_contain_text("positive")
    page.keyboard.press("n")
    expect(page.locator(".empty")).to_contain_text("You are paused in this task")
    page.get_by_label("Say why you should go on.").fill("I was tired.")
    page.click("text=Send the appeal")
    wait_until(lambda: appeals(task) == ["I was tired."], what="the appeal")
    assert owner.validation.counts(round_id).votes == 5

    decider = new_member(person=task.owner)
    decider.sign_in()
    desk = decider.open(f"/tasks/{task.slug}/validators")
    expect(desk.locator("table.validators")).to_contain_text("I was tired.")
    desk.click("table.validators summary:has-text('Reinstate')")
    desk.fill("table.validators input[name=reason]", "Sleep well.")
    desk.click("button:has-text('Reinstate the checker')")
    expect(desk.locator("table.validators summary")).to_contain_text("Pause")
    assert "Attention" not in shown(member.open(f"/rounds/{round_id}/validate"))
    assert member.client.validation.my_votes(round_id).state == "active"
    log = owner.accounts.audit
    entry = wait_until(lambda: log(task=task.slug, object_id=member.person_id).items, what="the audit log")[0]
    assert (entry.action, entry.actor_name, entry.reason) == (
        "validator.reinstated",
        task.owner.user_name,
        "Sleep well.",
    )


def answer_wrongly(person: Dynabench, round_id: str, failures: int) -> list[str | None]:
    """Vote negative until so many gold items are failed; return the notice of each."""
    notices = list[str | None]()
    while len(notices) < failures:
        held = lease(person, round_id)
        assert held.example is not None
        cast = answer(person, held, "negative")
        if held.example.input["text"].startswith("Attention"):
            notices.append(cast.notice.kind if cast.notice else None)
    return notices


def appeals(task: OwnTask) -> list[str]:
    found = task.owner.client.validation.validators(task.slug).items
    return [each.appeal.reason for each in found if each.appeal]

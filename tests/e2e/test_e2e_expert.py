"""An expert is trained, works on an assigned topic, reads why a text was rejected, asks, and appeals."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until
from playwright.sync_api import Page, expect

from tests.scenarios import FLAG, PRAISE, OwnTask, own_task, vote

pytestmark = pytest.mark.slow

HARD, EASY = "Whose opinion does a label name?", "May a text name a person?"
ANSWERS = {HARD: "The reader's", EASY: "No"}
WRONG = {HARD: "The author's", EASY: "No"}
OPTIONS = {HARD: ["The author's", "The reader's"], EASY: ["Yes", "No"]}
TOPIC = "sarcasm about food"
WHY, QUESTION, ANSWER = "It names somebody.", "Whom does it name?", "Read the second word again."


def question(words: str) -> dict[str, Any]:
    return {
        "question": words,
        "options": OPTIONS[words],
        "answer": ANSWERS[words],
        "because": "Checkers see only the text.",
    }


@pytest.fixture
def task(platform: Any, admin: Dynabench) -> OwnTask:
    """A task whose writers pass a quiz of two questions, in two attempts."""
    quiz = {"draw": 2, "pass_mark": 2, "attempts": 2, "questions": [question(HARD), question(EASY)]}
    onboarding = {"activities": ["create"], "guidelines_version": 1, "quizzes": {"create": quiz}}
    return own_task(platform.url, admin, {"onboarding": onboarding})


def confirm(page: Page) -> None:
    """Confirm the guidelines, and leave out the practice."""
    expect(page.locator("h1")).to_contain_text("Training")
    page.get_by_label("I have read the guidelines.").check()
    page.get_by_role("button", name="Confirm and continue").click()
    expect(page.locator("h1")).to_contain_text("Practice")
    page.get_by_role("link", name="Skip the practice").click()


def take_quiz(page: Page, answers: dict[str, str], button: str = "Start the quiz") -> None:
    page.get_by_role("button", name=button).click()
    for _ in answers:
        asked = page.locator(".quiz-question legend")
        expect(asked).to_be_visible()
        words = next(each for each in answers if each in asked.inner_text())
        page.get_by_label(answers[words], exact=True).check()
        page.get_by_role("button", name="Answer").click()
        expect(page.locator("#result-heading")).to_be_visible()
        page.locator(".verdict .button.primary").click()


def fail_once(client: Dynabench, slug: str) -> None:
    """Answer the hard question wrongly in an attempt."""
    client.annotation.confirm_guidelines(slug, 1)
    attempt = client.annotation.start_quiz(slug).attempt
    assert attempt is not None
    for number, each in enumerate(attempt.questions, start=1):
        client.annotation.answer_question(slug, attempt.attempt_id, number, WRONG[each.question])


def assign(page: Page, url: str, slug: str, people: str) -> None:
    """Assign two texts on the topic, as the owner of the task."""
    page.goto(f"{url}/tasks/{slug}/assigned-work")
    expect(page.locator(".empty")).to_contain_text("No work is assigned")
    page.get_by_label("User names").fill(people)
    page.get_by_label("Number of texts").fill("2")
    page.get_by_label("Last day").fill((datetime.now(UTC) + timedelta(days=3)).date().isoformat())
    page.get_by_label("Topic").fill(TOPIC)
    page.get_by_role("button", name="Assign the work").click()
    expect(page.get_by_role("status")).to_contain_text("The work is assigned.")
    expect(page.locator("tbody tr")).to_have_count(2)


def reloaded_until(page: Page, selector: str) -> None:
    def has() -> bool:
        page.reload()
        return page.locator(selector).count() > 0

    wait_until(has, what=selector)


def fail_twice(page: Page, url: str, round_id: str) -> None:
    """Use up both attempts at the quiz."""
    page.goto(f"{url}/rounds/{round_id}/create")
    confirm(page)
    take_quiz(page, WRONG)
    expect(page.get_by_role("status")).to_contain_text("1 of 2")
    take_quiz(page, WRONG, "Take the quiz again")
    expect(page.locator("main")).to_contain_text("You have used all attempts")


def pass_and_write(page: Page, url: str) -> None:
    """Go from the home page through the training to the first try on the topic."""
    page.goto(url)
    expect(page.locator(".next-things")).to_contain_text(TOPIC)
    page.get_by_role("link", name="Write texts").click()
    confirm(page)
    take_quiz(page, ANSWERS)
    page.get_by_role("link", name="Start to work").click()
    bar = page.get_by_role("region", name="Work assigned to you")
    expect(bar).to_contain_text("0 of 2")
    expect(bar).to_contain_text(TOPIC)
    page.check("[name='input.label'][value=negative]")
    page.fill("textarea[name='input.text']", PRAISE.format("soup"))
    page.click("#try-form button[value=submit]")
    expect(page.locator("#verdict-heading")).to_be_visible()
    expect(bar).to_contain_text("1 of 2")


def send(page: Page, text: str) -> None:
    """Send a message in the conversation."""
    page.locator("#message").fill(text)
    page.get_by_role("button", name="Send the message").click()
    expect(page.locator(".thread")).to_contain_text(text)


def read_why_and_ask(page: Page, tries: str) -> None:
    page.goto(tries)
    reloaded_until(page, ".received li >> nth=1")
    page.locator(".received summary").click()
    expect(page.locator(".received")).to_contain_text(WHY)
    page.get_by_role("link", name="Ask the owners").click()
    send(page, QUESTION)


def answer(desk: Page, questions: str, author: str) -> None:
    """Find the question among what waits for the owner, and answer; the author stays unknown."""
    desk.goto(questions)
    desk.locator(".work-item-text a").click()
    desk.get_by_role("link", name="Conversation with the author").click()
    expect(desk.locator(".thread")).to_contain_text(QUESTION)
    assert author not in desk.locator("main").inner_text()
    send(desk, ANSWER)


def read_the_answer_and_appeal(page: Page, url: str, tries: str) -> None:
    page.goto(url)
    reloaded_until(page, "text=wrote to you about your texts")
    page.goto(tries)
    page.get_by_role("link", name="Ask the owners").click()
    expect(page.locator(".thread")).to_contain_text(ANSWER)
    page.goto(tries)
    page.locator("[id^=appeal-] summary").click()
    page.locator("[id^=reason-]").fill("It names a dish.")
    page.get_by_role("button", name="Send the appeal").click()
    expect(page.locator(".appeal")).to_contain_text("It names a dish.")


def test_an_expert_is_trained_works_on_a_topic_asks_and_appeals(
    task: OwnTask,
    platform: Any,
    new_member: Callable[..., Any],
    new_annotator: Callable[[], Dynabench],
) -> None:
    round_id, url = task.open_round(), platform.url
    owner, expert, failing = new_member(person=task.owner), new_member(), new_member()
    for member in (owner, expert, failing):
        member.sign_in()
    desk, page = owner.page, expert.page
    fail_once(new_annotator(), task.slug)
    assign(desk, url, task.slug, f"{expert.user_name}, {failing.user_name}")
    fail_twice(failing.page, url, round_id)
    pass_and_write(page, url)

    (example,) = expert.client.annotation.examples(round_id).items
    for _ in range(2):
        vote(new_annotator(), round_id, {example.example_id: FLAG})
    tries, number = f"{url}/rounds/{round_id}/tries", owner.client.annotation.round(round_id).number
    read_why_and_ask(page, tries)
    answer(desk, f"{url}/tasks/{task.slug}/rounds/{number}/work?kind=question", expert.user_name)
    read_the_answer_and_appeal(page, url, tries)

    desk.goto(f"{url}/tasks/{task.slug}/assigned-work")
    expect(desk.locator("tbody tr", has_text=expert.user_name)).to_contain_text("1 of 2")
    expect(desk.locator("tbody tr", has_text=failing.user_name)).to_contain_text("0 of 2")
    desk.goto(f"{url}/tasks/{task.slug}/training")
    expect(desk.locator("tbody tr", has_text=HARD)).to_contain_text("Most people fail it")
    expect(desk.locator("tbody tr", has_text=EASY)).not_to_contain_text("Most people fail it")

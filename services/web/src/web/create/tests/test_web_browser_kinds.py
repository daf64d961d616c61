"""Tasks of every kind in a browser: conditional questions, sets of labels, pairs, decisions, notices; and axe-core."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_arena import FakeTask
from web_fake_platform import PASSWORD, FakePlatform

pytestmark = pytest.mark.slow

TEXT = "#field-text"


def create(task: FakeTask) -> str:
    return f"/rounds/{task.round_id}/create"


@pytest.fixture
def hate(sign_in: Callable[[str], None], page: Page, fake: FakePlatform) -> FakeTask:
    task = fake.loop.add("hate-speech")
    sign_in(create(task))
    expect(page.locator("h1")).to_contain_text("Before you continue")
    page.click("main button.primary")
    expect(page.locator("#try-form")).to_be_visible()
    return task


def test_a_question_is_shown_while_its_claim_is_chosen(
    hate: FakeTask, page: Page, fake: FakePlatform
) -> None:
    groups = page.get_by_role("group", name="Which groups does it attack?")
    expect(groups).to_be_hidden()
    page.check("input[value=hateful]")
    expect(groups).to_be_visible()
    groups.get_by_label("gender", exact=True).check()
    page.check("input[value='not hateful']")
    expect(groups).to_be_hidden()
    page.fill(TEXT, "They are fine.")
    page.click("#try-form button[value=submit]")
    expect(page.locator(".verdict")).to_be_visible()
    assert next(iter(fake.loop.examples.values()))["metadata"] == {}


def test_a_pair_is_made_of_a_try_and_its_smallest_edit(
    hate: FakeTask, page: Page, fake: FakePlatform
) -> None:
    page.fill(TEXT, "They fool us all.")
    page.check("input[value='not hateful']")
    page.click("#try-form button[value=submit]")
    page.click(".verdict-more a.button")
    expect(page.locator(".edit-note")).to_contain_text("not hateful")
    expect(page.locator(TEXT)).to_have_value("They fool us all.")
    expect(page.locator("input[value=hateful]")).to_be_checked()
    page.fill(TEXT, "They fool us none.")
    page.check("input[value=age]")
    page.check("input[value=excluding]")
    page.click("#try-form button[value=submit]")
    expect(page.locator(".verdict .diff ins")).to_have_text("none")
    expect(page.locator(".verdict .diff del")).to_have_text("all")
    original, edit = fake.loop.examples.values()
    assert edit["perturbation_of"] == original["example_id"]


def test_a_near_duplicate_is_told_before_submitting(hate: FakeTask, page: Page, fake: FakePlatform) -> None:
    twin = {"example_id": fake.loop.round_id, "text": "They fool us both.", "similarity": 0.91}
    hate.similar = {"own": [twin], "others": 0}
    page.locator(TEXT).press_sequentially("They fool us")
    expect(page.locator("#notes")).to_contain_text("Similar to 1 of your texts")
    page.click("#similar-own summary")
    expect(page.locator("#similar-own")).to_contain_text("They fool us both.")
    expect(page.locator(TEXT)).to_have_value("They fool us")
    expect(page).to_have_url(create(hate))
    assert not fake.loop.examples


def test_a_set_of_labels_is_chosen_by_keys_and_kept_as_a_draft(
    sign_in: Callable[[str], None], page: Page, fake: FakePlatform
) -> None:
    task = fake.loop.add("topics", targets=3)
    sign_in(create(task))
    page.keyboard.press("2")
    page.keyboard.press("5")
    page.keyboard.press("1")
    page.keyboard.press("1")
    page.fill("#field-title", "A goal")
    page.fill(TEXT, "The bank scored.")
    expect(page.locator("#try-form [data-draft-status]").first).to_have_text("draft saved")
    page.reload()
    expect(page.locator("input[value=sport]")).to_be_checked()
    expect(page.locator("input[value=culture]")).not_to_be_checked()
    page.press(TEXT, "Enter")
    expect(page.locator(".verdict")).to_be_visible()
    assert next(iter(fake.loop.examples.values()))["claimed"] == ["economy", "sport"]


def test_an_assigned_label_is_written_for(
    sign_in: Callable[[str], None], page: Page, fake: FakePlatform
) -> None:
    task = fake.loop.add("nli")
    sign_in(create(task))
    expect(page.locator(".assigned")).to_contain_text("contradiction")
    page.fill("#field-hypothesis", "Nothing of the kind.")
    pinned = page.locator(".context.is-pinned")
    assert pinned.evaluate("element => getComputedStyle(element).position") == "sticky"
    page.press("#field-hypothesis", "Enter")
    expect(page.locator(".margin").first).to_contain_text("you nearly fooled it")
    expect(page.locator("[name=hint_shown]")).to_have_value("margin")
    assert next(iter(fake.loop.examples.values()))["claimed"] == "contradiction"


def test_the_next_context_waits_in_sight_for_the_reason_and_comes_without_a_new_page(
    sign_in: Callable[[str], None], page: Page, fake: FakePlatform
) -> None:
    task = fake.loop.add("nli")
    sign_in(create(task))
    page.fill("#field-hypothesis", "They fool us.")
    page.press("#field-hypothesis", "Enter")
    following = page.locator("#next-context")
    expect(following).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#next-waits")).to_contain_text("Say why the model was fooled")
    following.press("Enter")
    expect(page.locator("#explanations [name=model]")).to_be_focused()
    page.keyboard.type("It trusts the word.")
    page.click("#explanations button")
    expect(page.locator("#next-waits")).to_be_empty()
    page.click("#next-context")
    expect(page.locator(".verdict")).to_have_count(0)
    expect(page.locator("#field-hypothesis")).to_have_value("")


def test_what_one_may_start_from_is_no_draft_until_it_is_changed(
    sign_in: Callable[[str], None], page: Page, fake: FakePlatform
) -> None:
    task = fake.loop.add("sentiment", contexts=[{"prompt": "Our hotel was near."}])
    sign_in(create(task))
    expect(page.locator(TEXT)).to_have_value("Our hotel was near.")
    page.fill(TEXT, "Our hotel was far.")
    expect(page.locator("#try-form [data-draft-status]")).to_have_text("draft saved")
    page.reload()
    expect(page.locator(TEXT)).to_have_value("Our hotel was far.")
    page.fill(TEXT, "Our hotel was near.")
    expect(page.locator("#try-form [data-draft-status]")).to_have_text("")
    kept = "Object.keys(localStorage).filter(key => key.startsWith('dynabench-draft:')).length"
    assert page.evaluate(kept) == 0


def test_the_author_decides_in_place(sign_in: Callable[[str], None], page: Page, fake: FakePlatform) -> None:
    task = fake.loop.add("visual-questions", targets=2)
    page.route(
        "**/api/annotation/v1/images/*", lambda route: route.fulfill(status=200, content_type="image/gif")
    )
    sign_in(create(task))
    expect(page.get_by_alt_text("Two cows behind a fence, seen from the left.")).to_be_attached()
    page.fill("#field-question", "How many?")
    page.fill("#field-answer", "two")
    page.press("#field-answer", "Enter")
    expect(page.locator(".verdict h2")).to_contain_text("You decide")
    page.locator("#decision input[value=no]").first.check()
    page.locator("#decision input[value=yes]").last.check()
    page.click("#decision button")
    expect(page.locator(".verdict h2")).to_contain_text("You fooled")
    assert [a["wrong"] for a in next(iter(fake.loop.examples.values()))["answers"]] == [False, True]


@pytest.mark.parametrize(("size", "theme"), [(PHONE, "dark"), (DESK, "light")], ids=["phone", "desk"])
@pytest.mark.parametrize("slug", ["qa", "nli", "hate-speech", "topics", "visual-questions"])
def test_no_page_of_a_kind_has_a_finding(
    slug: str,
    size: ViewportSize,
    theme: Literal["light", "dark"],
    browser: Browser,
    site: str,
    fake: FakePlatform,
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    task = fake.loop.add(slug)

    def check(name: str) -> None:
        assert violations(page) == [], f"{slug}: {name}"
        assert page.evaluate(OVERFLOW) <= 0, f"{slug}: {name} is wider than the window"

    page.goto(f"/sign-in?next={create(task)}")
    page.fill("[name=user_name]", "ada")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url("**/create")
    if page.locator(".content-notice").count():
        check("notice")
        page.click("main button.primary")
        page.wait_for_selector("#try-form")
    check("form")
    fill(page, task)
    if page.locator("button[value=probe]").count():
        page.click("button[value=probe]")
        page.wait_for_selector(".probe")
        check("probe")
    if slug == "qa":
        cut_a_word(page, task)
        check("mark that cuts a word")
        fill(page, task)
    page.click("#try-form button[value=submit]")
    page.wait_for_selector(".verdict")
    check("verdict")
    page.click(".compare button")
    page.wait_for_selector(".attribution")
    for summary in page.query_selector_all("main summary"):
        summary.click()
    check("comparison, with everything open")
    page.evaluate("document.getElementById('guidelines-dialog').showModal()")
    check("guidelines")
    example = next(iter(fake.loop.examples.values()))
    if task.document.get("perturbations"):
        page.goto(f"{create(task)}?edit={example['example_id']}")
        check("smallest edit")
    page.goto(f"/rounds/{task.round_id}/tries")
    check("tries")
    task.offer(example["input"], example["claimed"], "It says so.")
    page.goto(f"/rounds/{task.round_id}/validate")
    check("vote")
    page.goto(f"/tasks/{slug}/sandbox")
    check("sandbox")
    context.close()


def cut_a_word(page: Page, task: FakeTask) -> None:
    page.fill("#field-answer", task.context["fields"]["passage"][:2])
    page.click("#try-form button[value=submit]")
    page.wait_for_selector(".cut-word")


def fill(page: Page, task: FakeTask) -> None:
    """Fill in the form of any task."""
    for area in page.locator("#try-form textarea:visible").all():
        area.fill("They fool us all.")
    for name in ("input.label", "input.topics"):
        choice = page.locator(f"input:not([type=hidden])[name='{name}']").last
        if choice.count():
            choice.check()
    if task.slug == "qa":
        page.fill("#field-answer", task.context["fields"]["passage"].split(".")[0])

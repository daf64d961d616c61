"""Owners' pages about rounds in a browser: no finding of axe-core, deciding by keys, a release that shows its end."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web.overview.round import VIEWS
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_platform import PASSWORD, FakePlatform

pytestmark = pytest.mark.slow

BASE = "/tasks/sentiment/rounds/3"
RELEASE = "5e6f2c11-1111-4111-8111-111111111111"
DATASET = "5e6f2c11-2222-4222-8222-222222222222"


@pytest.fixture
def queue(sign_in: Callable[..., None], page: Page) -> Page:
    sign_in(f"{BASE}/work", "olga")
    return page


@pytest.mark.parametrize(("size", "theme"), [(PHONE, "dark"), (DESK, "light")], ids=["phone", "desk"])
def test_no_page_about_rounds_has_a_finding(
    size: ViewportSize, theme: Literal["light", "dark"], browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    fake.owners.release["release_id"] = RELEASE
    case = next(iter(fake.owners.cases))

    def check(path: str) -> None:
        page.goto(path)
        for details in page.locator("main details").all():
            details.evaluate("element => { element.open = true; }")
        assert violations(page) == [], path
        assert page.evaluate(OVERFLOW) <= 0, f"{path} is wider than the window"

    page.goto("/sign-in")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url("**/")
    full = [
        "/rounds",
        *(f"{BASE}/standing?view={view}" for view in VIEWS),
        f"{BASE}/state/closed",
        f"{BASE}/targets",
        f"{BASE}/next",
        f"{BASE}/release",
        f"{BASE}/release?dev=x",
        f"{BASE}/releases/{RELEASE}",
        f"{BASE}/work",
        f"{BASE}/work/{case}",
        f"{BASE}/work/requeue?example_id={case}",
        f"{BASE}/examples",
        f"{BASE}/examples?text=nothing",
        f"{BASE}/examples/{case}",
        f"{BASE}/examples/{fake.owners.waiting['example_id']}",
        *("/tasks/sentiment/rounds", "/tasks/sentiment/manage"),
        "/tasks/sentiment/validators",
        "/tasks/sentiment/gold",
        "/tasks/sentiment/audit",
        "/audit",
    ]
    for path in full:
        check(path)
    fake.owners.blockers = [{"text": "The round has no context.", "remedy": "Add contexts first."}]
    for emptied in (fake.owners.standings, fake.owners.work, fake.owners.validators, fake.owners.gold):
        emptied.clear()
    fake.owners.entries.clear()
    fake.fail("GET", "/api/(leaderboard|validation)/v1/rounds/", 503, times=40)
    for path in (
        "/rounds",
        f"{BASE}/state/open",
        "/audit",
        "/tasks/sentiment/gold",
        f"{BASE}/standing?view=votes",
    ):
        check(path)
    context.close()


@pytest.fixture
def clicks(page: Page) -> list[str]:
    """Collect what is clicked, on all pages."""
    made: list[str] = []

    def note(words: str) -> None:
        made.append(words)

    page.expose_function("noteClick", note)
    page.add_init_script(
        "addEventListener('click', event => event.detail && noteClick(event.target.textContent.trim()), true)"
    )
    return made


def test_an_owner_sees_what_waits_in_one_click_and_closes_a_round_in_four(
    sign_in: Callable[..., None], page: Page, clicks: list[str], fake: FakePlatform
) -> None:
    sign_in("/datasets", "olga")
    clicks.clear()
    page.locator("header a[href='/rounds']").click()
    expect(page.locator(".waits").first).to_be_visible()
    assert len(clicks) == 1, clicks
    page.locator(f"tbody a[href='{BASE}/standing']").click()
    expect(page.locator("#needs-heading")).to_be_in_viewport()
    page.get_by_role("link", name="Close", exact=True).click()
    expect(page.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("The goal is reached.")
    page.get_by_role("button", name="Close Round 3").click()
    page.wait_for_url("**/standing?notice=state-closed")
    assert len(clicks) == 4, clicks
    assert fake.loop.rounds[fake.loop.round_id]["state"] == "closed"


def test_examples_are_found_and_opened_from_the_list(
    sign_in: Callable[..., None], page: Page, fake: FakePlatform
) -> None:
    sign_in(f"{BASE}/examples", "olga")
    page.get_by_label("Words in the text").fill("dog")
    page.get_by_label("Outcome").select_option("disputed")
    page.get_by_role("button", name="Find").click()
    page.wait_for_url(re.compile(r"text=dog.*became=disputed"))
    page.locator(".work-item-text a").click()
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    page.get_by_role("link", name="Back to the list").click()
    expect(page.get_by_label("Words in the text")).to_have_value("dog")
    expect(page.locator(".example-item")).to_have_count(1)


def test_an_example_is_decided_by_keys_alone(queue: Page, fake: FakePlatform) -> None:
    first, second, _ = fake.owners.cases
    queue.keyboard.press("d")
    queue.wait_for_url(f"**/work/{first}")
    queue.keyboard.press("3")
    expect(queue.get_by_role("radio", name="positive")).to_be_checked()
    queue.keyboard.press("r")
    queue.keyboard.type("3 of us read it so.")
    queue.keyboard.press("Enter")
    queue.wait_for_url(re.compile(f"/work/{second}"))
    decided = fake.owners.decisions[0]
    assert (decided["value"], decided["reason"]) == ("positive", "3 of us read it so.")


def test_chosen_examples_are_asked_about_anew(queue: Page, fake: FakePlatform) -> None:
    boxes = queue.get_by_role("checkbox")
    boxes.nth(0).check()
    boxes.nth(2).check()
    queue.get_by_role("button", name="Ask for new votes on the chosen ones").click()
    queue.fill("[name=reason]", "The guidelines changed.")
    queue.get_by_role("button", name="Ask for new votes on 2").click()
    expect(queue.get_by_role("status").first).to_contain_text("The examples wait for new votes.")
    chosen = list(fake.owners.cases)
    assert fake.owners.requeued[0]["example_ids"] == [chosen[0], chosen[2]]


def test_a_release_shows_by_itself_that_it_is_done(
    sign_in: Callable[..., None], page: Page, fake: FakePlatform
) -> None:
    fake.owners.release["release_id"] = RELEASE
    sign_in(f"{BASE}/releases/{RELEASE}", "olga")
    expect(page.locator("main")).to_contain_text("drawing splits")
    fake.owners.release.update(step="storing files", progress=0.8)
    expect(page.locator("main")).to_contain_text("storing files")
    fake.owners.release.update(state="done", progress=1.0, dataset_id=DATASET)
    expect(page.get_by_role("link", name="See the dataset")).to_have_attribute("href", f"/datasets/{DATASET}")

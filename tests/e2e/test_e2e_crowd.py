"""Paid campaigns from an owner's draft to people's pay, against the test server of the crowd platforms."""

from collections.abc import Iterator
from typing import Any

import pytest
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until
from playwright.sync_api import Browser, Page, expect

from tests.crowd_platforms.server import CrowdPlatforms
from tests.crowd_workers import Workers
from tests.e2e.first_minute import Person
from tests.scenarios import PASSWORD, PRAISE, OwnTask, own_task, write

pytestmark = pytest.mark.slow

WRITERS, UNITS = 7, 2
REWARD, BONUS, SCREEN_OUT = 150, 30, 20
MOST_SECONDS = 90


@pytest.fixture(scope="module")
def practice(platform: Any) -> Iterator[CrowdPlatforms]:
    """The practice platform of a fresh installation, which no part of the stack runs."""
    served = CrowdPlatforms(platform.stack.layout.port("crowd_platforms"))
    served.start()
    yield served
    served.stop()


@pytest.fixture
def task(platform: Any, admin: Dynabench) -> OwnTask:
    return own_task(platform.url, admin)


@pytest.fixture
def page(browser: Browser, platform: Any) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=platform.url)
    yield context.new_page()
    context.close()


@pytest.fixture
def crowd(platform: Any, practice: CrowdPlatforms) -> Workers:
    return Workers(platform.url, platform.stack.secrets["service_token_web"], practice)


def sign_in(page: Page, user_name: str) -> None:
    page.goto("/sign-in")
    page.fill("input[name=user_name]", user_name)
    page.fill("input[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/")


def launch(page: Page, slug: str, work: str, places: int, bonus: str) -> str:
    """Draft a campaign in the form and launch it; return its id."""
    page.goto(f"/tasks/{slug}/rounds/1/campaigns/new")
    page.get_by_label("Title").fill("Write sentences that fool a model")
    page.get_by_label(work).check()
    for field, value in (
        ("units", str(UNITS)),
        ("places", str(places)),
        ("reward", "1.50"),
        ("bonus", bonus),
    ):
        page.fill(f"#plan-{field}", value)
    if bonus != "0":
        page.fill("#plan-screen_out", "0.20")
    page.get_by_role("button", name="Save the draft").click()
    page.get_by_role("link", name="Launch campaign").or_(
        page.get_by_role("button", name="Launch campaign")
    ).click()
    page.get_by_role("button", name="Launch campaign").click()
    expect(page.get_by_text("Running", exact=False).first).to_be_visible()
    return page.url.rstrip("/").split("/campaigns/")[1].split("/")[0].split("?")[0]


def test_an_owner_recruits_twelve_people_and_pays_each_once(
    page: Page, task: OwnTask, crowd: Workers, browser: Browser, platform: Any
) -> None:
    """One writes in the browser, one comes twice, one returns, one times out, one is screened out; three check."""
    round_id, owner = task.open_round(), task.owner.client
    more = [{"fields": {"prompt": f"The menu has course {number}."}, "tags": []} for number in range(30)]
    owner.annotation.add_contexts(round_id, more)
    sign_in(page, task.owner.user_name)
    campaign_id = launch(page, task.slug, "Write examples", WRITERS + 3, "0.30")
    study_id = str(owner.crowd.campaign(campaign_id).study_id)

    texts = first_worker_writes(browser, platform.url, crowd.arrive(study_id, "first")["start_url"])
    for number in range(1, WRITERS):
        entry, parameters, person = crowd.enter(study_id, campaign_id, f"writer-{number}")
        again, _, _ = crowd.enter(study_id, campaign_id, f"writer-{number}")
        assert again.work.assignment_id == entry.work.assignment_id
        texts += [PRAISE.format(f"dish {number}-{unit}") for unit in range(UNITS)]
        for text in texts[-UNITS:]:
            write(person, round_id, text, "negative")
        crowd.hand_in(entry, parameters, person)
    lose_three(crowd, owner, study_id, campaign_id)

    checking = launch(page, task.slug, "Check examples", 3, "0")
    check_all(crowd, owner, checking, round_id)
    wait_until(
        lambda: owner.crowd.campaign(campaign_id).validated_errors == WRITERS * UNITS, what="all resolutions"
    )
    pay(page, task.slug, campaign_id, owner)
    pay(page, task.slug, checking, owner)
    assert_paid_once(crowd, owner, campaign_id, WRITERS * (REWARD + UNITS * BONUS) + SCREEN_OUT)
    assert_paid_once(crowd, owner, checking, 3 * REWARD)

    page.goto(f"/rounds/{round_id}")
    expect(page.get_by_text("for each confirmed error", exact=False)).to_be_visible()
    exported = b"".join(owner.datasets.export_round(round_id))
    assert texts[0].encode() in exported
    for secret in crowd.worker_ids:
        assert secret.encode() not in exported
    cohorts = {group.name for group in owner.leaderboard.breakdown(round_id, "cohort").items}
    assert "crowd" in cohorts


def first_worker_writes(browser: Browser, url: str, start_url: str) -> list[str]:
    """Let a worker come on a phone, read the offer, write, and hand in; return their texts."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=url)
    page = context.new_page()
    person = Person(page)
    page.goto(start_url)
    person.read("article")
    person.click("button:has-text('Start work')")
    skip = page.get_by_role("link", name="Skip the practice")
    texts = [PRAISE.format(f"course {unit}") for unit in range(UNITS)]
    expect(skip.or_(page.locator("textarea").first)).to_be_visible()
    if skip.count():
        person.click("a:has-text('Skip the practice')")
    for unit, text in enumerate(texts):
        expect(page.locator("#verdict-heading")).to_have_count(0)
        person.click("label:has-text('negative')")
        person.paste("textarea >> nth=0", text)
        person.click("button:has-text('Submit')")
        expect(page.locator("#verdict-heading")).to_contain_text("fooled")
        if unit == 0:
            assert person.seconds <= MOST_SECONDS
        expect(page.locator(".work-bar")).to_contain_text(f"{unit + 1} of {UNITS}")
        if unit + 1 < UNITS:
            page.get_by_role("button", name="Next text").or_(
                page.get_by_role("link", name="Next text")
            ).first.click()
    page.get_by_role("button", name="Hand in").first.click()
    code = page.locator("#completion-code").inner_text()
    with page.expect_request("**/submissions/complete?*") as returned:
        page.get_by_role("link", name="Go back to").click()
    assert code in returned.value.url
    context.close()
    return texts


def lose_three(crowd: Workers, owner: Dynabench, study_id: str, campaign_id: str) -> None:
    """One person returns the work, one times out on the platform, one is screened out and paid for that."""
    entry, _, person = crowd.enter(study_id, campaign_id, "leaver")
    person.crowd.give_back(entry.work.assignment_id)
    entry, parameters, _ = crowd.enter(study_id, campaign_id, "sleeper")
    crowd.practice.control("POST", f"submissions/{parameters['SESSION_ID']}/end", **{"as": "timed_out"})
    stranger, parameters, person = crowd.enter(study_id, campaign_id, "stranger")
    owner.crowd.screen_out(stranger.work.assignment_id)
    crowd.complete(parameters, str(person.crowd.my_work()[0].code))
    wait_until(
        lambda: owner.crowd.campaign(campaign_id).counts.get("timed_out") == 1, what="the platform's time-out"
    )


def check_all(crowd: Workers, owner: Dynabench, campaign_id: str, round_id: str) -> None:
    """Let three people vote until nothing waits for them, and hand in."""
    study_id = str(owner.crowd.campaign(campaign_id).study_id)
    for number in range(3):
        entry, parameters, person = crowd.enter(study_id, campaign_id, f"checker-{number}")
        while (lease := person.validation.lease(round_id)).lease_id is not None:
            person.validation.vote(lease.lease_id, "label", value="negative")
        crowd.hand_in(entry, parameters, person, nothing_left=True)


def pay(page: Page, slug: str, campaign_id: str, owner: Dynabench) -> None:
    """Approve what was handed in and pay what is owed, by the pages."""
    page.goto(f"/tasks/{slug}/campaigns/{campaign_id}/people")
    page.locator("#approve-all > summary").click()
    page.locator("#approve-all button").click()
    expect(page.locator(".notice[role=status]")).to_be_visible()
    for incomplete in owner.crowd.assignments(campaign_id, state="submitted", limit=200).items:
        assert incomplete.why == "nothing_left"
        owner.crowd.approve(incomplete.assignment_id)
    wait_until(lambda: owner.crowd.owed(campaign_id).waiting == 0, what="the approvals")
    page.goto(f"/tasks/{slug}/campaigns/{campaign_id}/pay")
    button = page.get_by_role("button", name="Pay")
    if button.count():
        button.first.dblclick()
    wait_until(
        lambda: (
            not owner.crowd.owed(campaign_id).unsettled and not owner.crowd.campaign(campaign_id).owed_minor
        ),
        what="the payments",
    )


def assert_paid_once(crowd: Workers, owner: Dynabench, campaign_id: str, total: int) -> None:
    """Compare the ledger with what the platform has recorded."""
    crowd.practice.control("POST", "settlements")
    study_id = owner.crowd.campaign(campaign_id).study_id
    there = [each for each in crowd.practice.control("GET", "payments") if each["study_id"] == study_id]
    assert sum(each["amount_minor"] for each in there) == total
    assert owner.crowd.campaign(campaign_id).paid_minor == total
    kinds = [(each["submission_id"], each["kind"]) for each in there]
    assert len(kinds) == len(set(kinds))

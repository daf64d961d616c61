"""An owner runs a campaign in a browser; axe-core on each page, at 320 pixels, in the dark and from right to left."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, violations
from web_fake_platform import PASSWORD, FakePlatform

LIST = "/tasks/sentiment/rounds/3/campaigns"
NARROW: ViewportSize = {"width": 320, "height": 640}
RIGHT_TO_LEFT = "document.documentElement.dir = 'rtl'"
OPEN_ALL = "document.querySelectorAll('main details').forEach(each => { each.open = true; })"


def test_an_owner_drafts_launches_approves_and_pays(
    sign_in: Callable[[str, str], None], page: Page, fake: FakePlatform
) -> None:
    sign_in(LIST, "olga")
    page.get_by_role("link", name="New campaign").click()
    page.get_by_label("Title").fill("Fool a model about food")
    page.get_by_label("Reward").fill("1.00")
    expect(page.get_by_text("less than the lowest permitted pay")).to_be_visible()
    page.get_by_role("button", name="Use £1.50").click()
    expect(page.get_by_label("Title")).to_have_value("Fool a model about food")
    expect(page.get_by_label("Reward")).to_have_value("1.50")
    page.get_by_label("Bonus").fill("0.30")
    expect(page.get_by_text("£30.00")).to_be_visible()
    page.get_by_role("button", name="Save the draft").click()
    page.get_by_role("link", name="Launch campaign").click()
    page.get_by_role("button", name="Launch campaign").click()
    expect(page.get_by_text("4 of 20 places are taken.")).to_be_visible()
    page.get_by_role("link", name="Approve or reject work").click()
    page.locator("summary", has_text="Approve all that is handed in").click()
    page.get_by_role("button", name="Approve all that is handed in").click()
    expect(page.get_by_text("All work that was handed in is approved.")).to_be_visible()
    page.get_by_role("link", name="Payments").click()
    page.get_by_role("link", name="Pay all that is owed").click()
    page.get_by_role("button", name="Pay £2.10").click()
    expect(page.get_by_text("The payments are on their way.")).to_be_visible()
    (campaign,) = fake.campaigns.campaigns.values()
    assert (campaign["owed_minor"], campaign["state"]) == (0, "running")


def test_an_owner_looks_at_evidence_and_excludes_a_person(
    sign_in: Callable[[str, str], None], page: Page, fake: FakePlatform
) -> None:
    campaign_id = fake.campaigns.add()
    about = fake.campaigns.add_evidence(campaign_id)
    sign_in(f"/tasks/sentiment/campaigns/{campaign_id}", "olga")
    page.get_by_role("link", name="Fair play").click()
    person = page.locator(f"#person-{about}")
    expect(person).to_contain_text("Votes that agree with nobody")
    person.locator("summary").click()
    person.get_by_label("Reason").fill("Two texts are copies.")
    person.get_by_role("button", name="Exclude the person").click()
    expect(page.locator(f"#person-{about}")).to_contain_text("You excluded this person.")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "theme"), [(NARROW, "dark"), (DESK, "light")], ids=["narrow", "desk"])
def test_no_page_of_a_campaign_has_a_finding(
    size: ViewportSize, theme: Literal["light", "dark"], browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"/sign-in?next={LIST}")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url(f"**{LIST}")
    draft, running, by_hand = (
        f"/tasks/sentiment/campaigns/{campaign_id}"
        for campaign_id in (
            fake.campaigns.add("draft", reward_minor=100),
            fake.campaigns.add(reward_minor=100, problem="The balance is too low."),
            fake.campaigns.add(platform="sona", currency="EUR"),
        )
    )
    fake.campaigns.add_evidence(running.rpartition("/")[2], "We share a flat. " * 20)
    for path in (
        *(f"{running}/fair-play", f"{by_hand}/fair-play"),
        *(LIST, f"{LIST}/new", draft, f"{draft}/edit", f"{draft}/state/running", running),
        *(f"{running}{rest}" for rest in ("/state/ended", "/people", "/pay", "/payments", "/ledger")),
        *(by_hand, f"{by_hand}/pay", f"{by_hand}/payments"),
    ):
        page.goto(path)
        page.evaluate(OPEN_ALL)
        assert violations(page) == [], path
        assert page.evaluate(OVERFLOW) <= 0, f"{path} is wider than the window"
        page.evaluate(RIGHT_TO_LEFT)
        assert page.evaluate(OVERFLOW) <= 0, f"{path} is wider than the window from right to left"
    context.close()

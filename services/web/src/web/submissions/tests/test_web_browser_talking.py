"""The lines to copy in a browser, and the way from a model to the sandbox."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect
from web_chromium import DESK, PHONE
from web_fake_models import MODEL_NAME
from web_fake_platform import FakePlatform

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_lines_are_copied_and_the_sandbox_has_the_model_chosen(
    size: ViewportSize, sign_in: Callable[..., None], page: Page, context: BrowserContext
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.set_viewport_size(size)
    sign_in(f"/models/{MODEL_NAME}")
    for name in ("curl", "python", "terminal"):
        page.click(f"[data-copy=talk-{name}]")
        expect(page.locator(f"[data-copy=talk-{name}]")).to_have_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == page.locator(f"#talk-{name}").inner_text().strip()
        assert MODEL_NAME in copied
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    page.get_by_role("link", name="Try the model").click()
    expect(page.locator(f"input[name=target][value={MODEL_NAME}]")).to_be_checked()


def test_a_submission_is_cancelled_by_a_second_button(
    sign_in: Callable[..., None], page: Page, fake: FakePlatform
) -> None:
    waiting = fake.models.add("waiting")
    sign_in(f"/submissions/{waiting}")
    page.get_by_text("Cancel the submission", exact=True).click()
    assert fake.models.named(waiting)["state"] == "waiting"
    page.get_by_role("button", name="Yes, cancel it").click()
    expect(page.locator("main")).to_contain_text("The submission is cancelled and does not count.")
    assert fake.models.named(waiting)["state"] == "cancelled"


def test_a_closed_model_fits_a_phone(sign_in: Callable[..., None], page: Page, fake: FakePlatform) -> None:
    fake.models.in_the_loop.add(MODEL_NAME)
    page.set_viewport_size(PHONE)
    sign_in(f"/models/{MODEL_NAME}")
    expect(page.locator("#talk")).to_contain_text("Closed for now")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

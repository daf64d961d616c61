"""Pages in a browser: no finding of axe-core on any, on a phone and a desk; validation by keys; figures
that look again; the theme."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_archives import archive, send
from web_chromium import BELOW, DESK, OVERFLOW, PHONE, violations
from web_fake_evaluations import evaluation
from web_fake_model_board import DATASET_ID
from web_fake_models import MODEL_NAME, SUBMISSION_ID
from web_fake_people import set_aside
from web_fake_platform import PASSWORD, FakePlatform

pytestmark = pytest.mark.slow

OPEN = ["/", "/tasks/sentiment", "/tasks/nli", "/sign-in", "/sign-up", "/help/keys", "/nothing"]
OPEN += ["/forgotten-password", "/new-password?token=a", "/confirm-email?token=a", "/unsubscribe?token=a"]
PEOPLE = ("/tasks/sentiment/people", "/tasks/nli/people", "/account")


@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_no_page_has_a_finding(
    size: ViewportSize, theme: Literal["light", "dark"], browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    base = f"/rounds/{fake.loop.round_id}"

    def check(name: str) -> None:
        assert violations(page) == [], name
        assert page.evaluate(OVERFLOW) <= 0, f"{name} is wider than the window"

    def visit(path: str) -> None:
        page.goto(path)
        check(path)

    for path in (*OPEN, base):
        visit(path)
    page.goto("/sign-in")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    for path in ("/", base, f"{base}/create", f"{base}/tries", f"{base}/validate", *PEOPLE, "/notices"):
        visit(path)
    fake.desk.notices.tell_everything(fake.loop.round_id)
    for path in ("/", "/notices"):
        visit(path)
    page.goto(f"{base}/create")
    page.check("input[value=negative]")
    page.fill("#field-text", "Such a great choice.")
    page.click("button.primary")
    page.wait_for_selector(".verdict")
    check("verdict")
    page.click(".answers button >> nth=0")
    page.wait_for_selector(".attribution")
    for summary in page.query_selector_all("main summary"):
        summary.click()
    check("inspection, with everything open")
    page.evaluate("document.getElementById('keys-dialog').showModal()")
    check("keys")
    visit(f"{base}/tries")
    page.goto(f"{base}/validate")
    page.keyboard.press("1")
    page.wait_for_selector(".answered")
    check("an answer just given")
    page.keyboard.press("Enter")
    page.wait_for_selector(".reveal")
    check("reveal")
    fake.loop.queue.clear()
    visit(f"{base}/validate")
    fake.loop.rounds[fake.loop.round_id]["state"] = "closed"
    visit(f"{base}/create")
    context.close()


@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_no_page_of_administrators_has_a_finding(
    size: ViewportSize, theme: Literal["light", "dark"], browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    fake.desk.pause(fake.people["ada"], "owner", reason="Too many differ.")
    fake.desk.records["leaderboard"] = [set_aside()]
    page.goto("/sign-in?next=/admin")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    ada = f"/people/{fake.people['ada'].person_id}"
    for path in ("/admin", "/admin/models", "/admin/dead-letters", "/people?search=a", ada, "/account"):
        page.goto(path)
        for summary in page.query_selector_all("main summary"):
            summary.click()
        assert violations(page) == [], path
        assert page.evaluate(OVERFLOW) <= 0, f"{path} is wider than the window"
    context.close()


@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_no_page_of_an_owners_start_has_a_finding(
    size: ViewportSize, theme: Literal["light", "dark"], browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    round_ = f"/rounds/{fake.loop.round_id}"
    fake.loop.rounds[fake.loop.round_id] |= {"state": "draft", "targets": []}
    for name, paths in (
        ("ada", ("/tasks/new", "/tasks/new")),
        (
            "olga",
            ("/people", round_, "/tasks/sentiment/manage", f"{round_}/preview", "/tasks/sentiment/starter"),
        ),
    ):
        context.clear_cookies()
        page.goto(f"/sign-in?next={paths[0]}")
        page.fill("[name=user_name]", name)
        page.fill("[name=password]", PASSWORD)
        page.click("main button.primary")
        for path in paths:
            page.goto(path)
            assert violations(page) == [], path
            assert page.evaluate(OVERFLOW) <= 0, f"{path} is wider than the window"
            assert page.evaluate(BELOW) == [], path
            if path == "/tasks/new" and page.locator("[name=task_slug]").count():
                page.fill("[name=task_slug]", "irony")
                page.fill("[name=reason]", "People write ironic reviews.")
                page.click("main button.primary")
    page.goto(f"{round_}/preview")
    assert page.locator("#try-form button:not(:disabled)").count() == 0
    context.close()


@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_no_page_of_models_has_a_finding(
    size: ViewportSize, theme: Literal["light", "dark"], browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto("/sign-in?next=/models")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    states = ("draft", "checking", "waiting", "refused", "deployed", "withdrawn", "deleted")
    submissions = [fake.models.add(state, "olga") for state in states]
    hostile = [fake.models.add_hostile(state, "olga") for state in ("refused", "published")]
    entry = f"/submissions/{submissions[2]}/entry?path=handler.py"
    compared = f"first=roberta-adv-v2&second=sentiment-minilm&dataset={DATASET_ID}"
    fake.models.evaluations.found.append(evaluation(8, MODEL_NAME, dataset_name="challenge-set"))
    paths = ["/models", "/models?task=sentiment", f"/tasks/sentiment/board/compare?{compared}"]
    paths += ["/models/submit?task=sentiment", f"/models/{MODEL_NAME}", "/models/hostile-v1", entry]
    for path in (*paths, *(f"/submissions/{each}" for each in (SUBMISSION_ID, *submissions, *hostile))):
        page.goto(path)
        for summary in page.query_selector_all("main details:not([open]) > summary"):
            summary.click()
        assert violations(page) == [], path
        assert page.evaluate(OVERFLOW) <= 0, f"{path} is wider than the window"
    page.goto(f"/tasks/sentiment/sandbox?model={MODEL_NAME}&model=sentiment-cnn")
    page.fill("#try-form textarea", "Such a great choice.")
    page.click("#try-form button[value=inspect]")
    expect(page.locator(".answer")).to_have_count(2)
    expect(page.locator(".inspected")).to_have_count(2)
    assert violations(page) == [], "answers of two models"
    assert page.evaluate(OVERFLOW) <= 0, "answers of two models are wider than the window"
    page.goto("/models/submit")
    send(page, archive(0))
    page.wait_for_selector('[data-problem-of="file"]:visible')
    assert violations(page) == [], "a refused file"
    fake.models.store.may_store.clear()
    send(page, archive(2))
    page.wait_for_selector("[data-archive-pause]:visible")
    page.click("[data-archive-pause]")
    assert violations(page) == [], "an archive on its way"
    fake.models.store.may_store.set()
    context.close()


@pytest.mark.parametrize("path", ["create", "validate"])
def test_on_a_phone_targets_are_44_pixels_and_the_actions_stay_in_sight(
    path: str, sign_in: Callable[[str], None], page: Page, fake: FakePlatform
) -> None:
    page.set_viewport_size(PHONE)
    sign_in(f"/rounds/{fake.loop.round_id}/{path}")
    for control in page.query_selector_all("main button:visible, main a.button:visible, .option:visible"):
        box = control.bounding_box()
        if box and box["width"] > 1:
            assert box["height"] >= 44, control.inner_text()
    assert page.locator(".actions").evaluate("element => getComputedStyle(element).position") == "sticky"


def test_the_theme_is_switched_at_once_and_kept(page: Page) -> None:
    page.goto("/")
    page.click("text=Dark")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(19, 21, 25)"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_request_id_can_be_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/nothing")
    shown = page.inner_text("main .request-id code")
    page.click("text=Copy")
    expect(page.locator("main .request-id button")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == shown

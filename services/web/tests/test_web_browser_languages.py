"""Pages in German, in Arabic and with texts a third longer: nothing runs out of the window, its button or its chart.

In German and Arabic axe-core finds nothing either.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
import web
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from web.kit.language import COOKIE
from web.overview.round import VIEWS
from web_chromium import DESK, PHONE, violations
from web_fake_datasets import DATASET_ID
from web_fake_models import MODEL_NAME, SUBMISSION_ID
from web_fake_platform import PASSWORD, FakePlatform
from web_pseudo import CODE, OPEN, write_catalogue

pytestmark = pytest.mark.slow

# Returns the text of each element that is cut off or wider than its container.
CUT = """() => {
  const said = (element) => `${element.tagName.toLowerCase()} “${element.textContent.trim().slice(0, 60)}”`;
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.clientWidth > 1;
  const found = [];
  for (const control of document.querySelectorAll("button, a.button, summary, .word, .label, .option, select")) {
    const isBox = isSeen(control) && getComputedStyle(control).display !== "inline";
    if (isBox && control.scrollWidth > control.clientWidth + 1)
      found.push(`${said(control)} is wider than its box`);
  }
  // The words of an input scroll.
  for (const element of document.querySelectorAll("body *:not(input)")) {
    const style = getComputedStyle(element);
    const isCut = ["hidden", "clip"].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    if (isCut && isSeen(element) && element.namespaceURI.endsWith("xhtml")) found.push(`${said(element)} is cut`);
  }
  for (const text of document.querySelectorAll("svg.chart text")) {
    const [box, paper] = [text.getBoundingClientRect(), text.closest("figure").getBoundingClientRect()];
    if (paper.width > 1 && box.width > 0 && (box.left < paper.left - 1 || box.right > paper.right + 1))
      found.push(`${said(text)} runs out of its figure`);
  }
  return found;
}"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(autouse=True)
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the language before the pages start."""
    monkeypatch.setattr(web, "__path__", [*web.__path__, str(write_catalogue(tmp_path))])


def faults(page: Page) -> list[str]:
    """Return what does not fit on the page that is shown, and what axe-core finds in a language that people read."""
    is_pseudo = page.locator("html").get_attribute("lang") == CODE
    if is_pseudo:
        assert OPEN in page.inner_text("body")
    wider = page.evaluate(WIDER)
    found: list[str] = page.evaluate(CUT)
    return [
        *([f"the page is {wider} px wider than the window"] if wider > 0 else []),
        *dict.fromkeys(found),
        *([] if is_pseudo else violations(page)),
    ]


@pytest.fixture(params=[CODE, "de", "ar"])
def language(request: pytest.FixtureRequest) -> str:
    """A language of the pages."""
    return str(request.param)


@pytest.fixture(params=[DESK, PHONE], ids=["desk", "phone"])
def reading(
    language: str, browser: Browser, site: str, request: pytest.FixtureRequest
) -> Iterator[BrowserContext]:
    """A window in which that language was chosen."""
    size: ViewportSize = request.param
    context = browser.new_context(base_url=site, viewport=size, reduced_motion="reduce", bypass_csp=True)
    context.add_cookies([{"name": COOKIE, "value": language, "url": site}])
    yield context
    context.close()


def test_texts_fit(reading: BrowserContext, fake: FakePlatform) -> None:
    page = reading.new_page()
    found: dict[str, list[str]] = {}

    def check(name: str) -> None:
        told = faults(page)
        if told:
            found[name] = told

    def visit(*paths: str) -> None:
        for path in paths:
            page.goto(path)
            check(path)

    base, owned = f"/rounds/{fake.loop.round_id}", "/tasks/sentiment/rounds/3"
    visit("/", "/tasks/sentiment", base, "/sign-in", "/sign-up", "/help/keys", "/datasets", "/nothing")
    page.goto("/sign-in")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    visit("/", base, f"{base}/create", f"{base}/tries", f"{base}/validate", f"{base}/contexts", "/account")
    visit("/notices", "/unsubscribe?token=a", "/check", "/tasks/sentiment/rounds")
    fake.desk.notices.tell_everything(fake.loop.round_id)
    visit("/", "/notices")
    visit(*(f"{owned}/standing?view={view}" for view in VIEWS))
    visit(f"{owned}/examples", f"{owned}/examples/{fake.owners.waiting['example_id']}")
    visit(*(f"{owned}/{place}" for place in ("work", "targets", "next", "release", "measurements")))
    visit(
        *(
            f"/tasks/sentiment{place}"
            for place in ("", "/manage", "/edit", "/gold", "/validators", "/sandbox", "/audit")
        ),
        *("/tasks/new", "/tasks/sentiment/guidelines"),
    )
    visit("/rounds", f"/datasets/{DATASET_ID}", f"{owned}/state/closed")
    visit(f"{owned}/work/{next(iter(fake.owners.cases))}")
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
    page.goto(f"{base}/validate")
    page.keyboard.press("1")
    page.wait_for_selector(".answered")
    check("an answer just given")
    page.keyboard.press("Enter")
    page.wait_for_selector(".reveal")
    check("reveal")
    assert not found, "\n".join(f"{name}: {told}" for name, told in found.items())


def test_texts_fit_where_one_begins(reading: BrowserContext, fake: FakePlatform) -> None:
    page, found = reading.new_page(), list[str]()
    fake.loop.add("nli", has_practice=True)
    for path in ("/tasks/nli/practice?item=9", "/tasks/nli/practice"):
        page.goto(path)
        found += faults(page)
    page.click("button[value=neutral]")
    page.wait_for_selector("#outcome-heading")
    found += faults(page)
    page.goto("/")
    page.fill("#first-try-text", "A sentence to fool it.")
    page.click("#first-try button[value=positive]")
    page.wait_for_selector("#first-verdict")
    found += faults(page)
    assert not found


def test_texts_fit_on_pages_of_models(reading: BrowserContext, fake: FakePlatform) -> None:
    page, found = reading.new_page(), dict[str, list[str]]()
    page.goto("/sign-in")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    states = ("draft", "checking", "waiting", "refused", "deployed", "cancelled")
    ids = [SUBMISSION_ID, *(fake.models.add(state, "olga") for state in states)]
    paths = ["/models", "/models/submit?task=sentiment", f"/models/{MODEL_NAME}"]
    for path in (*paths, *(f"/submissions/{each}" for each in ids), f"/submissions/{ids[0]}/entry?path=x"):
        page.goto(path)
        for summary in page.query_selector_all("main details:not([open]) > summary"):
            summary.click()
        if told := faults(page):
            found[path] = told
    assert not found, found

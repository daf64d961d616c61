"""Pages about datasets in a browser: no finding of axe-core, on a phone and a desk; copying; looking again; saving."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from web_chromium import DESK, OVERFLOW, PHONE, violations
from web_fake_datasets import DATASET_ID, LABELS, PIECE, dataset
from web_fake_model_board import DATASET_ID as SCORED_ID
from web_fake_model_board import NOW
from web_fake_platform import PASSWORD, FakePlatform

pytestmark = pytest.mark.slow

PAGE = f"/datasets/{DATASET_ID}"
ROUND = "/tasks/sentiment/rounds/3/measurements"
OPEN_ALL = "document.querySelectorAll('main details').forEach((details) => { details.open = true; })"
NARROW: ViewportSize = {"width": 320, "height": 700}
LONG = "a-label-without-any-place-to-break-" * 4


@pytest.mark.parametrize(
    ("size", "theme"), [(NARROW, "light"), (PHONE, "light"), (DESK, "dark")], ids=["narrow", "phone", "desk"]
)
def test_no_page_has_a_finding(
    size: ViewportSize, theme: Literal["light", "dark"], browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    round_id = fake.archive.release()

    def visit(path: str, name: str = "") -> None:
        page.goto(path)
        page.evaluate(OPEN_ALL)
        assert violations(page) == [], name or path
        assert page.evaluate(OVERFLOW) <= 0, f"{name or path} is wider than the window"

    for path in ("/datasets", "/datasets?task=nli", PAGE, f"{PAGE}/measurements", f"/rounds/{round_id}"):
        visit(path)
    page.goto("/sign-in")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url(f"{site}/")
    for path in ("/", "/account", ROUND):
        visit(path)
    fake.archive.measured["associations"] = [
        {**each, "token": LONG, "label": LONG} for each in fake.archive.measured["associations"]
    ]
    fake.archive.measured["overlap"] = None
    visit(ROUND, "long words")
    fake.archive.measured = {"state": "computing"}
    visit(ROUND, "computing")
    words: dict[str, Any] = {
        "title": LONG,
        "name": LONG,
        "licence": LONG,
        "citation": LONG,
        "description": LONG,
    }
    fake.archive.datasets = [dataset(round_id, **words)]
    visit("/datasets", "long names in the list")
    fake.archive.rows = [{**each, "input_text": LONG * 2, "label": LONG} for each in fake.archive.rows]
    visit(PAGE, "long names and texts")
    fake.archive.datasets[0]["content_warning"] = "Hateful words."
    visit("/datasets", "a list without texts")
    visit(PAGE, "held back")
    context.close()


def test_citation_and_code_are_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(PAGE)
    page.click("[data-copy=citation]")
    expect(page.locator("[data-copy=citation]")).to_have_text("Copied")
    assert str(page.evaluate("navigator.clipboard.readText()")).startswith("@misc{sentiment_r2_v1,\n")
    page.click("[data-copy=load-python]")
    expect(page.locator("[data-copy=load-python]")).to_have_text("Copied")
    assert 'load_dataset("parquet"' in str(page.evaluate("navigator.clipboard.readText()"))


def test_measurements_show_themselves_once_they_are_there(page: Page, fake: FakePlatform) -> None:
    result, fake.archive.measured = fake.archive.measured, {"state": "computing"}
    page.goto(f"{PAGE}/measurements")
    expect(page.locator("#computing-heading")).to_be_visible()
    fake.archive.measured = result
    expect(page.locator("#label_balance-heading")).to_be_visible()
    for label in LABELS:
        expect(page.locator("#chart-labels svg")).to_contain_text(label)


def test_an_export_is_saved_under_its_name(
    sign_in: Callable[[str, str], None], page: Page, fake: FakePlatform, tmp_path: Path
) -> None:
    fake.archive.may_finish.set()
    sign_in(ROUND, "olga")
    page.select_option("[name=format]", "parquet")
    with page.expect_download() as begun:
        page.click("text=Export Round 3")
    assert begun.value.suggested_filename == "sentiment-round-3.parquet"
    begun.value.save_as(tmp_path / "export")
    assert (tmp_path / "export").read_bytes() == PIECE + b'{"id": "the last"}\n'


@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_signs_of_a_leak_have_no_finding(
    size: ViewportSize, theme: Literal["light", "dark"], browser: Browser, site: str, fake: FakePlatform
) -> None:
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto("/sign-in")
    page.fill("[name=user_name]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url(f"{site}/")
    about = {"reference": SCORED_ID, "task_slug": None, "round_number": None, "found_at": NOW}
    places = [
        {"place": place, "name": name, **about}
        for place, name in (("answers", "minilm-a-v3"), ("card", LONG), ("dataset", "copied, version 1"))
    ]
    example = {**about, "place": "example", "name": "", "task_slug": "sentiment", "round_number": 2}
    for leaks in (
        {"words": 3, "found": 0, "items": []},
        {"words": 3, "found": 120, "items": [*places, example]},
    ):
        fake.models.evaluations.sets[0].update(access="hidden", leaks=leaks)
        page.goto(f"/datasets/scored/{SCORED_ID}")
        assert violations(page) == []
        assert page.evaluate(OVERFLOW) <= 0

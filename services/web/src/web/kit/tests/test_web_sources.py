"""What the content security policy and the habit of one file per behaviour ask of our sources."""

import re
from pathlib import Path

import pytest
import web
from dynabench_common.page_headers import POLICY
from web.kit.assets import BEHAVIOURS, Assets
from web.kit.security import is_same_origin
from web.kit.words import RESOLUTIONS, ROUND_STATES, VERDICTS

PACKAGE = Path(web.__file__).parent
TEMPLATES = sorted(PACKAGE.rglob("*.html"))
VENDOR = PACKAGE / "kit" / "vendor"
LIBRARY = PACKAGE / "kit" / "js" / "spans"
LIBRARIES = {"start.js", "messages.js", "preference.js", "storage.js", "typing.js"}
LIBRARIES |= {"form-panel.js", "signature_files.js"}
EVERY_SCRIPT = sorted(path for path in PACKAGE.rglob("*.js") if path.parent != VENDOR)
SCRIPTS = [path for path in EVERY_SCRIPT if path.parent != LIBRARY and path.name not in LIBRARIES]
OURS = {"http://localhost:8080"}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_templates_hold_no_inline_script_or_style(template: Path) -> None:
    text = template.read_text()
    assert not re.search(r"\sstyle=|\son\w+=|<style|javascript:", text)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_nothing_in_templates_is_marked_safe(template: Path) -> None:
    assert "|safe" not in template.read_text().replace(" ", "")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_each_behaviour_has_its_file_and_is_attached(script: Path) -> None:
    started = Assets().find(BEHAVIOURS)
    assert started
    assert f'from "./{script.relative_to(PACKAGE).as_posix()}"' in started.content.decode()
    text = script.read_text()
    assert "export const selector" in text
    assert "export function attach" in text


@pytest.mark.parametrize("script", EVERY_SCRIPT, ids=lambda path: path.name)
def test_no_script_makes_code_or_markup_of_text(script: Path) -> None:
    assert not re.search(r"\beval\(|new Function|innerHTML|insertAdjacentHTML", script.read_text())


def test_the_policy_allows_nothing_inline_and_nothing_foreign() -> None:
    assert "default-src 'none'" in POLICY
    assert "unsafe" not in POLICY
    assert "http" not in POLICY


def test_words_have_styles() -> None:
    sheet = (PACKAGE / "kit" / "css" / "components.css").read_text()
    assert ".word " in sheet
    for word in (*VERDICTS.values(), *ROUND_STATES.values(), *RESOLUTIONS.values()):
        assert word.text
        assert word.sign


@pytest.mark.parametrize(
    ("site", "origin", "allowed"),
    [
        ("same-origin", None, True),
        ("same-origin", "http://localhost:8080", True),
        (None, "http://localhost:8080", True),
        ("cross-site", None, False),
        ("cross-site", "http://localhost:8080", False),
        ("same-site", None, False),
        ("none", None, False),
        (None, "http://evil.example", False),
        ("same-origin", "http://evil.example", False),
        (None, "null", False),
        (None, None, False),
    ],
)
def test_only_our_own_pages_may_write(site: str | None, origin: str | None, allowed: bool) -> None:
    assert is_same_origin(site, origin, OURS) is allowed

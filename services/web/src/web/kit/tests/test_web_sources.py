"""Rules for our sources: the content security policy, and one file per behaviour."""

import re
from pathlib import Path

import pytest
import web
from dynabench_common.http.page_headers import POLICY
from web.kit.assets import BEHAVIOURS, Assets
from web.kit.security import is_same_origin

PACKAGE = Path(web.__file__).parent
TEMPLATES = sorted(PACKAGE.rglob("*.html"))
VENDOR = PACKAGE / "kit" / "vendor"
LIBRARY = PACKAGE / "kit" / "js" / "spans"
LIBRARIES = {"start.js", "messages.js", "preference.js", "storage.js", "typing.js"}
LIBRARIES |= {"form-panel.js", "signature_files.js"}
EVERY_SCRIPT = sorted(path for path in PACKAGE.rglob("*.js") if path.parent != VENDOR)
SCRIPTS = [path for path in EVERY_SCRIPT if path.parent != LIBRARY and path.name not in LIBRARIES]
OURS = {"http://localhost:8080"}


def found(pattern: str, files: list[Path]) -> list[str]:
    """Return where a pattern stands in files, as `name: text`."""
    return [
        f"{path.name}: {each.group()}" for path in files for each in re.finditer(pattern, path.read_text())
    ]


def test_templates_hold_no_inline_script_or_style() -> None:
    assert not found(r"\sstyle=|\son\w+=|<style|javascript:|<script(?![^>]*src=)[^>]*>", TEMPLATES)


def test_nothing_in_templates_is_marked_safe() -> None:
    assert not found(r"\|\s*safe\b", TEMPLATES)


def test_each_behaviour_has_its_file_and_is_attached() -> None:
    started = Assets().find(BEHAVIOURS)
    assert started
    for script in SCRIPTS:
        assert f'from "./{script.relative_to(PACKAGE).as_posix()}"' in started.content.decode()
        text = script.read_text()
        assert "export const selector" in text, script
        assert "export function attach" in text, script


def test_no_script_makes_code_or_markup_of_text() -> None:
    assert not found(r"\beval\(|new Function|innerHTML|insertAdjacentHTML", EVERY_SCRIPT)


def test_the_policy_allows_nothing_inline_and_nothing_foreign() -> None:
    assert "default-src 'none'" in POLICY
    assert "unsafe" not in POLICY
    assert "http" not in POLICY


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

"""Contrast between colours in both themes, computed from the file of tokens."""

import re
from pathlib import Path

import pytest
import web

TOKENS = Path(web.__file__).parent / "kit" / "css" / "tokens.css"
PAIR = re.compile(r"--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)")
COLOURS = {name: (light, dark) for name, light, dark in PAIR.findall(TOKENS.read_text())}
SHEETS = sorted(Path(web.__file__).parent.rglob("*.css"))
SURFACES = ("ground", "surface", "raised", "accent-ground")
LABELS = [f"label-{number}" for number in range(1, 9)]
WEIGHTS = [f"{side}-{step}" for side in ("against", "for") for step in range(1, 5)]
THEMES = {"light": 0, "dark": 1}

TEXT = [
    *((ink, ground) for ink in ("text", "text-quiet") for ground in SURFACES),
    *(("accent", ground) for ground in SURFACES),
    ("accent-strong", "ground"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("text", "caution-ground"),
    ("text-quiet", "caution-ground"),
    ("caution", "caution-ground"),
    ("caution", "ground"),
    ("caution", "surface"),
    ("surface", "text"),
    *(("text", weight) for weight in WEIGHTS),
]
MARKS = [
    ("line-control", "ground"),
    ("line-control", "surface"),
    ("accent", "surface"),
    ("text-quiet", "surface"),
    *((label, ground) for label in LABELS for ground in ("surface", "ground", "accent-ground")),
]


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("ink", "ground"), TEXT)
def test_text_has_a_contrast_of_4_5(ink: str, ground: str, theme: str) -> None:
    found = contrast(COLOURS[ink][THEMES[theme]], COLOURS[ground][THEMES[theme]])
    assert found >= 4.5, f"{ink} on {ground}, {theme}: {found:.2f}"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("mark", "ground"), MARKS)
def test_controls_and_marks_have_a_contrast_of_3(mark: str, ground: str, theme: str) -> None:
    found = contrast(COLOURS[mark][THEMES[theme]], COLOURS[ground][THEMES[theme]])
    assert found >= 3, f"{mark} on {ground}, {theme}: {found:.2f}"


def test_colours_live_in_the_tokens_alone() -> None:
    for sheet in SHEETS:
        if sheet != TOKENS:
            assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[;\s,)])", sheet.read_text()) == [], sheet.name


def test_every_colour_that_is_used_is_a_token() -> None:
    known = set(re.findall(r"--([\w-]+):", TOKENS.read_text()))
    local = {"label-colour"}
    for sheet in SHEETS:
        used = set(re.findall(r"var\(--([\w-]+)", sheet.read_text()))
        assert used <= known | local, sheet.name

"""A round's result is one sentence with one bar, and its counts add up to the tries."""

import re
from pathlib import Path
from typing import Any

import pytest
import web
from dynabench_client.results.leaderboard import CurrentRound, Outcomes
from hypothesis import given
from hypothesis import strategies as st
from web.kit.tries_line import GAP, NAMES, WIDTH, TriesLine, tries_line

TEMPLATES = Path(web.__file__).parent
WITH_ALL_FIGURES = {"kit/macros.html", "rounds/figures.html", "overview/progress.html"}
WITH_RESULTS = {
    *("home/tasks.html", "tasks/task.html", "tasks/compare.html"),
    *("rounds/figures.html", "overview/now.html", "overview/rounds.html"),
}
COUNTS = st.fixed_dictionaries({name: st.integers(0, 5000) for name in NAMES})
RATE = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 32}
NO_VERDICT = {"value": None, "n": 0, "reason": "no try has a verdict"}
HARVESTED = {"value": None, "n": 32, "reason": "not available: only the models' errors were kept"}
FOOLED = {"confirmed": 9, "not_confirmed": 3, "being_checked": 12, "not_fooled": 8}


def line(outcomes: dict[str, int], mer: dict[str, Any], state: str = "open") -> TriesLine:
    return tries_line(CurrentRound.blank(outcomes=outcomes, mer=mer, vmer=mer, state=state))


def test_the_line_has_every_outcome_of_the_api() -> None:
    assert list(NAMES) == list(Outcomes.model_fields)


@pytest.mark.parametrize(
    ("outcomes", "mer", "state", "sentence", "note"),
    [
        (FOOLED, RATE, "open", "32 tries · 24 fooled: 9 confirmed, 3 not confirmed, 12 being checked", ""),
        (
            FOOLED,
            RATE,
            "released",
            "32 tries · 24 fooled: 9 confirmed, 3 not confirmed, 12 never checked",
            "",
        ),
        (
            {"being_checked": 1},
            RATE,
            "open",
            "1 try · 1 fooled: 0 confirmed, 0 not confirmed, 1 being checked",
            "",
        ),
        ({"not_fooled": 1000, "retracted": 204}, RATE, "open", "1,204 tries · none fooled", ""),
        ({}, NO_VERDICT, "open", "No tries yet", ""),
        ({"no_target": 12}, NO_VERDICT, "open", "12 tries", "no model was asked in this round"),
        ({"unknown": 1}, NO_VERDICT, "open", "1 try", "unknown how many fooled: no claim"),
        ({"undecided": 2, "unknown": 1}, NO_VERDICT, "open", "3 tries", "no try has a verdict"),
        (
            FOOLED,
            HARVESTED,
            "closed",
            "32 tries · 24 fooled: 9 confirmed, 3 not confirmed, 12 being checked",
            "fool rate not available: only the models' errors were kept",
        ),
    ],
)
def test_the_sentence_and_the_reason_for_a_missing_bar(
    outcomes: dict[str, int], mer: dict[str, Any], state: str, sentence: str, note: str
) -> None:
    found = line(outcomes, mer, state)
    assert (found.sentence.replace("\u00a0", " "), found.note) == (sentence, note)
    assert bool(found.bar) == bool(outcomes and not note)


@given(COUNTS)
def test_the_parts_add_up_to_the_tries(outcomes: dict[str, int]) -> None:
    found = line(outcomes, RATE)
    numbers = [int(part.number.replace(",", "")) for part in found.parts]
    assert numbers == [number for name in NAMES if (number := outcomes[name])]
    said = re.match(r"([\d,]+)", found.sentence)
    assert sum(numbers) == (int(said[1].replace(",", "")) if said else 0)


@given(COUNTS)
def test_each_outcome_that_occurs_has_a_part_of_the_bar(outcomes: dict[str, int]) -> None:
    bar = line(outcomes, RATE).bar
    drawn = re.findall(r'<rect x="([\d.]+)" .*? width="([\d.]+)" .*? class="([\w-]+)"', bar)
    assert [name.replace("-", "_") for *_, name in drawn] == [name for name in NAMES if outcomes[name]]
    assert all(float(width) >= 1 for _, width, _ in drawn)
    if drawn:
        assert sum(float(width) + GAP for _, width, _ in drawn) == pytest.approx(WIDTH + GAP, abs=0.5)
    assert "style=" not in bar


@pytest.mark.parametrize(
    "path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.parent.name + path.stem
)
def test_only_pages_with_all_figures_print_rates(path: Path) -> None:
    text, name = path.read_text(), str(path.relative_to(TEMPLATES))
    assert name in WITH_ALL_FIGURES or not re.search(r"\.v?mer\b", text)
    assert name not in WITH_RESULTS or "tries_line(" in text

"""A round's tries in one sentence, with a bar of the same counts, and the two rates that follow from them.

Lists, cards and headers show a round's result only so; the page of a round has all figures besides.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from dynabench_client.results.leaderboard import CurrentRound, Outcomes, RoundFigures, RoundStanding
from markupsafe import Markup

from web.kit.charts.svg import element
from web.kit.language import N_, _, ngettext
from web.kit.numbers import RateView, count, rate
from web.kit.service_words import service_words

Shape: TypeAlias = tuple[int, int]
RoundResult: TypeAlias = RoundFigures | CurrentRound | RoundStanding

WIDTH, HEIGHT = 400, 12
THINNEST, GAP = 4.0, 2.0
FULL, HOLLOW, THIN = (0, 12), (1, 10), (4, 4)
"""Top and height of a part: filled, with a line around it, or thin."""
SHAPES = {"confirmed": FULL, "not_confirmed": FULL, "being_checked": HOLLOW}
"""Shapes of the fooling tries; without colours too they differ from each other and from all others."""
NAMES = {
    "confirmed": N_("Confirmed"),
    "not_confirmed": N_("Not confirmed"),
    "being_checked": N_("Being checked"),
    "not_fooled": N_("Not fooled"),
    "retracted": N_("Retracted"),
    "undecided": N_("Undecided"),
    "unknown": N_("Unknown: no claim"),
    "no_target": N_("Without a model"),
}
"""The outcomes of tries in the order of the bar, with their names."""


@dataclass(frozen=True)
class TriesPart:
    """The number of tries with one outcome; `key` is its mark in the bar."""

    key: Markup
    name: str
    number: str


@dataclass(frozen=True)
class TriesLine:
    """The tries of a round. `note` says why there is no bar; `parts` are the outcomes that occur."""

    sentence: str
    bar: Markup
    note: str
    parts: list[TriesPart]
    mer: RateView
    vmer: RateView


def tries_line(found: RoundResult) -> TriesLine:
    """Return the tries of a round; without rates there is no bar."""
    outcomes = found.outcomes
    numbers = {name: getattr(outcomes, name) for name in NAMES}
    tries, is_released = sum(numbers.values()), found.state == "released"
    note = _why_no_bar(found, tries)
    return TriesLine(
        sentence=_sentence(outcomes, tries, has_verdicts=found.mer.n > 0, is_released=is_released),
        bar=Markup() if note else stacked_bar(numbers),
        note=note,
        parts=[
            TriesPart(stacked_key(name), _name(name, is_released=is_released), count(number))
            for name, number in numbers.items()
            if number
        ],
        mer=rate(found.mer),
        vmer=rate(found.vmer),
    )


def fooled_of(outcomes: Outcomes) -> int:
    """Return the number of fooling tries."""
    return outcomes.confirmed + outcomes.not_confirmed + outcomes.being_checked


def _sentence(outcomes: Outcomes, tries: int, *, has_verdicts: bool, is_released: bool) -> str:
    fooled = fooled_of(outcomes)
    counts = {
        "tries": count(tries),
        "fooled": count(fooled),
        "confirmed": count(outcomes.confirmed),
        "not_confirmed": count(outcomes.not_confirmed),
        "unchecked": count(outcomes.being_checked),
    }
    if not tries:
        return _("No tries yet")
    if not has_verdicts:
        return ngettext("%(tries)s\u00a0try", "%(tries)s\u00a0tries", tries, **counts)
    if not fooled:
        return ngettext(
            "%(tries)s\u00a0try · none fooled", "%(tries)s\u00a0tries · none fooled", tries, **counts
        )
    if is_released:
        return ngettext(
            "%(tries)s\u00a0try · %(fooled)s\u00a0fooled: %(confirmed)s\u00a0confirmed, "
            "%(not_confirmed)s\u00a0not confirmed, %(unchecked)s\u00a0never checked",
            "%(tries)s\u00a0tries · %(fooled)s\u00a0fooled: %(confirmed)s\u00a0confirmed, "
            "%(not_confirmed)s\u00a0not confirmed, %(unchecked)s\u00a0never checked",
            tries,
            **counts,
        )
    return ngettext(
        "%(tries)s\u00a0try · %(fooled)s\u00a0fooled: %(confirmed)s\u00a0confirmed, "
        "%(not_confirmed)s\u00a0not confirmed, %(unchecked)s\u00a0being checked",
        "%(tries)s\u00a0tries · %(fooled)s\u00a0fooled: %(confirmed)s\u00a0confirmed, "
        "%(not_confirmed)s\u00a0not confirmed, %(unchecked)s\u00a0being checked",
        tries,
        **counts,
    )


def _name(outcome: str, *, is_released: bool) -> str:
    return _("Never checked") if is_released and outcome == "being_checked" else _(NAMES[outcome])


def _why_no_bar(found: RoundResult, tries: int) -> str:
    """Return why the tries have no rate; nothing if they have one, or if there are no tries."""
    if not tries or found.mer.value is not None:
        return ""
    if found.outcomes.no_target == tries:
        return _("no model was asked in this round")
    if found.outcomes.unknown == tries:
        return _("unknown how many fooled: no claim")
    reason = service_words(found.mer.reason or "")
    return _("fool rate %(reason)s", reason=reason) if found.mer.n else reason


def stacked_bar(numbers: Mapping[str, int], shapes: Mapping[str, Shape] = SHAPES) -> Markup:
    """Return a bar of counts, which a sentence or a list describes; nothing without counts.

    Its height is fixed and its width follows the page. A part is as long as its share, and never too short to be seen.
    """
    shown = {name: number for name, number in numbers.items() if number}
    total = sum(shown.values())
    wanted = {name: max(THINNEST, WIDTH * number / total) for name, number in shown.items()}
    scale = (WIDTH - GAP * (len(shown) - 1)) / (sum(wanted.values()) or 1)
    drawn, x = [], 0.0
    for name, length in wanted.items():
        drawn.append(_mark(name, x, length * scale, shapes))
        x += length * scale + GAP
    return _picture("tries-bar", WIDTH, *drawn) if drawn else Markup()


def stacked_key(outcome: str, shapes: Mapping[str, Shape] = SHAPES) -> Markup:
    """Return the mark of a part of such a bar."""
    return _picture("tries-key", HEIGHT, _mark(outcome, 0, HEIGHT, shapes))


def _mark(outcome: str, x: float, width: float, shapes: Mapping[str, Shape]) -> Markup:
    y, height = shapes.get(outcome, THIN)
    return element("rect", x=x, y=y, width=width, height=height, class_=outcome.replace("_", "-"))


def _picture(name: str, width: int, *marks: Markup) -> Markup:
    return element(
        "svg",
        *marks,
        class_=f"chart {name}",
        viewBox=f"0 0 {width} {HEIGHT}",
        preserveAspectRatio="none",
        aria_hidden="true",
    )

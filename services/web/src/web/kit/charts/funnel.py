"""Funnel chart: the number of examples at each stage, from the contexts to the outcomes of votes."""

from collections.abc import Mapping, Sequence

from web.kit.charts.bars import Bar, bars
from web.kit.charts.svg import Chart, Table
from web.kit.language import N_, _
from web.kit.numbers import MISSING, count, percent

CHART_ID = "chart-funnel"
TITLE = N_("From contexts to outcomes")
OUTCOME = "– "


def funnel(stages: Sequence[tuple[str, int]]) -> Chart | None:
    """Return the chart, or None where nothing has happened.

    Each stage is `(name, how many)`, by its English name; an outcome of the votes begins with a dash. The share of
    those that fooled is of the tries with a verdict, as in MER, other shares are of all tries.
    """
    if not any(number for name, number in stages if name != "Contexts"):
        return None
    of = _denominators(stages)
    has_undecided = "With a verdict" in of
    return Chart(
        CHART_ID,
        _(TITLE),
        _("Shares are of all tries. The share of fooled tries is of those with a verdict.")
        if has_undecided
        else _("Shares are of all tries."),
        bars(CHART_ID, _(TITLE), [_bar(name, number, of) for name, number in stages]),
        Table(
            [_("Stage"), _("Examples"), _("Share")],
            [[_words(name), count(number), _share(number, of[name])] for name, number in stages],
        ),
    )


def _denominators(stages: Sequence[tuple[str, int]]) -> dict[str, int]:
    """Return what the share of each stage is of; 0 where none is shown."""
    counts = dict(stages)
    tries = counts.get("Tries", 0)
    of = dict.fromkeys(counts, tries) | {"Contexts": 0, "Tries": 0}
    return {**of, "Fooled": counts.get("With a verdict", tries)}


def _bar(name: str, number: int, of: Mapping[str, int]) -> Bar:
    words = f"{count(number)} · {percent(number / of[name])}" if of[name] else count(number)
    return Bar(_words(name), number, words, is_outcome=name.startswith(OUTCOME))


def _words(name: str) -> str:
    return _(name.removeprefix(OUTCOME))


def _share(number: int, of: int) -> str:
    """Return a share with what it is of."""
    if not of:
        return MISSING
    return _("%(share)s of %(number)s", share=percent(number / of), number=count(of))

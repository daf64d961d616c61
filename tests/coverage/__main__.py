"""`make coverage`: simulate rounds, count how often the intervals hold the truth, write build/coverage.json.

Seven questions, each with its limit; `rounds` describes the simulated rounds. The seeds are fixed: equal code, equal
figures.

1. Intervals of rates (MER, vMER and validity are computed alike), over {5, 12, 50, 500} annotators × rates of
   {2, 10, 35, 80 %} × intra-class correlations of {.02, .10, .30} × five spreads of tries. Only rounds that are given
   an interval count. At least 92 % hold the truth in 95 % of the cells, never under 90; mean width over the cells at
   most 1.15 × that of Wilson's interval of someone who knows the correlation; never a width of zero. 4,000 rounds a
   cell put the standard error of 92 % at 0.4 points. Without a limit, the figures of each
   part of the interval alone are shown too.
2. vMER of rounds of which the newest 30 % of the votes are missing: the projected interval contains the final
   vMER in at least 92 % of the rounds of each kind.
3. The advice on the next round: in at most 10 % of rounds that stay as they are, with 30 % of the votes of the newest
   quarter missing, it wrongly reports that errors get rarer.
4. Words that give labels away: in at most 10 % of rounds of each kind in which no word does (`words`), one is named.
5. The forecast of when a goal is reached: its band holds the day in at least 90 % of the rounds of each kind
   (`arrivals`).
6. Intervals of scores on boards of models: Wilson, clustered, macro F1 and token F1 (`scores`). At least 92 % hold the
   truth in 95 % of the cells, never under 90.
7. Sets of ranks: in at least 94 % of the boards of each kind those of all models are right at once.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.coverage.arrivals import arrivals
from tests.coverage.grid import OURS, Cell, cells
from tests.coverage.pending import false_alarms, pending_rounds
from tests.coverage.scores import rank_sets, score_intervals
from tests.coverage.words import null_rounds
from tests.figures import Figure, Report, at_least, at_most, more_than, plain

WANTED, NEVER_UNDER, CELLS_THAT_REACH_IT = 92.0, 90.0, 95.0
WIDEST = 1.15
FALSE_ALARMS = 10.0
NAMED = 10.0
ARRIVES = 90.0
SETS_HOLD = 94.0
LEAST_GIVEN = 0.1


def of_rates() -> Iterator[Figure]:
    """Yield the first question's figures: each cell, the intervals compared, and the bars."""
    found = list(cells())
    for cell in found:
        if cell.held:
            ours = cell.held[OURS]
            yield plain(cell.name, ours.coverage, f"%, width {ours.width:.2f} ×")
        else:
            yield plain(f"{cell.name}: no interval", 100 * cell.given, "% of rounds get one")
    with_interval = [cell for cell in found if cell.held]
    for name in with_interval[0].held:
        if name != OURS:
            yield from _alone(name, with_interval)
    yield from _bars(with_interval)


def _alone(name: str, found: Sequence[Cell]) -> Iterator[Figure]:
    held = [cell.held[name] for cell in found]
    reached = 100 * sum(each.coverage >= WANTED for each in held) / len(held)
    yield plain(f"{name}: cells with {WANTED:g} % and more", reached, "%")
    yield plain(f"{name}: least coverage", min(each.coverage for each in held), "%")
    yield plain(f"{name}: mean width", sum(each.width for each in held) / len(held), "×")


def _bars(found: Sequence[Cell]) -> Iterator[Figure]:
    held = [cell.held[OURS] for cell in found]
    reached = 100 * sum(each.coverage >= WANTED for each in held) / len(held)
    yield at_least(f"cells with {WANTED:g} % and more, of {len(held)}", reached, "%", CELLS_THAT_REACH_IT)
    yield at_least("least coverage of a cell", min(each.coverage for each in held), "%", NEVER_UNDER)
    width = sum(each.width for each in held) / len(held)
    yield at_most("mean width over that of one who knows the correlation", width, "×", WIDEST)
    narrowest = min(each.narrowest for each in held)
    yield more_than("narrowest interval", narrowest, "", 0)


def of_missing_votes() -> Iterator[Figure]:
    """Yield the second question's figures."""
    for outcome in pending_rounds():
        name = f"30 % pending: {outcome.name}"
        if outcome.given < LEAST_GIVEN:
            yield plain(f"{name}: no interval", 100 * outcome.given, "% of rounds get one")
            continue
        yield plain(f"{name}: final vMER in the interval of vMER so far", outcome.final_in_so_far, "%")
        yield plain(f"{name}: truth in the projected interval", outcome.truth_in_projected, "%")
        yield at_least(
            f"{name}: final vMER in the projected interval", outcome.final_in_projected, "%", WANTED
        )


def of_words() -> Iterator[Figure]:
    """Yield the fourth question's figures."""
    for named in null_rounds():
        yield at_most(f"no word tells anything, {named.name}: one is named", named.share, "%", NAMED)


def of_arrivals() -> Iterator[Figure]:
    """Yield the fifth question's figures."""
    for arrival in arrivals():
        name = f"forecast, {arrival.name}"
        yield at_least(f"{name}: the day in the band", arrival.coverage, "%", ARRIVES)
        yield plain(f"{name}: width", arrival.width, "× the days until then")


def of_scores() -> Iterator[Figure]:
    """Yield the sixth question's figures."""
    found = list(score_intervals())
    for each in found:
        yield plain(f"score, {each.name} ({each.given} samples)", each.coverage, "%")
    reached = 100 * sum(each.coverage >= WANTED for each in found) / len(found)
    yield at_least(
        f"scores: cells with {WANTED:g} % and more, of {len(found)}", reached, "%", CELLS_THAT_REACH_IT
    )
    least = min(each.coverage for each in found)
    yield at_least("scores: least coverage of a cell", least, "%", NEVER_UNDER)


def of_rank_sets() -> Iterator[Figure]:
    """Yield the seventh question's figures."""
    for each in rank_sets():
        yield at_least(f"sets of ranks, {each.name} ({each.given} boards)", each.coverage, "%", SETS_HOLD)


def of_false_alarms() -> Iterator[Figure]:
    """Yield the last question's figures."""
    for steady in false_alarms():
        name = f"steady round, {steady.name}"
        yield plain(f"{name}: any advice", steady.advised, "%")
        yield at_most(f"{name}: wrong advice that errors fall", steady.alarmed, "%", FALSE_ALARMS)


def main() -> int:
    """Simulate everything; return 1 if a figure misses its limit."""
    report = Report("make coverage", Path("build/coverage.json"))
    for part in (of_rates, of_missing_votes, of_words, of_arrivals, of_scores, of_rank_sets, of_false_alarms):
        report.add(part())
    return report.end()


if __name__ == "__main__":
    sys.exit(main())

"""Standing of a round for its owners: the progress of its tries, and their authors."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from dynabench_tasks.resolution import Resolution

from leaderboard.domain.forecast import Forecast
from leaderboard.domain.tally import Tally


@dataclass(frozen=True, slots=True)
class Funnel:
    """Progress of the tries; `outcomes` split the resolved ones, with every outcome named.

    `decided` have a verdict, `fooled` among them; `undecided`, `unknown` and `no_target` have none.
    """

    tries: int
    decided: int
    undecided: int
    unknown: int
    no_target: int
    fooled: int
    resolved: int
    outcomes: Mapping[str, int]
    retracted: int
    pending: int


def funnel(total: Tally, outcomes: Mapping[str, int]) -> Funnel:
    """Return the funnel of a round; `outcomes` counts resolved examples by the outcomes that occur."""
    every = {outcome.value: outcomes.get(outcome.value, 0) for outcome in Resolution}
    return Funnel(
        total.tries,
        total.decided,
        total.undecided,
        total.unknown,
        total.no_target,
        total.fooled,
        total.resolved,
        every,
        total.retracted,
        total.pending,
    )


@dataclass(frozen=True, slots=True)
class Concentration:
    """Concentration of the tries on few people; None while no author is known.

    `hhi` is the Herfindahl-Hirschman index, the sum of the squared shares. It is 1 / people if all made the same
    number, and 1 if one person made all.
    """

    people: int
    top5_share: float | None
    top1_share: float | None
    hhi: float | None


@dataclass(frozen=True, slots=True)
class BurnUp:
    """Validated errors over time, with the goal; `reason` says why there is no forecast."""

    goal: int | None
    points: tuple[tuple[datetime, int], ...]
    per_day: float | None
    forecast: Forecast | None
    reason: str | None

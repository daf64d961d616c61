"""Results of the leaderboard service."""

from datetime import datetime

from dynabench_client.results.base import Result
from dynabench_client.results.rates import Rate


class Headline(Result):
    """What a round is known by: its tries, and the shares of them that fooled and that were confirmed."""

    tries: int = 0
    fooled: int = 0
    validated_errors: int = 0
    mer: Rate = Rate()
    vmer: Rate = Rate()


class Figures(Headline):
    """Counts and rates of a round, a segment or a target. `decided` is what MER and vMER divide by."""

    decided: int = 0
    not_fooled: int = 0
    retracted: int = 0
    votes: int = 0
    resolved: int = 0
    pending: int = 0
    undecided: int = 0
    unknown: int = 0
    no_target: int = 0
    vmer_projected: Rate = Rate()
    validity: Rate = Rate()


class TargetFigures(Figures):
    """Figures of one target of a round or segment."""

    target: str = ""


class SegmentFigures(Figures):
    """Figures of a stretch of a round with the same targets."""

    segment_id: str = ""
    number: int = 0
    targets: tuple[TargetFigures, ...] = ()


class ConditionFigures(Headline):
    """Figures of one arm of a round."""

    condition: str = ""


class RoundFigures(Figures):
    """Figures of a round, split by segment, target and condition."""

    round_id: str
    task_slug: str = ""
    origin: str = ""
    segments: tuple[SegmentFigures, ...] = ()
    targets: tuple[TargetFigures, ...] = ()
    by_condition: tuple[ConditionFigures, ...] = ()
    as_of: datetime | None = None


class NamedFigures(Figures):
    """Figures of one part of a round: a segment, target, condition, cohort, tag or week."""

    name: str = ""


class Breakdown(Result):
    """Figures of a round, part by part."""

    round_id: str = ""
    by: str = ""
    items: tuple[NamedFigures, ...] = ()


class HistoryPoint(Result):
    """Figures of a round at one moment; a bound that is missing has its reason in the history."""

    at: datetime | None = None
    tries: int = 0
    fooled: int = 0
    validated_errors: int = 0
    mer: float | None = None
    mer_low: float | None = None
    mer_high: float | None = None
    vmer: float | None = None
    vmer_low: float | None = None
    vmer_high: float | None = None


class History(Result):
    """Figures of a round over time."""

    round_id: str = ""
    points: tuple[HistoryPoint, ...] = ()


class Pattern(Result):
    """The tries that fooled exactly these targets, and how many of them were validated."""

    fooled: tuple[str, ...] = ()
    tries: int = 0
    validated: int = 0


class Pair(Result):
    """How often two targets were fooled together, alone, or not at all."""

    a: str = ""
    b: str = ""
    both: int = 0
    only_a: int = 0
    only_b: int = 0
    neither: int = 0


class FoolingMatrix(Result):
    """Which tries fooled which targets of a round.

    It is about the tries that every target answered (`answered_by_all`); `incomplete` counts the others.
    Retracted and undecided tries are in neither.
    """

    round_id: str = ""
    targets: tuple[str, ...] = ()
    answered_by_all: int = 0
    patterns: tuple[Pattern, ...] = ()
    pairs: tuple[Pair, ...] = ()
    incomplete: int = 0


class CurrentRound(Headline):
    """The headline of a task's current round."""

    round_id: str
    number: int = 0
    title: str = ""
    state: str = ""
    as_of: datetime | None = None


class TaskHeadline(Result):
    """A task with the headline of its current round: the newest open one, else the newest."""

    task_slug: str
    title: str = ""
    rounds: int = 0
    current_round: CurrentRound | None = None


class MyFigures(Result):
    """One's own counts."""

    tries: int = 0
    fooled: int = 0
    retracted: int = 0
    pending: int = 0
    validated_errors: int = 0

"""Results of the leaderboard service."""

from datetime import datetime

from dynabench_client.results.base import Result
from dynabench_client.results.rates import Range, Rate


class Headline(Result):
    """What a round is known by: its tries, and the shares of them that fooled and that were confirmed.

    While tries wait for votes, `vmer_range` is what vMER can still come to and `vmer_projected` the estimate.
    """

    tries: int
    fooled: int
    unknown: int
    validated_errors: int
    mer: Rate
    vmer: Rate
    vmer_range: Range
    vmer_projected: Rate

    @property
    def is_fooled_known(self) -> bool:
        """Tell whether it can be said how many fooled: not where nothing was claimed."""
        return self.mer.n > 0 or not self.unknown


class Figures(Headline):
    """Counts and rates of a round, a segment or a target. `decided` is what MER and vMER divide by."""

    decided: int
    not_fooled: int
    retracted: int
    resolved: int
    pending: int
    undecided: int
    no_target: int
    validity: Rate


class TargetFigures(Figures):
    """Figures of one target of a round: of the tries that it answered.

    `not_asked` counts tries on which a target of an earlier tier was right; `rates_of` says in words what the rates are
    shares of.
    """

    target: str
    not_asked: int
    rates_of: str


class SegmentTargetFigures(TargetFigures):
    """Figures of one target of a segment, and what ran there; digests are None while unknown."""

    model_digest: str | None
    handler_digest: str | None


class SegmentFigures(Figures):
    """Figures of a stretch of a round with the same targets."""

    segment_id: str
    number: int | None
    started_at: datetime | None
    votes: int
    targets: tuple[SegmentTargetFigures, ...]


class ConditionFigures(Headline):
    """Figures of one arm of a round."""

    condition: str


class RoundFigures(Figures):
    """Figures of a round, split by segment, target and condition."""

    round_id: str
    task_slug: str | None
    number: int
    title: str
    state: str
    origin: str
    votes: int
    segments: tuple[SegmentFigures, ...]
    targets: tuple[TargetFigures, ...]
    by_condition: tuple[ConditionFigures, ...]
    as_of: datetime


class NamedFigures(Figures):
    """Figures of one part of a round: a segment, target, condition, cohort, tag or week.

    `not_asked` and `rates_of` are as in TargetFigures.
    """

    name: str
    not_asked: int
    rates_of: str


class Breakdown(Result):
    """Figures of a round, part by part."""

    round_id: str
    by: str
    items: tuple[NamedFigures, ...]


class HistoryPoint(Result):
    """Figures of a round at one moment; a bound that is missing has its reason in the history."""

    at: datetime
    tries: int
    fooled: int
    validated_errors: int
    mer: float | None
    mer_low: float | None
    mer_high: float | None
    vmer: float | None
    vmer_low: float | None
    vmer_high: float | None


class History(Result):
    """Figures of a round over time."""

    round_id: str
    as_of: datetime
    points: tuple[HistoryPoint, ...]


class Pattern(Result):
    """The tries that fooled exactly these targets, and how many of them were validated."""

    fooled: tuple[str, ...]
    tries: int
    validated: int


class Pair(Result):
    """How often two targets were fooled together, alone, or not at all."""

    a: str
    b: str
    both: int
    only_a: int
    only_b: int
    neither: int


class Fooling(Result):
    """Which tries fooled which targets.

    It is about the tries that every target answered (`answered_by_all`); `incomplete` counts the others.
    Of the others `not_asked` are those on which a target was not asked. Retracted and undecided tries are in neither.
    """

    targets: tuple[str, ...]
    answered_by_all: int
    patterns: tuple[Pattern, ...]
    pairs: tuple[Pair, ...]
    incomplete: int
    not_asked: int


class SegmentFooling(Fooling):
    """Which tries of a segment fooled which of its targets."""

    segment_id: str
    number: int | None


class FoolingMatrix(Fooling):
    """Which tries of a round fooled which of its targets, and the same of each segment."""

    round_id: str
    segments: tuple[SegmentFooling, ...]


class CurrentRound(Headline):
    """The headline of a task's current round."""

    round_id: str
    number: int
    title: str
    state: str
    as_of: datetime


class TaskHeadline(Result):
    """A task with the headline of its current round: the newest open one, else the newest."""

    task_id: str
    task_slug: str
    title: str
    rounds: int
    current_round: CurrentRound | None


class MyFigures(Result):
    """One's own counts."""

    tries: int
    decided: int
    fooled: int
    retracted: int
    pending: int
    validated_errors: int


class MyRound(MyFigures):
    """One's own counts in a round that one wrote in."""

    round_id: str
    task_slug: str
    task_title: str
    number: int
    state: str

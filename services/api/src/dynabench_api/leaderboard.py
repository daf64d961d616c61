"""Figures of rounds, tasks and the caller's own tries, from the leaderboard service."""

from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from dynabench_api.base import Id, Page, Record, words
from dynabench_api.rates import Measure, ProjectedRateAnswer, RangeAnswer, RateAnswer
from dynabench_api.words import Advice, By, Says


class CostAnswer(Measure):
    """A figure of effort. Missing numbers are null."""


class CostIntervalAnswer(RateAnswer):
    """A figure of effort with its 95 % interval."""


class HeadlineAnswer(Record):
    """The main figures of a round or a part of it."""

    tries: int
    fooled: int = Field(
        description="Tries that fooled, among those with a verdict; unknown ones are not included"
    )
    unknown: int = Field(description="Tries imported without a claim, so that it is unknown if they fooled")
    validated_errors: int
    mer: RateAnswer
    vmer: RateAnswer
    vmer_range: RangeAnswer
    vmer_projected: ProjectedRateAnswer = Field(description="Estimated vMER while tries wait for votes")

    @property
    def is_fooled_known(self) -> bool:
        """Return whether the number of fooling tries is known; it is not if no try has a claim."""
        return self.mer.n > 0 or not self.unknown


class OutcomesAnswer(Record):
    """A round's tries by outcome. Each try is counted once, so the counts add up to all tries."""

    confirmed: int = Field(description="Fooling tries that are validated errors")
    not_confirmed: int = Field(
        description="Resolved fooling tries that are no validated errors: people disagreed with the author, "
        "found the text unfit, or did not agree with one another"
    )
    being_checked: int = Field(description="Fooling tries without a resolution")
    not_fooled: int
    retracted: int
    undecided: int
    unknown: int
    no_target: int


class FiguresAnswer(HeadlineAnswer):
    """Counts and rates; each try is one of fooled, not_fooled, retracted, undecided, unknown, no_target."""

    decided: int = Field(
        description="Tries with a verdict, including retracted ones: the denominator of MER and vMER"
    )
    not_fooled: int
    retracted: int
    undecided: int
    no_target: int
    resolved: int = Field(description="Resolved tries, with or without a verdict")
    pending: int = Field(
        description="Tries that wait for a resolution: only fooling ones, or all, by the task's policy"
    )
    validity: RateAnswer


RatesOf = Annotated[
    Annotated[str, words("tries", "tries that fooled the earlier tiers")],
    Field(description="Denominator of the rates"),
]


class TargetFiguresAnswer(FiguresAnswer):
    """Figures of one target over the tries that it answered."""

    target: str
    not_asked: int = Field(
        description="Tries that it was not asked about, because a target of an earlier tier was right"
    )
    rates_of: RatesOf


class SegmentTargetAnswer(TargetFiguresAnswer):
    """Figures of one target in a segment, with the digests of model and handler; null while unknown."""

    model_digest: str | None
    handler_digest: str | None


class SegmentAnswer(FiguresAnswer):
    """A part of the round with the same targets and configuration."""

    segment_id: Id
    number: int | None
    started_at: datetime | None
    votes: int
    targets: tuple[SegmentTargetAnswer, ...]


class ConditionAnswer(HeadlineAnswer):
    """Figures of one arm of the round. Tries without a verdict, as in a control arm, count only in `tries`."""

    condition: str


class RoundBoardAnswer(FiguresAnswer):
    """A round's board."""

    round_id: Id
    task_slug: str | None
    number: int
    title: str
    state: str
    origin: str = Field(description="imported or harvested; empty if people write the examples here")
    outcomes: OutcomesAnswer
    as_of: datetime = Field(description="Time of the newest event in the figures")
    votes: int
    segments: tuple[SegmentAnswer, ...]
    targets: tuple[TargetFiguresAnswer, ...]
    by_condition: tuple[ConditionAnswer, ...] = Field(
        description="Figures by arm, ordered by name; empty if the round has no arms"
    )


class PointAnswer(Record):
    """Figures of a round up to a point in time. Bounds are null if there is no interval."""

    at: datetime
    tries: int = Field(description="Tries with a verdict")
    fooled: int
    validated_errors: int
    mer: float | None
    mer_low: float | None
    mer_high: float | None
    vmer: float | None
    vmer_low: float | None
    vmer_high: float | None
    tries_per_fooling: float | None = Field(description="Null until a try has fooled")
    tries_per_fooling_low: float | None
    tries_per_fooling_high: float | None


class HistoryAnswer(Record):
    """A round's figures over time, the oldest first, at most 60 points."""

    round_id: Id
    as_of: datetime
    points: tuple[PointAnswer, ...]


class CurrentRoundAnswer(HeadlineAnswer):
    """The headline of a task's current round."""

    round_id: Id
    number: int
    title: str
    state: str
    outcomes: OutcomesAnswer
    as_of: datetime


class TaskHeadlineAnswer(Record):
    """A task with its current round: the newest open round, else the newest round.

    A demonstration is it only if there is no other round.
    """

    task_id: Id
    task_slug: str
    title: str
    rounds: int
    current_round: CurrentRoundAnswer | None


class TaskHeadlinesAnswer(Page[TaskHeadlineAnswer]):
    """A page of tasks by slug."""


class OwnFiguresAnswer(Record):
    """Figures of the caller's own tries."""

    tries: int
    decided: int
    fooled: int
    retracted: int
    pending: int
    validated_errors: int


class OwnRoundAnswer(OwnFiguresAnswer):
    """Figures of the caller's own tries in a round."""

    round_id: Id
    task_slug: str
    task_title: str
    number: int
    state: str


class OwnRoundsAnswer(Record):
    """The rounds with tries of the caller."""

    items: tuple[OwnRoundAnswer, ...]


class GroupAnswer(FiguresAnswer):
    """One group of a round's tries."""

    name: str = Field(description="A segment's number, a target, a condition, a cohort, a tag or an ISO week")
    not_asked: int = Field(
        description="For a target: tries that it was not asked about, because a target of an earlier tier was "
        "right; else 0"
    )
    rates_of: RatesOf


class BreakdownAnswer(Record):
    """A round's figures by one dimension. At most 200 groups are listed, those with the most tries."""

    round_id: Id
    by: By
    items: tuple[GroupAnswer, ...]


class SurvivorsAnswer(Record):
    """A step of the survival curve."""

    tries: int
    share: float = Field(
        description="Share of people's works on a context without a fooling try after this many tries"
    )
    at_risk: int = Field(description="Works that reached this try without having fooled")
    low: float | None = Field(description="Lower end of the 95 % interval; null if MER has no interval")
    high: float | None


class SubjectEffortAnswer(Record):
    """The effort to fool one target, or to fool by the round's rule."""

    target: str | None = Field(description="Null for the rule")
    tries_per_fooling: CostIntervalAnswer = Field(description="`n` counts tries")
    minutes_per_validated_error: CostAnswer = Field(description="`n` counts validated errors")
    survival: tuple[SurvivorsAnswer, ...]


class EffortAnswer(Record):
    """Effort by the round's rule, then for each target in order."""

    items: tuple[SubjectEffortAnswer, ...]


class PatternAnswer(Record):
    """The tries that fooled exactly these targets."""

    fooled: tuple[str, ...]
    tries: int
    validated: int = Field(description="Tries with votes that confirm the error of every fooled target")


class PairAnswer(Record):
    """Counts of tries that fooled both of two targets, one of them, or neither."""

    a: str
    b: str
    both: int
    only_a: int
    only_b: int
    neither: int


class MatrixAnswer(Record):
    """Counts of tries by the set of fooled targets, without retracted tries and tries without a verdict."""

    targets: tuple[str, ...]
    answered_by_all: int = Field(
        description="Tries that every target answered; patterns and pairs count these"
    )
    incomplete: int = Field(description="Tries that at least one target did not answer")
    not_asked: int = Field(
        description="Incomplete tries with a target that was not asked, because a target of an earlier tier was "
        "right"
    )
    patterns: tuple[PatternAnswer, ...] = Field(
        description="Patterns with at least one try, the most frequent first"
    )
    pairs: tuple[PairAnswer, ...]


class SegmentMatrixAnswer(MatrixAnswer):
    """The matrix of a segment, over the targets that ran in it."""

    segment_id: Id
    number: int | None


class RoundMatrixAnswer(MatrixAnswer):
    """The matrix of a round, over the targets that it names, and of each segment."""

    round_id: Id
    segments: tuple[SegmentMatrixAnswer, ...]


class FunnelAnswer(Record):
    """Counts of tries by state. `correct` to `no_claim` divide the resolved ones."""

    tries: int
    decided: int = Field(
        description="Tries with a verdict, including retracted ones: the denominator of MER and vMER"
    )
    undecided: int
    unknown: int = Field(description="Tries imported without a claim, so that it is unknown if they fooled")
    no_target: int
    fooled: int
    resolved: int = Field(description="Resolved tries, with or without a verdict")
    correct: int
    incorrect: int
    flagged: int
    disputed: int
    no_claim: int
    retracted: int
    pending: int


class BurnUpPointAnswer(Record):
    """The number of validated errors up to a point in time."""

    at: datetime
    validated: int


class ForecastAnswer(Record):
    """The expected date of the goal, with a 95 % interval from `low` to `high`."""

    low: date
    expected: date
    high: date


class BurnUpAnswer(Record):
    """Validated errors over time and the goal, at most 60 points."""

    goal: int | None
    points: tuple[BurnUpPointAnswer, ...]
    per_day: float | None = Field(
        description="Validated errors per day over the last 28 days; null on the first day"
    )
    forecast: ForecastAnswer | None
    reason: str | None = Field(description="Reason for a missing forecast")


class AuthorsAnswer(Record):
    """Shares of tries by the most active authors; null while no author is known."""

    people: int
    top5_share: float | None
    top1_share: float | None
    hhi: float | None = Field(
        description="Herfindahl-Hirschman index: the sum of squared shares; 1 if one person made all tries"
    )


class LabelsAnswer(Record):
    """Examples by label, without retracted ones; empty for tasks without claimed labels."""

    claimed: dict[str, int]
    gold: dict[str, int]


class StandingAnswer(Record):
    """The figures of a round."""

    round_id: Id
    task_slug: str | None
    number: int
    title: str
    state: str
    origin: str
    opened_at: datetime | None = Field(description="Time of the first opening")
    funnel: FunnelAnswer
    burn_up: BurnUpAnswer
    authors: AuthorsAnswer
    labels: LabelsAnswer
    cohorts: dict[str, int] = Field(description="Tries by cohort")
    as_of: datetime


class StandingHeadlineAnswer(HeadlineAnswer):
    """A round in the list of all rounds."""

    round_id: Id
    task_slug: str | None
    number: int
    title: str
    state: str
    origin: str
    outcomes: OutcomesAnswer
    pending: int
    as_of: datetime


class StandingsAnswer(Page[StandingHeadlineAnswer]):
    """A page of rounds, by task and then the newest first."""


class EvidenceAnswer(Record):
    """One criterion for the next round, with its result."""

    name: str = Field(description="goal, saturation, yield, validity or pending")
    says: Says
    text: str
    value: float | None
    threshold: float | None


class NextRoundAnswer(Record):
    """The advice on the next round, with its reasons."""

    advice: Advice
    evidence: tuple[EvidenceAnswer, ...]

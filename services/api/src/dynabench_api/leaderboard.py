"""Figures of rounds, tasks and one's own tries, as the leaderboard answers them."""

from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from dynabench_api.base import Id, Page, Record, words
from dynabench_api.rates import Measure, ProjectedRateAnswer, RangeAnswer, RateAnswer
from dynabench_api.words import Advice, By, Says


class CostAnswer(Measure):
    """A figure of effort; what is missing is null."""


class CostIntervalAnswer(RateAnswer):
    """A figure of effort with its 95 % interval."""


class HeadlineAnswer(Record):
    """The main figures of a round or a part of it."""

    tries: int
    fooled: int = Field(description="Of the tries with a verdict; says nothing about unknown ones")
    unknown: int = Field(description="Imported without a claim, so that nothing says whether they fooled")
    validated_errors: int
    mer: RateAnswer
    vmer: RateAnswer
    vmer_range: RangeAnswer
    vmer_projected: ProjectedRateAnswer = Field(description="The estimate while tries wait for votes")

    @property
    def is_fooled_known(self) -> bool:
        """Tell whether it can be said how many fooled: not where nothing was claimed."""
        return self.mer.n > 0 or not self.unknown


class FiguresAnswer(HeadlineAnswer):
    """Counts and rates; each try is one of fooled, not_fooled, retracted, undecided, unknown, no_target."""

    decided: int = Field(description="Tries with a verdict, retracted ones too: what MER and vMER divide by")
    not_fooled: int
    retracted: int
    undecided: int
    no_target: int
    resolved: int = Field(description="Of all tries, with a verdict or without")
    pending: int = Field(
        description="Tries that still await a resolution: the fooling ones, or all by policy"
    )
    validity: RateAnswer


RatesOf = Annotated[
    Annotated[str, words("tries", "tries that fooled the earlier tiers")],
    Field(description="What rates are shares of"),
]


class TargetFiguresAnswer(FiguresAnswer):
    """One target over the tries that it answered."""

    target: str
    not_asked: int = Field(
        description="Tries on which it was not asked, since a target of an earlier tier was right"
    )
    rates_of: RatesOf


class SegmentTargetAnswer(TargetFiguresAnswer):
    """One target within a segment and what exactly ran there; digests are null while unknown."""

    model_digest: str | None
    handler_digest: str | None


class SegmentAnswer(FiguresAnswer):
    """A stretch of the round with the same targets and configuration."""

    segment_id: Id
    number: int | None
    started_at: datetime | None
    votes: int
    targets: tuple[SegmentTargetAnswer, ...]


class ConditionAnswer(HeadlineAnswer):
    """One arm of the round; tries without a verdict, those of a control arm, are in `tries` alone."""

    condition: str


class RoundBoardAnswer(FiguresAnswer):
    """A round's board."""

    round_id: Id
    task_slug: str | None
    number: int
    title: str
    state: str
    origin: str = Field(description="Empty where people write the examples, else imported or harvested")
    as_of: datetime = Field(description="Time of the newest event that is counted")
    votes: int
    segments: tuple[SegmentAnswer, ...]
    targets: tuple[TargetFiguresAnswer, ...]
    by_condition: tuple[ConditionAnswer, ...] = Field(description="By name; empty if no arms were drawn")


class PointAnswer(Record):
    """Figures of a round up to a moment; bounds are null where there is no interval."""

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


class HistoryAnswer(Record):
    """A round over time, oldest first, at most 60 points."""

    round_id: Id
    as_of: datetime
    points: tuple[PointAnswer, ...]


class CurrentRoundAnswer(HeadlineAnswer):
    """The headline of a task's current round."""

    round_id: Id
    number: int
    title: str
    state: str
    as_of: datetime


class TaskHeadlineAnswer(Record):
    """A task with its current round: the newest open one, else the newest."""

    task_id: Id
    task_slug: str
    title: str
    rounds: int
    current_round: CurrentRoundAnswer | None


class TaskHeadlinesAnswer(Page[TaskHeadlineAnswer]):
    """A page of tasks by slug."""


class OwnFiguresAnswer(Record):
    """Figures of one's own tries."""

    tries: int
    decided: int
    fooled: int
    retracted: int
    pending: int
    validated_errors: int


class OwnRoundAnswer(OwnFiguresAnswer):
    """Figures of one's own tries in a round."""

    round_id: Id
    task_slug: str
    task_title: str
    number: int
    state: str


class OwnRoundsAnswer(Record):
    """The rounds that one wrote in."""

    items: tuple[OwnRoundAnswer, ...]


class GroupAnswer(FiguresAnswer):
    """One group of a round's tries."""

    name: str = Field(description="A segment's number, a target, a condition, a cohort, a tag or an ISO week")
    not_asked: int = Field(description="Of a target: tries on which one of an earlier tier was right; else 0")
    rates_of: RatesOf


class BreakdownAnswer(Record):
    """A round's figures by one dimension; of tags and the like at most the 200 with the most tries."""

    round_id: Id
    by: By
    items: tuple[GroupAnswer, ...]


class SurvivorsAnswer(Record):
    """A step of the survival curve."""

    tries: int
    share: float = Field(
        description="Share of people's works on a context that are unfooled after so many tries"
    )
    at_risk: int = Field(description="Works that came to this try unfooled")
    low: float | None = Field(description="Of the 95 % interval; null where MER has none")
    high: float | None


class SubjectEffortAnswer(Record):
    """The effort to fool one target, or the round's rule."""

    target: str | None = Field(description="Null for the rule")
    tries_per_fooling: CostIntervalAnswer = Field(description="`n` counts tries")
    minutes_per_validated_error: CostAnswer = Field(description="`n` counts validated errors")
    survival: tuple[SurvivorsAnswer, ...]


class EffortAnswer(Record):
    """The effort of fooling: the round's rule first, then the targets in their order."""

    items: tuple[SubjectEffortAnswer, ...]


class PatternAnswer(Record):
    """The tries that fooled exactly these targets."""

    fooled: tuple[str, ...]
    tries: int
    validated: int = Field(description="Tries for which votes confirmed the error of every fooled target")


class PairAnswer(Record):
    """Numbers of tries that fooled both of two targets, one of them, or neither."""

    a: str
    b: str
    both: int
    only_a: int
    only_b: int
    neither: int


class MatrixAnswer(Record):
    """Numbers of tries by the set of targets that they fooled, without retracted tries and those without a verdict."""

    targets: tuple[str, ...]
    answered_by_all: int = Field(description="Tries that every target answered: those of patterns and pairs")
    incomplete: int = Field(description="Tries that some of the targets did not answer")
    not_asked: int = Field(
        description="Of these, tries on which a target was not asked, since one of an earlier tier was right"
    )
    patterns: tuple[PatternAnswer, ...] = Field(description="Those that occur, most tries first")
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
    """Numbers of tries by their state; `correct` to `no_claim` split the resolved ones."""

    tries: int
    decided: int = Field(description="Tries with a verdict, retracted ones too: what MER and vMER divide by")
    undecided: int
    unknown: int = Field(description="Imported without a claim, so that nothing says whether they fooled")
    no_target: int
    fooled: int
    resolved: int = Field(description="Of all tries, with a verdict or without")
    correct: int
    incorrect: int
    flagged: int
    disputed: int
    no_claim: int
    retracted: int
    pending: int


class BurnUpPointAnswer(Record):
    """Validated errors until a moment."""

    at: datetime
    validated: int


class ForecastAnswer(Record):
    """The expected date of the goal; with 95 % chance between `low` and `high`."""

    low: date
    expected: date
    high: date


class BurnUpAnswer(Record):
    """Validated errors over time beside the goal, at most 60 points."""

    goal: int | None
    points: tuple[BurnUpPointAnswer, ...]
    per_day: float | None = Field(
        description="Validated errors per day, over the last 28 days; null in the first day"
    )
    forecast: ForecastAnswer | None
    reason: str | None = Field(description="Why there is no forecast")


class AuthorsAnswer(Record):
    """Shares of the tries that the most active people made; null while no author is known."""

    people: int
    top5_share: float | None
    top1_share: float | None
    hhi: float | None = Field(description="Sum of the squared shares: 1 if one person made all")


class LabelsAnswer(Record):
    """Examples by label, retracted ones left out; empty where no labels are claimed."""

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
    opened_at: datetime | None = Field(description="When it was opened first")
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
    pending: int
    as_of: datetime


class StandingsAnswer(Page[StandingHeadlineAnswer]):
    """A page of rounds, by task and then the newest first."""


class EvidenceAnswer(Record):
    """One question about the next round and its answer."""

    name: str = Field(description="goal, saturation, yield, validity or pending")
    says: Says
    text: str
    value: float | None
    threshold: float | None


class NextRoundAnswer(Record):
    """The advice on the next round, with its reasons."""

    advice: Advice
    evidence: tuple[EvidenceAnswer, ...]

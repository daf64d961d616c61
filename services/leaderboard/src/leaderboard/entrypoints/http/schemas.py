"""Request and response schemas of the routes. Rates are shares from 0 to 1, never percent."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Literal, Self
from uuid import UUID

from dynabench_common.schemas import PageQuery, cursor_name, page_start
from pydantic import BaseModel, Field

from leaderboard.domain.board import Board, Group, SegmentBoard, by_target
from leaderboard.domain.rates import Figures
from leaderboard.domain.time_series import Point
from leaderboard.entrypoints.http.rate_schemas import ProjectedRateAnswer, RangeAnswer, RateAnswer
from leaderboard.queries.boards import OwnFigures, OwnRound, TaskHeadline
from leaderboard.queries.time_series import RoundTimeSeries


class RoundPath(BaseModel):
    """A round in an address."""

    round_id: UUID


class OwnQuery(BaseModel):
    """Which of one's tries are asked for."""

    round_id: UUID | None = Field(default=None, description="One round; without it, all rounds")


class TasksQuery(PageQuery):
    """A page of tasks."""

    def after_slug(self) -> str:
        """Return the slug that the page starts after. Raises Problem 422 for a cursor of another list."""
        return page_start(self.cursor, cursor_name) or ""


class HeadlineAnswer(BaseModel):
    """What a round, or a part of it, is known by."""

    tries: int
    fooled: int = Field(description="Of the tries with a verdict; says nothing about unknown ones")
    unknown: int = Field(description="Imported without a claim, so that nothing says whether they fooled")
    validated_errors: int
    mer: RateAnswer
    vmer: RateAnswer
    vmer_range: RangeAnswer
    vmer_projected: ProjectedRateAnswer = Field(description="The estimate while tries wait for votes")


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
    Literal["tries", "tries that fooled the earlier tiers"], Field(description="What rates are shares of")
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

    segment_id: UUID
    number: int | None
    started_at: datetime | None
    votes: int
    targets: list[SegmentTargetAnswer]

    @classmethod
    def of(cls, segment: SegmentBoard) -> Self:
        """Return the answer for a segment."""
        ran = {target.name: target for target in segment.ran}
        return cls(
            **figures_fields(segment.figures),
            segment_id=segment.segment_id,
            number=segment.number,
            started_at=segment.started_at,
            votes=segment.figures.total.votes,
            targets=[
                SegmentTargetAnswer(
                    **asked_fields(figures),
                    target=name,
                    model_digest=ran[name].model_digest if name in ran else None,
                    handler_digest=ran[name].handler_digest if name in ran else None,
                )
                for name, figures in by_target(segment.subjects, tuple(ran))
            ],
        )


class ConditionAnswer(HeadlineAnswer):
    """One arm of the round; tries without a verdict, those of a control arm, are in `tries` alone."""

    condition: str

    @classmethod
    def of(cls, arm: Group) -> Self:
        """Return the answer for an arm."""
        return cls(**headline_fields(arm.figures), condition=arm.name)


class RoundBoardAnswer(FiguresAnswer):
    """A round's board."""

    round_id: UUID
    task_slug: str | None
    number: int
    title: str
    state: str
    origin: str = Field(description="Empty where people write the examples, else imported or harvested")
    as_of: datetime = Field(description="Time of the newest event that is counted")
    votes: int
    segments: list[SegmentAnswer]
    targets: list[TargetFiguresAnswer]
    by_condition: list[ConditionAnswer] = Field(description="By name; empty if no arms were drawn")

    @classmethod
    def of(cls, board: Board) -> Self:
        """Return the answer for a board."""
        return cls(
            **figures_fields(board.figures),
            round_id=board.round_id,
            task_slug=board.task_slug,
            number=board.number,
            title=board.title,
            state=board.state,
            origin=board.origin,
            as_of=board.as_of,
            votes=board.figures.total.votes,
            segments=[SegmentAnswer.of(segment) for segment in board.segments],
            targets=[
                TargetFiguresAnswer(**asked_fields(figures), target=name)
                for name, figures in by_target(board.subjects, board.target_names)
            ],
            by_condition=[ConditionAnswer.of(arm) for arm in board.arms],
        )


class PointAnswer(BaseModel):
    """Where a round stood at a moment, everything until then added up; bounds are null where there is no interval."""

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

    @classmethod
    def of(cls, point: Point) -> Self:
        """Return the answer for a point."""
        return cls(
            at=point.at,
            tries=point.decided,
            fooled=point.fooled,
            validated_errors=point.validated,
            mer=point.mer.value,
            mer_low=point.mer.low,
            mer_high=point.mer.high,
            vmer=point.vmer.value,
            vmer_low=point.vmer.low,
            vmer_high=point.vmer.high,
        )


class HistoryAnswer(BaseModel):
    """A round over time, oldest first, at most 60 points."""

    round_id: UUID
    as_of: datetime
    points: list[PointAnswer]

    @classmethod
    def of(cls, round_id: UUID, time_series: RoundTimeSeries) -> Self:
        """Return the answer for a time series."""
        points = [PointAnswer.of(point) for point in time_series.points]
        return cls(round_id=round_id, as_of=time_series.as_of, points=points)


class CurrentRoundAnswer(HeadlineAnswer):
    """The headline of a task's current round."""

    round_id: UUID
    number: int
    title: str
    state: str
    as_of: datetime

    @classmethod
    def of(cls, board: Board) -> Self:
        """Return the headline of a board."""
        return cls(
            **headline_fields(board.figures),
            round_id=board.round_id,
            number=board.number,
            title=board.title,
            state=board.state,
            as_of=board.as_of,
        )


class TaskHeadlineAnswer(BaseModel):
    """A task with its current round: the newest open one, else the newest."""

    task_id: UUID
    task_slug: str
    title: str
    rounds: int
    current_round: CurrentRoundAnswer | None


class TaskHeadlinesAnswer(BaseModel):
    """A page of tasks by slug."""

    items: list[TaskHeadlineAnswer]
    next_cursor: str | None

    @classmethod
    def of(cls, tasks: Iterable[TaskHeadline], next_cursor: str | None) -> Self:
        """Return the page."""
        items = [
            TaskHeadlineAnswer(
                task_id=task.task_id,
                task_slug=task.slug,
                title=task.title,
                rounds=task.rounds,
                current_round=CurrentRoundAnswer.of(task.board) if task.board else None,
            )
            for task in tasks
        ]
        return cls(items=items, next_cursor=next_cursor)


class OwnFiguresAnswer(BaseModel):
    """What one's own tries came to."""

    tries: int
    decided: int
    fooled: int
    retracted: int
    pending: int
    validated_errors: int

    @classmethod
    def of(cls, own: OwnFigures) -> Self:
        """Return the answer for one person."""
        return cls(
            tries=own.tries,
            decided=own.decided,
            fooled=own.fooled,
            retracted=own.retracted,
            pending=own.pending,
            validated_errors=own.validated_errors,
        )


class OwnRoundAnswer(OwnFiguresAnswer):
    """What one's own tries in a round came to."""

    round_id: UUID
    task_slug: str
    task_title: str
    number: int
    state: str


class OwnRoundsAnswer(BaseModel):
    """The rounds that one wrote in."""

    items: list[OwnRoundAnswer]

    @classmethod
    def of(cls, rounds: Iterable[OwnRound]) -> Self:
        """Return the answer for one person."""
        return cls(
            items=[
                OwnRoundAnswer(
                    **OwnFiguresAnswer.of(each.figures).model_dump(),
                    round_id=each.round_id,
                    task_slug=each.task_slug,
                    task_title=each.task_title,
                    number=each.number,
                    state=each.state,
                )
                for each in rounds
            ]
        )


def headline_fields(figures: Figures) -> dict[str, object]:
    """Return the fields of a HeadlineAnswer."""
    return {
        "tries": figures.total.tries,
        "fooled": figures.total.fooled,
        "unknown": figures.total.unknown,
        "validated_errors": figures.validated_errors,
        "mer": RateAnswer.of(figures.mer),
        "vmer": RateAnswer.of(figures.vmer),
        "vmer_range": RangeAnswer.of(figures.vmer_range),
        "vmer_projected": ProjectedRateAnswer.projected(figures.vmer_projected),
    }


def asked_fields(figures: Figures) -> dict[str, object]:
    """Return the fields of figures of something that may not have been asked about every try."""
    not_asked = figures.total.not_asked
    return {
        **figures_fields(figures),
        "not_asked": not_asked,
        "rates_of": "tries that fooled the earlier tiers" if not_asked else "tries",
    }


def figures_fields(figures: Figures) -> dict[str, object]:
    """Return the fields of a FiguresAnswer."""
    total = figures.total
    return {
        **headline_fields(figures),
        "decided": total.decided,
        "not_fooled": total.not_fooled,
        "retracted": total.retracted,
        "undecided": total.undecided,
        "no_target": total.no_target,
        "resolved": total.resolved,
        "pending": total.pending,
        "validity": RateAnswer.of(figures.validity),
    }

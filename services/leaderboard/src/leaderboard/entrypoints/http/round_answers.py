"""Answers about the figures of rounds and tasks, made from what the domain computes."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any
from uuid import UUID

from dynabench_api.leaderboard import (
    BreakdownAnswer,
    ConditionAnswer,
    CurrentRoundAnswer,
    EffortAnswer,
    GroupAnswer,
    HistoryAnswer,
    OutcomesAnswer,
    OwnFiguresAnswer,
    OwnRoundAnswer,
    OwnRoundsAnswer,
    PointAnswer,
    RoundBoardAnswer,
    RoundMatrixAnswer,
    SegmentAnswer,
    SegmentMatrixAnswer,
    SegmentTargetAnswer,
    SubjectEffortAnswer,
    TargetFiguresAnswer,
    TaskHeadlineAnswer,
    TaskHeadlinesAnswer,
)

from leaderboard.domain.board import Board, SegmentBoard, by_target
from leaderboard.domain.effort import tries_per_fooling
from leaderboard.domain.matrix import RoundMatrix
from leaderboard.domain.rates import Figures
from leaderboard.domain.tally import Tally
from leaderboard.domain.time_series import Point
from leaderboard.queries.boards import (
    Breakdown,
    By,
    OwnRound,
    SubjectEffort,
    TaskHeadline,
)
from leaderboard.queries.time_series import RoundTimeSeries


def round_board_answer(board: Board) -> RoundBoardAnswer:
    """Return the answer for a board."""
    return RoundBoardAnswer(
        **figures_fields(board.figures),
        round_id=board.round_id,
        task_slug=board.task_slug,
        number=board.number,
        title=board.title,
        state=board.state,
        origin=board.origin,
        outcomes=outcomes_answer(board.figures.total),
        as_of=board.as_of,
        votes=board.figures.total.votes,
        segments=[_segment_answer(segment) for segment in board.segments],
        targets=[
            TargetFiguresAnswer(**asked_fields(figures), target=name)
            for name, figures in by_target(board.subjects, board.target_names)
        ],
        by_condition=[
            ConditionAnswer(**headline_fields(arm.figures), condition=arm.name) for arm in board.arms
        ],
    )


def _segment_answer(segment: SegmentBoard) -> SegmentAnswer:
    ran = {target.name: target for target in segment.ran}
    return SegmentAnswer(
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


def history_answer(round_id: UUID, time_series: RoundTimeSeries) -> HistoryAnswer:
    """Return the answer for a time series."""
    points = [_point_answer(point) for point in time_series.points]
    return HistoryAnswer(round_id=round_id, as_of=time_series.as_of, points=points)


def _point_answer(point: Point) -> PointAnswer:
    effort = tries_per_fooling(point.mer)
    return PointAnswer(
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
        tries_per_fooling=effort.value,
        tries_per_fooling_low=effort.low,
        tries_per_fooling_high=effort.high,
    )


def breakdown_answer(round_id: UUID, by: By, found: Breakdown) -> BreakdownAnswer:
    """Return the answer for a breakdown."""
    items = [GroupAnswer(**asked_fields(group.figures), name=group.name) for group in found.groups]
    return BreakdownAnswer(round_id=round_id, by=by, items=items)


def effort_answer(found: Iterable[SubjectEffort]) -> EffortAnswer:
    """Return the answer for the effort of a round."""
    return EffortAnswer(items=[SubjectEffortAnswer.model_validate(each) for each in found])


def round_matrix_answer(round_id: UUID, found: RoundMatrix) -> RoundMatrixAnswer:
    """Return the answer for a round's matrix."""
    return RoundMatrixAnswer(
        **asdict(found.whole),
        round_id=round_id,
        segments=[
            SegmentMatrixAnswer(**asdict(each.matrix), segment_id=each.segment_id, number=each.number)
            for each in found.segments
        ],
    )


def task_headlines_answer(tasks: Iterable[TaskHeadline], next_cursor: str | None) -> TaskHeadlinesAnswer:
    """Return the page."""
    items = [
        TaskHeadlineAnswer(
            task_id=task.task_id,
            task_slug=task.slug,
            title=task.title,
            rounds=task.rounds,
            current_round=_current_round_answer(task.board) if task.board else None,
        )
        for task in tasks
    ]
    return TaskHeadlinesAnswer(items=items, next_cursor=next_cursor)


def _current_round_answer(board: Board) -> CurrentRoundAnswer:
    return CurrentRoundAnswer(
        **headline_fields(board.figures),
        round_id=board.round_id,
        number=board.number,
        title=board.title,
        state=board.state,
        outcomes=outcomes_answer(board.figures.total),
        as_of=board.as_of,
    )


def own_rounds_answer(rounds: Iterable[OwnRound]) -> OwnRoundsAnswer:
    """Return the answer for one person."""
    return OwnRoundsAnswer(
        items=[
            OwnRoundAnswer(
                **OwnFiguresAnswer.model_validate(each.figures).model_dump(),
                round_id=each.round_id,
                task_slug=each.task_slug,
                task_title=each.task_title,
                number=each.number,
                state=each.state,
            )
            for each in rounds
        ]
    )


def outcomes_answer(total: Tally) -> OutcomesAnswer:
    """Return the outcomes of the tries in a tally of the round's rule, whose strata are its own verdicts."""
    return OutcomesAnswer(
        confirmed=total.stratum_fooled_errors,
        not_confirmed=total.stratum_fooled_resolved - total.stratum_fooled_errors,
        being_checked=total.stratum_fooled - total.stratum_fooled_resolved,
        not_fooled=total.not_fooled,
        retracted=total.retracted,
        undecided=total.undecided,
        unknown=total.unknown,
        no_target=total.no_target,
    )


def headline_fields(figures: Figures) -> dict[str, Any]:
    """Return the fields of a HeadlineAnswer."""
    projected = figures.vmer_projected
    return {
        "tries": figures.total.tries,
        "fooled": figures.total.fooled,
        "unknown": figures.total.unknown,
        "validated_errors": figures.validated_errors,
        "mer": figures.mer,
        "vmer": figures.vmer,
        "vmer_range": figures.vmer_range,
        "vmer_projected": {**asdict(projected.rate), "not_checked": projected.not_checked},
    }


def asked_fields(figures: Figures) -> dict[str, Any]:
    """Return the fields of figures of something that may not have been asked about every try."""
    not_asked = figures.total.not_asked
    return {
        **figures_fields(figures),
        "not_asked": not_asked,
        "rates_of": "tries that fooled the earlier tiers" if not_asked else "tries",
    }


def figures_fields(figures: Figures) -> dict[str, Any]:
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
        "validity": figures.validity,
    }

"""Boards, groups, matrices and effort of rounds, tasks, and people's own figures, read from the stored sums."""

from collections import defaultdict
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, Row, case, func, or_, select

from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import (
    effort,
    fooling_pattern,
    group_tally,
    round_,
    survival,
    tally,
)
from leaderboard.domain.board import Board, Group, SegmentBoard, Subjects, TargetInSegment
from leaderboard.domain.effort import EffortCounts, SurvivalCounts
from leaderboard.domain.groups import Dimension
from leaderboard.domain.matrix import PatternCounts, PatternKey, RoundMatrix, SegmentMatrix, matrix
from leaderboard.domain.rates import figures
from leaderboard.domain.tally import NOBODY, RULE, Tally
from leaderboard.service_layer.boards import OwnFigures, OwnRound, RoundEffort, RoundTimeSeries, TaskRow
from leaderboard.views import authors, time_series
from leaderboard.views.rounds import begun_segments, newest_configurations, read_round, withheld_from

MOST_GROUPS = 200


class SqlBoardStore:
    """Boards read from the stored sums."""

    def __init__(self, engine: Engine, version: int = VERSION) -> None:
        self._read_model = StandingReadModel(engine, version)

    def revision(self, round_id: UUID) -> UUID | None:
        """Return the round's revision, or None for an unknown round."""
        statement = select(round_.c.revision).where(
            round_.c.round_id == round_id, round_.c.created_version.is_not(None)
        )
        with self._read_model.connect() as connection:
            revision: UUID | None = connection.execute(statement).scalar_one_or_none()
            return revision

    def board(self, round_id: UUID) -> Board | None:
        """Return the round's board, whole and by segment and target."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            if round_row is None:
                return None
            whole, by_segment = _subjects(connection, round_row)
            return Board(
                round_id=round_id,
                task_slug=round_row.slug,
                number=round_row.number,
                title=round_row.title,
                state=round_row.state or "draft",
                target_names=tuple(round_row.targets),
                as_of=round_row.as_of,
                revision=round_row.revision,
                subjects=whole,
                segments=_segments(connection, round_id, by_segment),
                arms=_groups(connection, round_row, Dimension.CONDITION),
                origin=round_row.origin or "",
            )

    def groups(self, round_id: UUID, dimension: Dimension) -> tuple[UUID, tuple[Group, ...]] | None:
        """Return the round's revision and the groups of a dimension by name, at most those with the most tries."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            return (
                None if round_row is None else (round_row.revision, _groups(connection, round_row, dimension))
            )

    def matrix(self, round_id: UUID) -> RoundMatrix | None:
        """Return the round's fooling matrix, of the targets it names, and that of each segment."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            if round_row is None:
                return None
            patterns = _patterns(connection, round_id)
            begun = begun_segments(connection, round_id)
        by_segment: dict[UUID, list[tuple[PatternKey, PatternCounts]]] = defaultdict(list)
        for key, counts in patterns:
            by_segment[key.segment_id].append((key, counts))
        segments = []
        for segment_id in (begun.keys() | by_segment.keys()) - {NOBODY}:
            row = begun.get(segment_id)
            names = [target["name"] for target in row.targets] if row else []
            of_segment = matrix(by_segment[segment_id], names)
            segments.append(SegmentMatrix(segment_id, row.number if row else None, of_segment))
        return RoundMatrix(
            round_row.revision, matrix(patterns, round_row.targets), tuple(sorted(segments, key=_by_number))
        )

    def time_series(self, round_id: UUID) -> RoundTimeSeries | None:
        """Return the round's figures over time, with their intervals, and its trend."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            return None if round_row is None else time_series.read_time_series(connection, round_row)

    def effort(self, round_id: UUID) -> RoundEffort | None:
        """Return the time that tries took and the ends of context efforts, by subject."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            if round_row is None:
                return None
            spent = select(effort.c.subject, *(effort.c[name] for name in EffortCounts._fields)).where(
                effort.c.round_id == round_id
            )
            ends = select(
                survival.c.subject, survival.c.tries, *(survival.c[name] for name in SurvivalCounts._fields)
            ).where(survival.c.round_id == round_id)
            times = {row[0]: EffortCounts(*row[1:]) for row in connection.execute(spent)}
            context_efforts: dict[str, list[tuple[int, SurvivalCounts]]] = defaultdict(list)
            for row in connection.execute(ends):
                context_efforts[row[0]].append((row[1], SurvivalCounts(*row[2:])))
            return RoundEffort(round_row.revision, times, dict(context_efforts))

    def tasks(self, after_slug: str, most: int) -> list[TaskRow]:
        """Return tasks by slug, as their newest configurations name them."""
        newest = newest_configurations()
        is_open = case((round_.c.state == "open", 1), else_=0)
        rounds = (
            select(
                round_.c.task_id,
                round_.c.round_id,
                round_.c.revision,
                func.count().over(partition_by=round_.c.task_id).label("rounds"),
                func.row_number()
                .over(partition_by=round_.c.task_id, order_by=(is_open.desc(), round_.c.number.desc()))
                .label("position"),
            )
            .where(round_.c.created_version.is_not(None))
            .subquery()
        )
        statement = (
            select(
                newest,
                func.coalesce(rounds.c.rounds, 0).label("rounds"),
                rounds.c.round_id,
                rounds.c.revision,
            )
            .join_from(newest, rounds, newest.c.task_id == rounds.c.task_id, isouter=True)
            .where(newest.c.slug > after_slug, or_(rounds.c.position == 1, rounds.c.position.is_(None)))
            .order_by(newest.c.slug)
            .limit(most)
        )
        with self._read_model.connect() as connection:
            return [
                TaskRow(row.task_id, row.slug, row.title, row.rounds, row.round_id, row.revision)
                for row in connection.execute(statement)
            ]

    def own_figures(self, person_id: UUID, round_id: UUID | None) -> OwnFigures:
        """Return what a person's tries came to."""
        sums = (func.coalesce(func.sum(tally.c[name]), 0).label(name) for name in Tally._fields)
        statement = select(*sums).where(tally.c.author_id == person_id, tally.c.subject == RULE)
        if round_id is not None:
            statement = statement.where(tally.c.round_id == round_id)
        with self._read_model.connect() as connection:
            total = Tally.from_row(connection.execute(statement).one())
        return _own(total)

    def own_rounds(self, person_id: UUID, most: int) -> list[OwnRound]:
        """Return at most so many rounds that a person wrote in, the one that was opened last first."""
        sums = (func.sum(tally.c[name]).label(name) for name in Tally._fields)
        mine = (
            select(tally.c.round_id, *sums)
            .where(tally.c.author_id == person_id, tally.c.subject == RULE)
            .group_by(tally.c.round_id)
            .subquery()
        )
        newest = newest_configurations()
        statement = (
            select(round_.c.round_id, newest.c.slug, newest.c.title, round_.c.number, round_.c.state)
            .add_columns(*(mine.c[name] for name in Tally._fields))
            .join_from(mine, round_, round_.c.round_id == mine.c.round_id)
            .join(newest, newest.c.task_id == round_.c.task_id)
            .where(round_.c.created_version.is_not(None))
            .order_by(round_.c.opened_at.desc().nulls_last(), round_.c.round_id)
            .limit(most)
        )
        with self._read_model.connect() as connection:
            return [
                OwnRound(
                    row.round_id,
                    row.slug,
                    row.title,
                    row.number,
                    row.state or "draft",
                    _own(Tally.from_row(row)),
                )
                for row in connection.execute(statement)
            ]


def _own(total: Tally) -> OwnFigures:
    return OwnFigures(
        tries=total.tries,
        decided=total.decided,
        fooled=total.fooled,
        retracted=total.retracted,
        pending=total.pending,
        validated_errors=total.errors + total.apart_errors,
    )


def _subjects(connection: Connection, round_row: Row[Any]) -> tuple[Subjects, dict[UUID, Subjects]]:
    """Return the figures of the whole round and those by segment.

    Totals add up over segments; an author counts once per round, so the intervals of the whole need the authors'
    sums over the segments.
    """
    key = (tally.c.segment_id, tally.c.subject)
    statement = (
        select(*key, *(func.sum(tally.c[name]).label(name) for name in Tally._fields))
        .where(tally.c.round_id == round_row.round_id)
        .group_by(*key)
    )
    totals = {(row.segment_id, row.subject): Tally.from_row(row) for row in connection.execute(statement)}
    if not totals:
        return {}, {}
    keys = list(totals)
    table, reason = authors.of_tallies(connection, round_row.round_id, keys), withheld_from(round_row)
    by_segment: dict[UUID, Subjects] = defaultdict(dict)
    whole: dict[str, Tally] = defaultdict(Tally)
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, (segment_id, subject) in enumerate(keys):
        total = totals[segment_id, subject]
        by_segment[segment_id][subject] = figures(total, table.of([number]), reason)
        whole[subject] = whole[subject].plus(total)
        numbers[subject].append(number)
    of_round = {
        subject: figures(total, table.of(numbers[subject]), reason) for subject, total in whole.items()
    }
    return of_round, dict(by_segment)


def _groups(connection: Connection, round_row: Row[Any], dimension: Dimension) -> tuple[Group, ...]:
    columns = group_tally.c
    statement = (
        select(columns.name, *(columns[name] for name in Tally._fields))
        .where(columns.round_id == round_row.round_id, columns.dimension == dimension.value)
        .order_by(columns.tries.desc(), columns.name)
        .limit(MOST_GROUPS)
    )
    totals = sorted((row.name, Tally.from_row(row)) for row in connection.execute(statement))
    if not totals:
        return ()
    names = [name for name, _ in totals]
    table, reason = (
        authors.of_groups(connection, round_row.round_id, dimension.value, names),
        withheld_from(round_row),
    )
    return tuple(
        Group(name, figures(total, table.of([number]), reason)) for number, (name, total) in enumerate(totals)
    )


def _segments(
    connection: Connection, round_id: UUID, by_segment: dict[UUID, Subjects]
) -> tuple[SegmentBoard, ...]:
    """Return the segments by number; one whose own event has not come yet stands last."""
    begun = begun_segments(connection, round_id)
    boards = [
        _segment(segment_id, begun.get(segment_id), by_segment.get(segment_id, {}))
        for segment_id in (begun.keys() | by_segment.keys()) - {NOBODY}
    ]
    return tuple(sorted(boards, key=_by_number))


def _by_number(of_segment: SegmentBoard | SegmentMatrix) -> tuple[bool, int, UUID]:
    return of_segment.number is None, of_segment.number or 0, of_segment.segment_id


def _patterns(connection: Connection, round_id: UUID) -> list[tuple[PatternKey, PatternCounts]]:
    keys = (fooling_pattern.c[name] for name in PatternKey._fields)
    counts = (fooling_pattern.c[name] for name in PatternCounts._fields)
    statement = select(*keys, *counts).where(fooling_pattern.c.round_id == round_id)
    size = len(PatternKey._fields)
    return [(PatternKey(*row[:size]), PatternCounts(*row[size:])) for row in connection.execute(statement)]


def _segment(segment_id: UUID, begun: Row[Any] | None, subjects: Subjects) -> SegmentBoard:
    if begun is None:
        return SegmentBoard(segment_id, None, None, (), subjects)
    ran = tuple(TargetInSegment(**target) for target in begun.targets)
    return SegmentBoard(segment_id, begun.number, begun.started_at, ran, subjects)

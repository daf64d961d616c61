"""Reads: SQL to plain records, each from one moment of the database."""

from collections import defaultdict
from datetime import datetime, timedelta
from functools import reduce
from itertools import groupby
from operator import add, attrgetter
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Integer,
    LargeBinary,
    Row,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal,
    literal_column,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by, distinct_on

from leaderboard.adapters.tables import (
    condition_tally,
    fooling_pattern,
    history,
    round_,
    segment,
    tally,
    task_configuration,
)
from leaderboard.domain.board import Board, SegmentBoard, Subjects, TargetInSegment, figures
from leaderboard.domain.conditions import Arm, ConditionCounts, arm
from leaderboard.domain.history import HistoryCounts, stride
from leaderboard.domain.matrix import PatternCounts, PatternKey, RoundMatrix, SegmentMatrix, matrix
from leaderboard.domain.rates import AuthorCounts
from leaderboard.domain.tally import NOBODY, RULE, Tally
from leaderboard.service_layer.boards import OwnFigures, TaskRow

PER_AUTHOR: tuple[ColumnElement[int], ...] = (
    tally.c.decided,
    tally.c.fooled,
    tally.c.stratum_fooled_errors + tally.c.stratum_not_fooled_errors,
    tally.c.fooled_resolved,
    tally.c.fooled_correct,
)
"""What the intervals need of each author, in the order of AuthorCounts."""


class SqlBoardStore:
    """Boards read from the kept sums."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    def revision(self, round_id: UUID) -> UUID | None:
        """Return the round's revision, or None for an unknown round."""
        statement = select(round_.c.revision).where(
            round_.c.round_id == round_id, round_.c.created_version.is_not(None)
        )
        with self._engine.connect() as connection:
            revision: UUID | None = connection.execute(statement).scalar_one_or_none()
            return revision

    def board(self, round_id: UUID) -> Board | None:
        """Return the round's board, whole and by segment and target."""
        with self._engine.connect() as connection:
            held = _round(connection, round_id)
            if held is None:
                return None
            whole, by_segment = _subjects(connection, round_id)
            return Board(
                round_id=round_id,
                task_slug=held.slug,
                number=held.number,
                title=held.title,
                state=held.state or "draft",
                target_names=tuple(held.targets),
                as_of=held.as_of,
                revision=held.revision,
                subjects=whole,
                segments=_segments(connection, round_id, by_segment),
                arms=_arms(connection, round_id),
            )

    def matrix(self, round_id: UUID) -> RoundMatrix | None:
        """Return the round's fooling matrix, of the targets it names, and that of each segment."""
        with self._engine.connect() as connection:
            held = _round(connection, round_id)
            if held is None:
                return None
            kept = _patterns(connection, round_id)
            begun = _begun(connection, round_id)
        by_segment: dict[UUID, list[tuple[PatternKey, PatternCounts]]] = defaultdict(list)
        for key, counts in kept:
            by_segment[key.segment_id].append((key, counts))
        segments = []
        for segment_id in (begun.keys() | by_segment.keys()) - {NOBODY}:
            row = begun.get(segment_id)
            names = [target["name"] for target in row.targets] if row else []
            of_segment = matrix(by_segment[segment_id], names)
            segments.append(SegmentMatrix(segment_id, row.number if row else None, of_segment))
        return RoundMatrix(held.revision, matrix(kept, held.targets), tuple(sorted(segments, key=_by_number)))

    def course(
        self, round_id: UUID
    ) -> tuple[UUID, datetime, timedelta, list[tuple[datetime, HistoryCounts]]] | None:
        """Return revision, as_of and the round's history, merged into stretches of one length."""
        with self._engine.connect() as connection:
            held = _round(connection, round_id)
            if held is None:
                return None
            ends = select(func.min(history.c.bucket_start), func.max(history.c.bucket_start)).where(
                history.c.round_id == round_id
            )
            first, last = connection.execute(ends).one()
            if first is None:
                return held.revision, held.as_of, timedelta(), []
            length = stride(first, last)
            merged = func.date_bin(
                bindparam("length", length), history.c.bucket_start, bindparam("first", first)
            )
            sums = (func.sum(history.c[name]) for name in HistoryCounts._fields)
            statement = (
                select(merged.label("start"), *sums)
                .where(history.c.round_id == round_id)
                .group_by(literal_column("start"))
                .order_by(literal_column("start"))
            )
            rows = connection.execute(statement)
            return held.revision, held.as_of, length, [(row[0], HistoryCounts(*row[1:])) for row in rows]

    def tasks(self, after_slug: str, most: int) -> list[TaskRow]:
        """Return tasks by slug, as their newest configurations name them."""
        columns = task_configuration.c
        newest = (
            select(columns.task_id, columns.slug, columns.title)
            .ext(distinct_on(columns.task_id))
            .order_by(columns.task_id, columns.configuration_version.desc())
            .subquery()
        )
        is_open = case((round_.c.state == "open", 1), else_=0)
        rounds = (
            select(
                round_.c.task_id,
                round_.c.round_id,
                func.count().over(partition_by=round_.c.task_id).label("rounds"),
                func.row_number()
                .over(partition_by=round_.c.task_id, order_by=(is_open.desc(), round_.c.number.desc()))
                .label("position"),
            )
            .where(round_.c.created_version.is_not(None))
            .subquery()
        )
        statement = (
            select(newest, func.coalesce(rounds.c.rounds, 0).label("rounds"), rounds.c.round_id)
            .join_from(newest, rounds, newest.c.task_id == rounds.c.task_id, isouter=True)
            .where(newest.c.slug > after_slug, or_(rounds.c.position == 1, rounds.c.position.is_(None)))
            .order_by(newest.c.slug)
            .limit(most)
        )
        with self._engine.connect() as connection:
            return [
                TaskRow(row.task_id, row.slug, row.title, row.rounds, row.round_id)
                for row in connection.execute(statement)
            ]

    def own_figures(self, person_id: UUID, round_id: UUID | None) -> OwnFigures:
        """Return what a person's tries came to."""
        sums = (func.coalesce(func.sum(tally.c[name]), 0).label(name) for name in Tally._fields)
        statement = select(*sums).where(tally.c.author_id == person_id, tally.c.subject == RULE)
        if round_id is not None:
            statement = statement.where(tally.c.round_id == round_id)
        with self._engine.connect() as connection:
            total = Tally(*connection.execute(statement).one())
        return OwnFigures(
            tries=total.tries,
            decided=total.decided,
            fooled=total.fooled,
            retracted=total.retracted,
            pending=total.pending,
            validated_errors=total.errors + total.apart_errors,
        )


def _round(connection: Connection, round_id: UUID) -> Row[Any] | None:
    newest_slug = (
        select(task_configuration.c.slug)
        .where(task_configuration.c.task_id == round_.c.task_id)
        .order_by(task_configuration.c.configuration_version.desc())
        .limit(1)
        .scalar_subquery()
    )
    statement = select(round_, newest_slug.label("slug")).where(
        round_.c.round_id == round_id, round_.c.created_version.is_not(None)
    )
    return connection.execute(statement).one_or_none()


def _subjects(connection: Connection, round_id: UUID) -> tuple[Subjects, dict[UUID, Subjects]]:
    """Return the figures of the whole round and those by segment.

    Totals add up over segments; an author counts once per round, so the intervals of a round with several
    segments need the authors' sums over them.
    """
    totals = _totals(connection, round_id)
    authors = _authors_by_segment(connection, round_id)
    by_segment: dict[UUID, Subjects] = defaultdict(dict)
    whole: dict[str, Tally] = defaultdict(Tally)
    for (segment_id, subject), total in totals.items():
        by_segment[segment_id][subject] = figures(total, authors[segment_id, subject])
        whole[subject] = Tally(*map(add, whole[subject], total))
    if len(by_segment) == 1:
        return next(iter(by_segment.values())), dict(by_segment)
    of_round = _authors_of_round(connection, round_id)
    return {subject: figures(total, of_round[subject]) for subject, total in whole.items()}, dict(by_segment)


def _totals(connection: Connection, round_id: UUID) -> dict[tuple[UUID, str], Tally]:
    key = (tally.c.segment_id, tally.c.subject)
    statement = (
        select(*key, *(func.sum(tally.c[name]) for name in Tally._fields))
        .where(tally.c.round_id == round_id)
        .group_by(*key)
    )
    return {(row[0], row[1]): Tally(*row[2:]) for row in connection.execute(statement)}


def _authors_by_segment(connection: Connection, round_id: UUID) -> dict[tuple[UUID, str], AuthorCounts]:
    key = (tally.c.segment_id, tally.c.subject)
    statement = (
        select(*key, *_packed(tally.c.author_id, *PER_AUTHOR))
        .where(tally.c.round_id == round_id)
        .group_by(*key)
    )
    return {(row.segment_id, row.subject): _unpacked(row) for row in connection.execute(statement)}


def _authors_of_round(connection: Connection, round_id: UUID) -> dict[str, AuthorCounts]:
    sums = (func.sum(counts).label(f"sum_{number}") for number, counts in enumerate(PER_AUTHOR))
    authors = (
        select(tally.c.subject, tally.c.author_id, *sums)
        .where(tally.c.round_id == round_id)
        .group_by(tally.c.subject, tally.c.author_id)
        .subquery()
    )
    packed = _packed(authors.c.author_id, *(authors.c[f"sum_{number}"] for number in range(len(PER_AUTHOR))))
    statement = select(authors.c.subject, *packed).group_by(authors.c.subject)
    return {row.subject: _unpacked(row) for row in connection.execute(statement)}


def _packed(author_id: ColumnElement[UUID], *counts: ColumnElement[int]) -> list[ColumnElement[Any]]:
    """Pack the counts of all authors, in one order always, into one string of big-endian 32-bit numbers.

    Ten thousand authors arrive as one value that numpy reads as it is; as an array each number would be sent and
    parsed as text, several times slower. Beside it, whether a counted try has no author.
    """
    row: ColumnElement[bytes] = reduce(
        lambda left, right: left.op("||")(right), (func.int4send(cast(count, Integer)) for count in counts)
    )
    in_order = aggregate_order_by(literal(b"", LargeBinary), author_id)
    unknown = func.bool_or(and_(author_id == NOBODY, counts[0] > 0))
    return [func.string_agg(row, in_order).label("packed"), unknown.label("author_unknown")]


def _unpacked(row: Row[Any]) -> AuthorCounts:
    table = np.frombuffer(row.packed, dtype=">i4").reshape(-1, len(PER_AUTHOR)).astype(np.int64)
    decided, fooled, errors, fooled_resolved, fooled_correct = table.T
    return AuthorCounts(decided, fooled, errors, fooled_resolved, fooled_correct, not row.author_unknown)


def _segments(
    connection: Connection, round_id: UUID, by_segment: dict[UUID, Subjects]
) -> tuple[SegmentBoard, ...]:
    """Return the segments by number; one whose own event has not come yet stands last."""
    begun = _begun(connection, round_id)
    boards = [
        _segment(segment_id, begun.get(segment_id), by_segment.get(segment_id, {}))
        for segment_id in (begun.keys() | by_segment.keys()) - {NOBODY}
    ]
    return tuple(sorted(boards, key=_by_number))


def _by_number(of_segment: SegmentBoard | SegmentMatrix) -> tuple[bool, int, UUID]:
    return of_segment.number is None, of_segment.number or 0, of_segment.segment_id


def _begun(connection: Connection, round_id: UUID) -> dict[UUID, Row[Any]]:
    statement = select(segment).where(segment.c.round_id == round_id)
    return {row.segment_id: row for row in connection.execute(statement)}


def _patterns(connection: Connection, round_id: UUID) -> list[tuple[PatternKey, PatternCounts]]:
    keys = (fooling_pattern.c[name] for name in PatternKey._fields)
    counts = (fooling_pattern.c[name] for name in PatternCounts._fields)
    statement = select(*keys, *counts).where(fooling_pattern.c.round_id == round_id)
    size = len(PatternKey._fields)
    return [(PatternKey(*row[:size]), PatternCounts(*row[size:])) for row in connection.execute(statement)]


def _arms(connection: Connection, round_id: UUID) -> tuple[Arm, ...]:
    """Return the figures of the round's conditions by name."""
    columns = condition_tally.c
    statement = (
        select(columns.condition, columns.author_id, *(columns[name] for name in ConditionCounts._fields))
        .where(columns.round_id == round_id)
        .order_by(columns.condition, columns.author_id)
    )
    rows = connection.execute(statement).all()
    return tuple(
        arm(condition, {row.author_id: ConditionCounts(*row[2:]) for row in of_condition})
        for condition, of_condition in groupby(rows, key=attrgetter("condition"))
    )


def _segment(segment_id: UUID, begun: Row[Any] | None, subjects: Subjects) -> SegmentBoard:
    if begun is None:
        return SegmentBoard(segment_id, None, None, (), subjects)
    ran = tuple(TargetInSegment(**target) for target in begun.targets)
    return SegmentBoard(segment_id, begun.number, begun.started_at, ran, subjects)

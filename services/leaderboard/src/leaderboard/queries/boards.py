"""Boards of rounds for readers: figures whole, by group and over time, and what the fooling cost; people's own figures.

They are read from the stored sums, each from one moment.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, Row, Select, bindparam, case, func, or_, select

from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import effort, fooling_pattern, group_tally, round_, tally
from leaderboard.adapters.tables import survival as context_ends
from leaderboard.domain.board import Board, Group, SegmentBoard, Subjects, TargetInSegment, by_target
from leaderboard.domain.effort import (
    EffortCounts,
    Estimate,
    SurvivalCounts,
    Survivors,
    design_effect,
    minutes_per_error,
    survival,
    tries_per_fooling,
)
from leaderboard.domain.groups import Dimension
from leaderboard.domain.matrix import PatternCounts, PatternKey, RoundMatrix, SegmentMatrix, matrix
from leaderboard.domain.rates import figures
from leaderboard.domain.tally import NOBODY, RULE, Tally
from leaderboard.queries import authors
from leaderboard.queries.revision_cache import RevisionCache
from leaderboard.queries.rounds import (
    begun_segments,
    newest_configurations,
    read_revision,
    read_round,
    withheld_from,
)
from leaderboard.queries.time_series import RoundTimeSeries, read_time_series

MOST_GROUPS = 200
MOST_OWN_ROUNDS = 50
CACHED_BOARDS = 256
CACHED_OTHERS = 64
TIME_SERIES_REST = 9.0
"""One that is slow to work out takes a tenth of the time at most: 0.7 s with 10,000 authors over two months."""

OWN = select(*(func.coalesce(func.sum(tally.c[name]), 0).label(name) for name in Tally._fields)).where(
    tally.c.author_id == bindparam("person_id"), tally.c.subject == RULE
)
OWN_IN_ROUND = OWN.where(tally.c.round_id == bindparam("round_id"))


def _own_by_round() -> Select[Any]:
    mine = (
        select(tally.c.round_id, *(func.sum(tally.c[name]).label(name) for name in Tally._fields))
        .where(tally.c.author_id == bindparam("person_id"), tally.c.subject == RULE)
        .group_by(tally.c.round_id)
        .subquery()
    )
    newest = newest_configurations()
    return (
        select(round_.c.round_id, newest.c.slug, newest.c.title, round_.c.number, round_.c.state)
        .add_columns(*(mine.c[name] for name in Tally._fields))
        .join_from(mine, round_, round_.c.round_id == mine.c.round_id)
        .join(newest, newest.c.task_id == round_.c.task_id)
        .where(
            round_.c.created_version.is_not(None),
            newest.c.slug.not_in(bindparam("hidden", expanding=True)),
        )
        .order_by(round_.c.opened_at.desc().nulls_last(), round_.c.round_id)
        .limit(MOST_OWN_ROUNDS)
    )


def _tasks() -> Select[Any]:
    """Select tasks with their current rounds: real ones before demonstrations, open ones first."""
    newest = newest_configurations()
    is_real = case((round_.c.origin == "demonstration", 0), else_=1)
    is_open = case((round_.c.state == "open", 1), else_=0)
    rounds = (
        select(
            round_.c.task_id,
            round_.c.round_id,
            round_.c.revision,
            func.count().over(partition_by=round_.c.task_id).label("rounds"),
            func.row_number()
            .over(
                partition_by=round_.c.task_id,
                order_by=(is_real.desc(), is_open.desc(), round_.c.number.desc()),
            )
            .label("position"),
        )
        .where(round_.c.created_version.is_not(None))
        .subquery()
    )
    return (
        select(
            newest,
            func.coalesce(rounds.c.rounds, 0).label("rounds"),
            rounds.c.round_id,
            rounds.c.revision,
        )
        .join_from(newest, rounds, newest.c.task_id == rounds.c.task_id, isouter=True)
        .where(
            newest.c.slug > bindparam("after_slug"),
            newest.c.slug.not_in(bindparam("hidden", expanding=True)),
        )
        .where(or_(rounds.c.position == 1, rounds.c.position.is_(None)))
        .order_by(newest.c.slug)
        .limit(bindparam("most"))
    )


OWN_BY_ROUND, TASKS = _own_by_round(), _tasks()


class By(StrEnum):
    """Breakdowns of a round's figures."""

    SEGMENT = "segment"
    TARGET = "target"
    CONDITION = "condition"
    COHORT = "cohort"
    TAG = "tag"
    WEEK = "week"


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A round's figures by one dimension, of one revision."""

    revision: UUID
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class RoundEffort:
    """Inputs of effort by subject: the time of tries, and the ends of context efforts."""

    revision: UUID
    times: Mapping[str, EffortCounts]
    context_efforts: Mapping[str, Sequence[tuple[int, SurvivalCounts]]]


@dataclass(frozen=True, slots=True)
class SubjectEffort:
    """Effort of fooling one target, or the rule if `target` is None."""

    target: str | None
    tries_per_fooling: Estimate
    minutes_per_validated_error: Estimate
    survival: tuple[Survivors, ...]


@dataclass(frozen=True, slots=True)
class TaskHeadline:
    """A task with the board of its current round, None without any.

    That is the newest open one, else the newest. A demonstration is it only if there is no other.
    """

    task_id: UUID
    slug: str
    title: str
    rounds: int
    board: Board | None


@dataclass(frozen=True, slots=True)
class OwnFigures:
    """Results of one person's tries."""

    tries: int
    decided: int
    fooled: int
    retracted: int
    pending: int
    validated_errors: int


@dataclass(frozen=True, slots=True)
class OwnRound:
    """A round that one person wrote in, with the figures of their tries."""

    round_id: UUID
    task_slug: str
    task_title: str
    number: int
    state: str
    figures: OwnFigures


class Boards:
    """Boards of rounds, worked out once per revision; safe to share between threads.

    Whatever is about one round raises RoundNotFound.
    """

    def __init__(self, engine: Engine, version: int = VERSION) -> None:
        self._read_model = StandingReadModel(engine, version)
        self._boards: RevisionCache[Board] = RevisionCache(CACHED_BOARDS)
        self._breakdowns: RevisionCache[Breakdown] = RevisionCache(CACHED_OTHERS)
        self._time_series: RevisionCache[RoundTimeSeries] = RevisionCache(CACHED_OTHERS, TIME_SERIES_REST)

    def revision(self, round_id: UUID) -> UUID:
        """Return the round's revision."""
        with self._read_model.connect() as connection:
            return read_revision(connection, round_id)

    def board(self, round_id: UUID, revision: UUID | None = None) -> Board:
        """Return the round's board; `revision` is the present one, if the caller has read it."""
        return self._board(round_id, revision or self.revision(round_id))

    def breakdown(self, round_id: UUID, by: By, revision: UUID | None = None) -> Breakdown:
        """Return the round's figures by one dimension: segments by number, targets in the round's order."""
        if by in {By.SEGMENT, By.TARGET, By.CONDITION}:
            board = self.board(round_id, revision)
            return Breakdown(board.revision, tuple(_parts(board, by)))
        return self._breakdowns.get(
            (round_id, by),
            revision or self.revision(round_id),
            lambda: self._read_groups(round_id, Dimension(by.value)),
        )

    def time_series(self, round_id: UUID, revision: UUID | None = None) -> RoundTimeSeries:
        """Return the round's figures over time."""
        return self._time_series.get(
            round_id, revision or self.revision(round_id), lambda: self._read_time_series(round_id)
        )

    def effort(self, round_id: UUID, revision: UUID | None = None) -> tuple[UUID, tuple[SubjectEffort, ...]]:
        """Return the revision and the effort of fooling: the rule first, then the targets in the round's order."""
        board = self.board(round_id, revision)
        found = self._read_effort(round_id)
        subjects = [(None, board.figures), *by_target(board.subjects, board.target_names)]
        return board.revision, tuple(
            SubjectEffort(
                target,
                tries_per_fooling(figures.mer),
                minutes_per_error(found.times.get(target or RULE, EffortCounts()), figures.total.errors),
                tuple(survival(found.context_efforts.get(target or RULE, ()), design_effect(figures.mer))),
            )
            for target, figures in subjects
        )

    def tasks(self, after_slug: str, most: int, hidden: frozenset[str]) -> list[TaskHeadline]:
        """Return tasks by slug, those after `after_slug` and not `hidden`, with their current rounds' boards."""
        return [
            TaskHeadline(
                row.task_id,
                row.slug,
                row.title,
                row.rounds,
                self._current_board(row),
            )
            for row in self._read_tasks(after_slug, most, hidden)
        ]

    def own_figures(self, person_id: UUID, round_id: UUID | None) -> OwnFigures:
        """Return the figures of a person's tries, in one round or in all."""
        statement = OWN if round_id is None else OWN_IN_ROUND
        parameters = {"person_id": person_id, "round_id": round_id}
        with self._read_model.connect() as connection:
            if round_id is not None:
                read_revision(connection, round_id)
            total = Tally.from_row(connection.execute(statement, parameters).one())
        return _own(total)

    def own_rounds(self, person_id: UUID, hidden: frozenset[str]) -> list[OwnRound]:
        """Return the rounds that a person wrote in, the one that was opened last first; the last `MOST_OWN_ROUNDS`.

        Rounds of tasks that are `hidden` are left out.
        """
        parameters = {"person_id": person_id, "hidden": list(hidden)}
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
                for row in connection.execute(OWN_BY_ROUND, parameters)
            ]

    def _board(self, round_id: UUID, revision: UUID) -> Board:
        return self._boards.get(round_id, revision, lambda: self._read_board(round_id))

    def _current_board(self, row: Row[Any]) -> Board | None:
        round_id, revision = row.round_id, row.revision
        return None if round_id is None or revision is None else self._board(round_id, revision)

    def _read_board(self, round_id: UUID) -> Board:
        """Return the round's board, whole and by segment and target."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
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

    def _read_groups(self, round_id: UUID, dimension: Dimension) -> Breakdown:
        """Return the groups of a dimension by name, at most those with the most tries."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            return Breakdown(round_row.revision, _groups(connection, round_row, dimension))

    def matrix(self, round_id: UUID) -> RoundMatrix:
        """Return the round's fooling matrix, of the targets it names, and that of each segment."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
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

    def _read_time_series(self, round_id: UUID) -> RoundTimeSeries:
        """Return the round's figures over time, with their intervals, and its trend."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            return read_time_series(connection, round_row)

    def _read_effort(self, round_id: UUID) -> RoundEffort:
        """Return the time that tries took and the ends of context efforts, by subject."""
        with self._read_model.connect() as connection:
            round_row = read_round(connection, round_id)
            spent = select(effort.c.subject, *(effort.c[name] for name in EffortCounts._fields)).where(
                effort.c.round_id == round_id
            )
            ends = select(
                context_ends.c.subject,
                context_ends.c.tries,
                *(context_ends.c[name] for name in SurvivalCounts._fields),
            ).where(context_ends.c.round_id == round_id)
            times = {row[0]: EffortCounts(*row[1:]) for row in connection.execute(spent)}
            context_efforts: dict[str, list[tuple[int, SurvivalCounts]]] = defaultdict(list)
            for row in connection.execute(ends):
                context_efforts[row[0]].append((row[1], SurvivalCounts(*row[2:])))
            return RoundEffort(round_row.revision, times, dict(context_efforts))

    def _read_tasks(self, after_slug: str, most: int, hidden: frozenset[str]) -> Sequence[Row[Any]]:
        """Return tasks by slug, as their newest configurations name them, with their current rounds."""
        parameters = {"after_slug": after_slug, "most": most, "hidden": list(hidden)}
        with self._read_model.connect() as connection:
            return connection.execute(TASKS, parameters).all()


def _parts(board: Board, by: By) -> list[Group]:
    if by is By.CONDITION:
        return list(board.arms)
    if by is By.TARGET:
        return [Group(name, figures) for name, figures in by_target(board.subjects, board.target_names)]
    return [
        Group(str(part.segment_id if part.number is None else part.number), part.figures)
        for part in board.segments
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

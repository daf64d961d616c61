"""Tasks and rounds in PostgreSQL.

Locks, weakest first:

- A try locks round and task FOR KEY SHARE, so tries run side by side.
- Starting a segment locks the round FOR NO KEY UPDATE. Tries go on, but only one starter gets in.
- A change of state or of configuration locks its row FOR UPDATE. It waits for the tries under way, and they for it.
- A batch of records locks FOR UPDATE too, in a round without tries.

Every transaction locks the round before the task. No holder of a weak lock waits for another holder of one. So there is
no deadlock.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from dynabench_common.events.outbox import OutboxMessage, outbox_message
from dynabench_tasks.rounds import RoundState
from sqlalchemy import Connection, Select, Text, bindparam, cast, func, select, true
from sqlalchemy.dialects.postgresql import insert

from annotation.adapters import tables
from annotation.adapters.rows import to_round, to_task
from annotation.domain.errors import NotFound, SlugTaken
from annotation.domain.identifiers import RoundId, TaskId
from annotation.domain.round import IN_PROGRESS, LiveRound, ReleasedRound, Round
from annotation.domain.task import Task

Record = Callable[[Iterable[OutboxMessage]], None]

TASK_COLUMNS = (
    tables.task.c.task_id,
    tables.task.c.configuration_version,
    tables.task.c.created_by,
    tables.task.c.created_at.label("task_created_at"),
    tables.task.c.version.label("task_version"),
    cast(tables.task_configuration.c.document, Text).label("document"),
    tables.task_configuration.c.source,
)
CONFIGURED = tables.task.join(
    tables.task_configuration,
    (tables.task_configuration.c.task_id == tables.task.c.task_id)
    & (tables.task_configuration.c.configuration_version == tables.task.c.configuration_version),
)
LATEST_SEGMENT = (
    select(
        tables.segment.c.segment_id,
        tables.segment.c.number.label("segment_number"),
        tables.segment.c.configuration_version.label("segment_configuration_version"),
        tables.segment.c.targets.label("segment_targets"),
        tables.segment.c.started_at.label("segment_started_at"),
    )
    .where(tables.segment.c.round_id == tables.round_.c.round_id)
    .order_by(tables.segment.c.number.desc())
    .limit(1)
    .lateral("latest_segment")
)
ROUNDS = select(tables.round_, *TASK_COLUMNS[1:], LATEST_SEGMENT).select_from(
    CONFIGURED.join(tables.round_, tables.round_.c.task_id == tables.task.c.task_id).outerjoin(
        LATEST_SEGMENT, true()
    )
)
ROUND = ROUNDS.where(tables.round_.c.round_id == bindparam("round_id"))
HOLD = (
    select(tables.round_.c.round_id)
    .join(tables.task, tables.task.c.task_id == tables.round_.c.task_id)
    .where(tables.round_.c.round_id == bindparam("round_id"))
    .with_for_update(key_share=True, read=True)
)


class SqlTasks:
    """Stored tasks."""

    def __init__(self, connection: Connection, record: Record) -> None:
        self._connection = connection
        self._record = record

    def add(self, task: Task) -> None:
        """Store a new task. Raises SlugTaken."""
        statement = insert(tables.task).values(
            task_id=task.task_id,
            slug=task.slug,
            configuration_version=task.configuration_version,
            version=task.version,
            created_by=task.created_by,
            created_at=task.created_at,
        )
        if self._connection.execute(statement.on_conflict_do_nothing()).rowcount == 0:
            raise SlugTaken
        self._store_version(task)

    def get(self, slug: str) -> Task:
        """Return the task. Raises NotFound."""
        return self._one(select(*TASK_COLUMNS).select_from(CONFIGURED).where(tables.task.c.slug == slug))

    def lock(self, slug: str) -> Task:
        """Return the task, locked against tries and other changes. Raises NotFound."""
        self._connection.execute(
            select(tables.task.c.task_id).where(tables.task.c.slug == slug).with_for_update()
        )
        return self.get(slug)

    def save(self, task: Task) -> None:
        """Store a new version in force, or other words for the same one."""
        if task.unsaved:
            self._connection.execute(
                tables.task.update()
                .where(tables.task.c.task_id == task.task_id)
                .values(configuration_version=task.configuration_version, version=task.version)
            )
            self._store_version(task)
            return
        versions = tables.task_configuration
        self._connection.execute(
            versions.update()
            .where(
                versions.c.task_id == task.task_id,
                versions.c.configuration_version == task.configuration_version,
            )
            .values(source=task.source)
        )

    def labels_in_use(self, task_id: TaskId, labels: Collection[str]) -> set[str]:
        """Return the labels among `labels` that examples of the task claim, with one index look-up each."""
        claimed = tables.example.c.claimed_labels
        return {
            label
            for label in labels
            if self._connection.execute(
                select(claimed).where(tables.example.c.task_id == task_id, claimed.contains([label])).limit(1)
            ).first()
        }

    def _store_version(self, task: Task) -> None:
        events = task.take_unsaved()
        self._connection.execute(
            tables.task_configuration.insert().values(
                task_id=task.task_id,
                configuration_version=task.configuration_version,
                document=task.configuration.document(),
                source=task.source,
                created_at=events[-1].record.occurred_at,
            )
        )
        self._record(outbox_message(event) for event in events)

    def _one(self, statement: Select[Any]) -> Task:
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise NotFound("task", "slug")
        return to_task(row)


class SqlRounds:
    """Stored rounds with their segments."""

    def __init__(self, connection: Connection, record: Record) -> None:
        self._connection = connection
        self._record = record

    def add(self, round_: Round) -> None:
        """Store a new round."""
        self._connection.execute(
            tables.round_.insert().values(
                round_id=round_.round_id,
                task_id=round_.task_id,
                number=round_.number,
                title=round_.title,
                targets=list(round_.targets),
                state=round_.state,
                version=round_.version,
                created_at=round_.created_at,
                origin=round_.origin,
                source=round_.source,
            )
        )
        self._record(map(outbox_message, round_.take_unsaved()))

    def next_number(self, task_id: TaskId) -> int:
        """Return the number of the task's next round; the caller has locked the task."""
        newest = select(func.coalesce(func.max(tables.round_.c.number), 0))
        return (
            int(self._connection.execute(newest.where(tables.round_.c.task_id == task_id)).scalar_one()) + 1
        )

    def find_collected(self, task_id: TaskId, source: str) -> Round | None:
        """Return the round of a task that takes in this collection; the caller has locked the task."""
        own = (tables.round_.c.task_id == task_id) & (tables.round_.c.source == source)
        row = self._connection.execute(ROUNDS.where(own)).one_or_none()
        return None if row is None else to_round(row)

    def discard_empty(self, round_id: RoundId) -> bool:
        """Forget the round if it is not announced and has no contexts; tell whether it was forgotten."""
        own = tables.round_.c.round_id == round_id
        return self._connection.execute(tables.round_.delete().where(own, tables.is_empty_draft)).rowcount > 0

    def discard_abandoned(self, created_before: datetime) -> None:
        """Forget the rounds of imports that were started earlier and never got a record."""
        abandoned = (tables.round_.c.created_at < created_before) & tables.is_empty_draft
        self._connection.execute(tables.round_.delete().where(abandoned))

    def targets_at_work(self, task_id: TaskId) -> int | None:
        """Return the smallest number of targets of an open or paused round that has any; None without such a round."""
        targets = tables.round_.c.targets
        under_way = select(targets).where(
            tables.round_.c.task_id == task_id, tables.round_.c.state.in_(IN_PROGRESS)
        )
        counts = [len(found) for found in self._connection.execute(under_way).scalars() if found]
        return min(counts, default=None)

    def newest_if_released(self) -> list[ReleasedRound]:
        """Return the newest rounds of those tasks where that is a released one."""
        numbers = tables.round_.c
        newest = (
            select(numbers.task_id, func.max(numbers.number).label("number"))
            .where(tables.is_announced)
            .group_by(numbers.task_id)
            .subquery()
        )
        is_newest = (numbers.task_id == newest.c.task_id) & (numbers.number == newest.c.number)
        statement = (
            select(tables.task.c.slug, numbers.round_id, numbers.number, numbers.targets)
            .join(tables.task, tables.task.c.task_id == numbers.task_id)
            .join(newest, is_newest)
            .where(numbers.state == RoundState.RELEASED)
        )
        return [
            ReleasedRound(row.slug, RoundId(row.round_id), row.number, len(row.targets))
            for row in self._connection.execute(statement)
        ]

    def live(self) -> list[LiveRound]:
        """Return the open and paused rounds that have targets."""
        statement = (
            select(tables.round_.c.round_id, tables.task.c.slug, tables.round_.c.targets)
            .join(tables.task, tables.task.c.task_id == tables.round_.c.task_id)
            .where(tables.round_.c.state.in_(IN_PROGRESS), func.cardinality(tables.round_.c.targets) > 0)
        )
        return [
            LiveRound(RoundId(row.round_id), row.slug, frozenset(row.targets))
            for row in self._connection.execute(statement)
        ]

    def get(self, round_id: RoundId) -> tuple[Round, Task]:
        """Return the round and its task. Raises NotFound."""
        row = self._connection.execute(ROUND, {"round_id": round_id}).one_or_none()
        if row is None:
            raise NotFound("round", "round_id")
        return to_round(row), to_task(row)

    def hold(self, round_id: RoundId) -> tuple[Round, Task]:
        """Return the round and its task, locked against a change of state or configuration. Raises NotFound."""
        self._connection.execute(HOLD, {"round_id": round_id})
        return self.get(round_id)

    def lock(self, round_id: RoundId) -> tuple[Round, Task]:
        """Return the round and its task, locked exclusively. Raises NotFound."""
        statement = select(tables.round_.c.round_id).where(tables.round_.c.round_id == round_id)
        self._connection.execute(statement.with_for_update())
        return self.get(round_id)

    def hold_segments(self, round_: Round) -> None:
        """Hold the round's segments against other writers and bring `round_` up to date with them."""
        statement = select(tables.round_.c.round_id).where(tables.round_.c.round_id == round_.round_id)
        self._connection.execute(statement.with_for_update(key_share=True))
        newest, _ = self.get(round_.round_id)
        round_.version, round_.segment = newest.version, newest.segment

    def save(self, round_: Round) -> None:
        """Store state, targets, new segments, and targets that were lost."""
        if not round_.unsaved:
            return
        self._connection.execute(
            tables.round_.update()
            .where(tables.round_.c.round_id == round_.round_id)
            .values(state=round_.state, targets=list(round_.targets), version=round_.version)
        )
        for segment in round_.started_segments:
            values = {**vars(segment), "targets": [asdict(target) for target in segment.targets]}
            self._connection.execute(tables.segment.insert().values(values))
        round_.started_segments.clear()
        for lost in round_.lost_targets:
            self._connection.execute(
                tables.lost_target.insert().values(round_id=round_.round_id, **asdict(lost))
            )
        round_.lost_targets.clear()
        self._record(map(outbox_message, round_.take_unsaved()))

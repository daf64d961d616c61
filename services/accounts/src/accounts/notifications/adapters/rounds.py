"""Tasks, rounds and their participants, for notices when a round opens or is released.

Only people who see a private task read notices about it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from uuid import UUID

from dynabench_common.auth.private_tasks import INVITED
from dynabench_common.database.bulk import as_document, insert_rows
from dynabench_events import Recorded
from dynabench_events.task import RoundCreated, RoundStateChanged, TaskCreated
from dynabench_tasks.configuration.goal import wanted_errors
from dynabench_tasks.rounds import RoundState
from sqlalchemy import (
    JSON,
    ColumnElement,
    CompoundSelect,
    Connection,
    Row,
    Select,
    Text,
    and_,
    cast,
    func,
    literal,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from accounts.notifications.adapters.tables import (
    notice,
    notice_participant,
    notice_position,
    notice_round,
    notice_task,
)
from accounts.notifications.adapters.writer import NoticeWriter
from accounts.notifications.domain.notices import NoticeKind
from accounts.queries import recipients

TAKE_PART = insert_rows(notice_participant).on_conflict_do_nothing()
NOT_NOTIFIED = dict.fromkeys(("is_opening_told", "is_release_told", "was_below_goal", "is_goal_told"), False)
PRIVATE_SLUGS = select(notice_task.c.slug).where(notice_task.c.is_private)
"""The addresses of the private tasks."""


@dataclass(frozen=True)
class RoundNotices:
    """Stores facts of rounds and notifies their participants."""

    connection: Connection
    book: NoticeWriter

    def learn(
        self,
        tasks: Iterable[Recorded[TaskCreated]],
        drafted: Iterable[RoundCreated],
        moved: Iterable[RoundStateChanged],
    ) -> None:
        """Store the events' facts of tasks and rounds, for any order of arrival."""
        for each in tasks:
            self._learn_task(each)
        for drafting in drafted:
            values = {
                "task_id": drafting.task_id,
                "number": drafting.number,
                "is_written_here": not drafting.origin,
            }
            self._keep(drafting.round_id, **values)
        for change in moved:
            if change.state is RoundState.OPEN:
                self._ensure(change.round_id)
                first = notice_round.c.opened_at.is_(None) | (notice_round.c.opened_at > change.changed_at)
                self._change(change.round_id, first, opened_at=change.changed_at, opened_by=change.changed_by)
            elif change.state is RoundState.RELEASED:
                self._keep(change.round_id, released_at=change.changed_at)

    def note_participants(self, took_part: Iterable[tuple[UUID, UUID]]) -> set[tuple[UUID, UUID]]:
        """Store who wrote or voted in each round; return the (round, person) pairs that were stored before."""
        wanted = sorted(took_part)
        if not wanted:
            return set()
        columns = notice_participant.c.round_id, notice_participant.c.person_id
        chosen = select(*columns).where(tuple_(*columns).in_(wanted))
        noted = {(round_id, person_id) for round_id, person_id in self.connection.execute(chosen)}
        rows = [{"round_id": each[0], "person_id": each[1]} for each in wanted if each not in noted]
        if rows:
            self.connection.execute(TAKE_PART, as_document(rows))
        return noted

    def notify(self, round_ids: Iterable[UUID]) -> None:
        """Notify those who took part that rounds opened or were released, once."""
        wanted = list(round_ids)
        if not wanted:
            return
        chosen = select(notice_round).where(notice_round.c.round_id.in_(wanted))
        for row in self.connection.execute(chosen).all():
            if row.opened_at and not row.is_opening_told and row.task_id is not None:
                if self.book.is_news(row.opened_at) and row.is_written_here:
                    self._notify(
                        NoticeKind.ROUND_OPENED, row, row.opened_at, _of_other_rounds(row), row.opened_by
                    )
                self._change(row.round_id, is_opening_told=True)
            if row.released_at and not row.is_release_told:
                if self.book.is_news(row.released_at):
                    people = _participants(row.round_id)
                    self._notify(NoticeKind.ROUND_RELEASED, row, row.released_at, people, None)
                self._change(row.round_id, is_release_told=True)

    def notify_goal_reached(self, round_id: UUID, goal: int) -> None:
        """Notify those who took part in a round, and the owners of its task, that it reached its goal; once."""
        first = update(notice_round).where(
            notice_round.c.round_id == round_id, notice_round.c.is_goal_told.is_(False)
        )
        row = self.connection.execute(
            first.values(is_goal_told=True).returning(*notice_round.c)
        ).one_or_none()
        if row is None or not row.was_below_goal:
            return
        slug = self.connection.scalar(select(notice_task.c.slug).where(notice_task.c.task_id == row.task_id))
        people = _participants(round_id).union(recipients.owners(slug or ""))
        self._notify(NoticeKind.GOAL_REACHED, row, self.book.now, people, None, {"goal": goal})

    def note_below_goal(self, round_id: UUID) -> None:
        """Note that a round was seen below its goal; reaching the goal is news only after that."""
        self._change(round_id, was_below_goal=True)

    def _learn_task(self, event: Recorded[TaskCreated]) -> None:
        record = event.record
        values = {"slug": record.slug, "title": record.title, "version": event.version}
        values["goal"] = wanted_errors(record.configuration)
        values["is_private"] = record.configuration.get("access") == INVITED
        statement = insert(notice_task).values(task_id=record.task_id, **values)
        self.connection.execute(
            statement.on_conflict_do_update(
                index_elements=["task_id"], set_=values, where=notice_task.c.version < event.version
            )
        )

    def _ensure(self, round_id: UUID) -> None:
        """Make sure that there is a row of the round."""
        fresh = insert(notice_round).values(round_id=round_id, **NOT_NOTIFIED)
        self.connection.execute(fresh.on_conflict_do_nothing())

    def _keep(self, round_id: UUID, **values: Any) -> None:
        self._ensure(round_id)
        self._change(round_id, **values)

    def _change(self, round_id: UUID, *where: ColumnElement[bool], **values: Any) -> None:
        changed = update(notice_round).where(notice_round.c.round_id == round_id, *where)
        self.connection.execute(changed.values(**values))

    def _notify(
        self,
        kind: NoticeKind,
        row: Row[Any],
        at: Any,
        people: Select[Any] | CompoundSelect[Any],
        but: UUID | None,
        counts: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Write one notice for each of these people in one statement, however many they are."""
        active = recipients.ACTIVE.subquery()
        chosen = select(
            func.gen_random_uuid(),
            active.c.person_id,
            notice_position.next_value(),
            literal(kind.value),
            literal(row.round_id, notice.c.round_id.type),
            cast(literal(json.dumps(dict(counts)), Text), JSON),
            *(literal(moment, notice.c.began_at.type) for moment in (at, at, self.book.now)),
        ).where(active.c.person_id.in_(people))
        if but is not None:
            chosen = chosen.where(active.c.person_id != but)
        names = ["notice_id", "person_id", "position", "kind", "round_id", "counts"]
        names += ["began_at", "happened_at", "written_at"]
        self.connection.execute(insert(notice).from_select(names, chosen))


def _participants(round_id: UUID) -> Select[Any]:
    """Select the participants of a round."""
    return select(notice_participant.c.person_id).where(notice_participant.c.round_id == round_id)


def _of_other_rounds(row: Row[Any]) -> Select[Any]:
    """Select the participants of other rounds of the round's task."""
    return (
        select(notice_participant.c.person_id)
        .join(notice_round, notice_round.c.round_id == notice_participant.c.round_id)
        .where(notice_round.c.task_id == row.task_id, notice_round.c.round_id != row.round_id)
    )


def task_rounds(connection: Connection, task_ids: set[UUID]) -> set[UUID]:
    """Return the rounds of tasks."""
    if not task_ids:
        return set()
    chosen = select(notice_round.c.round_id).where(notice_round.c.task_id.in_(task_ids))
    return set(connection.scalars(chosen))


def is_readable(person_id: Any) -> ColumnElement[bool]:
    """Match the notices that are not about a private task which the person does not see."""
    round_of_task = and_(
        notice_round.c.task_id == notice_task.c.task_id, notice_round.c.round_id == notice.c.round_id
    )
    unseen = (
        select(1)
        .select_from(notice_task.outerjoin(notice_round, round_of_task))
        .where(
            notice_task.c.is_private,
            or_(notice_round.c.round_id.is_not(None), notice_task.c.slug == notice.c.task_slug),
            ~recipients.sees(notice_task.c.slug, person_id),
        )
    )
    return ~unseen.exists()

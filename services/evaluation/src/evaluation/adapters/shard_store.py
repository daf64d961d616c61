"""Shards of evaluations in PostgreSQL: stretches of requests, each answered by one worker at a time."""

from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.work.jobs import FREE, JobQueue, LeasedJob, LeaseLost
from sqlalchemy import Connection, Row, Select, Text, cast, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from evaluation.adapters.evaluation_store import ANSWERED, OPEN, WHOLE, S, evaluation_of, note, note_done
from evaluation.adapters.tables import MOMENT, evaluation, evaluation_turn, shard
from evaluation.domain.evaluations import LogEvent, ShardWork

SUBMITTER = func.coalesce(cast(evaluation.c.submitted_by, Text), "")
"""The submitter whose turn an evaluation takes; models of the platform itself count as one submitter."""


class SqlShards(JobQueue):
    """Shards, whose turn is decided between submitters.

    The submitter with the fewest leased shards comes first; ties go to the one who has waited longest since the last.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, shard, OPEN)

    def claim(self, now: datetime, seconds: float) -> LeasedJob | None:
        """Lease a free shard, of the submitter whose turn it is, the oldest evaluation first."""
        free = self.is_free(now)
        leased = (
            select(evaluation.c.submitted_by, func.count().label("number"))
            .join(shard, shard.c.evaluation_id == evaluation.c.evaluation_id)
            .where(
                evaluation.c.state.in_((S.QUEUED, S.RUNNING)),
                shard.c.state == OPEN,
                shard.c.leased_until > now,
                shard.c.lease_id.is_not(None),
            )
            .group_by(evaluation.c.submitted_by)
            .subquery()
        )
        has_free = (
            select(shard.c.shard_id)
            .where(shard.c.evaluation_id == evaluation.c.evaluation_id, shard.c.state == OPEN, free)
            .exists()
        )
        turns = (
            select(evaluation.c.evaluation_id)
            .outerjoin(leased, leased.c.submitted_by.is_not_distinct_from(evaluation.c.submitted_by))
            .outerjoin(evaluation_turn, evaluation_turn.c.submitter == SUBMITTER)
            .where(evaluation.c.state.in_((S.QUEUED, S.RUNNING)), has_free)
            .order_by(
                func.coalesce(leased.c.number, 0),
                evaluation_turn.c.taken_at.asc().nulls_first(),
                evaluation.c.requested_at,
                evaluation.c.evaluation_id,
            )
            .limit(1)
            .with_for_update(of=evaluation)
        )
        evaluation_id = self._connection.execute(turns).scalar_one_or_none()
        if evaluation_id is None:
            return None
        chosen = (
            select(shard.c.shard_id)
            .where(shard.c.evaluation_id == evaluation_id, shard.c.state == OPEN, free)
            .order_by(shard.c.number)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        job = self.take(chosen.scalar_subquery(), now, seconds, begun_at=now)
        if job is not None:
            self._note_turn(evaluation_id, now)
            self._begin(evaluation_id, now)
        return job

    def _note_turn(self, evaluation_id: UUID, now: datetime) -> None:
        """Keep when a shard of the submitter was taken last, also once their evaluations are done."""
        whose = select(SUBMITTER, literal(now, MOMENT)).where(evaluation.c.evaluation_id == evaluation_id)
        added = insert(evaluation_turn).from_select(["submitter", "taken_at"], whose)
        self._connection.execute(
            added.on_conflict_do_update(
                index_elements=["submitter"], set_={"taken_at": added.excluded.taken_at}
            )
        )

    def _begin(self, evaluation_id: UUID, now: datetime) -> None:
        """Let an evaluation run that is queued."""
        begun = self._connection.execute(
            update(evaluation)
            .where(evaluation.c.evaluation_id == evaluation_id, evaluation.c.state == S.QUEUED)
            .values(state=S.RUNNING, begun_at=func.coalesce(evaluation.c.begun_at, now))
        )
        if begun.rowcount:
            note(self._connection, evaluation_id, LogEvent.BEGUN, now)

    def work(self, shard_id: UUID) -> ShardWork:
        """Return what is to be answered. Raises LeaseLost where the evaluation has ended meanwhile."""
        row = self._connection.execute(select(shard).where(shard.c.shard_id == shard_id)).one()
        found = self._connection.execute(WHOLE.where(evaluation.c.evaluation_id == row.evaluation_id)).one()
        if found.state not in (S.QUEUED, S.RUNNING):
            raise LeaseLost
        return ShardWork(shard_id, evaluation_of(found._mapping), row.number, row.first_request, row.requests)

    def answered(self, held: LeasedJob, evaluation_id: UUID, answers: bytes, now: datetime) -> None:
        """Store what was answered. Raises LeaseLost, also where the evaluation has ended meanwhile."""
        found = self._lock(evaluation_id)
        if found.state not in (S.QUEUED, S.RUNNING):
            raise LeaseLost
        self.settle(held, state=ANSWERED, answers=answers, answered_at=now, **FREE)
        if found.waits_for is not None:
            facts = {"shards": found.shards, "shards_done": found.shards_done + 1}
            note(self._connection, evaluation_id, LogEvent.GOES_ON, now, **facts)
        note_done(self._connection, evaluation_id)

    def wait(self, held: LeasedJob, evaluation_id: UUID, now: datetime, until: datetime, reason: str) -> None:
        """Leave a shard, and the open ones of its evaluation, for later without counting the attempt. Raises LeaseLost.

        A wait is one line of the log, however often the model is asked meanwhile.
        """
        if self._lock(evaluation_id).waits_for is None:
            note(self._connection, evaluation_id, LogEvent.WAITS, now, reason=reason)
        self.settle(held, lease_id=None, leased_until=until, attempts=held.attempts - 1)
        columns = shard.c
        self._connection.execute(
            update(shard)
            .where(
                columns.evaluation_id == evaluation_id,
                columns.state == OPEN,
                columns.lease_id.is_(None),
                or_(columns.leased_until.is_(None), columns.leased_until < until),
            )
            .values(leased_until=until)
        )
        self._connection.execute(
            update(evaluation).where(evaluation.c.evaluation_id == evaluation_id).values(waits_for=reason)
        )

    def _lock(self, evaluation_id: UUID) -> Row[Any]:
        """Return an evaluation, locked; every writer of both locks it before its shards."""
        columns = evaluation.c
        statement: Select[Any] = select(columns.state, columns.waits_for, columns.shards, columns.shards_done)
        return self._connection.execute(
            statement.where(columns.evaluation_id == evaluation_id).with_for_update()
        ).one()

"""The queue of examples that wait for votes.

A candidate is picked in the order of the partial index over pending examples and locked with SKIP LOCKED, so people
who ask at once get different examples without waiting. The lock is on the example, while the free slots hang on
leases that may have been granted after this statement began; so the slots are counted again under the lock, by a
statement of its own, and a candidate that lost its last slot is let go. Before anybody is sent away, the examples
behind other people's locks are waited for, one at a time.

Slots that will be needed whatever people say are given first. Only when none is left is a slot given that may turn
out to be spare, rather than send a willing person away.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select
from sqlalchemy.dialects.postgresql import insert

from validation.adapters.tables import example_validation, is_pending, lease, skip, vote
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.service_layer.ports import Waiting

state = example_validation.c


@dataclass(frozen=True)
class _Asker:
    """Who asks for work, where and when."""

    round_id: RoundId
    person_id: PersonId
    now: datetime

    def pending(self) -> ColumnElement[bool]:
        """Match the examples of the round that wait for anybody's vote."""
        return and_(state.round_id == self.round_id, is_pending)

    def answered(self) -> ColumnElement[bool]:
        """Match the examples that this person voted on, or skipped today."""
        voted = vote.c.example_id == state.example_id, vote.c.voter_id == self.person_id
        skipped = (
            skip.c.example_id == state.example_id,
            skip.c.person_id == self.person_id,
            skip.c.skipped_on == self.now.date(),
        )
        return or_(select(1).where(*voted).exists(), select(1).where(*skipped).exists())

    def others_on_lease(self) -> ColumnElement[int]:
        """Count the other people who hold the example."""
        return (
            select(func.count())
            .select_from(lease)
            .where(
                lease.c.resource_id == state.example_id,
                lease.c.holder_id != self.person_id,
                lease.c.expires_at > self.now,
            )
            .scalar_subquery()
        )


class SqlQueue:
    """The queue in PostgreSQL."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def claim(self, round_id: RoundId, person_id: PersonId, now: datetime) -> ExampleId | None:
        """Return the best example with a slot free for the person, locked; None if there is none."""
        asker = _Asker(round_id, person_id, now)
        refused: list[UUID] = []
        for slots in (state.certain_slots, state.possible_slots):
            example_id = self._claim(asker, slots, refused, wait=False)
            if example_id is not None:
                return example_id
        return self._claim(asker, state.possible_slots, refused, wait=True)

    def _claim(
        self, asker: _Asker, slots: ColumnElement[int], refused: list[UUID], *, wait: bool
    ) -> ExampleId | None:
        """Try candidates until one still has a slot under its lock; others go into `refused`.

        A savepoint around each try lets its locks go, so nobody waits while holding an example.
        """
        while True:
            savepoint = self._connection.begin_nested()
            candidate = _candidate(asker, slots, refused)
            if not wait:
                candidate = candidate.with_for_update(of=example_validation, skip_locked=True)
            example_id = self._connection.execute(candidate).scalar_one_or_none()
            if example_id is not None and wait:
                self._connection.execute(_lock_of(example_id))
            if example_id is not None and self._has_slot(asker, example_id):
                savepoint.commit()
                return ExampleId(example_id)
            savepoint.rollback()
            if example_id is None:
                return None
            refused.append(example_id)

    def _has_slot(self, asker: _Asker, example_id: UUID) -> bool:
        statement = select(
            asker.pending() & ~asker.answered() & (asker.others_on_lease() < state.possible_slots)
        ).where(state.example_id == example_id)
        return bool(self._connection.execute(statement).scalar_one())

    def is_waiting(self, example_id: ExampleId, round_id: RoundId) -> bool:
        """Tell whether the example is of the round and still waits for votes."""
        statement = select(1).where(state.example_id == example_id, state.round_id == round_id, is_pending)
        return self._connection.execute(statement).one_or_none() is not None

    def skip(self, example_id: ExampleId, person_id: PersonId, now: datetime) -> None:
        """Keep the example from the person until tomorrow, UTC."""
        statement = insert(skip).values(example_id=example_id, person_id=person_id, skipped_on=now.date())
        self._connection.execute(
            statement.on_conflict_do_update(
                index_elements=["example_id", "person_id"], set_={"skipped_on": now.date()}
            )
        )

    def waiting(self, round_id: RoundId, person_id: PersonId, now: datetime) -> Waiting:
        """Return what waits in the round, seen by the person."""
        asker = _Asker(round_id, person_id, now)
        is_own = state.author_id == person_id
        next_free = (
            select(func.min(lease.c.expires_at))
            .where(lease.c.resource_id == state.example_id, lease.c.expires_at > now)
            .scalar_subquery()
        )
        statement = select(
            func.count(),
            func.count().filter(is_own),
            func.count().filter(~is_own & asker.answered()),
            func.min(next_free).filter(~is_own & ~asker.answered()),
        ).where(asker.pending())
        total, own, answered, next_free_at = self._connection.execute(statement).one()
        return Waiting(total, own, answered, next_free_at)


def _candidate(asker: _Asker, slots: ColumnElement[int], refused: list[UUID]) -> Select[UUID]:
    return (
        select(state.example_id)
        .where(
            asker.pending(),
            state.author_id != asker.person_id,
            ~asker.answered(),
            asker.others_on_lease() < slots,
            state.example_id.not_in(refused),
        )
        .order_by(state.priority, state.votes_counted, state.created_at, state.example_id)
        .limit(1)
    )


def _lock_of(example_id: UUID) -> Select[UUID]:
    return select(state.example_id).where(state.example_id == example_id).with_for_update()

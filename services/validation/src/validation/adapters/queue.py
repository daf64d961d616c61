"""The queue of examples that wait for votes.

A candidate is picked in the order of the partial index over pending examples and locked with SKIP LOCKED, so people
who ask at once get different examples without waiting. The lock is on the example, while the free slots hang on
leases that may have been granted after this statement began; so the slots are counted again under the lock, by a
statement of its own, and a candidate that lost its last slot is let go. Before anybody is sent away, the examples
behind other people's locks are waited for, one at a time.

Slots that will be needed whatever people say are given first. Only when none is left is a slot given that may turn
out to be spare, rather than send a willing person away.

Each of the two orders is the order of a partial index, so a candidate is found by walking that index past the few
examples that the person can't have. How many leases a round has given is counted in a row of its own, at the end of
the transaction. People who ask in the same instant may read the same number, and one of them counts for all, since
nobody waits for that row: the turn of the longest waiting then comes a little later or to several, and never fails.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select
from sqlalchemy.dialects.postgresql import insert

from validation.adapters.queue_filters import matches
from validation.adapters.tables import example_validation, is_pending, lease, queue_turn, skip, vote
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.domain.queue_filters import QueueFilter
from validation.domain.selection import Order
from validation.service_layer.ports import Waiting

state = example_validation.c
FOR_GOOD = date.max
"""Stands for every day in `skipped_on`, of an example that is kept from a person for good."""
ORDERS: Mapping[Order, tuple[ColumnElement[Any], ...]] = {
    Order.MOST_INFORMATIVE: (state.priority, state.votes_counted, state.created_at, state.example_id),
    Order.LONGEST_WAITING: (state.created_at, state.example_id),
}


@dataclass(frozen=True)
class _Asker:
    """Who asks for work, where, when and of what kind."""

    round_id: RoundId
    person_id: PersonId
    now: datetime
    wanted: QueueFilter

    def pending(self) -> ColumnElement[bool]:
        """Match the examples of the round and kind that wait for anybody's vote."""
        return and_(state.round_id == self.round_id, is_pending, matches(self.wanted))

    def unanswered(self) -> ColumnElement[bool]:
        """Match the examples that this person neither voted on nor skipped today.

        Two conditions, not one with OR: so each is looked up by example as the walk goes, and the plan does not
        begin by gathering all votes of a person who cast thousands.
        """
        voted = vote.c.example_id == state.example_id, vote.c.voter_id == self.person_id
        skipped = (
            skip.c.example_id == state.example_id,
            skip.c.person_id == self.person_id,
            skip.c.skipped_on.in_((self.now.date(), FOR_GOOD)),
        )
        return and_(~select(1).where(*voted).exists(), ~select(1).where(*skipped).exists())

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


@dataclass(frozen=True)
class _Search:
    """For which slots examples are looked through, and in which order."""

    asker: _Asker
    order: Order
    slots: ColumnElement[int]

    def candidate(self, refused: list[UUID]) -> Select[UUID]:
        """Select the first example that seems to have such a slot free, leaving out the refused ones."""
        return (
            select(state.example_id)
            .where(
                self.asker.pending(),
                state.author_id != self.asker.person_id,
                self.asker.unanswered(),
                self.asker.others_on_lease() < self.slots,
                state.example_id.not_in(refused),
            )
            .order_by(*ORDERS[self.order])
            .limit(1)
        )


class SqlQueue:
    """The queue in PostgreSQL."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def claim(
        self, round_id: RoundId, person_id: PersonId, now: datetime, order: Order, wanted: QueueFilter
    ) -> ExampleId | None:
        """Return the first example with a slot free for the person, locked; None if there is none."""
        asker = _Asker(round_id, person_id, now, wanted)
        refused: list[UUID] = []
        for slots in (state.certain_slots, state.possible_slots):
            example_id = self._claim(_Search(asker, order, slots), refused, wait=False)
            if example_id is not None:
                return example_id
        return self._claim(_Search(asker, order, state.possible_slots), refused, wait=True)

    def _claim(self, search: _Search, refused: list[UUID], *, wait: bool) -> ExampleId | None:
        """Try candidates until one still has a slot under its lock; others go into `refused`.

        A savepoint around each try lets its locks go, so nobody waits while holding an example.
        """
        while True:
            savepoint = self._connection.begin_nested()
            candidate = search.candidate(refused)
            if not wait:
                candidate = candidate.with_for_update(of=example_validation, skip_locked=True)
            example_id = self._connection.execute(candidate).scalar_one_or_none()
            if example_id is not None and wait:
                self._connection.execute(_lock_of(example_id))
            if example_id is not None and self._has_slot(search.asker, example_id):
                savepoint.commit()
                return ExampleId(example_id)
            savepoint.rollback()
            if example_id is None:
                return None
            refused.append(example_id)

    def _has_slot(self, asker: _Asker, example_id: UUID) -> bool:
        statement = select(
            asker.pending() & asker.unanswered() & (asker.others_on_lease() < state.possible_slots)
        ).where(state.example_id == example_id)
        return bool(self._connection.execute(statement).scalar_one())

    def is_waiting(self, example_id: ExampleId, round_id: RoundId, wanted: QueueFilter) -> bool:
        """Tell whether the example is of the round and kind, and still waits for votes."""
        statement = select(1).where(
            state.example_id == example_id, state.round_id == round_id, is_pending, matches(wanted)
        )
        return self._connection.execute(statement).one_or_none() is not None

    def leases_given(self, round_id: RoundId) -> int:
        """Return how many leases the round has given."""
        statement = select(queue_turn.c.leases_given).where(queue_turn.c.round_id == round_id)
        return self._connection.execute(statement).scalar_one_or_none() or 0

    def count_lease(self, round_id: RoundId) -> None:
        """Count a lease that the round gives, unless another person's is being counted right now."""
        of_round = queue_turn.c.round_id == round_id
        free = select(queue_turn.c.round_id).where(of_round).with_for_update(skip_locked=True)
        counted = queue_turn.update().where(queue_turn.c.round_id.in_(free))
        if not self._connection.execute(counted.values(leases_given=queue_turn.c.leases_given + 1)).rowcount:
            first = insert(queue_turn).values(round_id=round_id, leases_given=1)
            self._connection.execute(first.on_conflict_do_nothing())

    def skip(self, example_id: ExampleId, person_id: PersonId, now: datetime) -> None:
        """Keep the example from the person until tomorrow, UTC."""
        self._keep_from(example_id, person_id, now.date())

    def withhold(self, example_id: ExampleId, person_id: PersonId) -> None:
        """Keep the example from the person for good."""
        self._keep_from(example_id, person_id, FOR_GOOD)

    def _keep_from(self, example_id: ExampleId, person_id: PersonId, on: date) -> None:
        statement = insert(skip).values(example_id=example_id, person_id=person_id, skipped_on=on)
        self._connection.execute(
            statement.on_conflict_do_update(
                index_elements=["example_id", "person_id"], set_={"skipped_on": on}
            )
        )

    def waiting(self, round_id: RoundId, person_id: PersonId, now: datetime, wanted: QueueFilter) -> Waiting:
        """Return what of that kind waits in the round, seen by the person."""
        asker = _Asker(round_id, person_id, now, wanted)
        of_others = state.author_id != person_id, asker.pending()
        for_person = *of_others, asker.unanswered()
        next_free_at = (
            select(func.min(lease.c.expires_at))
            .join(example_validation, state.example_id == lease.c.resource_id)
            .where(lease.c.expires_at > now, *for_person)
        )
        statement = select(
            select(1).where(asker.pending()).exists(),
            select(1).where(*of_others).exists(),
            select(1).where(*for_person).exists(),
            next_free_at.scalar_subquery(),
        )
        return Waiting(*self._connection.execute(statement).one())


def _lock_of(example_id: UUID) -> Select[UUID]:
    return select(state.example_id).where(state.example_id == example_id).with_for_update()

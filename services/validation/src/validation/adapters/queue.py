"""The queue of examples that wait for votes.

A candidate is picked in the order of the partial index over pending examples and locked with SKIP LOCKED. So people who
ask at once get different examples without waiting. The lock is on the example, while the free slots depend on leases
that may have been granted after this statement began. So a separate statement counts the slots again under the lock,
and a candidate without a free slot is released. Before the queue refuses anybody, it waits for the examples locked by
other people, one at a time.

The queue first gives slots that every outcome of the votes needs. When none is left, it gives a slot that may turn out
to be spare, rather than refuse a willing person.

Each of the two orders is the order of a partial index. So the search walks that index past the few examples that the
person cannot have. A separate row counts the leases that a round has granted, updated at the end of the transaction.
Nobody waits for that row. Concurrent requests may read the same number, and one of them counts for all.
Then the turn of the longest waiting example comes a little later, or several requests get one, but it never fails.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from dynabench_common.database.bulk import as_ids, is_among
from sqlalchemy import BindParameter, ColumnElement, Connection, Select, and_, func, or_, select, true
from sqlalchemy.dialects.postgresql import insert

from validation.adapters.gold_showings import SqlGoldShowings
from validation.adapters.queue_filters import matches
from validation.adapters.tables import (
    assigned_checks,
    example_validation,
    is_pending,
    lease,
    queue_turn,
    skip,
    vote,
)
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.domain.queue import EVERYTHING, QueueFilter, Waiting
from validation.domain.selection import Order

state = example_validation.c
FOR_GOOD = date.max
"""Stands for every day in `skipped_on`, of an example that is kept from a person for good."""
ORDERS: Mapping[Order, tuple[ColumnElement[Any], ...]] = {
    Order.MOST_INFORMATIVE: (state.priority, state.votes_counted, state.created_at, state.example_id),
    Order.LONGEST_WAITING: (state.created_at, state.example_id),
}


ROUND, PERSON, EXAMPLE, NOW, TODAY = (
    BindParameter[Any](name) for name in ("round", "person", "example", "now", "today")
)
ASSIGNED = and_(
    assigned_checks.c.person_id == PERSON,
    assigned_checks.c.round_id == ROUND,
    assigned_checks.c.ended_version.is_(None),
)
CHECKED = (
    select(func.count())
    .where(
        vote.c.voter_id == PERSON,
        vote.c.example_id == func.any(assigned_checks.c.example_ids),
        vote.c.cast_at >= assigned_checks.c.assigned_at,
    )
    .scalar_subquery()
)
FIND_TURN = select(
    select(queue_turn.c.leases_given).where(queue_turn.c.round_id == ROUND).scalar_subquery(),
    select(1).where(ASSIGNED, assigned_checks.c.units > CHECKED).exists(),
)
COUNT_LEASE = (
    queue_turn.update()
    .where(
        queue_turn.c.round_id.in_(
            select(queue_turn.c.round_id)
            .where(queue_turn.c.round_id == ROUND)
            .with_for_update(skip_locked=True)
        )
    )
    .values(leases_given=queue_turn.c.leases_given + 1)
)
LOCK = select(state.example_id).where(state.example_id == EXAMPLE).with_for_update()


@dataclass(frozen=True)
class Turn:
    """The number of leases that the round has given, and whether an owner assigned checks that are not done."""

    leases_given: int
    has_assigned_checks: bool


@dataclass(frozen=True)
class _Work:
    """The kind of work to search for; the statements get the person, the round and the time as parameters.

    `is_assigned` leaves only the examples that an owner assigned to the person to check.
    """

    wanted: QueueFilter
    is_assigned: bool = False

    def pending(self) -> ColumnElement[bool]:
        """Match the examples of the round and kind that wait for anybody's vote."""
        examples = select(func.unnest(assigned_checks.c.example_ids)).where(ASSIGNED)
        is_chosen = state.example_id.in_(examples) if self.is_assigned else true()
        return and_(state.round_id == ROUND, is_pending, matches(self.wanted), is_chosen)

    def unanswered(self) -> ColumnElement[bool]:
        """Match the examples that this person neither voted on nor skipped today.

        Two conditions, not one with OR, so that PostgreSQL looks up each by example during the walk. Otherwise the
        plan could begin by gathering all votes of a person who cast thousands.
        """
        voted = vote.c.example_id == state.example_id, vote.c.voter_id == PERSON
        skipped = (
            skip.c.example_id == state.example_id,
            skip.c.person_id == PERSON,
            or_(skip.c.skipped_on == TODAY, skip.c.skipped_on == FOR_GOOD),
        )
        return and_(~select(1).where(*voted).exists(), ~select(1).where(*skipped).exists())

    def others_on_lease(self) -> ColumnElement[int]:
        """Count the other people with a live lease on the example."""
        return (
            select(func.count())
            .select_from(lease)
            .where(
                lease.c.resource_id == state.example_id,
                lease.c.holder_id != PERSON,
                lease.c.expires_at > NOW,
            )
            .scalar_subquery()
        )


@dataclass(frozen=True)
class _Search:
    """One search of the queue: the wanted slots, the order, and whether it waits for others' locks."""

    work: _Work
    order: Order
    slots: str
    wait: bool

    def candidate(self) -> Select[UUID]:
        """Select the first example that seems to have such a slot free, leaving out the given ones."""
        found = (
            select(state.example_id)
            .where(
                self.work.pending(),
                state.author_id != PERSON,
                self.work.unanswered(),
                self.work.others_on_lease() < state[self.slots],
                ~is_among(state.example_id),
            )
            .order_by(*ORDERS[self.order])
            .limit(1)
        )
        return found if self.wait else found.with_for_update(of=example_validation, skip_locked=True)


@lru_cache(maxsize=64)
def _candidate(search: _Search) -> Select[UUID]:
    return search.candidate()


@lru_cache(maxsize=64)
def _has_slot(work: _Work) -> Select[bool]:
    return select(work.pending() & work.unanswered() & (work.others_on_lease() < state.possible_slots)).where(
        state.example_id == EXAMPLE
    )


@lru_cache(maxsize=64)
def _is_waiting(wanted: QueueFilter) -> Select[int]:
    return select(1).where(state.example_id == EXAMPLE, state.round_id == ROUND, is_pending, matches(wanted))


@lru_cache(maxsize=64)
def _what_waits(work: _Work) -> Select[Any]:
    of_others = state.author_id != PERSON, work.pending()
    for_person = *of_others, work.unanswered()
    next_free_at = (
        select(func.min(lease.c.expires_at))
        .join(example_validation, state.example_id == lease.c.resource_id)
        .where(lease.c.expires_at > NOW, *for_person)
    )
    return select(
        select(1).where(work.pending()).exists(),
        select(1).where(*of_others).exists(),
        select(1).where(*for_person).exists(),
        next_free_at.scalar_subquery(),
    )


class SqlQueue:
    """The examples that wait for votes, and showings of known items that wait for their person's answer."""

    def __init__(self, connection: Connection, gold_showings: SqlGoldShowings) -> None:
        self._connection = connection
        self._gold_showings = gold_showings

    def claim(
        self, round_id: RoundId, person_id: PersonId, now: datetime, order: Order, wanted: QueueFilter
    ) -> ExampleId | None:
        """Return the first example with a slot free for the person, locked; None if there is none."""
        work, caller = _Work(wanted), _caller(round_id, person_id, now)
        refused: list[UUID] = []
        for slots in ("certain_slots", "possible_slots"):
            example_id = self._claim(_Search(work, order, slots, wait=False), caller, refused)
            if example_id is not None:
                return example_id
        return self._claim(_Search(work, order, "possible_slots", wait=True), caller, refused)

    def claim_assigned(self, round_id: RoundId, person_id: PersonId, now: datetime) -> ExampleId | None:
        """Return the first example like `claim`, of those that an owner assigned to the person to check.

        It waits for nobody's lock, since other work follows.
        """
        work, caller = _Work(EVERYTHING, is_assigned=True), _caller(round_id, person_id, now)
        return self._claim(_Search(work, Order.LONGEST_WAITING, "possible_slots", wait=False), caller, [])

    def _claim(self, search: _Search, caller: Mapping[str, Any], refused: list[UUID]) -> ExampleId | None:
        """Try candidates until one still has a slot under its lock; others go into `refused`.

        A savepoint around each try lets its locks go, so nobody waits while holding an example.
        """
        while True:
            savepoint = self._connection.begin_nested()
            found = self._connection.execute(_candidate(search), {**caller, **as_ids(refused)})
            example_id = found.scalar_one_or_none()
            if example_id is not None and search.wait:
                self._connection.execute(LOCK, {"example": example_id})
            if example_id is not None and self._has_slot(search.work, caller, example_id):
                savepoint.commit()
                return ExampleId(example_id)
            savepoint.rollback()
            if example_id is None:
                return None
            refused.append(example_id)

    def _has_slot(self, work: _Work, caller: Mapping[str, Any], example_id: UUID) -> bool:
        found = self._connection.execute(_has_slot(work), {**caller, "example": example_id})
        return bool(found.scalar_one())

    def is_waiting(self, example_id: ExampleId, round_id: RoundId, wanted: QueueFilter) -> bool:
        """Return whether the example is of the round and kind, and still waits for votes."""
        given = {"example": example_id, "round": round_id}
        if self._connection.execute(_is_waiting(wanted), given).one_or_none() is not None:
            return True
        return wanted == EVERYTHING and self._gold_showings.is_open(example_id, round_id)

    def turn(self, round_id: RoundId, person_id: PersonId) -> Turn:
        """Return what decides on the next example of the person."""
        found = self._connection.execute(FIND_TURN, {"round": round_id, "person": person_id}).one()
        return Turn(found[0] or 0, found[1])

    def count_lease(self, round_id: RoundId) -> None:
        """Count a lease that the round gives, unless another person's is being counted right now."""
        if not self._connection.execute(COUNT_LEASE, {"round": round_id}).rowcount:
            first = insert(queue_turn).values(round_id=round_id, leases_given=1)
            self._connection.execute(first.on_conflict_do_nothing())

    def skip(self, example_id: ExampleId, person_id: PersonId, now: datetime) -> None:
        """Withhold the example from the person until tomorrow, UTC; known items never return anyway."""
        self._keep_from(example_id, person_id, now.date())

    def withhold(self, example_id: ExampleId, person_id: PersonId) -> None:
        """Withhold the example from the person for good; known items never return anyway."""
        self._keep_from(example_id, person_id, FOR_GOOD)

    def _keep_from(self, example_id: ExampleId, person_id: PersonId, on: date) -> None:
        if self._gold_showings.find(example_id) is not None:
            return
        statement = insert(skip).values(example_id=example_id, person_id=person_id, skipped_on=on)
        self._connection.execute(
            statement.on_conflict_do_update(
                index_elements=["example_id", "person_id"], set_={"skipped_on": on}
            )
        )

    def waiting(self, round_id: RoundId, person_id: PersonId, now: datetime, wanted: QueueFilter) -> Waiting:
        """Return what of that kind waits in the round, seen by the person."""
        caller = _caller(round_id, person_id, now)
        return Waiting(*self._connection.execute(_what_waits(_Work(wanted)), caller).one())


def _caller(round_id: RoundId, person_id: PersonId, now: datetime) -> dict[str, Any]:
    """Return the statements' parameters: the person, the round and the time."""
    return {"round": round_id, "person": person_id, "now": now, "today": now.date()}

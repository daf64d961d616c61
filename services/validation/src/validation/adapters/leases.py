"""Leases on examples, by the platform's shared lease table."""

from datetime import datetime
from uuid import UUID

from dynabench_common.work import leases as shared
from sqlalchemy import Connection, bindparam, select

from validation.adapters import tables
from validation.adapters.gold_showings import SqlGoldShowings
from validation.domain.errors import LeaseUnknown
from validation.domain.identifiers import ExampleId, LeaseId, PersonId, RoundId, VoteId
from validation.domain.queue import Lease

HAS_VOTED = select(
    select(1)
    .select_from(tables.vote.join(tables.example_validation))
    .where(
        tables.vote.c.voter_id == bindparam("person"),
        tables.example_validation.c.round_id == bindparam("round"),
    )
    .exists()
)


class SqlLeases:
    """Leases on examples. Grants happen under the example's lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def grant(self, example_id: ExampleId, person_id: PersonId, now: datetime, seconds: float) -> Lease:
        """Give the person a hold on the example; an earlier one on it ends."""
        return _to_lease(shared.grant(self._connection, tables.lease, example_id, person_id, now, seconds))

    def find(self, lease_id: LeaseId) -> Lease | None:
        """Return the lease, live or expired."""
        found = shared.find(self._connection, tables.lease, lease_id)
        return None if found is None else _to_lease(found)

    def live_of(self, person_id: PersonId, now: datetime) -> list[Lease]:
        """Return what the person holds now, oldest first."""
        held = shared.find_live_of_holder(self._connection, tables.lease, person_id, now)
        return [_to_lease(lease) for lease in held]

    def count_live_of_others(self, example_id: ExampleId, person_id: PersonId, now: datetime) -> int:
        """Count the other people with a live lease on the example."""
        return shared.count_live(self._connection, tables.lease, example_id, now, except_holder=person_id)

    def renew(self, lease: Lease, now: datetime, seconds: float) -> Lease:
        """Let the lease last for so long from now on. Raises LeaseUnknown if it was given back meanwhile."""
        renewed = shared.renew(self._connection, tables.lease, lease.lease_id, now, seconds)
        if renewed is None:
            raise LeaseUnknown(lease.lease_id)
        return _to_lease(renewed)

    def release(self, lease_id: LeaseId) -> None:
        """End the lease."""
        shared.release(self._connection, tables.lease, lease_id)

    def drop(self, example_id: ExampleId, person_id: PersonId) -> None:
        """End the person's hold on the example, live or expired, if there is one."""
        held = tables.lease.c.resource_id == example_id, tables.lease.c.holder_id == person_id
        self._connection.execute(tables.lease.delete().where(*held))


class SqlVotes:
    """Look-ups of votes across examples and known items."""

    def __init__(self, connection: Connection, gold_showings: SqlGoldShowings) -> None:
        self._connection = connection
        self._gold_showings = gold_showings

    def cast_on_lease(self, lease_id: LeaseId, voter_id: PersonId) -> VoteId | None:
        """Return the vote that the person cast on the lease, which ended with it."""
        votes = tables.vote.c
        statement = select(votes.vote_id).where(votes.lease_id == lease_id, votes.voter_id == voter_id)
        vote_id: UUID | None = self._connection.execute(statement).scalar_one_or_none()
        return (
            VoteId(vote_id) if vote_id is not None else self._gold_showings.cast_on_lease(lease_id, voter_id)
        )

    def any_of(self, person_id: PersonId, round_id: RoundId) -> bool:
        """Return whether the person has voted in the round."""
        given = {"person": person_id, "round": round_id}
        has_voted = bool(self._connection.execute(HAS_VOTED, given).scalar_one())
        return has_voted or self._gold_showings.any_of(person_id, round_id)


def _to_lease(lease: shared.Lease) -> Lease:
    return Lease(
        lease_id=LeaseId(lease.lease_id),
        example_id=ExampleId(lease.resource_id),
        holder_id=PersonId(lease.holder_id),
        granted_at=lease.granted_at,
        expires_at=lease.expires_at,
    )

"""Checks that several commands share."""

from dynabench_tasks.rounds import RoundState

from validation.adapters.copies import SqlRounds
from validation.adapters.unit_of_work import UnitOfWork
from validation.domain.errors import (
    AlreadyVoted,
    LeaseOfAnother,
    LeaseUnknown,
    RoundReleased,
    RoundTakesNoVotes,
)
from validation.domain.identifiers import LeaseId, PersonId, RoundId
from validation.domain.queue import Lease


def ensure_takes_votes(rounds: SqlRounds, round_id: RoundId) -> None:
    """Refuse a round in which nobody may vote. Raises RoundUnknown or RoundTakesNoVotes."""
    state = rounds.state(round_id)
    if not state.takes_votes:
        raise RoundTakesNoVotes(round_id, state)


def ensure_not_released(rounds: SqlRounds, round_id: RoundId) -> None:
    """Refuse a round in which nothing changes any more. Raises RoundUnknown or RoundReleased."""
    if rounds.state(round_id) is RoundState.RELEASED:
        raise RoundReleased(round_id)


def find_lease(uow: UnitOfWork, lease_id: LeaseId, person_id: PersonId) -> Lease:
    """Return a lease by its id. Raises AlreadyVoted if the person's vote ended it, else LeaseUnknown."""
    lease = uow.leases.find(lease_id)
    if lease is not None:
        return lease
    vote_id = uow.votes.cast_on_lease(lease_id, person_id)
    if vote_id is not None:
        raise AlreadyVoted(vote_id)
    raise LeaseUnknown(lease_id)


def ensure_holder(lease: Lease, person_id: PersonId) -> None:
    """Refuse another person's lease. Raises LeaseOfAnother."""
    if lease.holder_id != person_id:
        raise LeaseOfAnother(lease.lease_id)

"""Renew a person's lease on an example."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.identifiers import LeaseId, PersonId
from validation.domain.leases import Lease
from validation.service_layer.admission import ensure_holder, ensure_takes_votes, find_lease


@dataclass(frozen=True)
class RenewLease:
    """A person is still at work on a leased example."""

    lease_id: LeaseId
    person_id: PersonId


def renew_lease(command: RenewLease, make_uow: MakeUnitOfWork, clock: Clock) -> Lease:
    """Return the lease with its full time from now on; the time is read under the example's lock.

    Raises LeaseUnknown, LeaseOfAnother, AlreadyVoted, RoundTakesNoVotes, or what `ensure_may_hold` raises.
    """
    with make_uow() as uow:
        uow.serialise(command.person_id)
        lease = find_lease(uow, command.lease_id, command.person_id)
        ensure_holder(lease, command.person_id)
        validation = uow.validations.lock(lease.example_id)
        ensure_takes_votes(uow.rounds, validation.round_id)
        now = clock.now()
        others = uow.leases.count_live_of_others(lease.example_id, command.person_id, now)
        validation.ensure_may_hold(lease, others, now)
        renewed = uow.leases.renew(lease, now, validation.rules.lease_seconds)
        uow.commit()
        return renewed

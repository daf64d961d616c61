"""Give an example back unanswered."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.identifiers import LeaseId, PersonId
from validation.service_layer.admission import ensure_holder, find_lease


@dataclass(frozen=True)
class SkipLease:
    """A person gives a lease back."""

    lease_id: LeaseId
    person_id: PersonId


def skip_lease(command: SkipLease, make_uow: MakeUnitOfWork, clock: Clock) -> None:
    """End the lease, so that another person takes the slot, and keep the example from this one for today.

    Raises LeaseUnknown, LeaseOfAnother or AlreadyVoted.
    """
    with make_uow() as uow:
        uow.serialise(command.person_id)
        lease = find_lease(uow, command.lease_id, command.person_id)
        ensure_holder(lease, command.person_id)
        uow.leases.release(lease.lease_id)
        uow.queue.skip(lease.example_id, command.person_id, clock.now())
        uow.commit()

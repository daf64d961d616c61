"""The offer of an example to a person who is to answer on it."""

from dataclasses import dataclass
from datetime import datetime

from validation.adapters.unit_of_work import UnitOfWork
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.domain.leases import Lease
from validation.domain.queue import ServedExample


@dataclass(frozen=True)
class Offer:
    """An example to answer on, leased to the person until the lease ends.

    `can_go_back` tells whether the person has answers in the round to go back to.
    """

    lease: Lease
    example: ServedExample
    can_go_back: bool


def grant(
    uow: UnitOfWork, example_id: ExampleId, round_id: RoundId, person_id: PersonId, now: datetime
) -> Offer:
    """Give the person a lease on an example that the transaction has locked."""
    example = uow.examples.served(example_id)
    lease = uow.leases.grant(example_id, person_id, now, example.rules.lease_seconds)
    return Offer(lease, example, uow.votes.any_of(person_id, round_id))

"""Give a person the next example to validate."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork, UnitOfWork
from validation.domain.errors import RoundUnknown
from validation.domain.identifiers import PersonId, RoundId
from validation.domain.queue import EVERYTHING, QueueFilter
from validation.domain.selection import order_of_next
from validation.service_layer import offers
from validation.service_layer.empty_queue import NoOffer, explain, paused, resting
from validation.service_layer.offers import Offer
from validation.service_layer.quality import is_paused


@dataclass(frozen=True)
class LeaseNext:
    """A person asks for work in a round; an owner may want a certain kind of it."""

    round_id: RoundId
    person_id: PersonId
    wanted: QueueFilter = EVERYTHING


def lease_next(command: LeaseNext, make_uow: MakeUnitOfWork, clock: Clock) -> Offer | NoOffer:
    """Return the person's live lease in the round, else a new one on the best example there is.

    Raises RoundUnknown, UnknownKind where the task waits for an update of this service.
    """
    now = clock.now()
    with make_uow() as uow:
        uow.serialise(command.person_id)
        state = uow.rounds.state(command.round_id)
        if not state.takes_votes:
            return resting(state)
        if is_paused(uow, command.round_id, command.person_id):
            return paused()
        offer = _current(uow, command, now) or _claimed(uow, command, now)
        if offer is None:
            _ensure_understood(uow, command.round_id)
            return explain(uow.queue.waiting(command.round_id, command.person_id, now, command.wanted), now)
        uow.commit()
        return offer


def _ensure_understood(uow: UnitOfWork, round_id: RoundId) -> None:
    """Raise UnknownKind where nothing is queued because the task names what this version does not know."""
    with suppress(RoundUnknown):
        uow.tasks.of_round(round_id)


def _current(uow: UnitOfWork, command: LeaseNext, now: datetime) -> Offer | None:
    """Return the newest of the person's live leases, so that an answer just taken back is asked for again."""
    for lease in reversed(uow.leases.live_of(command.person_id, now)):
        if uow.queue.is_waiting(lease.example_id, command.round_id, command.wanted):
            can_go_back = uow.votes.any_of(command.person_id, command.round_id)
            return Offer(lease, uow.examples.served(lease.example_id), can_go_back)
    return None


def _claimed(uow: UnitOfWork, command: LeaseNext, now: datetime) -> Offer | None:
    """Return a lease on the next example, or on a known item that comes in its place."""
    order = order_of_next(uow.queue.leases_given(command.round_id))
    example_id = uow.queue.claim(command.round_id, command.person_id, now, order, command.wanted)
    if example_id is None:
        return None
    if command.wanted == EVERYTHING:
        example_id = uow.golds.show_due(command.round_id, command.person_id, now, example_id) or example_id
    offer = offers.grant(uow, example_id, command.round_id, command.person_id, now)
    uow.queue.count_lease(command.round_id)
    return offer

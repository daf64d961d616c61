"""Leases: get the next example to validate, keep it, or give it back."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from validation.adapters.unit_of_work import UnitOfWork
from validation.domain.errors import RoundUnknown
from validation.domain.identifiers import ExampleId, LeaseId, PersonId, RoundId
from validation.domain.queue import EVERYTHING, Lease, QueueFilter, ServedExample
from validation.domain.selection import order_of_next
from validation.service_layer.admission import ensure_holder, ensure_takes_votes, find_lease
from validation.service_layer.dependencies import Dependencies
from validation.service_layer.empty_queue import NoOffer, explain, paused, resting
from validation.service_layer.validators import is_paused


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


@dataclass(frozen=True)
class LeaseNext:
    """A person asks for work in a round; an owner may want a certain kind of it."""

    round_id: RoundId
    person_id: PersonId
    wanted: QueueFilter = EVERYTHING


def lease_next(command: LeaseNext, app: Dependencies) -> Offer | NoOffer:
    """Return the person's live lease in the round, else a new one on the best example there is.

    Raises RoundUnknown, OnboardingNeeded, UnknownKind where the task waits for an update of this service.
    """
    now = app.clock.now()
    with app.unit_of_work() as uow:
        uow.serialise(command.person_id)
        state = uow.rounds.state(command.round_id)
        if not state.takes_votes:
            return resting(state)
        uow.ensure_onboarded(command.round_id, command.person_id)
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
    """Return a lease on the next example, or on a known item that replaces it.

    Examples that an owner assigned to the person come first. No known item replaces one of these: the person
    would notice, since it would not count as assigned work.
    """
    round_id, person_id = command.round_id, command.person_id
    turn = uow.queue.turn(round_id, person_id)
    if turn.has_assigned_checks and command.wanted == EVERYTHING:
        assigned_id = uow.queue.claim_assigned(round_id, person_id, now)
        if assigned_id is not None:
            return grant(uow, assigned_id, round_id, person_id, now)
    order = order_of_next(turn.leases_given)
    example_id = uow.queue.claim(round_id, person_id, now, order, command.wanted)
    if example_id is None:
        return None
    if command.wanted == EVERYTHING:
        example_id = uow.gold_showings.show_due(round_id, person_id, now, example_id) or example_id
    offer = grant(uow, example_id, round_id, person_id, now)
    uow.queue.count_lease(round_id)
    return offer


def renew_lease(lease_id: LeaseId, person_id: PersonId, app: Dependencies) -> Lease:
    """Return the lease with its full time from now on; the time is read under the example's lock.

    Raises LeaseUnknown, LeaseOfAnother, AlreadyVoted, RoundTakesNoVotes, and the errors of `ensure_may_hold`.
    """
    with app.unit_of_work() as uow:
        uow.serialise(person_id)
        lease = find_lease(uow, lease_id, person_id)
        ensure_holder(lease, person_id)
        validation = uow.validations.lock(lease.example_id)
        ensure_takes_votes(uow.rounds, validation.round_id)
        now = app.clock.now()
        others = uow.leases.count_live_of_others(lease.example_id, person_id, now)
        validation.ensure_may_hold(lease, others, now)
        renewed = uow.leases.renew(lease, now, validation.rules.lease_seconds)
        uow.commit()
        return renewed


def skip_lease(lease_id: LeaseId, person_id: PersonId, app: Dependencies) -> None:
    """End the lease, so that another person takes the slot, and keep the example from this one for today.

    Raises LeaseUnknown, LeaseOfAnother or AlreadyVoted.
    """
    with app.unit_of_work() as uow:
        uow.serialise(person_id)
        lease = find_lease(uow, lease_id, person_id)
        ensure_holder(lease, person_id)
        uow.leases.release(lease.lease_id)
        uow.queue.skip(lease.example_id, person_id, app.clock.now())
        uow.commit()

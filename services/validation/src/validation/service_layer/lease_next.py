"""Give a person the next example to validate."""

import math
from dataclasses import dataclass
from datetime import datetime

from dynabench_common.clock import Clock

from validation.domain.identifiers import PersonId, RoundId
from validation.domain.leases import Lease
from validation.service_layer.admission import ensure_takes_votes
from validation.service_layer.ports import MakeUnitOfWork, ServedExample, UnitOfWork, Waiting

LOOK_AGAIN_SECONDS = 30
NEW_WORK_SECONDS = 60


@dataclass(frozen=True)
class LeaseNext:
    """A person asks for work in a round."""

    round_id: RoundId
    person_id: PersonId


@dataclass(frozen=True)
class Offer:
    """An example to answer on, held for the person until the lease ends."""

    lease: Lease
    example: ServedExample


@dataclass(frozen=True)
class NoOffer:
    """Why there is nothing for the person now, in words, and when to ask again."""

    reason: str
    retry_after_seconds: int


def lease_next(command: LeaseNext, make_uow: MakeUnitOfWork, clock: Clock) -> Offer | NoOffer:
    """Return the person's live lease in the round, else a new one on the best example there is.

    Raises RoundUnknown or RoundTakesNoVotes.
    """
    now = clock.now()
    with make_uow() as uow:
        uow.serialise(command.person_id)
        ensure_takes_votes(uow.rounds, command.round_id)
        offer = _current(uow, command, now) or _claimed(uow, command, now)
        if offer is None:
            return explain(uow.queue.waiting(command.round_id, command.person_id, now), now)
        uow.commit()
        return offer


def _current(uow: UnitOfWork, command: LeaseNext, now: datetime) -> Offer | None:
    for lease in uow.leases.live_of(command.person_id, now):
        if uow.queue.is_waiting(lease.example_id, command.round_id):
            return Offer(lease, uow.examples.served(lease.example_id))
    return None


def _claimed(uow: UnitOfWork, command: LeaseNext, now: datetime) -> Offer | None:
    example_id = uow.queue.claim(command.round_id, command.person_id, now)
    if example_id is None:
        return None
    example = uow.examples.served(example_id)
    seconds = example.rules.lease_seconds
    return Offer(uow.leases.grant(example_id, command.person_id, now, seconds), example)


def explain(waiting: Waiting, now: datetime) -> NoOffer:
    """Say why nothing that waits can be given to the person."""
    if waiting.total == 0:
        return NoOffer("Nothing waits for validation in this round.", NEW_WORK_SECONDS)
    if waiting.total == waiting.own:
        return NoOffer(
            "Every example that waits is your own, and authors don't validate their own.", NEW_WORK_SECONDS
        )
    if waiting.total == waiting.own + waiting.answered:
        return NoOffer(
            "You have answered or skipped every example that waits; the rest is for other people.",
            NEW_WORK_SECONDS,
        )
    return NoOffer("Other people are working on every example that waits.", _until_free(waiting, now))


def _until_free(waiting: Waiting, now: datetime) -> int:
    if waiting.next_free_at is None:
        return 1
    seconds = math.ceil((waiting.next_free_at - now).total_seconds())
    return max(1, min(seconds, LOOK_AGAIN_SECONDS))

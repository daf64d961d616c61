"""Take back a vote that was just cast; its voter, or another person, answers instead."""

from dataclasses import dataclass
from datetime import datetime

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork, UnitOfWork
from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import PersonId, VoteId
from validation.service_layer import offers
from validation.service_layer.admission import ensure_takes_votes
from validation.service_layer.empty_queue import NoOffer, asks_another
from validation.service_layer.offers import Offer
from validation.service_layer.quality import ensure_may_validate


@dataclass(frozen=True)
class UndoVote:
    """A voter wants an answer back."""

    vote_id: VoteId
    person_id: PersonId


def undo_vote(command: UndoVote, make_uow: MakeUnitOfWork, clock: Clock) -> Offer | NoOffer:
    """Forget the vote, and the resolution that hung on it; give the voter a fresh lease on the example.

    Where the example was resolved, or the vote was too fast to count, another person is asked instead, and this one
    never again.
    Raises RoundTakesNoVotes, ValidationPaused and what `ExampleValidation.undo` raises.
    """
    with make_uow() as uow:
        uow.serialise(command.person_id)
        validation = uow.validations.lock_voted(command.vote_id)
        ensure_takes_votes(uow.rounds, validation.round_id)
        ensure_may_validate(uow, validation.round_id, command.person_id)
        now = clock.now()
        others = uow.leases.count_live_of_others(validation.example_id, command.person_id, now)
        may_answer_again = validation.undo(command.vote_id, command.person_id, others, now)
        uow.validations.save(validation)
        offer = (
            _offer(uow, validation, command, now) if may_answer_again else _withhold(uow, validation, command)
        )
        uow.commit()
        return offer


def _offer(uow: UnitOfWork, validation: ExampleValidation, command: UndoVote, now: datetime) -> Offer:
    return offers.grant(uow, validation.example_id, validation.round_id, command.person_id, now)


def _withhold(uow: UnitOfWork, validation: ExampleValidation, command: UndoVote) -> NoOffer:
    uow.queue.withhold(validation.example_id, command.person_id)
    return asks_another()

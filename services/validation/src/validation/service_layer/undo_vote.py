"""Take a vote back that was cast a moment ago, and answer anew."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.domain.identifiers import PersonId, VoteId
from validation.service_layer import offers
from validation.service_layer.admission import ensure_takes_votes
from validation.service_layer.offers import Offer
from validation.service_layer.ports import MakeUnitOfWork
from validation.service_layer.quality import ensure_may_validate


@dataclass(frozen=True)
class UndoVote:
    """A voter wants an answer back."""

    vote_id: VoteId
    person_id: PersonId


def undo_vote(command: UndoVote, make_uow: MakeUnitOfWork, clock: Clock) -> Offer:
    """Forget the vote, and the resolution that hung on it; give the voter a fresh lease on the example.

    Raises RoundTakesNoVotes, ValidationPaused and what `ExampleValidation.undo` raises.
    """
    with make_uow() as uow:
        uow.serialise(command.person_id)
        validation = uow.validations.lock_voted(command.vote_id)
        ensure_takes_votes(uow.rounds, validation.round_id)
        ensure_may_validate(uow, validation.round_id, command.person_id)
        now = clock.now()
        others = uow.leases.count_live_of_others(validation.example_id, command.person_id, now)
        validation.undo(command.vote_id, command.person_id, others, now)
        uow.validations.save(validation)
        offer = offers.grant(uow, validation.example_id, validation.round_id, command.person_id, now)
        uow.commit()
        return offer

"""Show a voter the claim of an example's author, which makes the vote final."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.identifiers import PersonId, VoteId
from validation.service_layer.vote_replies import Document, vote_reply


@dataclass(frozen=True)
class RevealClaim:
    """A voter wants to see what the author says."""

    vote_id: VoteId
    person_id: PersonId


def reveal_claim(command: RevealClaim, make_uow: MakeUnitOfWork, clock: Clock) -> Document:
    """Make the vote final and return it with what the author claims and why; a repeated request changes nothing.

    Raises VoteUnknown or VoteOfAnother.
    """
    with make_uow() as uow:
        validation = uow.validations.lock_voted(command.vote_id)
        vote = validation.reveal(command.vote_id, command.person_id, clock.now())
        uow.validations.save_reveal(validation, vote)
        document = vote_reply(vote, validation, uow.examples.explanation(validation.example_id))
        uow.commit()
        return document

"""Replace a person's own answer by another."""

from dataclasses import dataclass

from dynabench_common.clock import Clock
from dynabench_common.identifiers import new_id

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.ballots import Ballot
from validation.domain.identifiers import PersonId, VoteId
from validation.service_layer.admission import ensure_takes_votes
from validation.service_layer.quality import ensure_may_validate
from validation.service_layer.vote_replies import Document, vote_reply


@dataclass(frozen=True)
class ChangeVote:
    """A voter answers otherwise."""

    vote_id: VoteId
    person_id: PersonId
    ballot: Ballot


def change_vote(command: ChangeVote, make_uow: MakeUnitOfWork, clock: Clock) -> Document:
    """Withdraw the vote and cast another, under an id of its own; resolve the example if that decides it.

    Raises RoundTakesNoVotes, ValidationPaused and what `ExampleValidation.change` raises.
    """
    with make_uow() as uow:
        uow.serialise(command.person_id)
        validation = uow.validations.lock_voted(command.vote_id)
        ensure_takes_votes(uow.rounds, validation.round_id)
        ensure_may_validate(uow, validation.round_id, command.person_id)
        now = clock.now()
        others = uow.leases.count_live_of_others(validation.example_id, command.person_id, now)
        vote = validation.change(
            command.vote_id, VoteId(new_id()), command.ballot, command.person_id, others, now
        )
        uow.validations.save(validation)
        document = vote_reply(vote, validation, explanation=None)
        uow.commit()
        return document

"""Show an example's votes and claim to somebody who looks after its task, and end their right to vote on it."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.identifiers import ExampleId, PersonId


@dataclass(frozen=True)
class GiveUpVote:
    """A person wants to know what author and others say more than to answer."""

    example_id: ExampleId
    person_id: PersonId


def give_up_vote(command: GiveUpVote, make_uow: MakeUnitOfWork, clock: Clock) -> None:
    """Keep the example from the person for good, or make the vote that they have cast on it final.

    Again changes nothing. Raises ExampleUnknown.
    """
    with make_uow() as uow:
        uow.serialise(command.person_id)
        validation = uow.validations.lock(command.example_id)
        own = next((vote for vote in validation.votes if vote.voter_id == command.person_id), None)
        if own is None:
            uow.queue.withhold(command.example_id, command.person_id)
        else:
            vote = validation.reveal(own.vote_id, command.person_id, clock.now())
            uow.validations.save_reveal(validation, vote)
        uow.leases.drop(command.example_id, command.person_id)
        uow.commit()

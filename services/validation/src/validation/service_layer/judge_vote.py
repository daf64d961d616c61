"""Keep what a voter thinks of the author's claim once it is revealed."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.domain.example_validation import Vote
from validation.domain.identifiers import PersonId, VoteId
from validation.service_layer.admission import ensure_takes_votes
from validation.service_layer.ports import MakeUnitOfWork


@dataclass(frozen=True)
class JudgeVote:
    """A voter agrees with what the author claims, or does not."""

    vote_id: VoteId
    person_id: PersonId
    agrees: bool


def judge_vote(command: JudgeVote, make_uow: MakeUnitOfWork, clock: Clock) -> Vote:
    """Store the judgement, which never counts.

    Raises VoteUnknown, VoteOfAnother, NothingToJudge or RoundTakesNoVotes.
    """
    with make_uow() as uow:
        validation = uow.validations.lock_voted(command.vote_id)
        vote = validation.judge(command.vote_id, command.person_id, command.agrees, clock.now())
        ensure_takes_votes(uow.rounds, validation.round_id)
        uow.validations.save(validation)
        uow.commit()
        return vote

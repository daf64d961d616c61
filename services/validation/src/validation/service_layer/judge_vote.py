"""Store a voter's opinion of the author's claim once it is revealed."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.ballots import Remarks
from validation.domain.identifiers import PersonId, VoteId
from validation.service_layer.admission import ensure_takes_votes
from validation.service_layer.vote_replies import Document


@dataclass(frozen=True)
class JudgeVote:
    """A voter says what there is to say of the author's claim."""

    vote_id: VoteId
    person_id: PersonId
    remarks: Remarks


def judge_vote(command: JudgeVote, make_uow: MakeUnitOfWork, clock: Clock) -> Document:
    """Store the remarks, which never count, and return them as they stand now.

    Raises RoundTakesNoVotes and what `ExampleValidation.judge` raises.
    """
    with make_uow() as uow:
        validation = uow.validations.lock_voted(command.vote_id)
        vote = validation.judge(command.vote_id, command.person_id, command.remarks, clock.now())
        ensure_takes_votes(uow.rounds, validation.round_id)
        uow.validations.save(validation)
        uow.commit()
        return {
            "vote_id": vote.vote_id,
            "agrees": vote.agrees,
            "corrected": validation.rules.claim(vote.corrected),
            "explanation": vote.explanation or None,
            "judged_at": vote.judged_at,
        }

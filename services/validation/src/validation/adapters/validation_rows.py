"""Conversion of the aggregate to rows and back: its state and its votes."""

from typing import Any

from dynabench_tasks.resolution import Resolution
from dynabench_tasks.votes import VoteAnswer, VoteKind
from sqlalchemy import Row

from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import LeaseId, PersonId, VoteId
from validation.domain.outcomes import Adjudication, Appeal, Outcome
from validation.domain.owner_work import Disagreement, disagreements
from validation.domain.votes import Vote

Columns = dict[str, Any]


def vote_row(on: ExampleValidation, vote: Vote, version: int) -> Columns:
    """Return a row of the vote table; `version` is that of the event of the vote."""
    return {
        "vote_id": vote.vote_id,
        "example_id": on.example_id,
        "voter_id": vote.voter_id,
        "lease_id": vote.lease_id,
        "version": version,
        "kind": vote.answer.kind.value,
        "option": vote.answer.option,
        "reason": vote.reason,
        "counted": vote.counted,
        "seconds": vote.seconds,
        "cast_at": vote.cast_at,
        "metadata": dict(vote.metadata),
        "agrees": vote.agrees,
        "judged_at": vote.judged_at,
        "corrected": vote.corrected,
        "explanation": vote.explanation,
        "set_aside_at": vote.set_aside_at,
        "revealed_at": vote.revealed_at,
    }


def to_vote(row: Row[Any]) -> Vote:
    """Return the vote that a row of the vote table holds."""
    return Vote(
        vote_id=VoteId(row.vote_id),
        voter_id=PersonId(row.voter_id),
        lease_id=None if row.lease_id is None else LeaseId(row.lease_id),
        answer=VoteAnswer(VoteKind(row.kind), row.option),
        reason=row.reason,
        counted=row.counted,
        seconds=row.seconds,
        cast_at=row.cast_at,
        metadata=row.metadata,
        agrees=row.agrees,
        judged_at=row.judged_at,
        corrected=row.corrected or "",
        explanation=row.explanation or "",
        set_aside_at=row.set_aside_at,
        revealed_at=row.revealed_at,
    )


def state_columns(of: ExampleValidation) -> Columns:
    """Return what commands change of a row of the state table."""
    asked_anew = {"wanted": True} if of.is_asked_anew else {}
    counted = [vote.answer for vote in of.votes if vote.counted]
    between = disagreements(counted, of.claimed, of.rules)
    return {
        "version": of.version,
        "votes_counted": of.votes_counted,
        "possible_slots": of.possible_slots,
        "certain_slots": of.certain_slots,
        "author_disagrees": Disagreement.AUTHOR in between,
        "voters_disagree": Disagreement.VOTERS in between,
        **asked_anew,
        **_outcome_columns(of.outcome),
        **_adjudication_columns(of.adjudication),
        **_appeal_columns(of.appealed),
    }


def _outcome_columns(outcome: Outcome | None) -> Columns:
    return {
        "resolution": outcome.resolution.value if outcome else None,
        "agreed_option": outcome.agreed_option if outcome else None,
        "golds": list(outcome.golds) if outcome else None,
        "resolved_at": outcome.resolved_at if outcome else None,
    }


def _adjudication_columns(adjudication: Adjudication | None) -> Columns:
    return {
        "adjudicated_by": adjudication.decided_by if adjudication else None,
        "adjudicated_kind": adjudication.answer.kind.value if adjudication else None,
        "adjudicated_option": adjudication.answer.option if adjudication else None,
        "adjudication_reason": adjudication.reason if adjudication else None,
        "adjudicated_at": adjudication.decided_at if adjudication else None,
    }


def _appeal_columns(appeal: Appeal | None) -> Columns:
    return {
        "appeal_reason": appeal.reason if appeal else None,
        "appealed_at": appeal.appealed_at if appeal else None,
        "appeal_answer": appeal.answer if appeal else None,
        "appeal_answered_at": appeal.answered_at if appeal else None,
    }


def to_outcome(row: Row[Any]) -> Outcome | None:
    """Return the resolution that a row of the state table holds, if it holds one."""
    if row.resolution is None:
        return None
    return Outcome(
        resolution=Resolution(row.resolution),
        agreed_option=row.agreed_option,
        votes_counted=row.votes_counted,
        golds=tuple(row.golds),
        resolved_at=row.resolved_at,
    )


def to_adjudication(row: Row[Any]) -> Adjudication | None:
    """Return the owner's decision that a row of the state table holds, if it holds one."""
    if row.adjudicated_at is None:
        return None
    return Adjudication(
        answer=VoteAnswer(VoteKind(row.adjudicated_kind), row.adjudicated_option),
        reason=row.adjudication_reason,
        decided_by=PersonId(row.adjudicated_by),
        decided_at=row.adjudicated_at,
    )


def to_appeal(row: Row[Any]) -> Appeal | None:
    """Return the author's appeal that a row of the state table holds, if it holds one."""
    if row.appealed_at is None:
        return None
    return Appeal(row.appeal_reason, row.appealed_at, row.appeal_answer, row.appeal_answered_at)

"""HTTP problems for each refusal."""

from dynabench_common.idempotency import IdempotencyKeyReused
from dynabench_common.problems import ErrorMap, Problem, not_found, waits_for_update
from dynabench_tasks.configuration.problems import UnknownKind
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.votes import VoteKind

from validation.domain import errors
from validation.entrypoints.http.decision_errors import DECISION_ERRORS
from validation.entrypoints.http.quality_errors import QUALITY_ERRORS
from validation.entrypoints.http.voter_errors import VOTER_ERRORS

ASK_FOR_NEXT = "Ask for the next example."


def _round_takes_no_votes(error: errors.RoundTakesNoVotes) -> Problem:
    return Problem(
        409,
        "round-takes-no-votes",
        "No validation in this round",
        "The round is {state}; votes are taken while it is open, paused or closed.",
        field="round_id",
        remedy="Choose another round.",
        parameters={"state": error.state},
    )


def _retracted(_error: errors.ExampleRetracted) -> Problem:
    return Problem(
        409,
        "example-retracted",
        "The example was withdrawn",
        "Its author withdrew the example, so it needs no votes and no decision any more.",
        field="example_id",
        remedy="Go on with another example.",
    )


def _own_example(_error: errors.OwnExample) -> Problem:
    return Problem(
        403,
        "own-example",
        "Your own example",
        "Authors don't vote on their own examples.",
        field="lease_id",
        remedy=ASK_FOR_NEXT,
    )


def _lease_unknown(_error: errors.LeaseUnknown) -> Problem:
    return Problem(
        404,
        "lease-not-found",
        "No such lease",
        "There is no lease with this id, or it was given back.",
        field="lease_id",
        remedy=ASK_FOR_NEXT,
    )


def _lease_of_another(_error: errors.LeaseOfAnother) -> Problem:
    return Problem(
        403,
        "lease-of-another",
        "Another person's lease",
        "The example is on lease to another person.",
        field="lease_id",
        remedy=ASK_FOR_NEXT,
    )


def _lease_expired(_error: errors.LeaseExpired) -> Problem:
    return Problem(
        409,
        "lease-expired",
        "The lease has expired",
        "Your time for this example is over, and other people have taken its slots. Nothing was stored.",
        field="lease_id",
        remedy=ASK_FOR_NEXT,
    )


def _already_voted(error: errors.AlreadyVoted) -> Problem:
    return Problem(
        409,
        "already-voted",
        "You have voted",
        "You have answered on this example; one answer a person counts.",
        field="lease_id",
        remedy=ASK_FOR_NEXT,
        extra={"vote_id": str(error.vote_id)},
    )


def _wrong_kind(error: errors.WrongVoteKind) -> Problem:
    return Problem(
        422,
        "vote-kind-wrong",
        "Unusable vote",
        "This task does not vote by {kind}.",
        field="kind",
        remedy="Send kind {expected}, flag or unsure.",
        parameters={"kind": error.kind, "expected": error.expected},
    )


def _value_refused(error: InputRefused) -> Problem:
    return Problem(
        422,
        "value-refused",
        "Unusable vote",
        "{field} {reason}.",
        field=error.field,
        remedy="{remedy}",
        parameters={"field": error.field, "reason": error.reason, "remedy": error.remedy},
    )


def _out_of_place(error: errors.FieldOutOfPlace) -> Problem:
    return Problem(
        422,
        "field-out-of-place",
        "Unusable vote",
        "An answer of kind {kind} has no {field}.",
        field=error.field,
        remedy="Leave out {field}, or change the kind.",
        parameters={"kind": error.kind, "field": error.field},
    )


def _reason_missing(_error: errors.FlagReasonMissing) -> Problem:
    return Problem(
        422,
        "reason-missing",
        "A flag needs a reason",
        "Nothing says why the example is unfit ({flag} given without a reason).",
        field="reason",
        remedy="Say why in 1 to 500 characters.",
        parameters={"flag": VoteKind.FLAG},
    )


def _vote_of_another(_error: errors.VoteOfAnother) -> Problem:
    return Problem(
        403,
        "vote-of-another",
        "Another person's vote",
        "Only the person who cast a vote takes it back, changes it or adds remarks to it.",
        field="vote_id",
        remedy="Name a vote of your own.",
    )


def _nothing_to_judge(_error: errors.NothingToJudge) -> Problem:
    return Problem(
        409,
        "nothing-to-judge",
        "Nothing to judge",
        "The author claimed nothing, or the vote was itself a judgement.",
        field="agrees",
        remedy="Leave out agrees.",
    )


def _key_reused(_error: IdempotencyKeyReused) -> Problem:
    return Problem(
        422,
        "idempotency-key-reused",
        "Idempotency-Key used before",
        "The key came before with another vote. Nothing was stored.",
        field="Idempotency-Key",
        remedy="Send a fresh key with a new vote, or the first vote again.",
    )


ERROR_MAP: ErrorMap = {
    errors.RoundUnknown: lambda _: not_found("round", "round_id"),
    errors.RoundTakesNoVotes: _round_takes_no_votes,
    errors.ExampleUnknown: lambda _: not_found("example", "example_id"),
    errors.ExampleRetracted: _retracted,
    errors.OwnExample: _own_example,
    errors.LeaseUnknown: _lease_unknown,
    errors.LeaseOfAnother: _lease_of_another,
    errors.LeaseExpired: _lease_expired,
    errors.AlreadyVoted: _already_voted,
    errors.WrongVoteKind: _wrong_kind,
    InputRefused: _value_refused,
    UnknownKind: lambda error: waits_for_update(error.kind, error.name),
    errors.FieldOutOfPlace: _out_of_place,
    errors.FlagReasonMissing: _reason_missing,
    errors.VoteUnknown: lambda _: not_found("vote", "vote_id"),
    errors.VoteOfAnother: _vote_of_another,
    errors.NothingToJudge: _nothing_to_judge,
    IdempotencyKeyReused: _key_reused,
    **DECISION_ERRORS,
    **QUALITY_ERRORS,
    **VOTER_ERRORS,
}

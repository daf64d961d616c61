"""HTTP problems for each refusal."""

from dynabench_common.http.idempotency import IdempotencyKeyReused
from dynabench_common.onboarding.refusals import ERRORS as ONBOARDING
from dynabench_common.problems import ErrorMap, Problem, not_found, refusal, waits_for_update
from dynabench_tasks.configuration.problems import UnknownKind
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.votes import VoteKind

from validation.domain import errors
from validation.domain.votes import UNDO_SECONDS

ASK_FOR_NEXT = "Ask for the next example."
STANDS = "Leave the vote as it is, and continue with another example."


def _already_voted(error: errors.AlreadyVoted) -> Problem:
    return Problem(
        409,
        "already-voted",
        "You have voted",
        "You have checked this example already. One answer per person counts.",
        field="lease_id",
        remedy=ASK_FOR_NEXT,
        extra={"vote_id": str(error.vote_id)},
    )


def _reason_missing(_error: errors.FlagReasonMissing) -> Problem:
    return Problem(
        422,
        "reason-missing",
        "A flag needs a reason",
        "The flag {flag} has no reason.",
        field="reason",
        remedy="Say why in 1 to 500 characters.",
        parameters={"flag": VoteKind.FLAG},
    )


def _undo_too_late(_error: errors.UndoTooLate) -> Problem:
    return Problem(
        409,
        "undo-too-late",
        "Too late to take the vote back",
        "A vote can be taken back within {seconds} seconds. Yours is older.",
        field="vote_id",
        remedy="Change the vote if the example is still being checked.",
        parameters={"seconds": UNDO_SECONDS},
    )


def _vote_settled(_error: errors.VoteSettled) -> Problem:
    return Problem(
        409,
        "vote-settled",
        "The vote is settled",
        "The example needs no more votes. Yours is older than {seconds} seconds, or somebody else has acted on it.",
        field="vote_id",
        remedy=STANDS,
        parameters={"seconds": UNDO_SECONDS},
    )


def _nothing_to_appeal(error: errors.NothingToAppeal) -> Problem:
    reason = "People agree with you." if error.resolution else "It is still being checked."
    return Problem(
        409,
        "nothing-to-appeal",
        "Nothing to appeal against",
        reason,
        field="example_id",
        remedy="Appeal when people disagree with you.",
    )


def _paused(error: errors.ValidationPaused) -> Problem:
    return Problem(
        403,
        "validation-paused",
        "Your checking is paused",
        "You missed too many known answers, or the task's owner paused you. Nothing was stored.",
        remedy="Appeal to the task's owner." if error.can_appeal else "Wait for the task's owner to decide.",
    )


ERRORS: ErrorMap = {
    **ONBOARDING,
    # Rounds and examples
    errors.RoundUnknown: lambda _: not_found("round", "round_id"),
    errors.RoundTakesNoVotes: refusal(
        409,
        "round-takes-no-votes",
        "No checking in this round",
        "The round is {state}. Examples are checked while it is open, paused or closed.",
        field="round_id",
        remedy="Choose another round.",
    ),
    errors.RoundReleased: refusal(
        409,
        "round-released",
        "The round is released",
        "A released round never changes, so that others can cite it.",
        field="round_id",
        remedy="Use your finding in the next round.",
    ),
    errors.ExampleUnknown: lambda _: not_found("example", "example_id"),
    errors.ExampleRetracted: refusal(
        409,
        "example-retracted",
        "The example was withdrawn",
        "Its author withdrew the example, so it needs no votes and no decision.",
        field="example_id",
        remedy="Continue with another example.",
    ),
    errors.OwnExample: refusal(
        403,
        "own-example",
        "Your own example",
        "You can't check your own examples.",
        field="lease_id",
        remedy=ASK_FOR_NEXT,
    ),
    errors.ExampleNotInRound: refusal(
        422,
        "example-not-in-round",
        "Not an example of the round",
        "The round has no example {example_id}. Nothing was changed.",
        field="example_ids",
        remedy="Leave it out, or name the round it belongs to.",
    ),
    # Leases
    errors.LeaseUnknown: refusal(
        404,
        "lease-not-found",
        "No such lease",
        "There is no lease with this id, or it was given back.",
        field="lease_id",
        remedy=ASK_FOR_NEXT,
    ),
    errors.LeaseOfAnother: refusal(
        403,
        "lease-of-another",
        "Another person's lease",
        "The example is on lease to another person.",
        field="lease_id",
        remedy=ASK_FOR_NEXT,
    ),
    errors.LeaseExpired: refusal(
        409,
        "lease-expired",
        "The lease has expired",
        "Your time for this example is over, and other people took it. Nothing was stored.",
        field="lease_id",
        remedy=ASK_FOR_NEXT,
    ),
    # Votes
    errors.AlreadyVoted: _already_voted,
    errors.WrongVoteKind: refusal(
        422,
        "vote-kind-wrong",
        "Unusable vote",
        "This task does not vote by {kind}.",
        field="kind",
        remedy="Send kind {expected}, flag or unsure.",
    ),
    InputRefused: refusal(
        422,
        "value-refused",
        "Unusable vote",
        "{field} {reason}.",
        field="{field}",
        remedy="{remedy}",
    ),
    errors.FieldOutOfPlace: refusal(
        422,
        "field-out-of-place",
        "Unusable vote",
        "An answer of kind {kind} has no {field}.",
        field="{field}",
        remedy="Leave out {field}, or change the kind.",
    ),
    errors.FlagReasonMissing: _reason_missing,
    errors.VoteUnknown: lambda _: not_found("vote", "vote_id"),
    errors.VoteOfAnother: refusal(
        403,
        "vote-of-another",
        "Another person's vote",
        "Only the person who cast a vote can change it.",
        field="vote_id",
        remedy="Name a vote of your own.",
    ),
    errors.VoteOpen: refusal(
        409,
        "vote-open",
        "You may still check it",
        "You may still check this example, so the answers of its author and voters are hidden.",
        field="example_id",
        remedy="Check it when you are asked, or give up your vote on it (PUT /examples/ID/abstention).",
    ),
    errors.UndoTooLate: _undo_too_late,
    errors.VoteFollowed: refusal(
        409,
        "vote-followed",
        "Others have acted on the vote",
        "Since you voted, somebody else has voted on the example or decided about it.",
        field="vote_id",
        remedy="Change the vote if the example is still being checked.",
    ),
    errors.VoteSettled: _vote_settled,
    errors.VoteRevealed: refusal(
        409,
        "vote-revealed",
        "The vote is final",
        "You have seen the author's answer, so your own can't change.",
        field="vote_id",
        remedy="Give your opinion of the author's answer, or continue with another example.",
    ),
    errors.SlotTaken: refusal(
        409,
        "slot-taken",
        "Your place is taken",
        "Other people are checking this example now. Nothing was changed.",
        field="vote_id",
        remedy=STANDS,
    ),
    errors.NothingToJudge: refusal(
        409,
        "nothing-to-judge",
        "Nothing to judge",
        "The author claimed nothing, or the vote was itself a judgement.",
        field="agrees",
        remedy="Leave out agrees.",
    ),
    IdempotencyKeyReused: refusal(
        422,
        "idempotency-key-reused",
        "Idempotency-Key used before",
        "The key came before with another vote. Nothing was stored.",
        field="Idempotency-Key",
        remedy="Send a fresh key with a new vote, or the first vote again.",
    ),
    # Decisions and appeals
    errors.OwnDecision: refusal(
        403,
        "own-example",
        "Your own example",
        "You can't decide about your own examples, such as {example_id}.",
        field="example_id",
        remedy="Ask another owner of the task or an administrator to decide.",
    ),
    errors.NotAdjudicated: refusal(
        409,
        "not-adjudicated",
        "Nothing to reverse",
        "No owner's decision stands on the example.",
        field="example_id",
        remedy="Decide the example, or send it back to checkers.",
    ),
    errors.AppealOfAnother: refusal(
        403,
        "example-of-another",
        "Another person's example",
        "Only the author can appeal about an example.",
        field="example_id",
        remedy="Appeal about your own examples.",
    ),
    errors.AlreadyAppealed: refusal(
        409,
        "already-appealed",
        "You have appealed",
        "You can appeal once about an example, and you have.",
        field="example_id",
        remedy="Read the owner's answer beside the votes on the example.",
    ),
    errors.NothingToAppeal: _nothing_to_appeal,
    errors.TooManyMessages: refusal(
        409,
        "too-many-messages",
        "Wait for an answer",
        "You have written several messages that are not answered yet.",
        remedy="Write again after the answer.",
    ),
    # Tasks, validators and known items
    UnknownKind: lambda error: waits_for_update(error.kind, error.name),
    errors.TaskUnknown: lambda _: not_found("task", "slug"),
    errors.ValidationPaused: _paused,
    errors.NotPaused: refusal(
        409,
        "not-paused",
        "Nothing to appeal against",
        "Your checking in this task is not paused.",
        remedy="Continue checking.",
    ),
    errors.AlreadyAppealedPause: refusal(
        409,
        "pause-appealed-before",
        "You have appealed",
        "You can appeal once against a pause, and you have.",
        remedy="Wait for the task's owner to decide.",
    ),
    errors.ValidatorUnknown: lambda _: not_found("validator", "voter_id"),
    errors.GoldUnknown: lambda _: not_found("gold item", "gold_id"),
}

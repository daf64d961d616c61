"""HTTP problems for refusals to change one's own vote."""

from dynabench_common.problems import ErrorMap, Problem

from validation.domain import errors
from validation.domain.votes import UNDO_SECONDS

STANDS = "Leave the vote as it is, and go on with another example."


def _undo_too_late(_error: errors.UndoTooLate) -> Problem:
    return Problem(
        409,
        "undo-too-late",
        "Too late to take the vote back",
        "A vote can be taken back within {seconds} seconds; this one was cast before that.",
        field="vote_id",
        remedy="Change the vote if its example still waits; else leave it as it is.",
        parameters={"seconds": UNDO_SECONDS},
    )


def _vote_followed(_error: errors.VoteFollowed) -> Problem:
    return Problem(
        409,
        "vote-followed",
        "Others have gone on from the vote",
        "Since you voted, somebody else has voted on the example or decided about it.",
        field="vote_id",
        remedy="Change the vote if its example still waits; else leave it as it is.",
    )


def _vote_settled(_error: errors.VoteSettled) -> Problem:
    return Problem(
        409,
        "vote-settled",
        "The vote is settled",
        "The example waits for no votes any more, and more than {seconds} seconds have passed since yours, "
        "or somebody else has gone on from it.",
        field="vote_id",
        remedy=STANDS,
        parameters={"seconds": UNDO_SECONDS},
    )


def _vote_revealed(_error: errors.VoteRevealed) -> Problem:
    return Problem(
        409,
        "vote-revealed",
        "The vote is final",
        "You have seen what the author says about this example, so your answer stands as it was given before.",
        field="vote_id",
        remedy="Say what you think of the author's answer in your remarks on the vote, or go on with another example.",
    )


def _slot_taken(_error: errors.SlotTaken) -> Problem:
    return Problem(
        409,
        "slot-taken",
        "Your place is taken",
        "Other people hold every place that is free on the example. Nothing was changed.",
        field="vote_id",
        remedy=STANDS,
    )


def _vote_open(_error: errors.VoteOpen) -> Problem:
    return Problem(
        409,
        "vote-open",
        "You may still vote on it",
        "You may still be asked about this example, so what its author and its voters say is kept from you.",
        field="example_id",
        remedy="Vote on it when you are asked, or give up your vote on it (PUT /examples/ID/abstention).",
    )


VOTER_ERRORS: ErrorMap = {
    errors.VoteOpen: _vote_open,
    errors.UndoTooLate: _undo_too_late,
    errors.VoteFollowed: _vote_followed,
    errors.VoteSettled: _vote_settled,
    errors.VoteRevealed: _vote_revealed,
    errors.SlotTaken: _slot_taken,
}

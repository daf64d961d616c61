"""The reply to a voter about a stored answer: no opinions of others before the answer is final."""

from typing import Any

from validation.domain.example_validation import ExampleValidation
from validation.domain.votes import Vote

Document = dict[str, Any]


def vote_reply(vote: Vote, validation: ExampleValidation, explanation: str | None) -> Document:
    """Return the reply about a stored vote; once it is final, with what became of the example and the claim."""
    if vote.revealed_at is None:
        told: Document = {"undo_until": vote.undo_until.isoformat(), "resolution": None, "reveal": None}
    else:
        outcome = validation.outcome
        claimed = validation.rules.claim(validation.claimed)
        told = {
            "undo_until": None,
            "resolution": outcome.resolution.value if outcome else None,
            "reveal": {"claimed": claimed, "explanation": explanation},
        }
    return {"vote_id": str(vote.vote_id), "counted": vote.counted, **told}

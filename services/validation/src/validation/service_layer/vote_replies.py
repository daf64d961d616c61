"""What a voter is told once an answer is stored."""

from validation.domain.example_validation import ExampleValidation
from validation.domain.votes import Vote
from validation.service_layer.ports import Document


def vote_reply(vote: Vote, validation: ExampleValidation, explanation: str | None) -> Document:
    """Return the reply about a stored vote: what became of the example, and what its author claims and why."""
    outcome = validation.outcome
    return {
        "vote_id": str(vote.vote_id),
        "counted": vote.counted,
        "resolution": outcome.resolution.value if outcome else None,
        "undo_until": vote.undo_until.isoformat(),
        "reveal": {"claimed": validation.rules.claim(validation.claimed), "explanation": explanation},
    }

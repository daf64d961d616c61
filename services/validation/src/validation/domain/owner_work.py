"""Open work of a task's owner, and kinds of disagreement among votes."""

from collections.abc import Sequence
from enum import StrEnum

from dynabench_tasks.votes import VoteAnswer, VoteKind

from validation.domain.rules import ValidationRules

LOW_POSTERIOR = 0.8
"""Below this probability of its most probable answer, a resolution by votes is worth an owner's look."""


class WorkKind(StrEnum):
    """Reasons why an example waits for the owner; several may apply at once."""

    DISPUTED = "disputed"
    FLAGGED = "flagged"
    APPEALED = "appealed"
    QUESTION = "question"
    LOW_POSTERIOR = "low_posterior"


class Disagreement(StrEnum):
    """Kinds of disagreement in the votes on an example."""

    AUTHOR = "author"
    VOTERS = "voters"


def disagreements(
    answers: Sequence[VoteAnswer], claimed: str, rules: ValidationRules
) -> frozenset[Disagreement]:
    """Return the kinds of disagreement among the votes of these answers.

    Voters disagree with the author if no vote confirms the claim; flags are no votes on the claim. They disagree with
    one another if their votes differ.
    """
    votes = [answer for answer in answers if answer.is_vote]
    on_claim = [vote for vote in votes if vote.kind is not VoteKind.FLAG]
    found = set()
    if claimed and on_claim and not any(rules.question.confirms((vote,), claimed) for vote in on_claim):
        found.add(Disagreement.AUTHOR)
    if rules.standing(votes).most < len(votes):
        found.add(Disagreement.VOTERS)
    return frozenset(found)

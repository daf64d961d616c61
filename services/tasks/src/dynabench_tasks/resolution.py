"""The resolution of an example by votes: when voting stops, and the result.

A decision is a function of the rule and of the answers in their order of arrival. The first prefix that stops the
voting decides, and later answers are evidence. Live votes and imported ones go through `decide` alike, so both kinds of
round mean the same thing by the same word.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dynabench_tasks.configuration.validation_rules import ValidationRules
from dynabench_tasks.votes import Camps, VoteAnswer, VoteKind

UNSURE_LIMIT = 3


class Resolution(StrEnum):
    """Resolutions of an example."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    FLAGGED = "flagged"
    DISPUTED = "disputed"
    NO_CLAIM = "no_claim"


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of `total` votes: the different answers of the largest camp, `most` votes strong.

    `leading` is empty without votes, and while several camps share the first place.
    """

    leading: tuple[VoteAnswer, ...]
    most: int
    total: int


def standing(answers: Iterable[VoteAnswer], camps: Camps) -> Standing:
    """Return how the votes among the answers stand."""
    votes = [answer for answer in answers if answer.is_vote]
    ranked = sorted(camps(votes), key=len, reverse=True)
    if not ranked:
        return Standing((), 0, len(votes))
    most = len(ranked[0])
    is_shared = len(ranked) > 1 and len(ranked[1]) == most
    return Standing(() if is_shared else tuple(dict.fromkeys(ranked[0])), most, len(votes))


@dataclass(frozen=True, slots=True)
class Stop:
    """Voting ends here: with agreed answers that say the same, or with none."""

    agreed: tuple[VoteAnswer, ...]


@dataclass(frozen=True, slots=True)
class Adaptive:
    """Ask people one by one until `agree` of them say the same, at most `max_votes`."""

    agree: int
    max_votes: int

    def stop(self, votes: Standing) -> Stop | None:
        """Return whether these votes end the voting."""
        if votes.leading and votes.most >= self.agree:
            return Stop(votes.leading)
        return Stop(()) if votes.most + self.possible_votes(votes) < self.agree else None

    def possible_votes(self, votes: Standing) -> int:
        """Return how many more votes may be needed."""
        return max(0, self.max_votes - votes.total)

    def certain_votes(self, votes: Standing) -> int:
        """Return the number of further votes needed for any outcome of these votes."""
        until_agreed = self.agree - votes.most
        until_hopeless = max(votes.most, 1) + self.possible_votes(votes) - self.agree + 1
        return max(0, min(until_agreed, until_hopeless, self.possible_votes(votes)))


@dataclass(frozen=True, slots=True)
class Fixed:
    """Ask exactly `votes` people; an answer wins with `agree` of them, unless another has as many."""

    votes: int
    agree: int

    def stop(self, votes: Standing) -> Stop | None:
        """Return whether these votes end the voting."""
        if votes.total < self.votes:
            return None
        return Stop(votes.leading if votes.most >= self.agree else ())

    def possible_votes(self, votes: Standing) -> int:
        """Return how many more votes may be needed."""
        return max(0, self.votes - votes.total)

    def certain_votes(self, votes: Standing) -> int:
        """Return the number of further votes needed for any outcome of these votes."""
        return self.possible_votes(votes)


Policy = Adaptive | Fixed


def policy_of(rules: ValidationRules) -> Policy:
    """Return the policy that a task's `validation` block names."""
    return Adaptive(rules.agree, rules.votes) if rules.adaptive else Fixed(rules.votes, rules.agree)


@dataclass(frozen=True, slots=True)
class Decision:
    """The end of voting after `votes_counted` votes: the agreed answers, in the order in which they came."""

    agreed: tuple[VoteAnswer, ...]
    votes_counted: int


@dataclass(frozen=True, slots=True)
class Ending:
    """A decision, and how many answers there were when it was reached: those after it do not change it."""

    decision: Decision
    answers: int


def ending(policy: Policy, answers: Sequence[VoteAnswer], camps: Camps) -> Ending | None:
    """Return the decision that the answers reach and where they reach it, None while they reach none."""
    unsure = 0
    for position, answer in enumerate(answers, start=1):
        if answer.is_vote:
            votes = standing(answers[:position], camps)
            stop = policy.stop(votes)
            if stop is not None:
                return Ending(Decision(stop.agreed, votes.total), position)
        else:
            unsure += 1
            if unsure == UNSURE_LIMIT:
                return Ending(Decision((), position - unsure), position)
    return None


def decide(policy: Policy, answers: Sequence[VoteAnswer], camps: Camps) -> Decision | None:
    """Return the decision that the answers reach, None while they reach none.

    Answers after the decision do not change it.
    """
    reached = ending(policy, answers, camps)
    return None if reached is None else reached.decision


def resolve(
    agreed: Sequence[VoteAnswer], claimed: str, confirms: Callable[[Sequence[VoteAnswer], str], bool]
) -> Resolution:
    """Return the resolution that follows from agreed answers and the author's claim (empty: nothing was claimed)."""
    if not agreed:
        return Resolution.DISPUTED
    if agreed[0].kind is VoteKind.FLAG:
        return Resolution.FLAGGED
    if not claimed:
        return Resolution.NO_CLAIM
    return Resolution.CORRECT if confirms(agreed, claimed) else Resolution.INCORRECT

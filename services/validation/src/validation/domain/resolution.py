"""When votes decide an example, and what they decide.

A decision is a function of the rule and of the answers in the order in which they came: the first prefix that
stops the voting decides, and whatever follows it is evidence. Live votes and imported ones go through `decide`
alike, so both kinds of round mean the same thing by the same word.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

JUDGED_CORRECT = "correct"
JUDGED_INCORRECT = "incorrect"
UNSURE_LIMIT = 3


class VoteKind(StrEnum):
    """What a validator answered."""

    LABEL = "label"
    JUDGEMENT = "judgement"
    FLAG = "flag"
    UNSURE = "unsure"


class Resolution(StrEnum):
    """What became of an example."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    FLAGGED = "flagged"
    DISPUTED = "disputed"
    NO_CLAIM = "no_claim"


@dataclass(frozen=True, slots=True)
class Answer:
    """A validator's choice. `option` is empty for a flag and for `unsure`."""

    kind: VoteKind
    option: str = ""

    @property
    def is_vote(self) -> bool:
        """Tell whether the answer takes a slot: `unsure` leaves it to another person."""
        return self.kind is not VoteKind.UNSURE


@dataclass(frozen=True, slots=True)
class Stop:
    """Voting ends here: with an agreed answer, or with none."""

    agreed: Answer | None


@dataclass(frozen=True, slots=True)
class Adaptive:
    """Ask people one by one until `agree` of them say the same, at most `max_votes`."""

    agree: int
    max_votes: int

    def stop(self, counts: Counter[Answer]) -> Stop | None:
        """Tell whether these votes end the voting."""
        leading, most = _leading(counts)
        if leading is not None and most >= self.agree:
            return Stop(leading)
        return Stop(None) if most + self.possible_votes(counts) < self.agree else None

    def possible_votes(self, counts: Counter[Answer]) -> int:
        """Return how many more votes may be needed."""
        return max(0, self.max_votes - counts.total())

    def certain_votes(self, counts: Counter[Answer]) -> int:
        """Return how many more votes are needed whatever they say."""
        most = _leading(counts)[1]
        until_agreed = self.agree - most
        until_hopeless = max(most, 1) + self.possible_votes(counts) - self.agree + 1
        return max(0, min(until_agreed, until_hopeless, self.possible_votes(counts)))


@dataclass(frozen=True, slots=True)
class Fixed:
    """Ask exactly `votes` people; an answer wins with `agree` of them, unless another has as many."""

    votes: int
    agree: int

    def stop(self, counts: Counter[Answer]) -> Stop | None:
        """Tell whether these votes end the voting."""
        if counts.total() < self.votes:
            return None
        leading, most = _leading(counts)
        return Stop(leading if most >= self.agree else None)

    def possible_votes(self, counts: Counter[Answer]) -> int:
        """Return how many more votes may be needed."""
        return max(0, self.votes - counts.total())

    def certain_votes(self, counts: Counter[Answer]) -> int:
        """Return how many more votes are needed whatever they say."""
        return self.possible_votes(counts)


Policy = Adaptive | Fixed


def _leading(counts: Counter[Answer]) -> tuple[Answer | None, int]:
    """Return the answer with the most votes, None if several share that place, and the number of its votes."""
    ranked = counts.most_common(2)
    if not ranked:
        return None, 0
    leading, most = ranked[0]
    is_shared = len(ranked) > 1 and ranked[1][1] == most
    return (None if is_shared else leading), most


@dataclass(frozen=True, slots=True)
class Decision:
    """How the voting ended: the agreed answer, if there is one, after `votes_counted` votes."""

    agreed: Answer | None
    votes_counted: int


def decide(policy: Policy, answers: Iterable[Answer]) -> Decision | None:
    """Return the decision that the answers reach, None while they reach none.

    Answers after the decision do not change it.
    """
    counts: Counter[Answer] = Counter()
    unsure = 0
    for answer in answers:
        if answer.is_vote:
            counts[answer] += 1
            stop = policy.stop(counts)
            if stop is not None:
                return Decision(stop.agreed, counts.total())
        else:
            unsure += 1
            if unsure == UNSURE_LIMIT:
                return Decision(None, counts.total())
    return None


def resolve(agreed: Answer | None, claimed_label: str) -> Resolution:
    """Return the resolution of an agreed answer beside the author's label (empty: nothing was claimed)."""
    if agreed is None:
        return Resolution.DISPUTED
    if agreed.kind is VoteKind.FLAG:
        return Resolution.FLAGGED
    if not claimed_label:
        return Resolution.NO_CLAIM
    confirmed = JUDGED_CORRECT if agreed.kind is VoteKind.JUDGEMENT else claimed_label
    return Resolution.CORRECT if agreed.option == confirmed else Resolution.INCORRECT


def count_votes(answers: Iterable[Answer]) -> Counter[Answer]:
    """Count the answers that are votes."""
    return Counter(answer for answer in answers if answer.is_vote)

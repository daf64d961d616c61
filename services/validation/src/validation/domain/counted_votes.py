"""One example's contribution to the figures of agreement, by its task's rules.

The rule of the answer type decides which votes are equal. A flag is an option like another, and a set of labels is one
option as a whole. Spans agree or not but are no options. `unsure`, retracted examples and votes that do not count add
nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from dynabench_tasks.resolution import Adaptive, Resolution
from dynabench_tasks.statistics.vote_table import Pattern, option_pattern
from dynabench_tasks.vote_question import JUDGED_CORRECT, VoteMode
from dynabench_tasks.votes import VoteAnswer, VoteKind

from validation.domain.rules import ValidationRules
from validation.domain.statistics.vote_sums import (
    FIRST_VOTES,
    ExampleVotes,
)


@dataclass(frozen=True, slots=True)
class Decided:
    """An example's outcome, as far as gold depends on it; `golds` and `claimed` are value texts."""

    resolution: Resolution | None = None
    golds: tuple[str, ...] = ()
    claimed: str = ""


@dataclass(frozen=True, slots=True)
class VoteBesideOthers:
    """A vote's comparison with the others: whether it was possible, and whether most of them agree; in halves.

    `compared` is 2 or 0. `same` is 2, or 1 where the others are split evenly and one of the largest camps agrees.
    """

    compared: int
    same: int


def option_name(answer: VoteAnswer) -> str:
    """Return what a vote chose, as figures name it."""
    return VoteKind.FLAG.value if answer.kind is VoteKind.FLAG else answer.option


def count_votes(votes: Sequence[VoteAnswer], rules: ValidationRules, decided: Decided) -> ExampleVotes:
    """Return what the figures count of an example's votes, given in their order; there must be at least one."""
    gold, equal = _gold(votes, rules, decided)
    return ExampleVotes(
        all_votes=_pattern(votes, rules),
        first_votes=_pattern(votes[:FIRST_VOTES], rules),
        largest_camp=rules.standing(votes).most,
        is_adaptive=isinstance(rules.policy, Adaptive),
        is_marked=_are_marked(rules),
        is_compared=any(each.compared for each in beside_others(votes, rules)),
        gold=gold,
        equal_gold=equal,
    )


def beside_others(votes: Sequence[VoteAnswer], rules: ValidationRules) -> Iterator[VoteBesideOthers]:
    """Pair each vote with the others for comparison, in order.

    Under an adaptive policy, only the first two votes are compared with each other, since later ones exist only if
    those differ. A vote without others can't be compared.
    """
    basis = votes[:FIRST_VOTES] if isinstance(rules.policy, Adaptive) else votes
    for position, own in enumerate(votes):
        others = [*basis[:position], *basis[position + 1 :]] if position < len(basis) else []
        yield VoteBesideOthers(2, _halves(own, others, rules)) if others else VoteBesideOthers(0, 0)


def _halves(own: VoteAnswer, others: Sequence[VoteAnswer], rules: ValidationRules) -> int:
    standing = rules.standing(others)
    if standing.leading:
        return 2 if all(rules.says_the_same(own, other) for other in standing.leading) else 0
    return int(sum(rules.says_the_same(own, other) for other in others) >= standing.most)


def _are_marked(rules: ValidationRules) -> bool:
    return not rules.question.field.agrees_if_equal


def _pattern(votes: Sequence[VoteAnswer], rules: ValidationRules) -> Pattern:
    if not _are_marked(rules):
        return option_pattern(option_name(vote) for vote in votes)
    agreeing = sum(rules.says_the_same(one, other) for one, other in combinations(votes, 2))
    return Pattern(len(votes), 2 * agreeing, {})


def _gold(votes: Sequence[VoteAnswer], rules: ValidationRules, decided: Decided) -> tuple[str, int]:
    """Return the gold as figures name it, and how many votes say it.

    Judgements name no label: where they confirm the claim, it is the gold and they say so.
    """
    if rules.mode is VoteMode.JUDGEMENT:
        if decided.resolution is not Resolution.CORRECT:
            return "", 0
        name = decided.claimed if rules.claimed.agrees_if_equal else ""
        return name, sum(vote.option == JUDGED_CORRECT for vote in votes)
    golds = [VoteAnswer(VoteKind.LABEL, gold) for gold in decided.golds]
    if not golds:
        return "", 0
    equal = sum(any(rules.says_the_same(vote, gold) for gold in golds) for vote in votes)
    return ("" if _are_marked(rules) else golds[0].option), equal

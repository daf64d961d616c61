"""Sums of votes for agreement, as whole numbers that add up over examples.

`dynabench_tasks.statistics.vote_table` defines those sums. The sums of two groups of examples add up to those of both,
and an example is removed by subtraction. Reading costs the same whether a round has a thousand examples or a million.

Each sum is kept twice: over all votes, and over the first two of each example, by which an adaptive policy is judged.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from dynabench_tasks.statistics.vote_table import Pattern, SizeSums, VoteTable

FIRST_VOTES = 2


class Measure(StrEnum):
    """The quantity that a sum counts; `size` and `option` of its key say over which examples."""

    EXAMPLES = "examples"
    """Examples with `size` votes."""
    PAIRS = "pairs"
    """Ordered pairs of votes that say the same, over examples with `size` votes."""
    OPTION = "option"
    """Votes for `option`, over examples with `size` votes."""
    FIRST_EXAMPLES = "first_examples"
    FIRST_PAIRS = "first_pairs"
    FIRST_OPTION = "first_option"
    """The same over the first two votes of each example."""
    LARGEST_CAMP = "largest_camp"
    """Examples whose largest camp is `size` votes strong."""
    GOLD = "gold"
    """Examples whose gold is `option`; of spans, which differ too much, none."""
    EQUAL_GOLD = "equal_gold"
    """Votes that say what became gold."""
    ADAPTIVE = "adaptive"
    """Examples made under an adaptive policy."""
    MARKED = "marked"
    """Examples on which people mark spans."""
    COMPARED = "compared"
    """Examples with a vote that can be compared with the others."""


class SumKey(NamedTuple):
    """The key of a sum. `size` is 0 and `option` empty where the measure has none."""

    measure: Measure
    size: int = 0
    option: str = ""


Sums = Mapping[SumKey, int]


class Basis(StrEnum):
    """The votes on which agreement is measured."""

    ALL_VOTES = "all_votes"
    FIRST_TWO_VOTES = "first_two_votes"


MEASURES: Mapping[Basis, tuple[Measure, Measure, Measure]] = {
    Basis.ALL_VOTES: (Measure.EXAMPLES, Measure.PAIRS, Measure.OPTION),
    Basis.FIRST_TWO_VOTES: (Measure.FIRST_EXAMPLES, Measure.FIRST_PAIRS, Measure.FIRST_OPTION),
}


@dataclass(frozen=True, slots=True)
class ExampleVotes:
    """The counted votes of one example that has some; `gold` is empty without one."""

    all_votes: Pattern
    first_votes: Pattern
    largest_camp: int
    is_adaptive: bool
    is_marked: bool
    is_compared: bool
    gold: str = ""
    equal_gold: int = 0

    def shares(self) -> Iterator[tuple[SumKey, int]]:
        """Yield what the example adds to the sums."""
        yield from _pattern_shares(Basis.ALL_VOTES, self.all_votes)
        yield from _pattern_shares(Basis.FIRST_TWO_VOTES, self.first_votes)
        yield SumKey(Measure.LARGEST_CAMP, self.largest_camp), 1
        if self.gold:
            yield SumKey(Measure.GOLD, option=self.gold), 1
        if self.equal_gold:
            yield SumKey(Measure.EQUAL_GOLD), self.equal_gold
        flags = {
            Measure.ADAPTIVE: self.is_adaptive,
            Measure.MARKED: self.is_marked,
            Measure.COMPARED: self.is_compared,
        }
        yield from ((SumKey(measure), 1) for measure, is_so in flags.items() if is_so)


def _pattern_shares(basis: Basis, pattern: Pattern) -> Iterator[tuple[SumKey, int]]:
    examples, pairs, option = MEASURES[basis]
    yield SumKey(examples, pattern.votes), 1
    if pattern.pairs:
        yield SumKey(pairs, pattern.votes), pattern.pairs
    for chosen, count in sorted(pattern.options.items()):
        yield SumKey(option, pattern.votes, chosen), count


def vote_table(sums: Sums, basis: Basis) -> VoteTable:
    """Return the sums over the votes of a basis."""
    examples, pairs, option = MEASURES[basis]
    sizes = sorted(key.size for key, amount in sums.items() if key.measure is examples and amount)
    options: dict[int, dict[str, int]] = {size: {} for size in sizes}
    for key, amount in sorted(sums.items()):
        if key.measure is option and amount:
            options[key.size][key.option] = amount
    return {
        size: SizeSums(sums[SumKey(examples, size)], sums.get(SumKey(pairs, size), 0), options[size])
        for size in sizes
    }

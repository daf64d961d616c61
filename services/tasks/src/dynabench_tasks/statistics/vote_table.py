"""Tables of votes for agreement: whole numbers that add up over examples.

No coefficient needs the examples one by one. An example with `n` votes has `n_k` of them for option k. `a` counts the
ordered pairs of its votes that are equal (for options Σ n_k (n_k - 1)). Every coefficient follows from three sums for
each `n`: the number of examples with `n` votes, their Σ a, and their Σ n_k for each option.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """Votes of one example: their number, the number of ordered equal pairs, and the number for each option.

    `options` is empty for spans, which are equal or not but are no options.
    """

    votes: int
    pairs: int
    options: Mapping[str, int]


def option_pattern(chosen: Iterable[str]) -> Pattern:
    """Return the pattern of votes that chose among options."""
    options = Counter(chosen)
    return Pattern(options.total(), sum(count * (count - 1) for count in options.values()), options)


@dataclass(frozen=True, slots=True)
class SizeSums:
    """Sums over the examples with one number of votes."""

    examples: int
    pairs: int
    options: Mapping[str, int]


VoteTable = Mapping[int, SizeSums]
"""Sums by the number of votes of an example, in its order."""


def table_of(patterns: Iterable[tuple[Pattern, int]]) -> VoteTable:
    """Return the sums over patterns, each with the number of examples that have it."""
    examples: Counter[int] = Counter()
    pairs: Counter[int] = Counter()
    options: dict[int, Counter[str]] = {}
    for pattern, number in patterns:
        examples[pattern.votes] += number
        pairs[pattern.votes] += number * pattern.pairs
        chosen = options.setdefault(pattern.votes, Counter())
        for option, votes in pattern.options.items():
            chosen[option] += number * votes
    return {size: SizeSums(examples[size], pairs[size], options[size]) for size in sorted(examples)}

"""The fooling matrix: which tries fooled which targets together.

Stored are counts of patterns: the targets that answered a try, and those of them that it fooled. What a reader asks
for follows from them: tries that every named target answered, by pattern and by pair. Retracted tries and tries
without a verdict are in no pattern.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple
from uuid import UUID

from leaderboard.domain.tally import NOBODY, Counted
from leaderboard.domain.validated_error import is_target_error


class PatternKey(NamedTuple):
    """Targets that answered and targets that were fooled, each as a JSON list of names in alphabetical order."""

    round_id: UUID
    segment_id: UUID
    answered: str
    fooled: str


class PatternCounts(NamedTuple):
    """Tries of a pattern; `validated` are those for which votes made a validated error of every fooled target.

    `not_asked` are those on which some target was not asked, since one of an earlier tier was right.
    """

    tries: int = 0
    validated: int = 0
    not_asked: int = 0


def pattern_shares(counted: Counted) -> Iterator[tuple[PatternKey, PatternCounts]]:
    """Yield what the example adds to the patterns of its round."""
    example, rule = counted.example, counted.rule
    attempt = example.judged
    if attempt is None or example.is_retracted or not attempt.verdict.is_decided:
        return
    answers = [answer for answer in attempt.answers if answer.is_given]
    wrong = [answer for answer in answers if answer.wrong]
    if answers:
        key = PatternKey(
            attempt.round_id,
            attempt.segment_id or NOBODY,
            _as_text(answer.target for answer in answers),
            _as_text(answer.target for answer in wrong),
        )
        validated = bool(wrong) and all(is_target_error(example, answer, rule) for answer in wrong)
        unasked = any(answer.not_asked for answer in attempt.answers)
        yield key, PatternCounts(1, int(validated), int(unasked))


@dataclass(frozen=True, slots=True)
class Pattern:
    """The tries that fooled exactly these targets."""

    fooled: tuple[str, ...]
    tries: int
    validated: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Counts of two targets: fooled together, alone, or not at all."""

    a: str
    b: str
    both: int
    only_a: int
    only_b: int
    neither: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """The tries that all `targets` answered; `incomplete` counts those that some of them did not.

    Of the incomplete ones `not_asked` are those on which some target was not asked at all.
    """

    targets: tuple[str, ...]
    answered_by_all: int
    incomplete: int
    not_asked: int
    patterns: tuple[Pattern, ...]
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class SegmentMatrix:
    """The matrix of one segment; its number is None until the segment's own event came."""

    segment_id: UUID
    number: int | None
    matrix: Matrix


@dataclass(frozen=True, slots=True)
class RoundMatrix:
    """The matrix of a round, whole and by segment, of one revision."""

    revision: UUID
    whole: Matrix
    segments: tuple[SegmentMatrix, ...]


def matrix(stored: Iterable[tuple[PatternKey, PatternCounts]], targets: Sequence[str]) -> Matrix:
    """Return the matrix of these targets; of all that answered if none are named."""
    rows = [(_names(key.answered), _names(key.fooled), counts) for key, counts in stored]
    names = tuple(targets) or tuple(sorted({name for answered, _, _ in rows for name in answered}))
    tries: Counter[tuple[str, ...]] = Counter()
    validated: Counter[tuple[str, ...]] = Counter()
    incomplete = not_asked = 0
    for answered, fooled, counts in rows:
        if answered.issuperset(names):
            pattern = tuple(name for name in names if name in fooled)
            tries[pattern] += counts.tries
            validated[pattern] += counts.validated
        else:
            incomplete += counts.tries
            not_asked += counts.not_asked
    return Matrix(
        names,
        tries.total(),
        incomplete,
        not_asked,
        tuple(
            Pattern(pattern, number, validated[pattern])
            for pattern, number in sorted(tries.items(), key=lambda each: (-each[1], each[0]))
        ),
        tuple(_pair(a, b, tries) for a, b in combinations(names, 2)),
    )


def _pair(a: str, b: str, tries: Counter[tuple[str, ...]]) -> Pair:
    together: Counter[tuple[bool, bool]] = Counter()
    for pattern, number in tries.items():
        together[a in pattern, b in pattern] += number
    return Pair(
        a, b, together[True, True], together[True, False], together[False, True], together[False, False]
    )


def _as_text(names: Iterable[str]) -> str:
    return json.dumps(sorted(names), ensure_ascii=False)


def _names(text: str) -> frozenset[str]:
    return frozenset(json.loads(text))

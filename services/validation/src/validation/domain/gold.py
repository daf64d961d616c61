"""Known items: when a person gets one, which one, and when an item is used up.

A newcomer's first answers are measured closely. Later, a reliable person gets known items less and less often. An item
has a maximum number of showings, since people share answers. If most people fail an item, the item is probably wrong.
"""

import secrets
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar
from uuid import UUID

from dynabench_tasks.votes import VoteAnswer, VoteKind

from validation.domain.identifiers import ExampleId, GoldId, PersonId, TaskId
from validation.domain.rules import ValidationRules

FIRST_ANSWERS = 5
DEFAULT_RATE = 0.1
STRETCHES = ((50, 1), (200, 2))
"""Pairs of a number of answers and a factor: below that number, gold is so much rarer than at first; then `SELDOM`."""
SELDOM = 5
ATTENTION_EVERY = 3
MOST_SHOWINGS = 200
ENOUGH_ANSWERS = 10
POOL_SIZE = 100

Candidate = TypeVar("Candidate")


class GoldKind(StrEnum):
    """The origin of a known item: a resolved example, or the task's owner."""

    EXAMPLE = "example"
    ATTENTION = "attention"


class Retirement(StrEnum):
    """Reasons to stop showing an item."""

    SHOWN_OFTEN = "shown_often"
    FAILED_OFTEN = "failed_often"
    DECIDED_ANEW = "decided_anew"
    WITHDRAWN = "withdrawn"

    @property
    def voids_answers(self) -> bool:
        """Return whether the item may have been wrong, so that answers on it are no evidence about people."""
        return self is not Retirement.SHOWN_OFTEN


def is_due(answers: int, rate: float = 0.0) -> bool:
    """Return whether the next item is gold for a person with this number of answered examples of the task.

    After each of the first five; then after every 10th, from 50 on every 20th, from 200 on every 50th. `rate`, the
    task's `gold_rate`, is the share of gold that takes the place of 1 in 10; 0 leaves it.
    """
    if answers <= FIRST_ANSWERS:
        return answers > 0
    rarer = next((times for below, times in STRETCHES if answers < below), SELDOM)
    return answers % max(1, round(rarer / (rate or DEFAULT_RATE))) == 0


def id_between(older: UUID | None, newer: UUID) -> UUID:
    """Return a UUIDv7 whose time lies between those of two examples that follow each other, as if written then.

    Without an older one, or without a millisecond between the two, the time is that of the newer one.
    """
    last = newer.int >> 80
    first = last if older is None else older.int >> 80
    milliseconds = first + 1 + secrets.randbelow(last - first - 1) if last - first > 1 else last
    random_bits = secrets.randbits(74)
    return UUID(
        int=milliseconds << 80 | 7 << 76 | (random_bits >> 62) << 64 | 2 << 62 | random_bits & (1 << 62) - 1
    )


def wants_attention_check(shown: int) -> bool:
    """Return whether a person's next item, after so many in the task, is rather an attention check: one in three."""
    return shown % ATTENTION_EVERY == ATTENTION_EVERY - 1


@dataclass(frozen=True)
class GoldContent:
    """An item's contents and its passing answers: value texts throughout, as in an example.

    `claimed` and `explanation` are revealed after the answer. Of several `answers`, such as spans, any passes.
    """

    context: Mapping[str, str]
    input: Mapping[str, str]
    claimed: str
    explanation: str
    answers: tuple[str, ...]

    def passes(self, answer: VoteAnswer, rules: ValidationRules) -> bool | None:
        """Return whether an answer is right; None for `unsure`, which claims nothing. A flag is an answer."""
        if answer.kind is VoteKind.UNSURE:
            return None
        kind = rules.question.kind
        return any(rules.says_the_same(answer, VoteAnswer(kind, right)) for right in self.answers)


@dataclass
class GoldItem:
    """An item and how people did on it: `shown` to so many, `answered` and `failed` by so many of them.

    `example_id` and `resolved_at` are those of the example it was made of, None for an attention check.
    """

    gold_id: GoldId
    task_id: TaskId
    kind: GoldKind
    author_id: PersonId
    configuration_version: int
    content: GoldContent
    added_at: datetime
    example_id: ExampleId | None = None
    resolved_at: datetime | None = None
    shown: int = 0
    answered: int = 0
    failed: int = 0
    retirement: Retirement | None = None
    retired_at: datetime | None = None

    @property
    def right_answer(self) -> str:
        """Return the answer that stands for the item where a pool is balanced."""
        return self.content.answers[0]

    def show(self, now: datetime) -> None:
        """Count one more person; the last one retires the item."""
        self.shown += 1
        if self.shown >= MOST_SHOWINGS:
            self.retire(Retirement.SHOWN_OFTEN, now)

    def grade(self, passed: bool | None, now: datetime) -> None:
        """Count an answer; an item that most of enough people fail is retired as wrong, used up or not."""
        if passed is None:
            return
        self.answered += 1
        self.failed += not passed
        if self.answered >= ENOUGH_ANSWERS and 2 * self.failed > self.answered:
            self.retire(Retirement.FAILED_OFTEN, now)

    def retire(self, reason: Retirement, now: datetime) -> None:
        """Show it to nobody any more; a reason that voids its answers stays."""
        if self.retirement is None or not self.retirement.voids_answers:
            self.retirement, self.retired_at = reason, now


def fits(made_under: ValidationRules, current: ValidationRules) -> bool:
    """Return whether an item made under one version of a task looks like an example of another."""
    return (made_under.question, made_under.fields) == (current.question, current.fields)


def is_beyond_doubt(answers: Sequence[VoteAnswer], rules: ValidationRules) -> bool:
    """Return whether there are at least two votes and all of them agree."""
    votes = [answer for answer in answers if answer.is_vote]
    return len(votes) > 1 and rules.standing(votes).most == len(votes)


def fill_pool(
    held: Iterable[str], candidates: Iterable[tuple[str, Candidate]], places: int
) -> list[Candidate]:
    """Choose candidates, in their order, so that all right answers are equally frequent; each is given with its answer.

    `held` are the answers of existing items. A person who always gives the commonest answer must not pass.
    """
    counts = Counter(held)
    waiting: dict[str, deque[Candidate]] = defaultdict(deque)
    for answer, candidate in candidates:
        waiting[answer].append(candidate)
    chosen: list[Candidate] = []
    while waiting and len(chosen) < places:
        rarest = min(waiting, key=lambda answer: counts[answer])
        chosen.append(waiting[rarest].popleft())
        counts[rarest] += 1
        if not waiting[rarest]:
            del waiting[rarest]
    return chosen

"""A round's votes out of the database, as index arrays.

A million examples have millions of votes. Rows are streamed and turned into indices one by one, so that only the ids
and three arrays are in memory.
"""

from array import array
from collections import Counter
from typing import Any, TypeVar
from uuid import UUID

import numpy as np
from dynabench_tasks.resolution import Adaptive
from dynabench_tasks.votes import VoteAnswer, VoteKind
from sqlalchemy import Connection, Select, func, select, text

from validation.adapters.tables import example, example_validation, task_configuration, vote
from validation.domain.counted_votes import option_name
from validation.domain.groups import NOBODY
from validation.domain.rules import ValidationRules, read_rules
from validation.domain.statistics.dawid_skene import Indices, Votes
from validation.domain.statistics.round_votes import RoundVotes
from validation.domain.statistics.vote_sums import FIRST_VOTES

ROWS = 10_000
Key = TypeVar("Key")


class _Numbers(dict[Key, int]):
    """Numbers things in the order in which they are met."""

    def __missing__(self, key: Key) -> int:
        number = self[key] = len(self)
        return number


def rules_of_round(connection: Connection, round_id: UUID) -> dict[int, ValidationRules]:
    """Return the rules of the configuration versions that examples of the round were made under."""
    made_under = select(example.c.configuration_version).where(example.c.round_id == round_id).distinct()
    columns = task_configuration.c
    statement = select(columns.configuration_version, columns.configuration).where(
        columns.task_id.in_(select(example.c.task_id).where(example.c.round_id == round_id).limit(1)),
        columns.configuration_version.in_(made_under),
    )
    return {version: read_rules(document) for version, document in connection.execute(statement)}


def load_votes(
    connection: Connection, round_id: UUID, rules: dict[int, ValidationRules]
) -> RoundVotes | None:
    """Return the votes that count on examples that stand; None if there are none. Options are in their order."""
    adaptive = {version for version, found in rules.items() if isinstance(found.policy, Adaptive)}
    example_ids, voter_ids = _Numbers[UUID](), _Numbers[UUID]()
    options = _Numbers[tuple[str, str]]()
    examples, voters, chosen, versions = array("q"), array("q"), array("q"), array("q")
    is_adaptive = array("b")
    connection.execute(text("SET LOCAL statement_timeout = 0"))
    streamed = connection.execution_options(stream_results=True, yield_per=ROWS)
    for row in streamed.execute(_votes(round_id)):
        examples.append(example_ids[row.example_id])
        voters.append(voter_ids[NOBODY if row.is_unknown else row.voter_id])
        chosen.append(options[row.kind, row.option])
        versions.append(row.version)
        is_adaptive.append(row.configuration_version in adaptive)
    if not examples:
        return None
    order = np.lexsort((_indices(versions), _indices(examples)))
    given = [option_name(VoteAnswer(VoteKind(kind), option)) for kind, option in options]
    names = sorted(set(given))
    renumbered = np.array([names.index(name) for name in given])
    votes = Votes(
        _indices(examples)[order],
        _indices(voters)[order],
        renumbered[_indices(chosen)[order]],
        len(names),
    )
    late = np.frombuffer(is_adaptive, dtype=np.int8)[order].astype(bool) & (
        _positions(votes.examples) >= FIRST_VOTES
    )
    return RoundVotes(votes, ~late, list(example_ids), list(voter_ids), names)


def load_confirmations(
    connection: Connection, round_id: UUID, rules: dict[int, ValidationRules]
) -> dict[tuple[UUID, UUID], int]:
    """Count the votes that confirm what the author claims, by voter and author; nobody unknown is among them.

    Votes that don't count are in it: they were given all the same.
    """
    connection.execute(text("SET LOCAL statement_timeout = 0"))
    streamed = connection.execution_options(stream_results=True, yield_per=ROWS)
    found: Counter[tuple[UUID, UUID]] = Counter()
    for row in streamed.execute(_answers(round_id)):
        question = rules[row.configuration_version].question
        answer = VoteAnswer(VoteKind(row.kind), row.option)
        if answer.kind is question.kind and question.confirms((answer,), row.claimed):
            found[row.voter_id, row.author_id] += row.votes
    return found


def _answers(round_id: UUID) -> Select[Any]:
    state = example_validation.c
    same = (
        vote.c.voter_id,
        state.author_id,
        vote.c.kind,
        vote.c.option,
        example.c.claimed,
        example.c.configuration_version,
    )
    return (
        select(*same, func.count().label("votes"))
        .join(example_validation, state.example_id == vote.c.example_id)
        .join(example, example.c.example_id == vote.c.example_id)
        .where(state.round_id == round_id, state.retracted.is_(False), state.author_id != NOBODY)
        .where(vote.c.voter_id != vote.c.vote_id, example.c.claimed != "")
        .group_by(*same)
    )


def _votes(round_id: UUID) -> Select[Any]:
    state = example_validation.c
    return (
        select(vote.c.example_id, vote.c.voter_id, vote.c.kind, vote.c.option, vote.c.version)
        .add_columns((vote.c.voter_id == vote.c.vote_id).label("is_unknown"))
        .add_columns(example.c.configuration_version)
        .join(example_validation, state.example_id == vote.c.example_id)
        .join(example, example.c.example_id == vote.c.example_id)
        .where(state.round_id == round_id, state.retracted.is_(False), vote.c.counted)
    )


def _indices(numbers: "array[int]") -> Indices:
    return np.frombuffer(numbers, dtype=np.int64)


def _positions(examples: Indices) -> Indices:
    """Return each vote's place among those of its example."""
    starts = np.flatnonzero(np.r_[True, examples[1:] != examples[:-1]])
    counts = np.diff(np.r_[starts, len(examples)])
    return np.arange(len(examples)) - np.repeat(starts, counts)

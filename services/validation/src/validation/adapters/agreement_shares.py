"""An example's share of the sums of agreement: computed from its votes, and as it was counted last."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from dynabench_tasks.resolution import Resolution
from dynabench_tasks.votes import VoteAnswer, VoteKind
from sqlalchemy import Connection, Row, select

from validation.adapters.agreement_tables import agreement_share
from validation.adapters.tables import (
    configuration_of_example,
    example,
    example_validation,
    task_configuration,
    vote,
)
from validation.domain.counted_votes import Decided, VoteBesideOthers, beside_others, count_votes
from validation.domain.groups import NOBODY, Group, GroupKind, groups_of
from validation.domain.rules import ValidationRules, read_rules
from validation.domain.statistics.vote_sums import Measure, SumKey

Version = tuple[UUID, int]
Counted = tuple[tuple[tuple[SumKey, int], ...], tuple[VoteBesideOthers, ...]]


class VoterCounts(NamedTuple):
    """Counts of a voter's votes, and in halves of the votes that were compared and those that were the same."""

    votes: int
    compared: int
    same: int

    def plus(self, other: "VoterCounts", sign: int = 1) -> "VoterCounts":
        """Return the sum, or with `sign` -1 the difference."""
        return VoterCounts(
            self.votes + sign * other.votes,
            self.compared + sign * other.compared,
            self.same + sign * other.same,
        )


@dataclass(frozen=True)
class Share:
    """One example's contribution to the sums of each of its groups."""

    round_id: UUID
    groups: tuple[Group, ...]
    sums: tuple[tuple[SumKey, int], ...]
    voters: tuple[tuple[UUID, VoterCounts], ...]

    def row(self, example_id: UUID) -> dict[str, Any]:
        """Return the row that keeps it."""
        return {
            "example_id": example_id,
            "round_id": self.round_id,
            "groups": [[group.kind, group.name] for group in self.groups],
            "sums": [[key.measure, key.size, key.option, amount] for key, amount in self.sums],
            "voters": [[str(voter_id), *counts] for voter_id, counts in self.voters],
        }


def counted_shares(connection: Connection, example_ids: Sequence[UUID]) -> dict[UUID, Share]:
    """Return what was counted of these examples last."""
    statement = select(agreement_share).where(agreement_share.c.example_id.in_(example_ids))
    return {row.example_id: _kept(row) for row in connection.execute(statement)}


def _kept(row: Row[Any]) -> Share:
    return Share(
        round_id=row.round_id,
        groups=tuple(Group(GroupKind(kind), name) for kind, name in row.groups),
        sums=tuple(
            (SumKey(Measure(measure), size, option), amount) for measure, size, option, amount in row.sums
        ),
        voters=tuple((UUID(voter_id), VoterCounts(*counts)) for voter_id, *counts in row.voters),
    )


def current_shares(connection: Connection, example_ids: Sequence[UUID]) -> dict[UUID, Share]:
    """Return what these examples add by their votes of now; nothing for one without votes, or retracted."""
    votes = _votes(connection, example_ids)
    counting = _Counting(connection)
    return {
        row.example_id: _share(row, votes[row.example_id], counting)
        for row in connection.execute(_examples(list(votes))).all()
    }


class _Counting:
    """Counts votes by the rules of each configuration version; equal votes, of which there are many, once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rules: dict[Version, ValidationRules] = {}
        self._counted: dict[tuple[Version, Decided, tuple[VoteAnswer, ...]], Counted] = {}

    def count(self, version: Version, decided: Decided, answers: tuple[VoteAnswer, ...]) -> Counted:
        """Return what the votes add to sums, and how each compares with the others."""
        key = version, decided, answers
        if key not in self._counted:
            rules = self._rules_of(version)
            sums = tuple(count_votes(answers, rules, decided).shares())
            self._counted[key] = sums, tuple(beside_others(answers, rules))
        return self._counted[key]

    def _rules_of(self, version: Version) -> ValidationRules:
        if version not in self._rules:
            columns = task_configuration.c
            statement = select(columns.configuration).where(
                columns.task_id == version[0], columns.configuration_version == version[1]
            )
            self._rules[version] = read_rules(self._connection.execute(statement).scalar_one())
        return self._rules[version]


def _votes(connection: Connection, example_ids: Sequence[UUID]) -> dict[UUID, list[Row[Any]]]:
    statement = (
        select(vote.c.example_id, vote.c.vote_id, vote.c.voter_id, vote.c.kind, vote.c.option)
        .where(vote.c.example_id.in_(example_ids), vote.c.counted)
        .order_by(vote.c.example_id, vote.c.version)
    )
    rows: Iterable[Row[Any]] = connection.execute(statement)
    return {example_id: list(found) for example_id, found in groupby(rows, key=attrgetter("example_id"))}


def _examples(example_ids: Sequence[UUID]) -> Any:
    state, copy = example_validation.c, example.c
    return (
        select(state.example_id, state.round_id, state.resolution, state.golds, state.created_at)
        .add_columns(copy.claimed, copy.task_id, copy.configuration_version)
        .add_columns(copy.segment_id, copy.condition, copy.cohort, copy.tags, copy.targets)
        .join(example, copy.example_id == state.example_id)
        .join(task_configuration, configuration_of_example)
        .where(state.example_id.in_(example_ids), state.retracted.is_(False))
    )


def _share(row: Row[Any], votes: Sequence[Row[Any]], counting: _Counting) -> Share:
    answers = tuple(VoteAnswer(VoteKind(found.kind), found.option) for found in votes)
    resolution = None if row.resolution is None else Resolution(row.resolution)
    decided = Decided(resolution, tuple(row.golds or ()), row.claimed or "")
    sums, compared = counting.count((row.task_id, row.configuration_version), decided, answers)
    return Share(
        round_id=row.round_id,
        groups=groups_of(
            segment_id=row.segment_id,
            targets=[target["name"] for target in row.targets or ()],
            condition=row.condition,
            cohort=row.cohort,
            tags=row.tags or (),
            created_at=row.created_at,
        ),
        sums=sums,
        voters=tuple(
            (_voter(found), VoterCounts(1, each.compared, each.same))
            for found, each in zip(votes, compared, strict=True)
        ),
    )


def _voter(row: Row[Any]) -> UUID:
    """Return whose vote it is; an imported one that does not say has its own id for a voter."""
    voter_id: UUID = NOBODY if row.voter_id == row.vote_id else row.voter_id
    return voter_id

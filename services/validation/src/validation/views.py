"""Reads: SQL to plain records."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, Integer, Row, cast, func, select, tuple_

from validation.adapters.tables import (
    configuration_of_example,
    example,
    example_validation,
    is_pending,
    round_,
    task_configuration,
    vote,
)
from validation.domain.agreement import Agreement, agreement_with_others
from validation.domain.answers import Answer, VoteKind
from validation.domain.errors import ExampleUnknown, RoundUnknown
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.domain.resolution import Resolution
from validation.domain.rules import ValidationRules, read_rules
from validation.domain.selection import Priority

Record = dict[str, Any]


def round_counts(engine: Engine, round_id: RoundId) -> Record:
    """Return how far the validation of a round has come. Raises RoundUnknown.

    Votes stay counted when their example is retracted; its resolution and its place in the queue don't.
    """
    state = example_validation.c
    stands = state.retracted.is_(False)
    resolved_as = {r.value: func.count().filter(stands, state.resolution == r.value) for r in Resolution}
    statement = select(
        func.coalesce(cast(func.sum(state.votes_counted), Integer), 0).label("votes"),
        func.count(state.resolution).filter(stands).label("resolved"),
        func.count().filter(is_pending).label("pending"),
        func.count().filter(is_pending, state.priority == Priority.FOOLING).label("pending_fooling"),
        *(count.label(name) for name, count in resolved_as.items()),
    ).where(state.round_id == round_id)
    with engine.connect() as connection:
        _ensure_known(connection, round_id)
        counts = dict(connection.execute(statement).one()._mapping)
        return {"round_id": round_id, "examples": _count_examples(connection, round_id), **counts}


def person_in_round(engine: Engine, round_id: RoundId, person_id: PersonId, now: datetime) -> Record:
    """Return a person's own work in a round; "today" begins at midnight UTC. Raises RoundUnknown."""
    midnight = datetime.combine(now.astimezone(UTC).date(), time(), UTC)
    statement = (
        select(func.count().label("votes"), func.count().filter(vote.c.cast_at >= midnight).label("today"))
        .select_from(vote.join(example_validation))
        .where(
            vote.c.voter_id == person_id,
            vote.c.kind != VoteKind.UNSURE.value,
            example_validation.c.round_id == round_id,
        )
    )
    with engine.connect() as connection:
        _ensure_known(connection, round_id)
        row = connection.execute(statement).one()
        agreement = _agreement(connection, round_id, person_id)
    return {
        "votes": row.votes,
        "votes_today": row.today,
        "agreement": agreement.value,
        "agreement_votes": agreement.n,
    }


def example_state(engine: Engine, example_id: ExampleId) -> Record:
    """Return what the votes made of an example, whose it is, and its `rules`. Raises ExampleUnknown."""
    state = example_validation.c
    statement = (
        select(
            state.example_id,
            state.round_id,
            state.author_id,
            state.resolution,
            state.votes_counted,
            state.resolved_at,
            state.retracted,
            state.agreed_option,
            state.golds,
            example.c.task_slug,
            task_configuration.c.configuration,
            func.coalesce(is_pending, False).label("pending"),
        )
        .join(example, example.c.example_id == state.example_id)
        .join(task_configuration, configuration_of_example)
        .where(state.example_id == example_id)
    )
    with engine.connect() as connection:
        row = connection.execute(statement).one_or_none()
    if row is None:
        raise ExampleUnknown(example_id)
    record = dict(row._mapping)
    rules = read_rules(record.pop("configuration"))
    return {**record, "golds": [rules.claim(gold) for gold in row.golds or ()], "rules": rules}


def example_votes(engine: Engine, example_id: ExampleId, rules: ValidationRules) -> list[Record]:
    """Return every answer on an example in the order in which they came."""
    statement = (
        select(
            vote.c.vote_id,
            vote.c.voter_id,
            vote.c.kind,
            vote.c.option,
            vote.c.reason,
            vote.c.metadata,
            vote.c.counted,
            vote.c.seconds,
            vote.c.cast_at,
            vote.c.agrees,
            vote.c.judged_at,
        )
        .where(vote.c.example_id == example_id)
        .order_by(vote.c.version)
    )
    with engine.connect() as connection:
        return [
            {**row._mapping, "metadata": rules.metadata_values(row.metadata)}
            for row in connection.execute(statement)
        ]


def _ensure_known(connection: Connection, round_id: RoundId) -> None:
    if connection.execute(select(1).where(round_.c.round_id == round_id)).one_or_none() is None:
        raise RoundUnknown(round_id)


def _count_examples(connection: Connection, round_id: RoundId) -> int:
    statement = select(func.count()).where(example.c.round_id == round_id)
    return int(connection.execute(statement).scalar_one())


def _agreement(connection: Connection, round_id: RoundId, person_id: PersonId) -> Agreement:
    own, other = vote.alias("own"), vote.alias("other")
    statement = (
        select(own.c.example_id, own.c.kind, own.c.option)
        .add_columns(other.c.kind.label("other_kind"), other.c.option.label("other_option"))
        .add_columns(example.c.task_id, example.c.configuration_version)
        .join(example_validation, example_validation.c.example_id == own.c.example_id)
        .join(example, example.c.example_id == own.c.example_id)
        .join(other, (other.c.example_id == own.c.example_id) & (other.c.voter_id != own.c.voter_id))
        .where(
            own.c.voter_id == person_id,
            own.c.kind != VoteKind.UNSURE.value,
            other.c.kind != VoteKind.UNSURE.value,
            example_validation.c.round_id == round_id,
        )
        .order_by(own.c.example_id, other.c.version)
    )
    rows = connection.execute(statement).all()
    return agreement_with_others(_beside_others(rows, _rules(connection, rows)))


def _rules(connection: Connection, rows: Sequence[Row[Any]]) -> dict[tuple[UUID, int], ValidationRules]:
    """Return the rules of the configuration versions that these examples were made under."""
    columns = task_configuration.c
    versions = sorted({(row.task_id, row.configuration_version) for row in rows})
    statement = select(columns.task_id, columns.configuration_version, columns.configuration).where(
        tuple_(columns.task_id, columns.configuration_version).in_(versions)
    )
    found = connection.execute(statement)
    return {(row.task_id, row.configuration_version): read_rules(row.configuration) for row in found}


def _beside_others(
    rows: Sequence[Row[Any]], rules: Mapping[tuple[UUID, int], ValidationRules]
) -> Iterator[tuple[Answer, list[Answer], ValidationRules]]:
    for _, group in groupby(rows, key=attrgetter("example_id")):
        votes = list(group)
        first = votes[0]
        others = [Answer(VoteKind(row.other_kind), row.other_option) for row in votes]
        answer = Answer(VoteKind(first.kind), first.option)
        yield answer, others, rules[first.task_id, first.configuration_version]

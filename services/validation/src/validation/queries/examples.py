"""Reads of a round's examples for people who manage it: SQL to plain records."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_tasks.votes import VoteAnswer
from sqlalchemy import ColumnElement, Connection, Engine, Row, Select, and_, case, func, not_, select, tuple_

from validation.adapters.example_search import are_many, conditions
from validation.adapters.open_votes import is_begun_by, may_still_vote
from validation.adapters.tables import (
    configuration_of_example,
    example,
    example_validation,
    is_pending,
    task_configuration,
    verdict_of_example,
)
from validation.domain.example_filters import Became, ExampleFilter
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.domain.rules import ValidationRules, read_rules
from validation.queries.votes import Record, ensure_known
from validation.queries.work import Position, tally, votes_of

state = example_validation.c


def is_open_to(engine: Engine, example_id: ExampleId, voter_id: PersonId | None, now: datetime) -> bool:
    """Return whether the person may still vote on the example; None stands for a caller without votes."""
    statement = select(1).where(state.example_id == example_id, may_still_vote(voter_id, now))
    with engine.connect() as connection:
        return connection.execute(statement).one_or_none() is not None


def examples_of_round(
    engine: Engine,
    round_id: RoundId,
    wanted: ExampleFilter,
    voter_id: PersonId | None,
    now: datetime,
    limit: int,
    after: Position | None,
) -> list[Record]:
    """Return at most `limit` examples of a round, the newest first. Raises RoundUnknown.

    Examples on which the reader may still vote are `is_hidden`: without claim and votes. Those leased by the reader,
    or with an answer that the reader may change, also lack the verdict, and no filter on verdicts finds them.
    """
    is_hidden = may_still_vote(voter_id, now)
    is_begun = and_(is_hidden, is_begun_by(voter_id, now))
    with engine.connect() as connection:
        ensure_known(connection, round_id)
        is_common = wanted.text is not None and are_many(connection, round_id, wanted.text)
        keys = listed(round_id, wanted, is_hidden, after, is_common=is_common).limit(limit)
        if wanted.verdict is not None:
            keys = keys.where(not_(is_begun))
        example_ids = list(connection.execute(keys).scalars())
        return _items(connection, example_ids, _details(example_ids, is_hidden, is_begun))


def listed(
    round_id: RoundId,
    wanted: ExampleFilter,
    is_hidden: ColumnElement[bool],
    after: Position | None,
    *,
    is_common: bool = False,
) -> Select[Any]:
    """Select the examples of the list, in its order; `is_common`: many examples of the round have the words."""
    keys = (
        select(state.example_id)
        .join(example, example.c.example_id == state.example_id)
        .where(*conditions(round_id, wanted, is_hidden, is_common=is_common))
        .order_by(state.created_at.desc(), state.example_id.desc())
    )
    return keys if after is None else keys.where(tuple_(state.created_at, state.example_id) < after)


def _items(connection: Connection, example_ids: list[UUID], details: Select[Any]) -> list[Record]:
    rows = {row.example_id: row for row in connection.execute(details)}
    votes = votes_of(connection, example_ids)
    rules: dict[tuple[UUID, int], ValidationRules] = {}
    found = []
    for row in (rows[example_id] for example_id in example_ids):
        version = row.task_id, row.configuration_version
        if version not in rules:
            rules[version] = read_rules(row.configuration)
        found.append(_record(row, votes.get(row.example_id, []), rules[version]))
    return found


def _details(
    example_ids: Iterable[UUID], is_hidden: ColumnElement[bool], is_begun: ColumnElement[bool]
) -> Select[Any]:
    return (
        select(state.example_id, state.author_id, state.created_at, state.resolution, state.retracted)
        .add_columns(func.coalesce(is_pending, False).label("pending"), is_hidden.label("is_hidden"))
        .add_columns(
            case((is_begun, None), else_=verdict_of_example).label("verdict"),
            example.c.tags,
            example.c.claimed,
        )
        .add_columns(example.c.context, example.c.input, example.c.task_id)
        .add_columns(example.c.configuration_version, task_configuration.c.configuration)
        .join(example, example.c.example_id == state.example_id)
        .join(task_configuration, configuration_of_example)
        .where(state.example_id.in_(example_ids))
    )


def _record(row: Row[Any], answers: list[VoteAnswer], rules: ValidationRules) -> Record:
    is_known = not (row.is_hidden or row.retracted)
    return {
        "example_id": row.example_id,
        "author_id": row.author_id,
        "created_at": row.created_at,
        "context": {} if row.retracted else rules.values(row.context),
        "input": {} if row.retracted else rules.values(row.input),
        "verdict": row.verdict,
        "tags": row.tags or [],
        "is_hidden": row.is_hidden,
        "became": _became(row._mapping),
        "claimed": rules.claim(row.claimed) if is_known else None,
        "votes": tally(answers) if is_known else [],
    }


def _became(row: Mapping[Any, Any]) -> Became:
    if row["retracted"]:
        return Became.RETRACTED
    if row["is_hidden"] or row["pending"]:
        return Became.WAITING
    return Became(row["resolution"]) if row["resolution"] else Became.UNASKED

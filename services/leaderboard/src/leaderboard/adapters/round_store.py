"""Tasks, rounds and segments as far as boards need them."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.identifiers import new_id
from sqlalchemy import Column, Connection, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from leaderboard.adapters.tables import round_, segment, task_configuration
from leaderboard.domain.counting_rule import DEFAULT_RULE, CountingRule, counting_rule
from leaderboard.domain.round_facts import (
    RoundDrafted,
    RoundFact,
    RoundMoved,
    SegmentBegun,
    TargetsChanged,
    TaskConfigured,
)

ConfigurationKey = tuple[UUID, int]


def rules(connection: Connection, keys: Iterable[ConfigurationKey]) -> dict[ConfigurationKey, CountingRule]:
    """Return the counting rule of each configuration, the default for one that is not known yet."""
    wanted = sorted(set(keys))
    if not wanted:
        return {}
    columns = task_configuration.c
    statement = select(columns.task_id, columns.configuration_version, columns.configuration).where(
        tuple_(columns.task_id, columns.configuration_version).in_(wanted)
    )
    known = {
        (row.task_id, row.configuration_version): counting_rule(row.configuration)
        for row in connection.execute(statement)
    }
    return {key: known.get(key, DEFAULT_RULE) for key in wanted}


def save_configuration(connection: Connection, fact: TaskConfigured) -> None:
    """Write a configuration unless a newer statement of the same version is held."""
    statement = insert(task_configuration).values(
        task_id=fact.task_id,
        configuration_version=fact.configuration_version,
        aggregate_version=fact.version,
        slug=fact.slug,
        title=fact.title,
        configuration=dict(fact.configuration),
    )
    excluded = statement.excluded
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["task_id", "configuration_version"],
            set_={name: excluded[name] for name in ("aggregate_version", "slug", "title", "configuration")},
            where=excluded.aggregate_version > task_configuration.c.aggregate_version,
        )
    )


def touch(connection: Connection, newest: Mapping[UUID, datetime]) -> None:
    """Mark rounds as changed by events up to these times; makes a round's row where there is none."""
    revision = new_id()
    rows = [
        {"round_id": round_id, "revision": revision, "as_of": newest[round_id]} for round_id in sorted(newest)
    ]
    if not rows:
        return
    statement = insert(round_)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["round_id"],
            set_={
                "revision": statement.excluded.revision,
                "as_of": func.greatest(round_.c.as_of, statement.excluded.as_of),
            },
        ),
        rows,
    )


def revise(connection: Connection, task_id: UUID) -> None:
    """Mark a task's rounds as changed by its configuration.

    Their `as_of` stays: whether the configuration or the round comes first must make no difference to it.
    """
    connection.execute(round_.update().where(round_.c.task_id == task_id).values(revision=new_id()))


def save_round_fact(connection: Connection, fact: RoundFact) -> None:
    """Write a fact of a round that `touch` has made a row for, unless a newer one is held."""
    match fact:
        case RoundDrafted():
            drafted = {
                "task_id": fact.task_id,
                "number": fact.number,
                "title": fact.title,
                "origin": fact.origin,
            }
            _set(connection, fact, round_.c.created_version, drafted)
            _set(connection, fact, round_.c.targets_version, {"targets": list(fact.targets)})
        case TargetsChanged():
            _set(connection, fact, round_.c.targets_version, {"targets": list(fact.targets)})
        case RoundMoved():
            _set(connection, fact, round_.c.state_version, {"state": fact.state})
            if fact.state == "open":
                _open(connection, fact)


def _set(connection: Connection, fact: RoundFact, version: Column[Any], values: Mapping[str, Any]) -> None:
    connection.execute(
        round_.update()
        .where(round_.c.round_id == fact.round_id, func.coalesce(version, 0) < fact.version)
        .values({version.name: fact.version, **values})
    )


def _open(connection: Connection, fact: RoundMoved) -> None:
    """Keep when the round was opened first, whichever opening comes to be known first."""
    connection.execute(
        round_.update()
        .where(round_.c.round_id == fact.round_id)
        .values(opened_at=func.least(round_.c.opened_at, fact.moved_at))
    )


def save_segment(connection: Connection, fact: SegmentBegun) -> None:
    """Write a segment; it is stated once and never changes."""
    statement = insert(segment).values(
        segment_id=fact.segment_id,
        round_id=fact.round_id,
        aggregate_version=fact.version,
        number=fact.number,
        configuration_version=fact.configuration_version,
        targets=[dict(target) for target in fact.targets],
        started_at=fact.started_at,
    )
    connection.execute(statement.on_conflict_do_nothing(index_elements=["segment_id"]))

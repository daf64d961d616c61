"""Tasks, rounds and segments as far as boards need them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.events.cloud_events import PermanentEventError
from dynabench_common.identifiers import new_id
from dynabench_common.ignored_keys import note_ignored_keys
from dynabench_events import EventRecord, Recorded
from dynabench_events.task import (
    RoundCreated,
    RoundStateChanged,
    RoundTargetsChanged,
    SegmentStarted,
    TaskCreated,
)
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.rounds import RoundState
from sqlalchemy import Column, Connection, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from leaderboard.adapters.tables import round_, segment, task_configuration
from leaderboard.domain.counting_rule import DEFAULT_RULE, CountingRule, counting_rule, missing_kind

ConfigurationKey = tuple[UUID, int]
WRITTEN = ("aggregate_version", "slug", "title", "configuration", "waits_for")


def rules(connection: Connection, keys: Iterable[ConfigurationKey]) -> dict[ConfigurationKey, CountingRule]:
    """Return the counting rule of each configuration, the default for one that is not known or understood yet."""
    wanted = sorted(set(keys))
    if not wanted:
        return {}
    columns = task_configuration.c
    statement = select(columns.task_id, columns.configuration_version, columns.configuration).where(
        tuple_(columns.task_id, columns.configuration_version).in_(wanted), columns.waits_for.is_(None)
    )
    known = {
        (row.task_id, row.configuration_version): counting_rule(row.configuration)
        for row in connection.execute(statement)
    }
    return {key: known.get(key, DEFAULT_RULE) for key in wanted}


def _said_before(_key: str) -> None:
    """Pass over a key: the log told of it when the configuration came."""


def waits_for(created: TaskCreated) -> str | None:
    """Return what keeps this version from counting by a configuration, None if nothing does.

    Raises PermanentEventError for a configuration that is none.
    """
    note = note_ignored_keys(created.task_id, created.configuration_version)
    try:
        return missing_kind(created.configuration, note)
    except ConfigurationError as err:
        raise PermanentEventError(f"configuration of task {created.task_id}: {err}") from err


def save_configuration(connection: Connection, event: Recorded[TaskCreated]) -> None:
    """Write a configuration unless what is known of the same version came with a newer event.

    Raises PermanentEventError.
    """
    created = event.record
    statement = insert(task_configuration).values(
        task_id=created.task_id,
        configuration_version=created.configuration_version,
        aggregate_version=event.version,
        slug=created.slug,
        title=created.title,
        configuration=dict(created.configuration),
        waits_for=waits_for(created),
    )
    excluded = statement.excluded
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["task_id", "configuration_version"],
            set_={name: excluded[name] for name in WRITTEN},
            where=excluded.aggregate_version > task_configuration.c.aggregate_version,
        )
    )


def understood(connection: Connection) -> list[ConfigurationKey]:
    """Return the configurations that an older version of this service could not count by, and this one can."""
    statement = select(task_configuration).where(task_configuration.c.waits_for.is_not(None))
    return sorted(
        (row.task_id, row.configuration_version)
        for row in connection.execute(statement)
        if missing_kind(row.configuration, _said_before) is None
    )


def take_up(connection: Connection, key: ConfigurationKey) -> None:
    """Count by a configuration from now on."""
    columns = task_configuration.c
    connection.execute(
        task_configuration.update()
        .where(columns.task_id == key[0], columns.configuration_version == key[1])
        .values(waits_for=None)
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


def save_round_event(connection: Connection, event: Recorded[EventRecord]) -> None:
    """Write an event of a round that `touch` has made a row for, unless a newer one of its kind is known."""
    WRITERS[type(event.record)](connection, event)


def _created(connection: Connection, event: Recorded[RoundCreated]) -> None:
    created = event.record
    values = {
        "task_id": created.task_id,
        "number": created.number,
        "title": created.title,
        "origin": created.origin,
    }
    _set(connection, event, round_.c.created_version, values)
    _set(connection, event, round_.c.targets_version, {"targets": list(created.targets)})


def _targets_changed(connection: Connection, event: Recorded[RoundTargetsChanged]) -> None:
    _set(connection, event, round_.c.targets_version, {"targets": list(event.record.targets)})


def _state_changed(connection: Connection, event: Recorded[RoundStateChanged]) -> None:
    changed = event.record
    _set(connection, event, round_.c.state_version, {"state": changed.state.value})
    if changed.state is RoundState.OPEN:
        # When the round was opened first, whichever opening comes to be known first.
        connection.execute(
            round_.update()
            .where(round_.c.round_id == changed.round_id)
            .values(opened_at=func.least(round_.c.opened_at, changed.changed_at))
        )


def _segment_started(connection: Connection, event: Recorded[SegmentStarted]) -> None:
    """Write a segment, which never changes."""
    started = event.record
    statement = insert(segment).values(
        segment_id=started.segment_id,
        round_id=started.round_id,
        aggregate_version=event.version,
        number=started.number,
        configuration_version=started.configuration_version,
        targets=[asdict(target) for target in started.targets],
        started_at=started.started_at,
    )
    connection.execute(statement.on_conflict_do_nothing(index_elements=["segment_id"]))


def _set(
    connection: Connection, event: Recorded[Any], version: Column[Any], values: Mapping[str, Any]
) -> None:
    connection.execute(
        round_.update()
        .where(round_.c.round_id == event.record.round_id, func.coalesce(version, 0) < event.version)
        .values({version.name: event.version, **values})
    )


WRITERS: Mapping[type[EventRecord], Callable[[Connection, Recorded[Any]], None]] = {
    RoundCreated: _created,
    RoundTargetsChanged: _targets_changed,
    RoundStateChanged: _state_changed,
    SegmentStarted: _segment_started,
}

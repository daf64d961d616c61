"""The parts of tasks, rounds and segments that boards need."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from dynabench_common.events.facts import Facts, Row, copied, update_facts, values_of, write_facts
from dynabench_common.identifiers import new_id
from dynabench_common.ignored_keys import missing_kind_in
from dynabench_events import EventRecord, Recorded
from dynabench_events.task import (
    RoundCreated,
    RoundStateChanged,
    RoundTargetsChanged,
    SegmentStarted,
    TaskCreated,
)
from dynabench_tasks.configuration.published import missing_kind
from dynabench_tasks.rounds import RoundState
from sqlalchemy import Connection, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from leaderboard.adapters.tables import round_, segment, task_configuration
from leaderboard.domain.counting_rule import DEFAULT_RULE, CountingRule, counting_rule

ConfigurationKey = tuple[UUID, int]
_touched = insert(round_)
TOUCH = _touched.on_conflict_do_update(
    index_elements=["round_id"],
    set_={
        "revision": _touched.excluded.revision,
        "as_of": func.greatest(round_.c.as_of, _touched.excluded.as_of),
    },
)


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


def _configured(created: TaskCreated) -> Row:
    named = values_of(created, "task_id", "configuration_version", "slug", "title", "configuration")
    return {**named, "waits_for": missing_kind_in(created)}


def _segment_started(started: SegmentStarted) -> Row:
    named = values_of(started, "segment_id", "round_id", "number", "configuration_version", "started_at")
    return {**named, "targets": [asdict(target) for target in started.targets]}


CONFIGURATIONS = Facts((TaskCreated, task_configuration.c.aggregate_version, _configured))
SEGMENTS = Facts((SegmentStarted, segment.c.aggregate_version, _segment_started))
ROUNDS = Facts(
    (RoundCreated, round_.c.created_version, copied("round_id", "task_id", "number", "title", "origin")),
    (RoundCreated, round_.c.targets_version, copied("round_id", "targets")),
    (RoundTargetsChanged, round_.c.targets_version, copied("round_id", "targets")),
    (RoundStateChanged, round_.c.state_version, copied("round_id", "state")),
)
ROUND_EVENTS = (*ROUNDS.event_types, *SEGMENTS.event_types)


def save_configuration(connection: Connection, event: Recorded[TaskCreated]) -> None:
    """Write a configuration unless a newer event of the same version is known. Raises PermanentEventError."""
    write_facts(connection, CONFIGURATIONS.newest([event]))


def understood(connection: Connection) -> list[ConfigurationKey]:
    """Return the configurations that an older version of this service could not count by, and this one can."""
    statement = select(task_configuration).where(task_configuration.c.waits_for.is_not(None))
    return sorted(
        (row.task_id, row.configuration_version)
        for row in connection.execute(statement)
        if missing_kind(row.configuration) is None
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
    if rows:
        connection.execute(TOUCH, rows)


def revise(connection: Connection, task_id: UUID) -> None:
    """Mark a task's rounds as changed by its configuration.

    Their `as_of` stays the same, so that it does not depend on the order of arrival.
    """
    connection.execute(round_.update().where(round_.c.task_id == task_id).values(revision=new_id()))


def save(connection: Connection, events: Sequence[Recorded[EventRecord]]) -> None:
    """Write events of rounds that `touch` has made rows for, and their segments, over older facts."""
    update_facts(connection, ROUNDS.newest(events))
    write_facts(connection, SEGMENTS.newest(events))
    for event in events:
        if isinstance(event.record, RoundStateChanged) and event.record.state is RoundState.OPEN:
            _note_opening(connection, event.record)


def _note_opening(connection: Connection, opened: RoundStateChanged) -> None:
    """Write the time of the earliest opening, for any order of arrival."""
    connection.execute(
        round_.update()
        .where(round_.c.round_id == opened.round_id)
        .values(opened_at=func.least(round_.c.opened_at, opened.changed_at))
    )

"""The projection of annotation's facts to the queue of examples that wait for votes.

Whether an example waits depends on its own facts and on its task's configuration, which come from different topics in
any order. So after each batch, the projection derives the affected examples anew from all stored facts. Batches with a
configuration briefly exclude the others. Otherwise two workers that write an example and its configuration at once
might each miss the other's row.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Any
from uuid import UUID

from dynabench_common.database.bulk import as_document, as_ids, insert_rows, is_among
from dynabench_common.events import outbox
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.facts import NewestFacts, write_facts
from dynabench_common.events.facts import Row as Fact
from dynabench_common.events.outbox import outbox_message
from dynabench_common.work.leader import LockKey
from dynabench_events import EventRecord, Versioned, message_types
from dynabench_events.validation import VoteCast, VotesImported
from dynabench_tasks.configuration.published import missing_kind
from sqlalchemy import Connection, Row, func, select, tuple_

from validation.adapters import tables
from validation.adapters.agreement_sums import note_changes
from validation.adapters.facts import FACTS, read_facts
from validation.adapters.imported_votes import votes_of
from validation.adapters.tables import (
    configuration_of_example,
    example,
    example_validation,
    task_configuration,
    vote,
)
from validation.adapters.validation_rows import state_columns, to_outcome, to_vote, vote_row
from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.domain.rules import ValidationRules, read_rules
from validation.domain.votes import Vote

INSERT_STATES = insert_rows(example_validation)
INSERT_VOTES = insert_rows(vote)
KNOWN = (
    select(example_validation)
    .where(is_among(example_validation.c.example_id))
    .order_by(example_validation.c.example_id)
    .with_for_update()
)
VOTES = select(vote).where(is_among(vote.c.example_id)).order_by(vote.c.version)
DECISIVE = (
    "example_id", "round_id", "author_id", "task_id", "configuration_version", "claimed", "created_at",
    "imported_votes", "fooled", "undecided", "margin", "decided_version", "decided_fooled", "retracted_version",
    "overruled_version", "targets", "source_id",
)  # fmt: skip
"""Columns of an example that its state follows from; its texts are large and change nothing."""
COMPLETE = (
    select(*(example.c[name] for name in DECISIVE))
    .join(task_configuration, configuration_of_example)
    .where(
        is_among(example.c.example_id),
        example.c.created_version.is_not(None),
        task_configuration.c.waits_for.is_(None),
    )
    .order_by(example.c.example_id)
)
"""Selects the examples whose creation is known, and a configuration that this version can follow."""
Events = Sequence[Versioned[EventRecord]]
CHUNK = 1_000
PK = "example_id"


def in_one_event(validation: ExampleValidation, imported_at: datetime) -> Events:
    """Return one event for an example's imported votes and the resolution that they decided."""
    records = [event.record for event in validation.unsaved]
    return [Versioned(validation.version, VotesImported.gathering(records, imported_at))]


class ValidationProjection:
    """Keeps the copies of annotation's facts, and the queue that follows from them."""

    accepts = message_types(FACTS.event_types)

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Write the events' facts and derive what follows. Raises PermanentEventError."""
        facts = read_facts(events)
        brings_configuration = any(kind.table is task_configuration for kind in facts)
        share_log(connection, alone=brings_configuration)
        write_facts(connection, facts)
        for example_ids in _chunks(_touched(connection, facts)):
            _derive(connection, example_ids)


def look_again(connection: Connection) -> int:
    """Apply configurations that an older version of this service could not read; return their number.

    Their examples are queued as if the configuration had just arrived.
    """
    if not _understood(connection):
        return 0
    share_log(connection, alone=True)
    ready = _understood(connection)
    if ready:
        keys = tuple_(task_configuration.c.task_id, task_configuration.c.configuration_version)
        connection.execute(task_configuration.update().where(keys.in_(ready)).values(waits_for=None))
        for example_ids in _chunks(_made_under(connection, ready)):
            _derive(connection, example_ids)
    return len(ready)


def _understood(connection: Connection) -> list[tuple[UUID, int]]:
    """Return the configurations that waited for this version of the service."""
    waiting = select(task_configuration).where(task_configuration.c.waits_for.is_not(None))
    return [
        (row.task_id, row.configuration_version)
        for row in connection.execute(waiting)
        if missing_kind(row.configuration) is None
    ]


def share_log(connection: Connection, *, alone: bool) -> None:
    """Wait until nobody reads the log in a way that excludes this transaction, and hold that until it ends."""
    lock = func.pg_advisory_xact_lock if alone else func.pg_advisory_xact_lock_shared
    connection.execute(select(lock(LockKey.VALIDATION_PROJECTION)))


def _touched(connection: Connection, facts: NewestFacts) -> list[UUID]:
    touched: set[UUID] = set()
    versions: list[tuple[UUID, int]] = []
    for kind, rows in facts.items():
        if kind.table is example:
            touched.update(row[PK] for row in rows)
        elif kind.table is task_configuration:
            versions += [(row["task_id"], row["configuration_version"]) for row in rows]
    if versions:
        touched.update(_made_under(connection, versions))
    return sorted(touched)


def _made_under(connection: Connection, versions: Sequence[tuple[UUID, int]]) -> list[UUID]:
    """Return the examples that were made under these versions of configurations."""
    of_versions = tuple_(example.c.task_id, example.c.configuration_version).in_(versions)
    return sorted(connection.execute(select(example.c.example_id).where(of_versions)).scalars())


def _chunks(example_ids: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    for start in range(0, len(example_ids), CHUNK):
        yield example_ids[start : start + CHUNK]


def _derive(connection: Connection, example_ids: Sequence[UUID]) -> None:
    """Bring the state of these examples in line with the facts; rows that are in line stay untouched."""
    known = _known(connection, example_ids)
    votes = _votes(connection, [key for key, row in known.items() if row.version > 0])
    rules = _RulesByVersion(connection)
    fresh: list[Fact] = []
    voted_on: list[tuple[ExampleValidation, datetime]] = []
    with_votes: list[tuple[UUID, UUID]] = []
    for facts in connection.execute(COMPLETE, as_ids(example_ids)):
        row = known.get(facts.example_id)
        validation = _load(facts, rules.of(facts), row, votes.get(facts.example_id, []))
        _take_in(facts, validation)
        columns = _target(facts, validation)
        if validation.unsaved:
            voted_on.append((validation, facts.created_at))
        if validation.version == 0 or validation.unsaved:
            columns = {**state_columns(validation), **columns}
        if validation.version > 0:
            with_votes.append((facts.round_id, facts.example_id))
        if row is None:
            fresh.append(columns)
        elif any(row._mapping[name] != value for name, value in columns.items()):
            _update(connection, facts.example_id, columns)
    if fresh:
        connection.execute(INSERT_STATES, as_document(fresh))
    _save_votes(connection, voted_on)
    note_changes(connection, with_votes)


def _take_in(facts: Row[Any], validation: ExampleValidation) -> None:
    """Cast an example's imported votes, if the example has no event yet.

    Each change of an example adds a version. So repeats of the event cast the votes once. A rebuild casts only the
    votes that an older version of this service passed over.
    """
    if validation.version == 0:
        validation.take_in(votes_of(facts), facts.created_at)


def _update(connection: Connection, example_id: UUID, columns: Fact) -> None:
    connection.execute(
        example_validation.update().where(example_validation.c.example_id == example_id).values(columns)
    )


def _save_votes(connection: Connection, voted_on: Sequence[tuple[ExampleValidation, datetime]]) -> None:
    """Store new votes and the resolutions they decided, all in a few statements."""
    rows = [
        vote_row(validation, cast, version)
        for validation, _ in voted_on
        for version, cast in _cast(validation)
    ]
    if rows:
        connection.execute(INSERT_VOTES, as_document(rows))
        gathered = chain.from_iterable(
            in_one_event(validation, imported_at) for validation, imported_at in voted_on
        )
        outbox.append(connection, tables.outbox, map(outbox_message, gathered))


def _cast(validation: ExampleValidation) -> Iterator[tuple[int, Vote]]:
    """Yield the votes of an example whose events are all of votes that came with it, each with its version."""
    versions = (event.version for event in validation.unsaved if isinstance(event.record, VoteCast))
    return zip(versions, validation.votes, strict=True)


class _RulesByVersion:
    """The rules of each configuration version, read once per batch."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rules: dict[tuple[UUID, int], ValidationRules] = {}

    def of(self, facts: Row[Any]) -> ValidationRules:
        key = facts.task_id, facts.configuration_version
        if key not in self._rules:
            columns = task_configuration.c
            configuration = select(columns.configuration).where(
                columns.task_id == key[0], columns.configuration_version == key[1]
            )
            self._rules[key] = read_rules(self._connection.execute(configuration).scalar_one())
        return self._rules[key]


def _known(connection: Connection, example_ids: Sequence[UUID]) -> dict[UUID, Row[Any]]:
    return {row.example_id: row for row in connection.execute(KNOWN, as_ids(example_ids))}


def _votes(connection: Connection, example_ids: Sequence[UUID]) -> dict[UUID, list[Vote]]:
    votes: dict[UUID, list[Vote]] = {}
    if example_ids:
        for row in connection.execute(VOTES, as_ids(example_ids)):
            votes.setdefault(row.example_id, []).append(to_vote(row))
    return votes


def _load(
    facts: Row[Any], rules: ValidationRules, row: Row[Any] | None, votes: list[Vote]
) -> ExampleValidation:
    """Return the example with the votes and the outcome on which its place in the queue depends."""
    return ExampleValidation(
        example_id=ExampleId(facts.example_id),
        round_id=RoundId(facts.round_id),
        author_id=PersonId(facts.author_id),
        claimed=facts.claimed,
        rules=rules,
        version=0 if row is None else row.version,
        votes=votes,
        outcome=None if row is None else to_outcome(row),
    )


def _target(facts: Row[Any], validation: ExampleValidation) -> Fact:
    selection = validation.rules.selection
    fooled, margin = _verdict(facts)
    had_target = facts.targets != [] or bool(facts.source_id)
    return {
        "example_id": facts.example_id,
        "round_id": facts.round_id,
        "author_id": facts.author_id,
        "created_at": facts.created_at,
        "wanted": validation.is_asked_anew or selection.wants(facts.example_id, fooled, margin, had_target),
        "priority": int(selection.priority(fooled, margin)),
        "retracted": facts.retracted_version is not None,
        "possible_slots": validation.possible_slots,
        "certain_slots": validation.certain_slots,
    }


def _verdict(facts: Row[Any]) -> tuple[bool, float | None]:
    """Return whether the example fooled its targets, and the margin of their answers.

    The author's decision replaces the stored verdict. Until then an undecided example has neither, since a margin
    means nothing without a verdict. A duplicate of an earlier text fools nobody, unless the owner has overruled that.
    """
    if facts.overruled_version is not None:
        return True, facts.margin
    if facts.decided_version is not None:
        return facts.decided_fooled, facts.margin
    return facts.fooled, None if facts.undecided else facts.margin

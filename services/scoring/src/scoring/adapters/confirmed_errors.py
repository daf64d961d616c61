"""Validated errors by the round's rule, kept up to date with the facts of each example.

An example is judged again after each of its events. So the rows depend on the facts alone, not on the order of events.
Batches that change the same resolved example wait for each other.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from dynabench_common.work.locks import wait_for_lock
from dynabench_events import EventRecord
from dynabench_events.example import DuplicateOverruled, ExampleCreated, ExampleRetracted, VerdictDecided
from dynabench_events.task import TaskCreated
from dynabench_events.validation import (
    ExampleAppealed,
    ExampleResolved,
    ResolutionWithdrawn,
    VoteCast,
    VotesWithdrawn,
)
from dynabench_tasks.configuration.problems import UnknownKind
from sqlalchemy import Connection, Row, and_, or_, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from scoring.adapters.fact_reader import FactReader
from scoring.adapters.tables import (
    confirmed_error,
    example,
    released_error,
    task_configuration,
    unjudged_example,
)
from scoring.domain.task_rules import TaskRules, read_rules
from scoring.domain.validated_errors import has_text, merit, validated_errors

BY_RULE = ""
"""Stands for the round's rule among the targets of `confirmed_error`."""
ENDING = (
    DuplicateOverruled,
    ExampleAppealed,
    ExampleResolved,
    ExampleRetracted,
    ResolutionWithdrawn,
    VerdictDecided,
)
"""Events after which an example may be a validated error no longer."""
CHANGING = (*ENDING, ExampleCreated, VoteCast, VotesWithdrawn)
"""Events that say something about a validated error."""
IN_ONE_STATEMENT = 10_000
MAY_BE_ERROR = and_(
    example.c.created_version.is_not(None),
    example.c.resolution.is_not(None),
    example.c.retracted_version.is_(None),
    or_(example.c.appealed_version.is_(None), example.c.appealed_version < example.c.resolution_version),
)
"""An appeal is open until a later decision."""
Version = tuple[UUID, int]
"""A task and a version of its configuration."""


class SqlConfirmedErrors:
    """The validated errors of all rounds."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def update(self, records: Sequence[EventRecord]) -> None:
        """Judge examples again whose facts these records changed, and those that waited for a configuration."""
        changed = {each.example_id for each in records if isinstance(each, CHANGING)}
        touched = changed.union(self._waiting_for(records))
        if not touched:
            return
        ended = {each.example_id for each in records if isinstance(each, ENDING)}
        found: list[Row[Any]] = list(self._connection.execute(
            select(
                example.c.example_id, example.c.task_id, example.c.round_id, example.c.configuration_version,
                example.c.resolved_at,
            )
            .where(example.c.example_id.in_(touched), MAY_BE_ERROR)
            .order_by(example.c.example_id)
            .with_for_update(key_share=True)
        ))  # fmt: skip
        self._remove({*ended, *(row.example_id for row in found)})
        if found:
            self._judge(found)

    def keep_released(self, round_id: UUID, example_ids: Sequence[UUID]) -> None:
        """Record the validated errors in the files of a released round."""
        for start in range(0, len(example_ids), IN_ONE_STATEMENT):
            rows = [
                {"example_id": each, "round_id": round_id}
                for each in example_ids[start : start + IN_ONE_STATEMENT]
            ]
            self._connection.execute(insert(released_error).on_conflict_do_nothing(), rows)

    def _waiting_for(self, records: Iterable[EventRecord]) -> Sequence[UUID]:
        """Return the resolved examples that waited for configurations among the records."""
        arrived = {
            (record.task_id, record.configuration_version)
            for record in records
            if isinstance(record, TaskCreated)
        }
        if not arrived:
            return ()
        self._serialise(task_id for task_id, _ in arrived)
        waiting = unjudged_example.c
        return (
            self._connection.execute(
                select(waiting.example_id).where(
                    tuple_(waiting.task_id, waiting.configuration_version).in_(arrived)
                )
            )
            .scalars()
            .all()
        )

    def _judge(self, rows: Sequence[Row[Any]]) -> None:
        versions = {(row.task_id, row.configuration_version) for row in rows}
        rules = self._rules(versions)
        if missing := versions - rules.keys():
            self._serialise(task_id for task_id, _ in missing)
            rules = {**rules, **self._rules(missing)}
        facts = {
            each.example_id: each for each in FactReader(self._connection).some([r.example_id for r in rows])
        }
        errors, unjudged = [], []
        for row in rows:
            version = (row.task_id, row.configuration_version)
            if version not in rules:
                unjudged.append(
                    {
                        "example_id": row.example_id,
                        "task_id": row.task_id,
                        "configuration_version": row.configuration_version,
                    }
                )
                continue
            judged = facts[row.example_id]
            found = validated_errors(judged, rules[version].configuration)
            if found.of_rule and has_text(judged):
                common = {
                    "example_id": row.example_id,
                    "round_id": row.round_id,
                    "resolved_at": row.resolved_at,
                    "merit": merit(judged, found),
                }
                errors += [{**common, "target": target} for target in (BY_RULE, *found.targets)]
        for table, several in ((confirmed_error, errors), (unjudged_example, unjudged)):
            if several:
                self._connection.execute(table.insert(), several)

    def _rules(self, versions: Collection[Version]) -> Mapping[Version, TaskRules]:
        """Return the rules of those versions that are known; of one with an unknown kind, rules without errors."""
        columns = task_configuration.c
        rows = self._connection.execute(
            select(columns.task_id, columns.configuration_version, columns.configuration).where(
                tuple_(columns.task_id, columns.configuration_version).in_(versions)
            )
        )
        return {(row.task_id, row.configuration_version): _rules_of(row.configuration) for row in rows}

    def _remove(self, example_ids: Collection[UUID]) -> None:
        if example_ids:
            for table in (confirmed_error, unjudged_example):
                self._connection.execute(table.delete().where(table.c.example_id.in_(example_ids)))

    def _serialise(self, task_ids: Iterable[UUID]) -> None:
        """Let a configuration that arrives and examples that lack it see each other."""
        for task_id in sorted(set(task_ids)):
            wait_for_lock(self._connection, "confirmed-errors", task_id)


def _rules_of(document: Mapping[str, Any]) -> TaskRules:
    try:
        return read_rules(document)
    except UnknownKind:
        return TaskRules()

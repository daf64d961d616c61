"""What validation resolved, counted on contexts for the policy `validation_failed`.

Of each example the newest resolution, or its withdrawal, counts, whatever order the events come in; a context's
count changes by what changed about its examples.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from dynabench_common.events import Event, PermanentEventError
from dynabench_events import EventRecord, message_types, recorded
from dynabench_events.validation import ExampleResolved, ResolutionWithdrawn
from dynabench_tasks.resolution import Resolution
from sqlalchemy import Connection, select
from sqlalchemy.dialects.postgresql import insert

from annotation.adapters import tables

TOPICS = ("dynabench.validation.v1",)


def _resolved(event: ExampleResolved) -> bool:
    """Tell whether nothing failed; where nothing was claimed, nothing did."""
    return event.resolution in (Resolution.CORRECT, Resolution.NO_CLAIM)


def _withdrawn(_: ResolutionWithdrawn) -> bool:
    """It waits for votes again, so nothing has failed."""
    return True


IS_CONFIRMED: Mapping[type[EventRecord], Callable[[Any], bool]] = {
    ExampleResolved: _resolved,
    ResolutionWithdrawn: _withdrawn,
}


class ResolutionProjection:
    """Keeps each context's number of examples that validation did not confirm."""

    accepts = message_types(IS_CONFIRMED)

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Take in resolutions and their withdrawals.

        Raises PermanentEventError for one that can't be read or of no example of ours.
        """
        newest: dict[UUID, tuple[int, bool]] = {}
        for event in map(recorded, events):
            state = (event.version, IS_CONFIRMED[type(event.record)](event.record))
            newest[event.aggregate_id] = max(state, newest.get(event.aggregate_id, state))
        contexts = _contexts(connection, newest)
        known = _lock(connection, contexts)
        changes: Counter[UUID] = Counter()
        for example_id, (version, is_confirmed) in newest.items():
            known_version, was_confirmed = known[example_id]
            if version > known_version:
                _write(connection, example_id, version, is_confirmed)
                changes[contexts[example_id]] += is_confirmed - was_confirmed
        for context_id in sorted(changes):
            _count(connection, context_id, changes[context_id])


def _contexts(connection: Connection, example_ids: Mapping[UUID, object]) -> dict[UUID, UUID]:
    """Return each example's context. Raises PermanentEventError."""
    example = tables.example.c
    rows = connection.execute(
        select(example.example_id, example.context_id).where(example.example_id.in_(example_ids))
    )
    contexts = {row.example_id: row.context_id for row in rows}
    for example_id in example_ids:
        if example_id not in contexts:
            raise PermanentEventError(f"example {example_id} was never created here")
    return contexts


def _lock(connection: Connection, example_ids: Mapping[UUID, object]) -> dict[UUID, tuple[int, bool]]:
    """Return version and outcome that count so far, locked against other consumers; nothing failed at first."""
    resolution = tables.example_resolution
    rows = [
        {"example_id": example_id, "version": 0, "is_confirmed": True} for example_id in sorted(example_ids)
    ]
    connection.execute(insert(resolution).on_conflict_do_nothing(), rows)
    locked = connection.execute(
        select(resolution)
        .where(resolution.c.example_id.in_(example_ids))
        .order_by(resolution.c.example_id)
        .with_for_update()
    )
    return {row.example_id: (row.version, row.is_confirmed) for row in locked}


def _write(connection: Connection, example_id: UUID, version: int, is_confirmed: bool) -> None:
    resolution = tables.example_resolution
    connection.execute(
        resolution.update()
        .where(resolution.c.example_id == example_id)
        .values(version=version, is_confirmed=is_confirmed)
    )


def _count(connection: Connection, context_id: UUID, change: int) -> None:
    """Change a context's `unvalidated`, which counts failures downwards."""
    context = tables.context
    if change:
        connection.execute(
            context.update()
            .where(context.c.context_id == context_id)
            .values(unvalidated=context.c.unvalidated + change)
        )

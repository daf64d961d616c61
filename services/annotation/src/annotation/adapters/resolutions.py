"""Validation's resolutions, counted on contexts for the policy `validation_failed`.

For each example, the newest resolution or its withdrawal counts, for any order of events. A context's count
changes by the difference that its examples make.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any
from uuid import UUID

from dynabench_common.database.bulk import as_document, as_ids, given_rows, insert_rows, is_among
from dynabench_common.events.cloud_events import Event, PermanentEventError
from dynabench_events import EventRecord, message_types, recorded_parts
from dynabench_events.validation import ExampleResolved, ResolutionWithdrawn, VotesImported
from dynabench_tasks.resolution import Resolution
from sqlalchemy import Connection, select

from annotation.adapters import tables
from annotation.adapters.tables import context, example_resolution

State = tuple[int, bool]
"""The version of an example's newest known resolution, and whether it was confirmed."""

TOPICS = ("dynabench.validation.v1",)


def _resolved(event: ExampleResolved) -> bool:
    """Return whether nothing failed; where nothing was claimed, nothing did."""
    return event.resolution in (Resolution.CORRECT, Resolution.NO_CLAIM)


def _withdrawn(_: ResolutionWithdrawn) -> bool:
    """It waits for votes again, so nothing has failed."""
    return True


IS_CONFIRMED: Mapping[type[EventRecord], Callable[[Any], bool]] = {
    ExampleResolved: _resolved,
    ResolutionWithdrawn: _withdrawn,
}


INSERT = insert_rows(example_resolution).on_conflict_do_nothing().returning(example_resolution.c.example_id)
NEWER = given_rows(example_resolution.c)
UPDATE = (
    example_resolution.update()
    .where(example_resolution.c.example_id == NEWER.c.example_id)
    .values(version=NEWER.c.version, is_confirmed=NEWER.c.is_confirmed)
)
CHANGED = given_rows((context.c.context_id, context.c.unvalidated))
COUNT = (
    context.update()
    .where(context.c.context_id == CHANGED.c.context_id)
    .values(unvalidated=context.c.unvalidated + CHANGED.c.unvalidated)
)


class ResolutionProjection:
    """Keeps each context's number of examples that validation did not confirm."""

    accepts = message_types((*IS_CONFIRMED, VotesImported))

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Take in resolutions and their withdrawals.

        Raises PermanentEventError for one that can't be read or of no example of ours.
        """
        newest: dict[UUID, State] = {}
        for event in chain.from_iterable(map(recorded_parts, events)):
            if type(event.record) in IS_CONFIRMED:
                state = (event.version, IS_CONFIRMED[type(event.record)](event.record))
                newest[event.aggregate_id] = max(state, newest.get(event.aggregate_id, state))
        contexts = _contexts(connection, newest)
        changes: Counter[UUID] = Counter()
        for example_id, change in _write(connection, newest).items():
            changes[contexts[example_id]] += change
        _count(connection, changes)


def _contexts(connection: Connection, example_ids: Mapping[UUID, object]) -> dict[UUID, UUID]:
    """Return each example's context. Raises PermanentEventError."""
    example = tables.example.c
    chosen = select(example.example_id, example.context_id).where(is_among(example.example_id))
    rows = connection.execute(chosen, as_ids(example_ids))
    contexts = {row.example_id: row.context_id for row in rows}
    for example_id in example_ids:
        if example_id not in contexts:
            raise PermanentEventError(f"example {example_id} was never created here")
    return contexts


def _write(connection: Connection, newest: Mapping[UUID, State]) -> dict[UUID, int]:
    """Store the newer states; return by how much each example's confirmation changed.

    An example without a known state counts as confirmed before.
    """
    fresh = _insert(connection, newest)
    changes = {example_id: change(before=True, now=newest[example_id][1]) for example_id in fresh}
    known = _lock(connection, newest.keys() - fresh)
    newer = {key: newest[key] for key, (version, _) in known.items() if newest[key][0] > version}
    if newer:
        connection.execute(UPDATE, as_document(_rows(newer)))
    return changes | {key: change(before=known[key][1], now=state[1]) for key, state in newer.items()}


def change(*, before: bool, now: bool) -> int:
    """Return what an example adds to `unvalidated`: -1 once it is not confirmed any more, 1 once it is again."""
    if before == now:
        return 0
    return 1 if now else -1


def _insert(connection: Connection, newest: Mapping[UUID, State]) -> set[UUID]:
    """Write the examples that nothing is known of; return them."""
    if not newest:
        return set()
    return set(connection.execute(INSERT, as_document(_rows(newest))).scalars())


def _lock(connection: Connection, example_ids: Iterable[UUID]) -> dict[UUID, State]:
    """Return the known states of examples, locked against other consumers."""
    own = example_resolution.c
    chosen = select(example_resolution).where(is_among(own.example_id))
    rows = connection.execute(chosen.order_by(own.example_id).with_for_update(), as_ids(example_ids))
    return {row.example_id: (row.version, row.is_confirmed) for row in rows}


def _rows(states: Mapping[UUID, State]) -> list[dict[str, Any]]:
    return [
        {"example_id": example_id, "version": states[example_id][0], "is_confirmed": states[example_id][1]}
        for example_id in sorted(states)
    ]


def _count(connection: Connection, changes: Mapping[UUID, int]) -> None:
    """Change each context's `unvalidated`, which counts failures downwards, in the order of their ids."""
    context = tables.context
    changed = sorted(context_id for context_id, change in changes.items() if change)
    if changed:
        held = select(context.c.context_id).where(is_among(context.c.context_id))
        held = held.order_by(context.c.context_id).with_for_update(key_share=True)
        connection.execute(held, as_ids(changed))
        rows = [{"context_id": context_id, "unvalidated": changes[context_id]} for context_id in changed]
        connection.execute(COUNT, as_document(rows))

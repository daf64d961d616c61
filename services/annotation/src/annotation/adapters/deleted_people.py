"""Removal of the assigned work of people who deleted their accounts, and withdrawal of their texts if they asked."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import cast
from uuid import UUID

from dynabench_common.clock import Clock
from dynabench_common.events import outbox
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.outbox import OutboxMessage
from dynabench_events import message_types, recorded
from dynabench_events.person import PersonDeleted
from dynabench_tasks.rounds import RoundState
from sqlalchemy import Connection, select

from annotation.adapters import tables
from annotation.adapters.context_repository import SqlContexts
from annotation.adapters.example_repository import SqlExamples
from annotation.adapters.task_repository import SqlRounds
from annotation.adapters.work_orders import SqlWorkOrders
from annotation.domain.identifiers import ExampleId, PersonId

PEOPLE_TOPICS = ("dynabench.person.v1",)


class DeletedPeopleProjection:
    """Removes a deleted person's assigned work, and retracts their examples as the author could have done.

    Examples of released rounds stay.
    """

    accepts = message_types((PersonDeleted,))

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Retract the examples. Raises PermanentEventError."""
        for deleted in (cast("PersonDeleted", each.record) for each in map(recorded, events)):
            orders = SqlWorkOrders(connection, _recorder(connection))
            orders.remove_all_of(PersonId(deleted.person_id), self._clock.now())
            if deleted.withdraws_texts:
                self._retract_all(connection, deleted.person_id)

    def _retract_all(self, connection: Connection, person_id: UUID) -> None:
        record = _recorder(connection)
        example, round_ = tables.example.c, tables.round_.c
        own = (
            select(example.example_id)
            .join(tables.round_, round_.round_id == example.round_id)
            .where(
                example.author_id == person_id,
                example.retracted_at.is_(None),
                round_.state != RoundState.RELEASED.value,
            )
            .order_by(example.example_id)
        )
        examples, rounds = SqlExamples(connection, record), SqlRounds(connection, record)
        contexts = SqlContexts(connection, record)
        for example_id in connection.scalars(own).all():
            found = examples.lock(ExampleId(example_id))
            state, task = rounds.get_for_share(found.attempt.round_id)
            if state.state is RoundState.RELEASED:
                continue
            fooled = found.counts_as_fooling
            found.retract(task.configuration.ensemble, self._clock.now())
            if fooled and not found.counts_as_fooling:
                contexts.count_fooling(found.attempt.context_id, -1)
            examples.save(found)


def _recorder(connection: Connection) -> Callable[[Iterable[OutboxMessage]], None]:
    """Return what writes events in the transaction of the connection."""
    return partial(outbox.append, connection, tables.outbox)

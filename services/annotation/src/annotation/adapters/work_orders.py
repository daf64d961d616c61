"""Work orders in PostgreSQL."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from dynabench_common.events.outbox import OutboxMessage, outbox_message
from dynabench_events import Versioned
from dynabench_events.task import ChecksAssigned, ChecksEnded
from dynabench_tasks.configuration.onboarding import Activity
from sqlalchemy import Column, ColumnElement, Connection, Row, select
from sqlalchemy.dialects.postgresql import insert

from annotation.adapters.tables import context, example, is_open_order, work_order
from annotation.domain.errors import NotFound
from annotation.domain.identifiers import ContextId, ExampleId, OrderId, PersonId, RoundId
from annotation.domain.work_order import Instruction, Worker, WorkOrder

AnyId = TypeVar("AnyId", ContextId, ExampleId)


class SqlWorkOrders:
    """Stored work orders."""

    def __init__(self, connection: Connection, record: Callable[[Iterable[OutboxMessage]], None]) -> None:
        self._connection = connection
        self._record = record

    def add_all(self, orders: Sequence[WorkOrder]) -> set[PersonId]:
        """Store the orders of people without an open one, and return these people."""
        statement = insert(work_order).values([_row(each) for each in orders]).on_conflict_do_nothing()
        rows = self._connection.execute(statement.returning(work_order.c.person_id))
        stored = set(map(PersonId, rows.scalars()))
        chosen = [each for each in orders if each.instruction.example_ids]
        self._record(_checks_assigned(each) for each in chosen if each.worker.person_id in stored)
        return stored

    def lock(self, order_id: OrderId) -> WorkOrder:
        """Return the order, locked. Raises NotFound."""
        statement = select(work_order).where(work_order.c.order_id == order_id).with_for_update()
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise NotFound("assignment", "order_id")
        return _order(row)

    def end(self, order: WorkOrder, at: datetime) -> None:
        """End the order."""
        ended = work_order.update().where(work_order.c.order_id == order.order_id).values(ended_at=at)
        self._connection.execute(ended)
        self._record(_checks_ended(order, at))

    def remove_all_of(self, person_id: PersonId, at: datetime) -> None:
        """Remove the orders of a person."""
        own = work_order.delete().where(work_order.c.person_id == person_id).returning(work_order)
        for row in self._connection.execute(own).all():
            if row.ended_at is None:
                self._record(_checks_ended(_order(row), at))

    def contexts_for(self, round_id: RoundId, person_id: PersonId) -> Sequence[ContextId]:
        """Return the contexts of the person's open order of tries in the round."""
        statement = select(work_order.c.context_ids).where(
            work_order.c.person_id == person_id,
            work_order.c.round_id == round_id,
            work_order.c.activity == Activity.CREATE.value,
            is_open_order,
        )
        return self._connection.execute(statement).scalar_one_or_none() or ()

    def usable_contexts(self, round_id: RoundId, context_ids: Sequence[ContextId]) -> tuple[ContextId, ...]:
        """Return those of the contexts that are in the round and in use, in their order."""
        in_use = context.c.round_id == round_id, ~context.c.is_withdrawn
        return self._among(context.c.context_id, context_ids, *in_use)

    def usable_examples(self, round_id: RoundId, example_ids: Sequence[ExampleId]) -> tuple[ExampleId, ...]:
        """Return those of the examples that are in the round and not retracted, in their order."""
        kept = example.c.round_id == round_id, example.c.retracted_at.is_(None)
        return self._among(example.c.example_id, example_ids, *kept)

    def _among(
        self, column: Column[UUID], ids: Sequence[AnyId], *conditions: ColumnElement[bool]
    ) -> tuple[AnyId, ...]:
        found = set(self._connection.execute(select(column).where(column.in_(ids), *conditions)).scalars())
        return tuple(each for each in dict.fromkeys(ids) if each in found)


def _checks_assigned(order: WorkOrder) -> OutboxMessage:
    instruction = order.instruction
    assigned = ChecksAssigned(
        order_id=order.order_id,
        round_id=order.round_id,
        person_id=order.worker.person_id,
        example_ids=instruction.example_ids,
        units=instruction.units,
        assigned_at=order.assigned_at,
    )
    return outbox_message(Versioned(1, assigned))


def _checks_ended(order: WorkOrder, at: datetime) -> list[OutboxMessage]:
    if not order.instruction.example_ids:
        return []
    return [outbox_message(Versioned(2, ChecksEnded(order_id=order.order_id, ended_at=at)))]


def _row(order: WorkOrder) -> dict[str, Any]:
    fields = {name: value for name, value in vars(order).items() if name not in ("worker", "instruction")}
    return {**fields, **vars(order.worker), **vars(order.instruction)}


def _order(row: Row[Any]) -> WorkOrder:
    return WorkOrder(
        OrderId(row.order_id),
        RoundId(row.round_id),
        Worker(PersonId(row.person_id), row.name),
        Instruction(
            Activity(row.activity),
            row.topic,
            tuple(map(ContextId, row.context_ids)),
            row.units,
            row.due_on,
            tuple(map(ExampleId, row.example_ids)),
        ),
        row.assigned_at,
        row.ended_at,
    )

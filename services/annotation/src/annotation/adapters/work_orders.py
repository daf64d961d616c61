"""Work orders in PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from dynabench_tasks.configuration.onboarding import Activity
from sqlalchemy import Connection, Row, func, select
from sqlalchemy.dialects.postgresql import insert

from annotation.adapters.tables import context, is_open_order, work_order
from annotation.domain.errors import NotFound
from annotation.domain.identifiers import ContextId, OrderId, PersonId, RoundId
from annotation.domain.work_order import Instruction, Worker, WorkOrder


class SqlWorkOrders:
    """Stored work orders."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add_all(self, orders: Sequence[WorkOrder]) -> set[PersonId]:
        """Store the orders of people without an open one, and return these people."""
        statement = insert(work_order).values([_row(each) for each in orders]).on_conflict_do_nothing()
        stored = self._connection.execute(statement.returning(work_order.c.person_id))
        return set(map(PersonId, stored.scalars()))

    def lock(self, order_id: OrderId) -> WorkOrder:
        """Return the order, locked. Raises NotFound."""
        statement = select(work_order).where(work_order.c.order_id == order_id).with_for_update()
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise NotFound("assignment", "order_id")
        return _order(row)

    def end(self, order_id: OrderId, at: datetime) -> None:
        """End the order."""
        ended = work_order.update().where(work_order.c.order_id == order_id).values(ended_at=at)
        self._connection.execute(ended)

    def contexts_for(self, round_id: RoundId, person_id: PersonId) -> Sequence[ContextId]:
        """Return the contexts of the person's open order of tries in the round."""
        statement = select(work_order.c.context_ids).where(
            work_order.c.person_id == person_id,
            work_order.c.round_id == round_id,
            work_order.c.activity == Activity.CREATE.value,
            is_open_order,
        )
        return self._connection.execute(statement).scalar_one_or_none() or ()

    def count_contexts(self, round_id: RoundId, context_ids: Sequence[ContextId]) -> int:
        """Count those of the contexts that are in the round and in use."""
        usable = select(func.count()).where(
            context.c.context_id.in_(context_ids), context.c.round_id == round_id, ~context.c.is_withdrawn
        )
        return self._connection.execute(usable).scalar_one()


def _row(order: WorkOrder) -> dict[str, Any]:
    instruction = vars(order.instruction)
    fields = {name: value for name, value in vars(order).items() if name not in ("worker", "instruction")}
    return {**fields, **vars(order.worker), **instruction, "context_ids": list(instruction["context_ids"])}


def _order(row: Row[Any]) -> WorkOrder:
    return WorkOrder(
        OrderId(row.order_id),
        RoundId(row.round_id),
        Worker(PersonId(row.person_id), row.name),
        Instruction(Activity(row.activity), row.topic, tuple(row.context_ids), row.units, row.due_on),
        row.assigned_at,
        row.ended_at,
    )

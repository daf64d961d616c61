"""Open work orders with their progress, counted from the tries themselves. Validation counts votes."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.onboarding import Activity
from sqlalchemy import Engine, Row, Select, and_, bindparam, case, func, or_, select

from annotation.adapters.tables import context, example, is_open_order, round_, task, work_order
from annotation.domain.errors import NotFound
from annotation.queries import read_rows

MOST_OWN = 100


def _orders() -> Select[Any]:
    chosen = func.cardinality(work_order.c.context_ids)
    withdrawn = select(func.count()).where(
        context.c.context_id == func.any(work_order.c.context_ids), context.c.is_withdrawn
    )
    tries = select(func.count()).where(
        example.c.round_id == work_order.c.round_id,
        example.c.author_id == work_order.c.person_id,
        example.c.created_at >= work_order.c.assigned_at,
        example.c.retracted_at.is_(None),
        or_(chosen == 0, example.c.context_id == func.any(work_order.c.context_ids)),
    )
    is_writing = work_order.c.activity == Activity.CREATE.value
    columns = (each for each in work_order.c if each.name not in ("context_ids", "example_ids", "ended_at"))
    return (
        select(
            *columns,
            task.c.slug.label("task_slug"),
            chosen.label("contexts"),
            func.cardinality(work_order.c.example_ids).label("examples"),
            withdrawn.scalar_subquery().label("withdrawn_contexts"),
            case((is_writing, tries.scalar_subquery())).label("done"),
        )
        .select_from(work_order)
        .join(round_, round_.c.round_id == work_order.c.round_id)
        .join(task, task.c.task_id == round_.c.task_id)
    )


NEWEST_FIRST = work_order.c.order_id.desc()
ORDERS = _orders()
OWN_ORDERS = (
    ORDERS.where(
        work_order.c.person_id == bindparam("person_id"),
        is_open_order,
        task.c.slug.not_in(bindparam("hidden", expanding=True)),
    )
    .order_by(work_order.c.due_on, work_order.c.order_id)
    .limit(MOST_OWN)
)


def task_of_order(engine: Engine, order_id: UUID) -> str:
    """Return the slug of an order's task. Raises NotFound."""
    found = read_rows(engine, ORDERS.where(work_order.c.order_id == order_id))
    if not found:
        raise NotFound("assignment", "order_id")
    return str(found[0].task_slug)


def orders_of_task(engine: Engine, slug: str, limit: int, before: UUID | None) -> Sequence[Row[Any]]:
    """Return the open orders of a task, newest first."""
    wanted = and_(task.c.slug == slug, is_open_order)
    if before is not None:
        wanted = and_(wanted, work_order.c.order_id < before)
    return read_rows(engine, ORDERS.where(wanted).order_by(NEWEST_FIRST).limit(limit))


def orders_of_person(engine: Engine, person_id: UUID, hidden: frozenset[str]) -> Sequence[Row[Any]]:
    """Return a person's open orders, those due first before others, without those of `hidden` tasks."""
    return read_rows(engine, OWN_ORDERS, {"person_id": person_id, "hidden": list(hidden)})

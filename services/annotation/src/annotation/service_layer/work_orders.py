"""Commands of owners on assigned work: assign, withdraw, reassign."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from dynabench_common.events.audit import Action
from dynabench_tasks.fields import InputRefused

from annotation.adapters.unit_of_work import UnitOfWork
from annotation.domain.identifiers import OrderId, PersonId, RoundId
from annotation.domain.work_order import Instruction, WorkAssignedBefore, WorkEnded, Worker, WorkOrder
from annotation.service_layer.dependencies import Dependencies


@dataclass(frozen=True)
class AssignWork:
    """Assign the same work to each of these people."""

    round_id: RoundId
    assigned_by: PersonId
    workers: Sequence[Worker]
    instruction: Instruction


@dataclass(frozen=True)
class ReassignWork:
    """Give the rest of an order to a person, due on a day."""

    order_id: OrderId
    assigned_by: PersonId
    worker: Worker
    units: int
    due_on: date


def assign_work(command: AssignWork, app: Dependencies) -> None:
    """Store an order for each person, or none.

    Raises NotFound, RoundImmutable, InputRefused, WorkAssignedBefore.
    """
    with app.unit_of_work() as uow:
        _assign(command, app, uow)
        uow.commit()


def withdraw_work(order_id: OrderId, withdrawn_by: PersonId, app: Dependencies) -> None:
    """End an order; ending it again changes nothing. Raises NotFound."""
    with app.unit_of_work() as uow:
        order = uow.work_orders.lock(order_id)
        if order.ended_at is None:
            _end(order, withdrawn_by, app.clock.now(), uow)
        uow.commit()


def reassign_work(command: ReassignWork, app: Dependencies) -> None:
    """End an order and assign its rest to another person, or to the same person with another day.

    Raises NotFound, WorkEnded, RoundImmutable, InputRefused, WorkAssignedBefore.
    """
    with app.unit_of_work() as uow:
        order = uow.work_orders.lock(command.order_id)
        if order.ended_at is not None:
            raise WorkEnded
        _end(order, command.assigned_by, app.clock.now(), uow)
        left = _what_is_left(order, command, uow)
        _assign(AssignWork(order.round_id, command.assigned_by, [command.worker], left), app, uow)
        uow.commit()


def _what_is_left(order: WorkOrder, command: ReassignWork, uow: UnitOfWork) -> Instruction:
    """Return the work without texts that were withdrawn or retracted since. Raises WorkEnded if none is left."""
    before, store = order.instruction, uow.work_orders
    contexts = store.usable_contexts(order.round_id, before.context_ids)
    examples = store.usable_examples(order.round_id, before.example_ids)
    if (before.context_ids and not contexts) or (before.example_ids and not examples):
        raise WorkEnded
    units = min(command.units, len(examples)) if examples else command.units
    return Instruction(before.activity, before.topic, contexts, units, command.due_on, examples)


def _assign(command: AssignWork, app: Dependencies, uow: UnitOfWork) -> None:
    round_, _ = uow.rounds.get_for_share(command.round_id)
    instruction, now = command.instruction, app.clock.now()
    round_.ensure_takes_orders(instruction.activity)
    instruction.ensure_due(now)
    instruction.ensure_consistent()
    chosen, examples = set(instruction.context_ids), set(instruction.example_ids)
    if set(uow.work_orders.usable_contexts(command.round_id, instruction.context_ids)) != chosen:
        remedy = "Choose among the texts that are in use in this round."
        raise InputRefused("context_ids", "names a text that is withdrawn or not in this round", remedy)
    if set(uow.work_orders.usable_examples(command.round_id, instruction.example_ids)) != examples:
        remedy = "Choose among the examples of this round."
        raise InputRefused("example_ids", "names an example that is retracted or not in this round", remedy)
    orders = [
        WorkOrder(OrderId(app.make_id()), command.round_id, worker, instruction, now)
        for worker in {each.person_id: each for each in command.workers}.values()
    ]
    stored = uow.work_orders.add_all(orders)
    busy = [worker.name for worker in command.workers if worker.person_id not in stored]
    if busy:
        raise WorkAssignedBefore(busy)
    for order in orders:
        _audit("work.assigned", order, command.assigned_by, now, uow)


def _end(order: WorkOrder, by: PersonId, now: datetime, uow: UnitOfWork) -> None:
    uow.work_orders.end(order, now)
    _audit("work.withdrawn", order, by, now, uow)


def _audit(action: str, order: WorkOrder, by: PersonId, now: datetime, uow: UnitOfWork) -> None:
    """Write the entry, from which accounts also notifies the person."""
    _, task = uow.rounds.get(order.round_id)
    instruction = order.instruction
    entry = Action(
        action,
        by,
        "person",
        order.worker.person_id,
        task.slug,
        order.round_id,
        details={"activity": instruction.activity.value, "units": str(instruction.units)},
    )
    uow.audit(entry, now)

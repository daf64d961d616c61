"""Known items: add an attention check, make items of resolved examples, retire one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_common.identifiers import new_id

from validation.domain.attention_checks import read_attention_check
from validation.domain.gold import POOL_SIZE, GoldItem, GoldKind, Retirement, fill_pool
from validation.domain.identifiers import GoldId, PersonId, RoundId
from validation.service_layer.dependencies import Dependencies


@dataclass(frozen=True)
class AddAttentionCheck:
    """An owner adds a text with an answer that is obvious to any reader."""

    task_slug: str
    owner_id: PersonId
    context: Mapping[str, Any]
    inputs: Mapping[str, Any]
    answer: object


def add_attention_check(command: AddAttentionCheck, app: Dependencies) -> GoldItem:
    """Store the item. Raises TaskUnknown or InputRefused."""
    with app.unit_of_work() as uow:
        task = uow.tasks.named(command.task_slug)
        item = GoldItem(
            gold_id=GoldId(new_id()),
            task_id=task.task_id,
            kind=GoldKind.ATTENTION,
            author_id=command.owner_id,
            configuration_version=task.configuration_version,
            content=read_attention_check(task.configuration, command.context, command.inputs, command.answer),
            added_at=app.clock.now(),
        )
        uow.gold_items.add([item])
        uow.commit()
        return item


@dataclass(frozen=True)
class Refreshed:
    """Counts of items `added` and `retired`, and of items made of examples that are in use now."""

    added: int
    retired: int
    in_use: int


def refresh_gold(round_id: RoundId, app: Dependencies) -> Refreshed:
    """Fill the pool of the round's task from examples resolved beyond doubt. Raises RoundUnknown."""
    with app.unit_of_work() as uow:
        task, now = uow.tasks.of_round(round_id), app.clock.now()
        pool = uow.gold_items.lock_pool(task.task_id)
        overtaken = uow.gold_items.overtaken(task.task_id)
        retired = [item for item in pool if item.gold_id in overtaken]
        for item in retired:
            item.retire(Retirement.DECIDED_ANEW, now)
            uow.gold_items.save(item)
        held = [item.right_answer for item in pool if item.gold_id not in overtaken]
        candidates = [(item.right_answer, item) for item in uow.gold_items.candidates(task, round_id, now)]
        chosen = fill_pool(held, candidates, POOL_SIZE - len(held))
        uow.gold_items.add(chosen)
        uow.commit()
        return Refreshed(added=len(chosen), retired=len(retired), in_use=len(held) + len(chosen))


def retire_gold(gold_id: GoldId, app: Dependencies) -> GoldItem:
    """Show the item to nobody any more and forget what people answered on it. Raises GoldUnknown."""
    with app.unit_of_work() as uow:
        item = uow.gold_items.lock(gold_id)
        item.retire(Retirement.WITHDRAWN, app.clock.now())
        uow.gold_items.save(item)
        uow.commit()
        return item

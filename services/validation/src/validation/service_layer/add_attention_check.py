"""Add an item that a task's owner wrote."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_common.clock import Clock
from dynabench_common.identifiers import new_id

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.attention_checks import read_attention_check
from validation.domain.gold import GoldItem, GoldKind
from validation.domain.identifiers import GoldId, PersonId


@dataclass(frozen=True)
class AddAttentionCheck:
    """An owner gives a text whose answer nobody who reads it can miss."""

    task_slug: str
    owner_id: PersonId
    context: Mapping[str, Any]
    inputs: Mapping[str, Any]
    answer: object


def add_attention_check(command: AddAttentionCheck, make_uow: MakeUnitOfWork, clock: Clock) -> GoldItem:
    """Store the item. Raises TaskUnknown or InputRefused."""
    with make_uow() as uow:
        task = uow.tasks.named(command.task_slug)
        item = GoldItem(
            gold_id=GoldId(new_id()),
            task_id=task.task_id,
            kind=GoldKind.ATTENTION,
            author_id=command.owner_id,
            configuration_version=task.configuration_version,
            content=read_attention_check(task.configuration, command.context, command.inputs, command.answer),
            added_at=clock.now(),
        )
        uow.gold_items.add([item])
        uow.commit()
        return item

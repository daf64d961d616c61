"""Take a known item out of use."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.gold import GoldItem, Retirement
from validation.domain.identifiers import GoldId


@dataclass(frozen=True)
class RetireGold:
    """An owner finds that an item should measure nobody."""

    gold_id: GoldId


def retire_gold(command: RetireGold, make_uow: MakeUnitOfWork, clock: Clock) -> GoldItem:
    """Show the item to nobody any more and forget what people answered on it. Raises GoldUnknown."""
    with make_uow() as uow:
        item = uow.gold_items.lock(command.gold_id)
        item.retire(Retirement.WITHDRAWN, clock.now())
        uow.gold_items.save(item)
        uow.commit()
        return item

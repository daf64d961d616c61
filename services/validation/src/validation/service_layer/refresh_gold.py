"""Make known items of a round's resolved examples, and retire those whose example's resolution has changed."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.gold import POOL_SIZE, Retirement, fill_pool
from validation.domain.identifiers import RoundId


@dataclass(frozen=True)
class Refreshed:
    """Counts of items `added` and `retired`, and of items made of examples that are in use now."""

    added: int
    retired: int
    in_use: int


def refresh_gold(round_id: RoundId, make_uow: MakeUnitOfWork, clock: Clock) -> Refreshed:
    """Fill the pool of the round's task from examples resolved beyond doubt. Raises RoundUnknown."""
    with make_uow() as uow:
        task, now = uow.tasks.of_round(round_id), clock.now()
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

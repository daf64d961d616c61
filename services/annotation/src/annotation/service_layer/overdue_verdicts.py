"""Verdicts that authors were asked for and did not give in time."""

from collections.abc import Callable

from dynabench_common.clock import Clock

from annotation.adapters.unit_of_work import UnitOfWork
from annotation.domain.example import TIME_TO_DECIDE

AT_ONCE = 100


def decide_overdue(unit_of_work: Callable[[], UnitOfWork], clock: Clock) -> int:
    """Decide the oldest tries whose authors stayed silent for a day, retracted ones too; return how many they were."""
    now = clock.now()
    with unit_of_work() as uow:
        overdue = uow.examples.lock_overdue(now - TIME_TO_DECIDE, AT_ONCE)
        for example in overdue:
            _, task = uow.rounds.get(example.attempt.round_id)
            example.decide_by_silence(task.configuration.ensemble, now)
            uow.examples.save(example)
        uow.commit()
    return len(overdue)

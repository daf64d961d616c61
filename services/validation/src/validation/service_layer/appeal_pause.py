"""Ask the owner to end one's pause."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.identifiers import PersonId, RoundId
from validation.domain.validators import Validator


@dataclass(frozen=True)
class AppealPause:
    """A paused person says why they should go on."""

    round_id: RoundId
    person_id: PersonId
    reason: str


def appeal_pause(command: AppealPause, make_uow: MakeUnitOfWork, clock: Clock) -> Validator:
    """Store the appeal, one for each pause.

    Raises RoundUnknown, ValidatorUnknown, NotPaused or AlreadyAppealedPause.
    """
    with make_uow() as uow:
        task = uow.tasks.of_round(command.round_id)
        validator = uow.validators.lock(task.task_id, command.person_id)
        appealing = validator.appeal(command.reason, clock.now())
        uow.validators.save(appealing)
        uow.commit()
        return appealing

"""Pause a validator, confirm a pause, or reinstate them, as the owner decides."""

from dataclasses import dataclass

from dynabench_common.audit import Action, action_taken
from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.identifiers import PersonId
from validation.domain.validators import Validator


@dataclass(frozen=True)
class DecideValidator:
    """An owner lets a person validate in the task, or not, and says why."""

    task_slug: str
    person_id: PersonId
    is_paused: bool
    reason: str
    owner_id: PersonId

    def action(self) -> Action:
        """Return the entry of the audit log."""
        return Action(
            action="validator.paused" if self.is_paused else "validator.reinstated",
            actor_id=self.owner_id,
            object_kind="person",
            object_id=self.person_id,
            task_slug=self.task_slug,
            reason=self.reason,
        )


def decide_validator(command: DecideValidator, make_uow: MakeUnitOfWork, clock: Clock) -> Validator:
    """Store the decision, which answers an appeal. Raises TaskUnknown or ValidatorUnknown."""
    with make_uow() as uow:
        task = uow.tasks.named(command.task_slug)
        validator = uow.validators.lock(task.task_id, command.person_id)
        now = clock.now()
        decided = validator.decide(is_paused=command.is_paused, reason=command.reason, now=now)
        uow.validators.save(decided)
        uow.record([action_taken(command.action(), now)])
        uow.commit()
        return decided

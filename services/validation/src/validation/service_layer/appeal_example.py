"""Let an author appeal against an example's outcome."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.identifiers import ExampleId, PersonId
from validation.domain.outcomes import Appeal
from validation.service_layer.admission import ensure_not_released
from validation.service_layer.audit_entries import entry_on_example, standing


@dataclass(frozen=True)
class AppealExample:
    """The author asks the task's owner to look at a resolution."""

    example_id: ExampleId
    author_id: PersonId
    reason: str


def appeal_example(command: AppealExample, make_uow: MakeUnitOfWork, clock: Clock) -> Appeal:
    """Put the example before the owner.

    Raises the errors of `ExampleValidation.appeal`, ExampleUnknown, RoundUnknown and RoundReleased.
    """
    with make_uow() as uow:
        validation = uow.validations.lock(command.example_id)
        now = clock.now()
        appeal = validation.appeal(command.reason, command.author_id, now)
        ensure_not_released(uow.rounds, validation.round_id)
        action, stands = "example.appealed", standing(validation)
        uow.record([entry_on_example(action, command.author_id, validation, stands, now, command.reason)])
        uow.validations.save(validation)
        uow.commit()
        return appeal

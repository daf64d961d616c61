"""Let the task's owner decide an example, and take that back."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork
from validation.domain.ballots import Ballot
from validation.domain.identifiers import ExampleId, PersonId
from validation.service_layer.admission import ensure_not_released
from validation.service_layer.audit_entries import entry_on_example, standing


@dataclass(frozen=True)
class AdjudicateExample:
    """An owner answers in the place of all voters, and says why."""

    example_id: ExampleId
    owner_id: PersonId
    ballot: Ballot
    reason: str


@dataclass(frozen=True)
class ReverseAdjudication:
    """An owner takes a decision back."""

    example_id: ExampleId
    owner_id: PersonId


def adjudicate_example(command: AdjudicateExample, make_uow: MakeUnitOfWork, clock: Clock) -> None:
    """Resolve the example by the owner's answer; the same decision again changes nothing.

    Raises the errors of `ExampleValidation.adjudicate`, ExampleUnknown, RoundUnknown and RoundReleased.
    """
    with make_uow() as uow:
        validation = uow.validations.lock(command.example_id)
        ensure_not_released(uow.rounds, validation.round_id)
        now, before = clock.now(), standing(validation)
        if validation.adjudicate(command.ballot, command.reason, command.owner_id, now):
            action, owner_id = "example.adjudicated", command.owner_id
            uow.record([entry_on_example(action, owner_id, validation, before, now, command.reason)])
            uow.validations.save(validation)
        uow.commit()


def reverse_adjudication(command: ReverseAdjudication, make_uow: MakeUnitOfWork, clock: Clock) -> None:
    """Let the votes decide again.

    Raises the errors of `ExampleValidation.reverse_adjudication`, ExampleUnknown, RoundUnknown and RoundReleased.
    """
    with make_uow() as uow:
        validation = uow.validations.lock(command.example_id)
        ensure_not_released(uow.rounds, validation.round_id)
        now, before = clock.now(), standing(validation)
        validation.reverse_adjudication(command.owner_id, now)
        action = "example.adjudication_reversed"
        uow.record([entry_on_example(action, command.owner_id, validation, before, now)])
        uow.validations.save(validation)
        uow.commit()

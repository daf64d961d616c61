"""Decisions of a task's owner about examples, and appeals of their authors."""

from dataclasses import dataclass
from datetime import datetime

from dynabench_common.events.audit import Action, action_taken
from dynabench_common.events.outbox import OutboxMessage

from validation.adapters.unit_of_work import UnitOfWork
from validation.domain.ballots import Ballot
from validation.domain.errors import ExampleNotInRound, ExampleUnknown, OwnDecision
from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.domain.outcomes import Appeal
from validation.service_layer.admission import ensure_not_released
from validation.service_layer.dependencies import Dependencies


def _standing(validation: ExampleValidation) -> str:
    """Return how the example stands, as entries name it."""
    return validation.outcome.resolution.value if validation.outcome else "waiting"


def _entry(
    action: str,
    actor_id: PersonId,
    validation: ExampleValidation,
    before: str,
    taken_at: datetime,
    reason: str = "",
) -> OutboxMessage:
    """Return the entry that somebody changed what becomes of an example; `before` is how it stood before."""
    entry = Action(
        action=action,
        actor_id=actor_id,
        object_kind="example",
        object_id=validation.example_id,
        task_slug=validation.task_slug,
        round_id=validation.round_id,
        reason=reason,
        details={"before": before, "after": _standing(validation)},
    )
    return action_taken(entry, taken_at)


@dataclass(frozen=True)
class AdjudicateExample:
    """An owner answers in place of all voters, with a reason."""

    example_id: ExampleId
    owner_id: PersonId
    ballot: Ballot
    reason: str


def adjudicate_example(command: AdjudicateExample, app: Dependencies) -> None:
    """Resolve the example by the owner's answer; the same decision again changes nothing.

    Raises the errors of `ExampleValidation.adjudicate`, ExampleUnknown, RoundUnknown and RoundReleased.
    """
    with app.unit_of_work() as uow:
        validation = uow.validations.lock(command.example_id)
        ensure_not_released(uow.rounds, validation.round_id)
        now, before = app.clock.now(), _standing(validation)
        if validation.adjudicate(command.ballot, command.reason, command.owner_id, now):
            action, owner_id = "example.adjudicated", command.owner_id
            uow.record([_entry(action, owner_id, validation, before, now, command.reason)])
            uow.validations.save(validation)
        uow.commit()


def reverse_adjudication(example_id: ExampleId, owner_id: PersonId, app: Dependencies) -> None:
    """Let the votes decide again.

    Raises the errors of `ExampleValidation.reverse_adjudication`, ExampleUnknown, RoundUnknown and RoundReleased.
    """
    with app.unit_of_work() as uow:
        validation = uow.validations.lock(example_id)
        ensure_not_released(uow.rounds, validation.round_id)
        now, before = app.clock.now(), _standing(validation)
        validation.reverse_adjudication(owner_id, now)
        action = "example.adjudication_reversed"
        uow.record([_entry(action, owner_id, validation, before, now)])
        uow.validations.save(validation)
        uow.commit()


@dataclass(frozen=True)
class AppealExample:
    """The author asks the task's owner to look at a resolution."""

    example_id: ExampleId
    author_id: PersonId
    reason: str


def appeal_example(command: AppealExample, app: Dependencies) -> Appeal:
    """Put the example before the owner.

    Raises the errors of `ExampleValidation.appeal`, ExampleUnknown, RoundUnknown and RoundReleased.
    """
    with app.unit_of_work() as uow:
        validation = uow.validations.lock(command.example_id)
        now = app.clock.now()
        appeal = validation.appeal(command.reason, command.author_id, now)
        ensure_not_released(uow.rounds, validation.round_id)
        action, stands = "example.appealed", _standing(validation)
        uow.record([_entry(action, command.author_id, validation, stands, now, command.reason)])
        uow.validations.save(validation)
        uow.commit()
        return appeal


@dataclass(frozen=True)
class RequeueExamples:
    """An owner sets the votes on some examples aside, with a reason."""

    round_id: RoundId
    owner_id: PersonId
    example_ids: frozenset[ExampleId]
    reason: str


def requeue_examples(command: RequeueExamples, app: Dependencies) -> int:
    """Let all of the examples wait again, or none; return how many of them did not wait for their first vote already.

    Locks are taken in the order of ids, so that two owners never wait for each other in a circle. Raises
    ExampleNotInRound, OwnDecision, RoundUnknown or RoundReleased.
    """
    with app.unit_of_work() as uow:
        ensure_not_released(uow.rounds, command.round_id)
        now = app.clock.now()
        requeued = 0
        for example_id in sorted(command.example_ids):
            validation = _lock(uow, example_id, command.round_id)
            if validation.author_id == command.owner_id:
                raise OwnDecision(example_id)
            before = _standing(validation)
            if validation.requeue(command.reason, now):
                requeued += 1
                action, owner_id = "example.requeued", command.owner_id
                uow.record([_entry(action, owner_id, validation, before, now, command.reason)])
                uow.validations.save(validation)
        uow.commit()
        return requeued


def _lock(uow: UnitOfWork, example_id: ExampleId, round_id: RoundId) -> ExampleValidation:
    try:
        validation = uow.validations.lock(example_id)
    except ExampleUnknown as err:
        raise ExampleNotInRound(example_id) from err
    if validation.round_id != round_id:
        raise ExampleNotInRound(example_id)
    return validation

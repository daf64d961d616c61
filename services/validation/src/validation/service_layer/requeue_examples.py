"""Put examples of a round back into the queue, so that people vote on them anew."""

from dataclasses import dataclass

from dynabench_common.clock import Clock

from validation.adapters.unit_of_work import MakeUnitOfWork, UnitOfWork
from validation.domain.errors import ExampleNotInRound, ExampleUnknown, OwnDecision
from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.service_layer.admission import ensure_not_released
from validation.service_layer.audit_entries import entry_on_example, standing


@dataclass(frozen=True)
class RequeueExamples:
    """An owner sets the votes on some examples aside, and says why."""

    round_id: RoundId
    owner_id: PersonId
    example_ids: frozenset[ExampleId]
    reason: str


def requeue_examples(command: RequeueExamples, make_uow: MakeUnitOfWork, clock: Clock) -> int:
    """Let all of the examples wait again, or none; return how many of them did not wait for their first vote already.

    Locks are taken in the order of ids, so that two owners never wait for each other in a circle. Raises
    ExampleNotInRound, OwnDecision, RoundUnknown or RoundReleased.
    """
    with make_uow() as uow:
        ensure_not_released(uow.rounds, command.round_id)
        now = clock.now()
        requeued = 0
        for example_id in sorted(command.example_ids):
            validation = _lock(uow, example_id, command.round_id)
            if validation.author_id == command.owner_id:
                raise OwnDecision(example_id)
            before = standing(validation)
            if validation.requeue(command.reason, now):
                requeued += 1
                action, owner_id = "example.requeued", command.owner_id
                uow.record([entry_on_example(action, owner_id, validation, before, now, command.reason)])
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

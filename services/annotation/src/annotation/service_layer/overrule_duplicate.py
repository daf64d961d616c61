"""Let an example with a repeated text count, because the task's owner decides so."""

from dataclasses import dataclass

from dynabench_common.audit import Action

from annotation.domain.example import Example
from annotation.domain.identifiers import ExampleId, PersonId
from annotation.service_layer.dependencies import Dependencies


@dataclass(frozen=True)
class OverruleDuplicate:
    """An owner finds that an example is no duplicate, and says why."""

    example_id: ExampleId
    owner_id: PersonId
    reason: str


def overrule_duplicate(command: OverruleDuplicate, app: Dependencies) -> Example:
    """Count the example as any other, and write an audit entry.

    Raises NotFound, RoundImmutable, NoDuplicate, OwnExample.
    """
    with app.unit_of_work() as uow:
        example = uow.examples.lock(command.example_id)
        uow.rounds.hold(example.attempt.round_id)[0].ensure_mutable()
        now, fooled_before = app.clock.now(), example.counts_as_fooling
        example.overrule(command.owner_id, command.reason, now)
        if example.counts_as_fooling and not fooled_before:
            uow.contexts.count_fooling(example.attempt.context_id, 1)
        uow.examples.save(example)
        uow.audit(_overruled(example, command), now)
        uow.commit()
    return example


def _overruled(example: Example, command: OverruleDuplicate) -> Action:
    return Action(
        actor_id=command.owner_id,
        action="example.duplicate_overruled",
        object_kind="example",
        object_id=example.example_id,
        task_slug=example.attempt.task_slug,
        round_id=example.attempt.round_id,
        reason=command.reason,
        details={"duplicate_of": str(example.duplicate_of)},
    )

"""Entries of the audit log about single examples."""

from datetime import datetime

from dynabench_common.audit import Action, action_taken
from dynabench_common.outbox import OutboxMessage

from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import PersonId


def standing(validation: ExampleValidation) -> str:
    """Return how the example stands, as entries name it."""
    return validation.outcome.resolution.value if validation.outcome else "waiting"


def entry_on_example(
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
        details={"before": before, "after": standing(validation)},
    )
    return action_taken(entry, taken_at)

"""The request for an explanation of a target's answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.values import Value


@dataclass(frozen=True)
class Question:
    """An instance to explain, and for which label: None for the target's own answer."""

    instance: Mapping[str, Any]
    label: str | None


def question_about(
    configuration: TaskConfiguration, instance: Mapping[str, str], label: str | None, answered: Value | None
) -> Question:
    """Return what to ask about an answer, which is None if it is not known yet.

    Raises InputRefused for a label that the answer can't have.
    """
    claimed = configuration.claimed_field
    known = claimed.inspected_parts
    if not known:
        reason = f"can't be inspected: answers are of type {claimed.type_name}"
        raise InputRefused("label", reason, "Inspect answers that are labels or spans.")
    if label is not None and label not in known:
        raise InputRefused(
            "label", f"is {label[:50]!r}, no label of this task", f"Choose: {', '.join(known)}."
        )
    if not claimed.labels:
        answer = {"answer": {part: answered[part] for part in known}} if isinstance(answered, Mapping) else {}
        return Question({**instance, **answer}, label or known[0])
    if label is None and isinstance(answered, str):
        return Question(instance, answered)
    if label is None and isinstance(answered, Sequence) and answered:
        return Question(instance, answered[0])
    return Question(instance, label)

"""What a target is asked when somebody inspects its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.values import Value

ENDS = ("start", "end")


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
    kind = configuration.claimed_field.type_name
    known = ENDS if kind == "span" else configuration.labels
    if not known:
        raise InputRefused("label", "can't be inspected: answers are free text", "Nothing helps here.")
    if label is not None and label not in known:
        raise InputRefused(
            "label", f"is {label[:50]!r}, no label of this task", f"Choose: {', '.join(known)}."
        )
    if kind == "span":
        span = {"answer": {end: answered[end] for end in ENDS}} if isinstance(answered, Mapping) else {}
        return Question({**instance, **span}, label or ENDS[0])
    if label is None and isinstance(answered, str):
        return Question(instance, answered)
    if label is None and isinstance(answered, Sequence) and answered:
        return Question(instance, answered[0])
    return Question(instance, label)

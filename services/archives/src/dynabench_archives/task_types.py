"""The task types that a model may have (the texts it reads, its use of labels), and its fit to a task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TaskType:
    """`fields` are the texts of an instance where a model names none of its own.

    `is_paired`: a model may name them otherwise, but there are as many.
    """

    fields: tuple[str, ...]
    is_paired: bool = False
    has_labels: bool = True


TASK_TYPES: Mapping[str, TaskType] = {
    "text-classification": TaskType(("text",)),
    "text-pair-classification": TaskType(("premise", "hypothesis"), is_paired=True),
    "extractive-qa": TaskType(("passage", "question"), is_paired=True, has_labels=False),
    "multilabel-classification": TaskType(("text",)),
}


def shape_problem(task_type: str, fields: Sequence[str], labels: Sequence[str]) -> str | None:
    """Return the problem of a shape that no model can have, None if there is none."""
    rules = TASK_TYPES.get(task_type)
    if rules is None:
        return f"task_type: {task_type!r} is none of {', '.join(TASK_TYPES)}"
    if not fields or (rules.is_paired and len(fields) != len(rules.fields)):
        wanted = f"{len(rules.fields)} texts" if rules.is_paired else "at least one text"
        return f"fields: a model of {task_type} reads {wanted}"
    if len(set(fields)) != len(fields) or len(set(labels)) != len(labels):
        return "fields, labels: each name stands once"
    if rules.has_labels and len(labels) < 2:
        return f"labels: a model of {task_type} has at least two"
    if labels and not rules.has_labels:
        return f"labels: a model of {task_type} has none"
    return None


@dataclass(frozen=True)
class Expected:
    """The shape of a task's models: kinds that may answer it, the texts of an instance, and the labels."""

    task_types: tuple[str, ...]
    fields: tuple[str, ...]
    labels: tuple[str, ...]


def misfit(expected: Expected, task_type: str, fields: Sequence[str], labels: Sequence[str]) -> str | None:
    """Return the reason why a model of this shape can't answer the task, or None."""
    if task_type not in expected.task_types:
        return f"it is a model for {task_type}; the task needs {' or '.join(expected.task_types)}"
    if set(fields) != set(expected.fields):
        return f"it reads {', '.join(fields)}; the task sends {', '.join(expected.fields)}"
    if set(labels) != set(expected.labels):
        return (
            f"it answers with {', '.join(labels) or 'no labels'}; the task's are {', '.join(expected.labels)}"
        )
    return None

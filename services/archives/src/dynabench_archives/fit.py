"""Fit of a model to a task: kinds of answer, texts, labels."""

from collections.abc import Sequence
from dataclasses import dataclass


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

"""The task types that a model may have: which texts it reads, and whether it has labels."""

from collections.abc import Mapping
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

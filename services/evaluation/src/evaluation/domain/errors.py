"""Refusals, as exceptions that callers can distinguish."""

from dataclasses import dataclass


class TaskUnknown(Exception):
    """No known task has this name."""


class DatasetUnknown(Exception):
    """No dataset has this id."""


@dataclass(eq=False)
class DatasetUnusable(Exception):
    """Models can't be scored on a dataset: `kind` is a constant name."""

    kind: str
    text: str
    remedy: str


class EvaluationUnknown(Exception):
    """No evaluation has this id."""


class ItemUnknown(Exception):
    """The dataset has no item of this id."""


class ItemsNotShown(Exception):
    """The caller may not see the items of the dataset."""


class InstancesRefused(Exception):
    """The model refuses at least one of the instances; the message gives the reason."""


@dataclass(eq=False)
class EvaluationRefused(Exception):
    """Something can't be done with evaluations as asked: `kind` is a constant name."""

    kind: str
    field: str
    text: str
    remedy: str

"""Validated errors among the examples of paid people, by the shared rule of the task's configuration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.validated_error import error_rule
from dynabench_tasks.verdict import Verdict


@dataclass(frozen=True)
class _Answer:
    value: str
    wrong: bool
    is_given: bool


@dataclass(frozen=True)
class _Resolved:
    outcome: Resolution
    golds: tuple[str, ...]


def is_validated_error(
    configuration: TaskConfiguration,
    answers: Sequence[Mapping[str, Any]],
    verdict: str,
    resolution: str | None,
    golds: Sequence[str],
) -> bool:
    """Return whether a resolved example is a validated error of the round's targets taken together.

    `answers` are mappings with `value`, `wrong` and `is_given`; `verdict` is `not_fooled` for a duplicate.
    """
    if resolution is None:
        return False
    resolved = _Resolved(Resolution(resolution), tuple(golds))
    return error_rule(configuration).is_rule_error(
        resolved,
        Verdict(verdict),
        [_Answer(each["value"], each["wrong"], each["is_given"]) for each in answers],
    )

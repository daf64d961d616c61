"""Calls whose failure belongs into the page instead of replacing it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from dynabench_client import ProblemError, UnreachableError
from dynabench_common.telemetry.logging import get_logger
from flask import g

from web.kit.problems import ProblemView, problem_view

log = get_logger(__name__)
Value = TypeVar("Value")


@dataclass(frozen=True)
class Outcome(Generic[Value]):
    """Result of a write: a value, or the problem to show in the form."""

    value: Value | None = None
    problem: ProblemView | None = None


def attempt(act: Callable[[], Value], *, even_unauthorised: bool = False) -> Outcome[Value]:
    """Do something and return its outcome.

    A refused session is raised on, since it leads to signing in, unless `even_unauthorised`: where one signs in, a
    401 is a wrong password.
    """
    try:
        return Outcome(value=act())
    except (ProblemError, UnreachableError) as err:
        if isinstance(err, ProblemError) and err.status == 401 and not even_unauthorised:
            raise
        return Outcome(problem=problem_view(err, g.get("request_id", "")))


def optional(read: Callable[[], Value]) -> Value | None:
    """Read what the page can do without: None when it can't be had just now."""
    try:
        return read()
    except (ProblemError, UnreachableError) as err:
        log.warning("page_part_missing", reason=str(err))
        return None

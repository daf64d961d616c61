"""Finding of a check."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """Severity of a finding: the platform can run fully, for now, or not."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True)
class Finding:
    """One check: what was looked at, how it stands, what was found, and what to do unless all is well."""

    check: str
    state: State
    found: str
    remedy: str = ""


Check = Callable[[], Iterable[Finding]]


def ok(check: str, found: str) -> Finding:
    """Return a finding with which nothing is wrong."""
    return Finding(check, State.OK, found)


def warning(check: str, found: str, remedy: str) -> Finding:
    """Return a finding with which the platform runs, for now."""
    return Finding(check, State.WARNING, found, remedy)


def failed(check: str, found: str, remedy: str) -> Finding:
    """Return a finding with which the platform must not run."""
    return Finding(check, State.FAILED, found, remedy)


def graded(check: str, value: float, found: str, remedy: str, *, warn: float, fail: float) -> Finding:
    """Return a finding by how large a value is: below `warn` all is well, from `fail` on it failed."""
    if value >= fail:
        return failed(check, found, remedy)
    return warning(check, found, remedy) if value >= warn else ok(check, found)


def guarded(check: str, run: Check, errors: tuple[type[Exception], ...], remedy: str) -> Iterator[Finding]:
    """Yield what a check finds; what it raises of `errors` is a finding too, and ends it."""
    try:
        yield from run()
    except errors as err:
        said = " ".join(str(err).split()) or "no reason was given"
        yield failed(check, f"{type(err).__name__}: {said[:300]}", remedy)

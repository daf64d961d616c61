"""Finding of a check."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """Severity of a finding: the platform runs, runs for now, or must not run."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True)
class Finding:
    """Result of one check: the subject, the severity, the finding, and the remedy unless it is ok."""

    check: str
    state: State
    found: str
    remedy: str = ""


Check = Callable[[], Iterable[Finding]]


def ok(check: str, found: str) -> Finding:
    """Return a finding without a problem."""
    return Finding(check, State.OK, found)


def warning(check: str, found: str, remedy: str) -> Finding:
    """Return a finding with which the platform runs, for now."""
    return Finding(check, State.WARNING, found, remedy)


def failed(check: str, found: str, remedy: str) -> Finding:
    """Return a finding with which the platform must not run."""
    return Finding(check, State.FAILED, found, remedy)


def graded(check: str, value: float, found: str, remedy: str, *, warn: float, fail: float) -> Finding:
    """Return a finding by how large a value is: ok below `warn`, failed from `fail` on."""
    if value >= fail:
        return failed(check, found, remedy)
    return warning(check, found, remedy) if value >= warn else ok(check, found)


def guarded(check: str, run: Check, errors: tuple[type[Exception], ...], remedy: str) -> Iterator[Finding]:
    """Yield a check's findings; an exception of `errors` is a finding too, and ends the check."""
    try:
        yield from run()
    except errors as err:
        message = " ".join(str(err).split()) or "no reason was given"
        yield failed(check, f"{type(err).__name__}: {message[:300]}", remedy)

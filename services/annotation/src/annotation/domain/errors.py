"""Refusals that adapters raise: missing objects, and failures of the other side."""

from dataclasses import dataclass


@dataclass(eq=False)
class NotFound(Exception):
    """An id names nothing; `what` is the word people use for the thing."""

    what: str
    field: str


class SlugTaken(Exception):
    """Another task has this slug."""


@dataclass(eq=False)
class PredictionFailed(Exception):
    """A target gave no answer; `retry_after_seconds` if it named a time to retry."""

    reason: str
    retry_after_seconds: int | None = None


@dataclass(eq=False)
class TargetRefusesInput(Exception):
    """A target will never take this input, for example because it is too long for it."""

    target: str
    reason: str


@dataclass(eq=False)
class GatewayUnavailable(Exception):
    """The gateway can't say anything just now."""

    retry_after_seconds: int


@dataclass(eq=False)
class TargetUnknown(Exception):
    """The gateway serves no such target, or not for this kind of request."""

    target: str
    reason: str


@dataclass(eq=False)
class InspectionUnavailable(Exception):
    """No explanation just now: too many at once, or its workers are starting."""

    status: int
    reason: str
    retry_after_seconds: int


class BoardUnavailable(Exception):
    """The board does not answer just now."""

"""Refusals as plain exceptions; the HTTP interface turns them into problem documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from registry.domain.submission import LoopRound


class SubmissionUnknown(Exception):
    """There is no such submission, or not for the caller."""


class ModelUnknown(Exception):
    """There is no such published model, or not for the caller."""


class TaskUnknown(Exception):
    """No task has this name."""


@dataclass(eq=False)
class ModelNameTaken(Exception):
    """The name belongs to somebody else, or to a model of another task."""

    name: str


@dataclass(eq=False)
class ArchiveSizeRefused(Exception):
    """An archive is empty or exceeds the size limit; sizes in bytes."""

    size: int
    largest: int


@dataclass(eq=False)
class QuotaUsed(Exception):
    """All submissions of the day are used; `free_in_seconds` until the next one."""

    task: str
    most: int
    free_at: datetime
    free_in_seconds: int


@dataclass(eq=False)
class StarterRefused(Exception):
    """No starter model can be made for the task, or of these examples."""

    reason: str


@dataclass(eq=False)
class TooManyDrafts(Exception):
    """Somebody has begun too many uploads without ending them."""

    most: int


@dataclass(eq=False)
class WrongState(Exception):
    """A submission in this state can't do that."""

    act: str
    state: str


@dataclass(eq=False)
class ModelInTheLoop(Exception):
    """A model can't be taken away while it is a target of rounds; `by_owner`: an owner of its task wanted to."""

    model: str
    rounds: Sequence[LoopRound]
    by_owner: bool


@dataclass(eq=False)
class PartsMissing(Exception):
    """The store lacks parts of the archive; `numbers` are some of them."""

    numbers: Sequence[int]
    missing: int


@dataclass(eq=False)
class PartUnknown(Exception):
    """An archive has fewer parts."""

    number: int
    parts: int


@dataclass(eq=False)
class CardIncomplete(Exception):
    """A model card lacks what readers need."""

    missing: Sequence[str]


class ReasonMissing(Exception):
    """A reason is missing, which an act on another person's work requires."""


class SignatureRefused(Exception):
    """The key's owner did not make this signature of this archive; the message names the cause."""


@dataclass(eq=False)
class WebhookRefused(Exception):
    """An address that must not be called; `reason` says why and what to do."""

    reason: str


class DiskFull(Exception):
    """A disk of the platform has too little free space for a step; the message is for operators."""


class StepFailed(Exception):
    """A step failed, with the party at fault, the reason and a remedy; `columns` hold the submission's findings."""

    def __init__(
        self, fault: str, reason: str, remedy: str, columns: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(reason)
        self.columns = columns or {}
        self.fault = fault
        self.reason = reason
        self.remedy = remedy


class DecisionPending(Exception):
    """A step waits for the decision of an owner of the task."""


class ModelServerAway(Exception):
    """TorchServe does not answer, or not with our key."""


class ModelServerRefused(Exception):
    """TorchServe answered that it can't do it; `status` is None where it did not answer in time."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ArchiveOnItsWay(ModelServerRefused):
    """The archive or its runtime is not ready yet; retry. The message gives the progress."""


class PoolAbsent(ModelServerRefused):
    """No such pool exists on this machine; the message gives the reason."""


class AgentAway(Exception):
    """The store's agent does not answer or cannot serve the request now; the message gives the reason."""


class PlatformBusy(Exception):
    """A part of the platform does not answer; callers may retry."""


class CallFailed(Exception):
    """An address could not be called; `is_final` if a retry cannot succeed."""

    def __init__(self, reason: str, *, is_final: bool) -> None:
        super().__init__(reason)
        self.is_final = is_final


class StatesUnknown(Exception):
    """No reconciler has observed the models yet, or the last heartbeat is too old; the message says which."""

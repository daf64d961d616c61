"""Refusals as plain exceptions; the HTTP interface turns them into problem documents."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from registry.domain.loop import LoopRound


class SubmissionUnknown(Exception):
    """There is no such submission, or not for the caller."""


class ModelUnknown(Exception):
    """There is no such published model, or not for the caller."""


class TaskUnknown(Exception):
    """No task has this name."""


class ModelNameTaken(Exception):
    """The name belongs to somebody else, or to a model of another task."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class ArchiveSizeRefused(Exception):
    """An archive is empty, or larger than what is taken; sizes in bytes."""

    def __init__(self, size: int, largest: int) -> None:
        super().__init__(size)
        self.size = size
        self.largest = largest


class QuotaUsed(Exception):
    """All submissions of the day are used; `free_in_seconds` until the next one."""

    def __init__(self, task: str, most: int, free_at: datetime, free_in_seconds: int) -> None:
        super().__init__(task)
        self.task = task
        self.most = most
        self.free_at = free_at
        self.free_in_seconds = free_in_seconds


class TooManyDrafts(Exception):
    """Somebody has begun too many uploads without ending them."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class WrongState(Exception):
    """A submission in this state can't do that."""

    def __init__(self, act: str, state: str) -> None:
        super().__init__(f"{act} while {state}")
        self.act = act
        self.state = state


class ModelInTheLoop(Exception):
    """A model can't be taken away while it is a target of rounds; `by_owner`: an owner of its task wanted to."""

    def __init__(self, model: str, rounds: Sequence[LoopRound], *, by_owner: bool) -> None:
        super().__init__(model)
        self.model = model
        self.rounds = tuple(rounds)
        self.by_owner = by_owner


class PartsMissing(Exception):
    """The store lacks parts of the archive; `numbers` are some of them."""

    def __init__(self, numbers: Sequence[int], missing: int) -> None:
        super().__init__(missing)
        self.numbers = tuple(numbers)
        self.missing = missing


class PartUnknown(Exception):
    """An archive has fewer parts."""

    def __init__(self, number: int, parts: int) -> None:
        super().__init__(number)
        self.number = number
        self.parts = parts


class CardIncomplete(Exception):
    """A model card lacks what readers need."""

    def __init__(self, missing: Sequence[str]) -> None:
        super().__init__(", ".join(missing))
        self.missing = tuple(missing)


class ReasonMissing(Exception):
    """An act over somebody else's work needs a reason."""


class WebhookRefused(Exception):
    """An address that must not be called; the message says why and what to do."""


class ObjectsUnavailable(Exception):
    """The object store does not answer."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__("the object store does not answer")
        self.retry_after_seconds = retry_after_seconds


class DiskFull(Exception):
    """A disk of the platform has no room for what a step needs; the message is for operators."""


class LeaseLost(Exception):
    """Somebody else checks the submission by now, or it was cancelled."""


class StepFailed(Exception):
    """A step can't pass: whose fault it is, why, and what to do; `columns` of the submission tell what it found."""

    def __init__(
        self, fault: str, reason: str, remedy: str, columns: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(reason)
        self.columns = columns or {}
        self.fault = fault
        self.reason = reason
        self.remedy = remedy


class StepHeld(Exception):
    """A step waits for the decision of an owner of the task."""


class ModelServerAway(Exception):
    """TorchServe does not answer, or not with our key."""


class ModelServerRefused(Exception):
    """TorchServe answered that it can't do it; `status` is None where it did not answer in time."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ArchiveOnItsWay(ModelServerRefused):
    """The archive, or what it is to be served in, is on its way; ask again. The message says how far it is."""


class PoolAbsent(ModelServerRefused):
    """There is no such pool on this machine; the message says why."""


class AgentAway(Exception):
    """The store's agent does not answer, or can't do what is asked now; the message says why."""


class PlatformBusy(Exception):
    """A part of the platform does not answer; it is worth trying again."""


class CallFailed(Exception):
    """An address could not be called; `is_final` where another try changes nothing."""

    def __init__(self, reason: str, *, is_final: bool) -> None:
        super().__init__(reason)
        self.is_final = is_final

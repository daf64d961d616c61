"""Refusals, as exceptions that callers can distinguish."""

from dataclasses import dataclass
from typing import Any

from scoring.domain.moderation import MOST_REPORTS


class RoundUnknown(Exception):
    """No round of a known task has this id."""


class ReleaseUnknown(Exception):
    """No release has this id."""


class DatasetUnknown(Exception):
    """No dataset has this id."""


class SplitUnknown(Exception):
    """The dataset has no split of this name."""


class FileUnknown(Exception):
    """The dataset has no file of this path."""


class PublicExampleUnknown(Exception):
    """No public example has this id."""


class OwnExample(Exception):
    """Owners decide no reports about examples that they wrote."""


class ReasonMissing(Exception):
    """An owner decides about an example of another person and gives no reason."""


@dataclass(eq=False)
class TooManyReports(Exception):
    """The person reported as much in a day as one may; `seconds` until the next."""

    seconds: int
    most: int = MOST_REPORTS


@dataclass(eq=False)
class PictureMissing(Exception):
    """Annotation has no such picture."""

    image_id: str


@dataclass(eq=False)
class PicturesUnavailable(Exception):
    """Annotation does not give a picture just now."""

    image_id: str
    reason: str


@dataclass(eq=False)
class TargetNotServed(Exception):
    """Nobody serves the target any more."""

    target: str = ""


@dataclass(eq=False)
class TargetInTheLoop(Exception):
    """People try to fool the target in a round in progress, and its task allows no probes."""

    target: str


@dataclass(eq=False)
class TargetSilent(Exception):
    """The target does not answer now; `retry_after_seconds` is its advice, if it gave any."""

    retry_after_seconds: float | None = None


@dataclass(eq=False)
class InstancesRefused(Exception):
    """The model does not take at least one of the instances."""

    target: str = ""


class ReleaseRefused(Exception):
    """A round can't be released as asked: `kind` is a constant name, `facts` are numbers that belong to it."""

    def __init__(self, kind: str, text: str, remedy: str, **facts: Any) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.remedy = remedy
        self.facts = facts


@dataclass(eq=False)
class ExportRefused(Exception):
    """A round can't be exported in this format."""

    reason: str

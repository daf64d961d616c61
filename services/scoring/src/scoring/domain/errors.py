"""Refusals, as exceptions that callers can distinguish."""

from dataclasses import dataclass
from typing import Any


class RoundUnknown(Exception):
    """No round of a known task has this id."""


class ReleaseUnknown(Exception):
    """No release has this id."""


class DatasetUnknown(Exception):
    """No dataset has this id."""


class FileUnknown(Exception):
    """The dataset has no file of this path."""


@dataclass(eq=False)
class PictureMissing(Exception):
    """Annotation has no such picture."""

    image_id: str


@dataclass(eq=False)
class PicturesUnavailable(Exception):
    """Annotation does not give a picture just now."""

    image_id: str
    reason: str


class TargetNotServed(Exception):
    """Nobody serves the target any more."""


@dataclass(eq=False)
class TargetSilent(Exception):
    """The target gives no answer just now; `retry_after_seconds` if it said when to come back."""

    retry_after_seconds: float | None = None


class InstancesRefused(Exception):
    """The model does not take at least one of the instances; the message says why."""


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

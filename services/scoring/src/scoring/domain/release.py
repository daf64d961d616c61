"""The release of a round: its options and its progress."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from scoring.dataset.description import DataFile, Dataset
from scoring.dataset.splits import SplitOptions

DEFAULT_LICENCE = "CC-BY-4.0"
DEFAULT_SPLITS = SplitOptions()


class ReleaseState(StrEnum):
    """States of a release."""

    BUILDING = "building"
    DONE = "done"
    FAILED = "failed"


class Step(StrEnum):
    """Steps of a release."""

    WAITING = "waiting for a worker"
    REPEATING = "asking targets again"
    SPLITTING = "drawing splits"
    WRITING = "writing files"
    STORING = "storing files"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class ReleaseOptions:
    """The owner's options; with `explanations` the dataset includes people's free text besides the task's fields.

    Without a `licence` a round collected here has the default one. A round collected elsewhere needs one.
    """

    splits: SplitOptions = DEFAULT_SPLITS
    licence: str = ""
    accept_unresolved: bool = False
    description: str = ""
    explanations: bool = False


@dataclass(frozen=True, slots=True)
class Release:
    """The state of a release; `error` has kind, detail and remedy once it has failed."""

    release_id: UUID
    round_id: UUID
    requested_by: UUID
    requested_at: datetime
    options: ReleaseOptions
    state: ReleaseState = ReleaseState.BUILDING
    step: str = Step.WAITING
    progress: float = 0.0
    attempts: int = 0
    dataset_id: UUID | None = None
    error: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ReleasedDataset:
    """A dataset whose files lie in the object store under `prefix`; `digest` is its manifest's."""

    dataset_id: UUID
    digest: str
    task_id: UUID
    round_id: UUID
    described: Dataset
    files: Sequence[DataFile]
    card: str
    croissant: Mapping[str, Any]
    released_by: UUID
    released_at: datetime


def key_prefix(digest: str) -> str:
    """Return what the keys of a dataset's files begin with."""
    return f"datasets/{digest.replace(':', '-')}/"

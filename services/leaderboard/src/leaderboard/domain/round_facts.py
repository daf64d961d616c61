"""What the log says about tasks and rounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class TaskConfigured:
    """A configuration version of a task came into force."""

    version: int
    task_id: UUID
    configuration_version: int
    slug: str
    title: str
    configuration: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RoundDrafted:
    """A round exists; `origin` is empty where people write its examples, else imported or harvested."""

    version: int
    round_id: UUID
    task_id: UUID
    number: int
    title: str
    targets: tuple[str, ...]
    origin: str = ""


@dataclass(frozen=True, slots=True)
class TargetsChanged:
    """A round has other targets from now on."""

    version: int
    round_id: UUID
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundMoved:
    """A round is in another state."""

    version: int
    round_id: UUID
    state: str
    moved_at: datetime


RoundFact = RoundDrafted | TargetsChanged | RoundMoved


@dataclass(frozen=True, slots=True)
class SegmentBegun:
    """A stretch of a round with the same targets and configuration began; `targets` as name and digests."""

    version: int
    segment_id: UUID
    round_id: UUID
    number: int
    configuration_version: int
    targets: tuple[Mapping[str, str], ...]
    started_at: datetime

"""A submission: one archive of one model, from its upload to a model that answers.

The checks are a list of steps in a fixed order. Each step has its state, and its start and end times. A failed step
also has the reason, the party at fault and the remedy. Any step can be run again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from dynabench_archives.model_servers import Fault, Pool

from registry.domain.card import Card
from registry.domain.tombstone import Tombstone


class SubmissionState(StrEnum):
    """States of a submission."""

    DRAFT = "draft"
    CHECKING = "checking"
    WAITING = "waiting"
    REFUSED = "refused"
    DEPLOYED = "deployed"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"
    RETIRED = "retired"
    CANCELLED = "cancelled"
    DELETED = "deleted"


class Step(StrEnum):
    """The checks, in their order."""

    RECEIVED = "received"
    CHECKSUM = "checksum"
    OPENED = "opened"
    SCANNED = "scanned"
    MANIFEST = "manifest"
    CONTRACT = "contract"
    DEPLOYED = "deployed"
    SMOKE_TEST = "smoke_test"
    ACCEPTED = "accepted"


class StepState(StrEnum):
    """States of a step; `held` waits for the decision of an owner of the task."""

    WAITING = "waiting"
    RUNNING = "running"
    HELD = "held"
    PASSED = "passed"
    FAILED = "failed"


STEPS = tuple(Step)
SERVED = frozenset({SubmissionState.DEPLOYED, SubmissionState.PUBLISHED})
"""States in which the gateway answers for the model."""
ENDED_EARLY = frozenset({SubmissionState.CANCELLED, SubmissionState.DELETED})
"""States of an upload of which nothing is wanted any more."""
UNDER_WAY = frozenset({SubmissionState.DRAFT, SubmissionState.CHECKING, SubmissionState.WAITING})
RUNS_AGAIN_FROM = frozenset({SubmissionState.REFUSED, SubmissionState.DEPLOYED})


@dataclass(frozen=True)
class StepRecord:
    """Progress of one step. `shown` are the samples of a smoke test: the requests and the answers."""

    step: Step
    state: StepState = StepState.WAITING
    attempt: int = 0
    started_at: datetime | None = None
    ended_at: datetime | None = None
    beat_at: datetime | None = None
    fault: Fault | None = None
    reason: str | None = None
    remedy: str | None = None
    shown: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Archive:
    """The bytes that are sent. `digest` is "sha256:…", empty while nobody knows it; the last part may be shorter."""

    file_name: str
    size: int
    digest: str
    part_bytes: int
    key: str
    upload_id: str

    @property
    def parts(self) -> int:
        """Return how many parts it is sent in."""
        return -(-self.size // self.part_bytes)

    def part_size(self, number: int) -> int:
        """Return the size of a part in bytes; the first one is 1."""
        return min(self.part_bytes, self.size - (number - 1) * self.part_bytes)


@dataclass(frozen=True)
class Signature:
    """A signature as it was sent: the bundle that the library model-signing writes, and the public key in PEM."""

    bundle: str
    public_key: str


@dataclass(frozen=True)
class Submission:
    """One archive of one model, with its state and results.

    `scan` is the published report of the scan. `served` describes the archive that the platform serves, once it is
    built. `version` counts the model's submissions from 1.
    """

    submission_id: UUID
    aggregate_version: int
    model_name: str
    version: int
    task_slug: str
    submitted_by: UUID
    archive: Archive
    state: SubmissionState
    step: Step
    created_at: datetime
    received_at: datetime | None = None
    ended_at: datetime | None = None
    counted: bool = False
    pool: Pool | None = None
    serving_name: str | None = None
    scan: Mapping[str, Any] | None = None
    served: Mapping[str, Any] | None = None
    card: Card | None = None
    anonymous: bool = False
    approved_by: UUID | None = None
    signed_by: str | None = None
    webhook_url: str | None = None
    tombstone: Tombstone | None = None
    signature: Signature | None = None


@dataclass(frozen=True)
class LoopRound:
    """A round in draft, open or paused with a model among its targets.

    `task_slug` and `number` are None for a round that was drafted before the registry kept them.
    """

    round_id: UUID
    state: str
    task_slug: str | None
    number: int | None

    @property
    def name(self) -> str:
        """Return what people call it."""
        if self.task_slug is None or self.number is None:
            return f"round {self.round_id}"
        return f"round {self.number} of {self.task_slug}"


@dataclass(frozen=True)
class UploadedPart:
    """A part of an upload that the store has; `size` in bytes."""

    number: int
    size: int
    etag: str


def serving_name(model_name: str, version: int) -> str:
    """Return the name under which the gateway answers for a version of a model."""
    return f"{model_name}-v{version}"

"""Ports of submissions: the interfaces to other systems."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, Self
from uuid import UUID

from dynabench_common.outbox import OutboxMessage

from registry.domain.card import Card
from registry.domain.loop import LoopRound
from registry.domain.signature import Signature
from registry.domain.submission import Step, StepRecord, Submission
from registry.domain.tombstone import Tombstone


@dataclass(frozen=True)
class Held:
    """A submission whose checks this worker runs, until its lease ends."""

    submission_id: UUID
    lease_id: UUID
    attempts: int


@dataclass(frozen=True)
class HeldPart:
    """A part of an upload that the store has; `size` in bytes."""

    number: int
    size: int
    etag: str


class Uploads(Protocol):
    """Archives on their way to the object store, in parts that never pass this service."""

    def begin(self, key: str) -> str:
        """Return the id of a new upload. Raises ObjectsUnavailable."""

    def held(self, key: str, upload_id: str) -> Sequence[HeldPart] | None:
        """Return the parts that are there, None if there is no such upload any more. Raises ObjectsUnavailable."""

    def sign(self, key: str, upload_id: str, number: int, seconds: int) -> str:
        """Return where anybody may PUT this part for so many seconds."""

    def complete(self, key: str, upload_id: str, parts: Sequence[HeldPart]) -> None:
        """Put the parts together. Raises ObjectsUnavailable."""

    def size(self, key: str) -> int | None:
        """Return the size of an archive in bytes, None if there is none. Raises ObjectsUnavailable."""

    def abandon(self, key: str, upload_id: str) -> None:
        """Remove an upload with its parts, and the archive. Raises ObjectsUnavailable."""


class Submissions(Protocol):
    """Submissions with their steps and logs."""

    def add(self, submission: Submission, /, webhook_secret: str | None) -> None:
        """Store a new one, all of whose steps wait."""

    def get(self, submission_id: UUID, *, lock: bool = False) -> Submission:
        """Return one, locked if asked for. Raises SubmissionUnknown."""

    def steps(self, submission_id: UUID) -> list[StepRecord]:
        """Return its steps in their order."""

    def find_same(self, person_id: UUID, task: str, digest: str) -> Submission | None:
        """Return the person's newest submission of these bytes to the task that is not gone."""

    def find_draft(
        self, person_id: UUID, task: str, model_name: str, file_name: str, size: int
    ) -> Submission | None:
        """Return the person's upload of such a file to the task that has not ended."""

    def next_version(self, name: str, task: str, person_id: UUID) -> int:
        """Return the number of the model's next version, with its name locked. Raises ModelNameTaken."""

    def counting(self, person_id: UUID, task: str, since: datetime) -> list[datetime]:
        """Return when those began that count against the quota, the oldest first."""

    def serialise(self, person_id: UUID) -> None:
        """Let other submissions of the person wait until this transaction ends, so that quotas hold."""

    def drafts(self, person_id: UUID) -> int:
        """Count uploads that have not ended."""

    def change(self, submission: Submission, /, **values: Any) -> Submission:
        """Write columns of a locked submission; return it as it is then."""

    def write_card(self, submission: Submission, /, card: Card) -> Submission:
        """Write the card."""

    def sign(self, submission: Submission, /, signature: Signature | None) -> Submission:
        """Keep another signature, or none."""

    def begin_checks(self, submission: Submission, /, step: Step, now: datetime) -> Submission:
        """Let the checks run from a step on; it and the later ones wait again."""

    def set_step(self, submission_id: UUID, step: Step, **values: Any) -> None:
        """Write a step."""

    def log(self, submission_id: UUID, step: Step, at: datetime, lines: Sequence[str]) -> None:
        """Add lines to a step's log."""

    def claim(self, now: datetime, seconds: float) -> Held | None:
        """Hold a submission to be checked: of who waited longest for a turn, the oldest."""

    def renew(self, held: Held, now: datetime, seconds: float, step: Step | None) -> None:
        """Hold it longer and note a sign of life of a step. Raises LeaseLost."""

    def hold(self, held: Held) -> Submission:
        """Return the submission, locked, if the lease still stands. Raises LeaseLost."""

    def let_go(self, held: Held, until: datetime) -> None:
        """Leave it for another try at that moment. Raises LeaseLost."""

    def call_webhook(self, submission: Submission, /, body: Mapping[str, Any], now: datetime) -> None:
        """Note a call to the submitter's address, if there is one."""


class Tasks(Protocol):
    """The newest configurations of tasks, and their rounds."""

    def configuration(self, slug: str) -> Mapping[str, Any]:
        """Return a task's configuration. Raises TaskUnknown."""

    def rounds_with(self, target: str) -> Sequence[LoopRound]:
        """Return the rounds in draft, open or paused that have a model among their targets."""


class ServedModels(Protocol):
    """Desired models."""

    def put(self, submission: Submission, name: str) -> None:
        """Serve a submission's archive under a name, on demand."""

    def withdraw(self, name: str) -> None:
        """Serve a model no longer."""


class Tombstones(Protocol):
    """Tombstones of deleted submissions."""

    def bury(self, submission: Submission, /, tombstone: Tombstone) -> Submission:
        """Delete what a locked submission said of itself, and note when, by whom and why; return what is left."""


class UnitOfWork(Protocol):
    """One transaction with its events."""

    submissions: Submissions
    tombstones: Tombstones
    tasks: Tasks
    served: ServedModels

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: Any) -> None: ...

    def record(self, messages: Iterable[OutboxMessage]) -> None:
        """Write events."""

    def commit(self) -> None:
        """Make all durable."""


MakeUnitOfWork = Callable[[], UnitOfWork]

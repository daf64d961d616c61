"""Ports of the handlers, as protocols; `adapters` has the real ones."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Protocol, Self
from uuid import UUID

from dynabench_common.audit import Action
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.values import Value

from annotation.domain.assignment import Assignment, Place
from annotation.domain.context import Context, NewContext, UsedContext
from annotation.domain.example import Example
from annotation.domain.identifiers import (
    ContextId,
    ExampleId,
    InspectionId,
    PersonId,
    ProbeId,
    RoundId,
    SegmentId,
    TaskId,
)
from annotation.domain.provenance import Pseudonyms
from annotation.domain.round import Round
from annotation.domain.segment import TextRule
from annotation.domain.task import Task
from annotation.service_layer.image_ports import Images
from annotation.service_layer.outage_ports import Outages
from annotation.service_layer.signature_ports import Signatures


@dataclass(eq=False)
class NotFound(Exception):
    """An id names nothing; `what` is the word people use for the thing."""

    what: str
    field: str


class SlugTaken(Exception):
    """Another task has this slug."""


@dataclass(frozen=True)
class TargetDescription:
    """A target as the gateway describes it; `ready`: it predicts now or once asked, `published`: everybody may ask."""

    name: str
    ready: bool
    task: str
    task_type: str
    labels: tuple[str, ...]
    fields: tuple[str, ...]
    published: bool = True
    submitted_by: str | None = None


@dataclass(frozen=True)
class Prediction:
    """A target's raw answer on one instance, as the gateway gave it."""

    answer: Mapping[str, Any]
    model_digest: str
    handler_digest: str


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
    """The gateway serves no such target, or not for what is asked of it."""

    target: str
    reason: str


@dataclass(eq=False)
class InspectionUnavailable(Exception):
    """No explanation just now: too many at once, or its workers are starting."""

    status: int
    reason: str
    retry_after_seconds: int


@dataclass(frozen=True)
class ProbeCounts:
    """Counts of a person's probes of a round's targets: sandbox predictions, and inspections."""

    probes: int
    inspections: int


@dataclass(frozen=True)
class Loop:
    """An open or paused round with the targets that people try to fool in it."""

    round_id: RoundId
    task_slug: str
    targets: frozenset[str]


@dataclass(frozen=True)
class ReleasedRound:
    """A released round of a task, with how many targets it had."""

    slug: str
    round_id: RoundId
    number: int
    targets: int


class TargetGateway(Protocol):
    """Speaks with the served models."""

    def describe_all(self) -> Sequence[TargetDescription]:
        """Return what is served, by name. Raises GatewayUnavailable."""

    def describe(self, target: str) -> TargetDescription:
        """Return what is served. Raises TargetUnknown, GatewayUnavailable."""

    def predict(self, target: str, instance: Mapping[str, str], timeout_seconds: float) -> Prediction:
        """Return an answer. Raises PredictionFailed, TargetRefusesInput."""

    def explain(
        self, target: str, instance: Mapping[str, Any], label: str | None, n_steps: int | None
    ) -> Mapping[str, Any]:
        """Return token attributions. Raises InspectionUnavailable, TargetUnknown, TargetRefusesInput."""


class Tasks(Protocol):
    """Stored tasks."""

    def add(self, task: Task) -> None:
        """Store a new task. Raises SlugTaken."""

    def get(self, slug: str) -> Task:
        """Return the task. Raises NotFound."""

    def lock(self, slug: str) -> Task:
        """Return the task, held against tries and other changes. Raises NotFound."""

    def save(self, task: Task) -> None:
        """Store a new version in force."""

    def labels_in_use(self, task_id: TaskId, labels: Collection[str]) -> set[str]:
        """Return those of `labels` that examples of the task claim."""


class Rounds(Protocol):
    """Stored rounds."""

    def add(self, round_: Round) -> None:
        """Store a new round."""

    def next_number(self, task_id: TaskId) -> int:
        """Return the number of the task's next round; the caller holds the task's lock."""

    def find_collected(self, task_id: TaskId, source: str) -> Round | None:
        """Return the round of a task that takes in this collection; the caller holds the task's lock."""

    def targets_at_work(self, task_id: TaskId) -> int | None:
        """Return the smallest number of targets of an open or paused round that has any; None without such a round."""

    def newest_if_released(self) -> list[ReleasedRound]:
        """Return the newest rounds of those tasks where that is a released one."""

    def loops(self) -> list[Loop]:
        """Return the open and paused rounds that have targets."""

    def get(self, round_id: RoundId) -> tuple[Round, Task]:
        """Return the round and its task. Raises NotFound."""

    def hold(self, round_id: RoundId) -> tuple[Round, Task]:
        """Return the same, held against a change of state or configuration. Raises NotFound."""

    def text_rule(self, segment_id: SegmentId | None) -> TextRule:
        """Return the rule of equal texts of a segment; that of today outside of any."""

    def hold_segments(self, round_: Round) -> None:
        """Hold the round's segments against other writers and bring `round_` up to date with them."""

    def lock(self, round_id: RoundId) -> tuple[Round, Task]:
        """Return the same, held alone. Raises NotFound."""

    def save(self, round_: Round) -> None:
        """Store state and new segments."""


class Contexts(Protocol):
    """Stored contexts."""

    def add_all(self, round_id: RoundId, contexts: Sequence[NewContext]) -> list[int]:
        """Store the contexts that are not in the round yet; return the positions of those that are."""

    def take_in(self, round_id: RoundId, used: Sequence[UsedContext]) -> dict[bytes, ContextId]:
        """Store contexts of examples made elsewhere, or count their use; return the ids by fingerprint."""

    def count_usable(self, round_id: RoundId) -> int:
        """Count the contexts that are not withdrawn."""

    def get(self, context_id: ContextId) -> Context:
        """Return the context. Raises NotFound."""

    def lock(self, context_id: ContextId) -> Context:
        """Return the context, held against other reports. Raises NotFound."""

    def save(self, context: Context) -> None:
        """Store new reports."""

    def count_fooling(self, context_id: ContextId, change: int) -> None:
        """Count a try that fooled, or one that does no longer."""

    def take_next(
        self,
        round_id: RoundId,
        person_id: PersonId,
        configuration: TaskConfiguration,
        avoid: ContextId | None,
    ) -> ContextId | None:
        """Count a use of the context that the person gets next and return its id; None if there is none.

        Contexts that the person has not seen come first, then the order of the task's policy. Left out are
        those withdrawn, reported by the person, or used up under the task's quotas.
        """


class Assignments(Protocol):
    """People's assignments."""

    def lock_place(self, round_id: RoundId, person_id: PersonId) -> Place:
        """Hold and return the person's place in the round."""

    def find(self, context_id: ContextId, person_id: PersonId) -> Assignment | None:
        """Return the person's work on a context."""

    def lock(self, context_id: ContextId, person_id: PersonId) -> Assignment | None:
        """Return the same, held against other tries of the person on it."""

    def make_current(self, assignment: Assignment, place: Place) -> None:
        """Store a new or renewed assignment as what the person works on, in the place that they hold."""

    def save(self, assignment: Assignment) -> None:
        """Store the number of tries."""


class Examples(Protocol):
    """Stored examples."""

    def add_all(self, examples: Sequence[Example]) -> None:
        """Store new examples."""

    def newest_attempts(self, authors: Iterable[tuple[ContextId, PersonId]]) -> dict[tuple[UUID, UUID], int]:
        """Return the number of each author's last try on a context, of those who made any."""

    def get(self, example_id: ExampleId) -> Example:
        """Return the example. Raises NotFound."""

    def lock(self, example_id: ExampleId) -> Example:
        """Return the example, held against other changes. Raises NotFound."""

    def lock_overdue(self, before: datetime, most: int) -> list[Example]:
        """Return the oldest examples made before then that still wait for their authors' word.

        They are held against other changes; those that are held already, and those of released rounds, are left out.
        """

    def save(self, example: Example) -> None:
        """Store what changed: explanations, metadata, the author's decision, retraction."""

    def count(self, round_id: RoundId, author_id: PersonId) -> int:
        """Count a person's tries in a round."""

    def find_fooling_text(
        self,
        task_id: TaskId,
        digest: bytes,
        claimed: Value | None,
        digest_of: Callable[[Any, Any], bytes],
    ) -> ExampleId | None:
        """Return the first example of the task that counts as fooling, and has the digest and the claim.

        Nobody else looks for the digest until the unit of work ends. `digest_of` makes it of a context and an input.
        """

    def find_equal_fooling(
        self, context_id: ContextId, digest: bytes, digest_of: Callable[[Any, Any], bytes]
    ) -> ExampleId | None:
        """Return the first example of the context that counts as fooling and has the digest.

        Nobody else looks on that context until the unit of work ends. `digest_of` makes it of an input and a claim.
        """

    def find_unexplained_fooling(self, round_id: RoundId, author_id: PersonId) -> ExampleId | None:
        """Return the person's newest fooling example of a round if nothing says why the target was fooled."""


class Probes(Protocol):
    """People's probes of targets outside their tries."""

    def add_probes(
        self,
        probe_ids: Sequence[ProbeId],
        round_id: RoundId,
        person_id: PersonId,
        targets: Sequence[str],
        now: datetime,
    ) -> None:
        """Count probes of the same targets."""

    def add_inspection(
        self,
        inspection_id: InspectionId,
        example: Example,
        person_id: PersonId,
        target: str,
        now: datetime,
    ) -> None:
        """Count one inspection."""

    def count(self, round_id: RoundId, person_id: PersonId) -> ProbeCounts:
        """Return how often a person probed in a round."""


class Records(Protocol):
    """Records of collections that are stored as examples."""

    def add_all(self, round_id: RoundId, examples: Sequence[Example]) -> None:
        """Remember of what the examples were made."""

    def digests(self, round_id: RoundId, source_ids: Collection[str]) -> dict[str, bytes]:
        """Return the digests of those records that are stored, by their ids in the collection."""

    def pseudonyms(self, task_id: TaskId) -> Pseudonyms:
        """Return what stands for people in a task that has a key for it."""

    def ensure_key(self, task_id: TaskId, key: bytes) -> None:
        """Keep this key for the pseudonyms of a task that has none yet."""


class Replies(Protocol):
    """Replies kept under their Idempotency-Key."""

    def find(self, request: "KeyedRequest") -> dict[str, Any] | None:
        """Return the stored reply. Raises IdempotencyKeyReused."""

    def store(self, request: "KeyedRequest", reply: Mapping[str, Any]) -> None:
        """Keep a reply. Raises ConcurrentReplay."""


@dataclass(frozen=True)
class KeyedRequest:
    """A request that may come again: the same person, address, key and body mean the same request."""

    person_id: PersonId
    scope: str
    key: str | None
    fingerprint: str


class UnitOfWork(Protocol):
    """One transaction; leaving the block without `commit()` undoes it."""

    tasks: Tasks
    rounds: Rounds
    contexts: Contexts
    assignments: Assignments
    examples: Examples
    probes: Probes
    signatures: Signatures
    images: Images
    records: Records
    replies: Replies
    outages: Outages

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def audit(self, action: Action, at: datetime) -> None:
        """Write an entry of the audit log beside what it tells of."""

    def commit(self) -> None:
        """Make everything durable, events included."""

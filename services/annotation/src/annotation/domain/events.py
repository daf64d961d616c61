"""What happened, in the past tense; the event codec turns each into its protobuf message."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from dynabench_tasks.values import Value

from annotation.domain.identifiers import ContextId, ExampleId, PersonId, RoundId, SegmentId, TaskId

if TYPE_CHECKING:
    from dynabench_tasks.rounds import RoundState
    from dynabench_tasks.verdict import Verdict

    from annotation.domain.example import Attempt, Explanations
    from annotation.domain.provenance import ImportedVote, Origin, Provenance
    from annotation.domain.segment import TargetVersion
    from annotation.domain.verdict import Answers


@dataclass(frozen=True)
class TaskCreated:
    """A configuration version of a task came into force."""

    task_id: TaskId
    slug: str
    title: str
    configuration_version: int
    configuration: Mapping[str, object]
    created_at: datetime


@dataclass(frozen=True)
class RoundCreated:
    """A round was drafted; `source` names the collection that it takes in, if it does."""

    round_id: RoundId
    task_id: TaskId
    number: int
    title: str
    targets: tuple[str, ...]
    created_at: datetime
    origin: "Origin"
    source: str


@dataclass(frozen=True)
class RoundStateChanged:
    """A round moved to another state; by nobody where its release did."""

    round_id: RoundId
    state: "RoundState"
    changed_by: PersonId | None
    changed_at: datetime
    reason: str


@dataclass(frozen=True)
class RoundTargetsChanged:
    """Other targets are in the loop from now on."""

    round_id: RoundId
    targets: tuple[str, ...]
    changed_by: PersonId
    reason: str
    changed_at: datetime


@dataclass(frozen=True)
class SegmentStarted:
    """A stretch of a round with unchanged targets and configuration began."""

    segment_id: SegmentId
    round_id: RoundId
    number: int
    configuration_version: int
    targets: tuple["TargetVersion", ...]
    started_at: datetime


@dataclass(frozen=True)
class ContextFlagged:
    """A person reported a context as unfit."""

    context_id: ContextId
    round_id: RoundId
    person_id: PersonId
    reason: str
    flagged_at: datetime


@dataclass(frozen=True)
class ExampleCreated:
    """A try was stored, or a record of a collection with the votes that came with it."""

    example_id: ExampleId
    attempt: "Attempt"
    answers: "Answers"
    verdict: "Verdict"
    segment_id: SegmentId | None
    metadata: Mapping[str, Value]
    created_at: datetime
    provenance: "Provenance | None" = None
    votes: tuple["ImportedVote", ...] = ()


@dataclass(frozen=True)
class VerdictDecided:
    """The author said which answers are wrong."""

    example_id: ExampleId
    round_id: RoundId
    verdict: "Verdict"
    wrong_targets: tuple[str, ...]
    decided_at: datetime


@dataclass(frozen=True)
class MetadataGiven:
    """The author's metadata; a later event replaces all of it."""

    example_id: ExampleId
    round_id: RoundId
    metadata: Mapping[str, Value]
    given_at: datetime


@dataclass(frozen=True)
class ExampleExplained:
    """The author explained the example; a later event replaces both texts."""

    example_id: ExampleId
    round_id: RoundId
    explanations: "Explanations"
    explained_at: datetime


@dataclass(frozen=True)
class ExampleRetracted:
    """The author withdrew the example after its verdict."""

    example_id: ExampleId
    round_id: RoundId
    retracted_at: datetime


Event: TypeAlias = (
    TaskCreated
    | RoundCreated
    | RoundStateChanged
    | RoundTargetsChanged
    | SegmentStarted
    | ContextFlagged
    | ExampleCreated
    | ExampleExplained
    | ExampleRetracted
    | VerdictDecided
    | MetadataGiven
)

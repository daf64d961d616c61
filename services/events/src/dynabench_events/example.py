"""Events about examples: tries against the targets in the loop. Published by annotation.

Fields and answers are value texts (`dynabench_tasks.values`): equal values have equal texts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from dynabench.example.v1 import example_pb2
from dynabench_tasks.verdict import Verdict
from dynabench_tasks.votes import VoteKind

from dynabench_events.codec import EventRecord, event

TOPIC = "dynabench.example.v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetAnswer:
    """One target's answer to a try, or the reason for none (`missing_reason`; then the rest is empty).

    With `not_asked` it was not asked, since a target of an earlier tier was right: then it is not missing.

    `probabilities` by label and `confidence`, its own probability of this answer, lie in [0, 1]; `wrong` is False while
    nobody has decided. Digests read `sha256:...`.
    """

    target: str
    model_digest: str = ""
    handler_digest: str = ""
    value: str = ""
    probabilities: Mapping[str, float] = field(default_factory=dict)
    wrong: bool = False
    missing_reason: str = ""
    milliseconds: float = 0.0
    confidence: float | None = None
    not_asked: bool = False

    @property
    def is_missing(self) -> bool:
        """Return whether the target was asked and gave no answer."""
        return bool(self.missing_reason) and not self.not_asked


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedVote:
    """A vote from an imported record; `voter_id` and `cast_at` are None if the record lacks them.

    `option` is empty for a flag and for unsure; `reason` is that of a flag.
    """

    voter_id: UUID | None
    kind: VoteKind
    option: str
    reason: str
    cast_at: datetime | None


@event(example_pb2.ExampleCreated, of="example_id", at="created_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleCreated(EventRecord):
    """A try was stored, or a record of a collection with the votes that came with it; always version 1.

    `segment_id` is None without targets, `author_id` if an imported record names none. `perturbation_of` is None
    unless it is a minimal edit of another example. `claimed` is empty if nothing is claimed. `attempt` counts the
    author's tries on the context from 1; `seconds_since_context` runs from its assignment. Probes and inspections are
    those that the author had made in the round before. `imported_votes` keep their original order. `duplicate_of` is
    an earlier example of the round that fooled with an equal text. `pasted_characters` are those that the author pasted
    and that are not in the context, None if the page did not count them.
    """

    example_id: UUID
    task_id: UUID
    task_slug: str
    round_id: UUID
    segment_id: UUID | None
    context_id: UUID
    context: Mapping[str, str]
    input: Mapping[str, str]
    claimed: str
    answers: tuple[TargetAnswer, ...]
    verdict: Verdict
    author_id: UUID | None
    cohort: str
    condition: str
    attempt: int
    seconds_since_context: float
    probes_before: int
    inspections_before: int
    hint_shown: bool
    configuration_version: int
    created_at: datetime
    metadata: Mapping[str, str]
    perturbation_of: UUID | None
    context_tags: tuple[str, ...]
    assigned_label: str
    source_id: str
    imported_votes: tuple[ImportedVote, ...]
    duplicate_of: UUID | None = None
    pasted_characters: int | None = None


@event(example_pb2.VerdictDecided, of="example_id", at="decided_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictDecided(EventRecord):
    """The author decided which answers are wrong, at most once; `verdict` replaces the stored one."""

    example_id: UUID
    round_id: UUID
    verdict: Verdict
    wrong_targets: tuple[str, ...]
    decided_at: datetime
    duplicate_of: UUID | None = None


@event(example_pb2.DuplicateOverruled, of="example_id", at="overruled_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateOverruled(EventRecord):
    """An owner found that the example is no duplicate, so that it counts as any other; at most once."""

    example_id: UUID
    round_id: UUID
    overruled_by: UUID
    reason: str
    overruled_at: datetime


@event(example_pb2.MetadataGiven, of="example_id", at="given_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataGiven(EventRecord):
    """The author's metadata by field; a later event replaces all of it."""

    example_id: UUID
    round_id: UUID
    metadata: Mapping[str, str]
    given_at: datetime


@event(example_pb2.ExampleExplained, of="example_id", at="explained_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleExplained(EventRecord):
    """The author explained the example; a later event replaces both texts, either of which may be empty."""

    example_id: UUID
    round_id: UUID
    label_explanation: str
    model_explanation: str
    explained_at: datetime


@event(example_pb2.ExampleRetracted, of="example_id", at="retracted_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleRetracted(EventRecord):
    """The author withdrew the example after its verdict."""

    example_id: UUID
    round_id: UUID
    retracted_at: datetime

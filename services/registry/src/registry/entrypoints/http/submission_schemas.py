"""Bodies, paths and answers about submissions."""

from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from dynabench_common.schemas import Input, PageQuery, Text, decode_id_cursor
from dynabench_tasks.strict_json import LARGEST
from pydantic import BaseModel, Field, JsonValue, StringConstraints

from registry.domain.card import Card
from registry.domain.submission import Step, StepRecord, Submission, SubmissionState
from registry.domain.tombstone import Tombstone
from registry.entrypoints.http.signature_schemas import SignatureBody

MOST_PARTS_AT_ONCE = 100
LONGEST_REASON = 2_000
MODEL_NAME = r"^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$"
Digest = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]


class SubmissionPath(BaseModel):
    """Names a submission."""

    submission_id: UUID


class StepPath(SubmissionPath):
    """Names a step of a submission."""

    step: Step


class NewestFirst(PageQuery):
    """The part of a list of submissions, of which the ids grow, that is asked for."""

    def before(self) -> UUID | None:
        """Return the submission after which the page begins. Raises Problem 422 for a cursor of another list."""
        return decode_id_cursor(self.cursor) if self.cursor else None


class SubmissionsQuery(NewestFirst):
    """Which submissions: one's own, or with `task` those of a task that one owns; the newest first."""

    task: Text | None = Field(default=None, max_length=100, description="Only submissions to this task")
    state: SubmissionState | None = Field(default=None, description="Only those in this state")
    mine: bool = Field(
        default=True,
        description="Only one's own; with false owners see all of a task, administrators also without one",
    )


class NewSubmission(Input):
    """What is to be sent. The same file again is recognised by its digest and size."""

    task: Text = Field(max_length=100, description="Name of the task in addresses")
    model: Text = Field(pattern=MODEL_NAME, description="Name of the model: lower case, digits and hyphens")
    file_name: Text = Field(min_length=1, max_length=200)
    size: int = Field(ge=0, le=LARGEST, description="Bytes of the archive")
    digest: Digest | None = Field(default=None, description="sha256 of the archive, where it is known before")
    webhook: Text | None = Field(
        default=None, max_length=500, description="https address that is told of each step"
    )
    signature: SignatureBody | None = Field(
        default=None, description="Verified over the bytes that arrive; one that does not fit refuses them"
    )


class PartsQuery(Input):
    """Which parts are to be sent now."""

    numbers: list[Annotated[int, Field(ge=1, le=10_000)]] = Field(min_length=1, max_length=MOST_PARTS_AT_ONCE)


class CardBody(Input):
    """What the model card says."""

    text: Text = Field(default="", max_length=50_000, description="Markdown")
    licence: Text = Field(default="", max_length=100, description="SPDX identifier, or other words")
    contact: Text = Field(default="", max_length=200)
    languages: list[Annotated[Text, Field(min_length=2, max_length=35)]] = Field(default=[], max_length=100)
    parameters: int | None = Field(default=None, ge=1, le=10**14, description="Number of parameters")
    trained_on: list[Annotated[Text, Field(min_length=1, max_length=200)]] = Field(
        default=[],
        max_length=100,
        description="Dataset versions it was trained on; none stands for not stated",
    )
    paper: Text | None = Field(default=None, max_length=500, description="Address of a paper")

    def card(self) -> Card:
        """Return the card."""
        return Card(
            text=self.text,
            licence=self.licence,
            contact=self.contact,
            languages=tuple(self.languages),
            parameters=self.parameters,
            trained_on=tuple(self.trained_on),
            paper=self.paper,
        )


class PublicationBody(Input):
    """How a model is published."""

    anonymous: bool = Field(default=False, description="Whether the submitter stays unnamed")


class ReasonBody(Input):
    """Why."""

    reason: Text = Field(default="", max_length=LONGEST_REASON)


class DecisionBody(Input):
    """Whether an archive with code may run."""

    approve: bool
    reason: Text = Field(min_length=1, max_length=LONGEST_REASON)


class StepAnswer(BaseModel):
    """A step: its state, since when, and if it failed why, whose fault that is and what to do."""

    step: str
    state: str = Field(description="waiting, running, held, passed or failed")
    attempt: int
    started_at: datetime | None
    ended_at: datetime | None
    heartbeat_at: datetime | None = Field(description="When a running step last gave a sign of life")
    fault: str | None = Field(description="yours, ours, or owner for a decision of the task's owner")
    reason: str | None
    remedy: str | None
    samples: list[dict[str, JsonValue]] = Field(
        description="A smoke test's inputs, each with what was answered"
    )

    @classmethod
    def of(cls, record: StepRecord) -> Self:
        """Return the answer about a step."""
        return cls(
            step=record.step,
            state=record.state,
            attempt=record.attempt,
            started_at=record.started_at,
            ended_at=record.ended_at,
            heartbeat_at=record.beat_at,
            fault=record.fault,
            reason=record.reason,
            remedy=record.remedy,
            samples=[dict(sample) for sample in record.shown],
        )


class CardAnswer(BaseModel):
    """A model card; `missing` names what must be filled in before the model can be published."""

    text: str
    licence: str
    contact: str
    languages: list[str]
    parameters: int | None
    trained_on: list[str]
    paper: str | None
    missing: list[str]

    @classmethod
    def of(cls, card: Card | None) -> Self:
        """Return the answer about a card, or about one that nobody has written yet."""
        held = card or Card(text="", licence="", contact="")
        return cls(
            text=held.text,
            licence=held.licence,
            contact=held.contact,
            languages=list(held.languages),
            parameters=held.parameters,
            trained_on=list(held.trained_on),
            paper=held.paper,
            missing=list(held.missing),
        )


class UploadAnswer(BaseModel):
    """How an archive is sent: in `parts` parts of `part_bytes`, the last one perhaps shorter."""

    size: int
    digest: str | None
    part_bytes: int
    parts: int


class TombstoneAnswer(BaseModel):
    """When, by whom and why a submission was deleted; its scores stay."""

    deleted_at: datetime
    deleted_as: str = Field(description="submitter, or owner of its task")
    reason: str = Field(description="Empty only where its submitter gave none")
    removed_at: datetime | None = Field(description="When the last of its bytes were gone; null until then")

    @classmethod
    def of(cls, tombstone: Tombstone | None) -> Self | None:
        """Return what is told of a tombstone, None of a submission that is not deleted."""
        if tombstone is None:
            return None
        return cls(
            deleted_at=tombstone.deleted_at,
            deleted_as=tombstone.deleted_as,
            reason=tombstone.reason,
            removed_at=tombstone.removed_at,
        )


class SubmissionAnswer(BaseModel):
    """A submission without its steps; of a deleted one the name of its file is empty."""

    submission_id: UUID
    task: str
    model: str
    version: int
    serving_name: str | None = Field(description="Name at the gateway and as a target, once it is deployed")
    state: str
    step: str = Field(description="The step it is at, or failed at")
    submitted_by: UUID | None = Field(description="None where the submitter stays unnamed")
    mine: bool
    file_name: str
    size: int
    digest: str | None
    pool: str | None = Field(description="shared, or sandboxed for archives with code")
    created_at: datetime
    received_at: datetime | None
    ended_at: datetime | None
    anonymous: bool
    signed_by: str | None = Field(description="Fingerprint of the signer's public key: sha256 of its PEM")
    counted: bool = Field(description="Whether it counts against the submitter's quota")
    tombstone: TombstoneAnswer | None = Field(description="What is left of a deleted one; null of all others")

    @classmethod
    def values_of(cls, submission: Submission, viewer: UUID | None) -> dict[str, Any]:
        """Return the fields that are told to a viewer."""
        mine = viewer == submission.submitted_by
        hidden = submission.anonymous and not mine
        archive = submission.archive
        return {
            "submission_id": submission.submission_id,
            "task": submission.task_slug,
            "model": submission.model_name,
            "version": submission.version,
            "serving_name": submission.serving_name,
            "state": submission.state,
            "step": submission.step,
            "submitted_by": None if hidden else submission.submitted_by,
            "mine": mine,
            "file_name": archive.file_name,
            "size": archive.size,
            "digest": archive.digest or None,
            "pool": submission.pool,
            "created_at": submission.created_at,
            "received_at": submission.received_at,
            "ended_at": submission.ended_at,
            "anonymous": submission.anonymous,
            "signed_by": submission.signed_by,
            "counted": submission.counted,
            "tombstone": TombstoneAnswer.of(submission.tombstone),
        }


class LoopRoundAnswer(BaseModel):
    """A round in draft, open or paused that has the model as a target; such a model can't be taken away."""

    round_id: UUID
    state: str
    task: str | None = Field(description="Name of its task; null where the registry does not know it")
    number: int | None = Field(
        description="1, 2, … within the task; null where the registry does not know it"
    )


class WholeSubmission(SubmissionAnswer):
    """A submission with its steps, its scan and its card, for its submitter and the owners of its task."""

    upload: UploadAnswer
    steps: list[StepAnswer]
    scan: dict[str, JsonValue] | None = Field(description="What the scan found, entry by entry")
    card: CardAnswer
    webhook: str | None
    in_the_loop: list[LoopRoundAnswer]
    may_cancel: bool
    may_retry: bool
    may_decide: bool
    may_publish: bool
    may_withdraw: bool
    may_retire: bool
    may_delete: bool
    retry_after_seconds: int = Field(
        description="After how long it is worth asking again; 0 where nothing changes"
    )


class SubmissionsAnswer(BaseModel):
    """Submissions, the newest first, and how many of the day's are left; `quota` is None without a task."""

    items: list[SubmissionAnswer]
    next_cursor: str | None
    quota: "QuotaAnswer | None"


class QuotaAnswer(BaseModel):
    """How many submissions to a task count in the last 24 hours, of how many."""

    task: str
    used: int
    of: int
    next_free_at: datetime | None = Field(
        description="When the next one is free again; None while some are left"
    )


class CreatedSubmission(BaseModel):
    """What became of the wish to send an archive; `known` where the same bytes were here before."""

    submission: WholeSubmission
    known: bool
    webhook_secret: str | None = Field(description="Key of the signatures of webhook calls; told this once")


class SignedPart(BaseModel):
    """Where a part may be PUT, until `expires_at`."""

    number: int
    size: int
    url: str


class UploadedPart(BaseModel):
    """A part that the store has; `etag` is the MD5 of its bytes in most stores."""

    number: int
    size: int
    etag: str


class PartsAnswer(BaseModel):
    """Addresses to send parts to."""

    parts: list[SignedPart]
    expires_in_seconds: int


class UploadStateAnswer(BaseModel):
    """Which parts the store has; what is missing is still to be sent."""

    parts: int
    held: list[UploadedPart]


class LogLine(BaseModel):
    """A line of a step's log."""

    id: int
    step: str
    at: datetime
    line: str


class LogAnswer(BaseModel):
    """Lines after `after`, the oldest first; ask again with `next_after`."""

    lines: list[LogLine]
    next_after: int


class LogQuery(BaseModel):
    """Which lines of a log."""

    after: int = Field(default=0, ge=0, le=LARGEST, description="next_after of the answer before")
    step: Step | None = None


class EntryQuery(BaseModel):
    """Which entry of an archive."""

    path: Text = Field(max_length=500)


class EntryAnswer(BaseModel):
    """The text of an entry; None for one that is no text, or too long to be shown."""

    path: str
    text: str | None

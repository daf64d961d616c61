"""Submitted and published models, from the registry."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import Id, Json, Page, Record


class QuotaAnswer(Record):
    """The quota of submissions to a task: those that count in the last 24 hours, and the limit."""

    task: str
    used: int
    of: int
    next_free_at: datetime | None = Field(
        description="Time when the next submission is possible; null while some are left"
    )


class StepAnswer(Record):
    """A step of the checks, with its state and times; after a failure also reason, fault and remedy."""

    step: str
    state: str = Field(description="waiting, running, held, passed or failed")
    attempt: int
    started_at: datetime | None
    ended_at: datetime | None
    heartbeat_at: datetime | None = Field(description="Last heartbeat of a running step")
    fault: str | None = Field(
        description="Cause of a failure: `yours` (the submitter's), `ours` (the platform's) or `owner` (a "
        "decision of the task's owner)"
    )
    reason: str | None
    remedy: str | None
    samples: tuple[dict[str, Json], ...] = Field(
        description="Inputs of the smoke test with the model's answers"
    )


class CardAnswer(Record):
    """A model card. `missing` names the parts that must be filled in before publication."""

    text: str
    licence: str
    contact: str
    languages: tuple[str, ...]
    parameters: int | None
    trained_on: tuple[str, ...]
    paper: str | None
    missing: tuple[str, ...]


class UploadAnswer(Record):
    """The upload of an archive in `parts` parts of `part_bytes` bytes. The last part may be shorter."""

    size: int
    digest: str | None
    part_bytes: int
    parts: int


class TombstoneAnswer(Record):
    """The deletion of a submission, with time, person and reason; its scores stay."""

    deleted_at: datetime
    deleted_as: str = Field(description="submitter, or owner of its task")
    reason: str = Field(description="Reason for the deletion; empty only if the submitter gave none")
    removed_at: datetime | None = Field(
        description="Time when the last of its bytes were removed; null until then"
    )


class SubmissionAnswer(Record):
    """A submission without its steps. The file name is empty if the submission is deleted."""

    submission_id: Id
    task: str
    model: str
    version: int
    serving_name: str | None = Field(
        description="Name at the gateway and as a target; null before deployment"
    )
    state: str
    step: str = Field(description="The current step, or the failed one")
    submitted_by: Id | None = Field(description="Id of the submitter; null if anonymous")
    mine: bool
    file_name: str
    size: int
    digest: str | None
    pool: str | None = Field(description="`shared`, or `sandboxed` for archives with code")
    created_at: datetime
    received_at: datetime | None
    ended_at: datetime | None
    anonymous: bool
    signed_by: str | None = Field(
        description="Fingerprint of the signer's public key: SHA-256 of its PEM text; null if unsigned"
    )
    counted: bool = Field(description="True if it counts against the submitter's quota")
    tombstone: TombstoneAnswer | None = Field(description="The record of the deletion; null if not deleted")


class LoopRoundAnswer(Record):
    """A draft, open or paused round with the model as a target. Such a model cannot be withdrawn or deleted."""

    round_id: Id
    state: str
    task: str | None = Field(description="Slug of the round's task; null if the registry does not know it")
    number: int | None = Field(
        description="Number of the round within its task, from 1; null if the registry does not know it"
    )


class WholeSubmission(SubmissionAnswer):
    """A submission with its steps, its scan and its card, for its submitter and the owners of its task."""

    upload: UploadAnswer
    steps: tuple[StepAnswer, ...]
    scan: dict[str, Json] | None = Field(description="Findings of the scan by archive entry")
    card: CardAnswer
    webhook: str | None
    in_the_loop: tuple[LoopRoundAnswer, ...]
    may_cancel: bool
    may_retry: bool
    may_decide: bool
    may_publish: bool
    may_withdraw: bool
    may_retire: bool
    may_delete: bool
    retry_after_seconds: int = Field(
        description="Recommended seconds before the next request; 0 if no change is expected"
    )

    @property
    def is_moving(self) -> bool:
        """Return whether its checks go on by themselves."""
        return self.state in ("draft", "checking")

    @property
    def failed_step(self) -> StepAnswer | None:
        """Return the check that failed, if one did."""
        return next((step for step in self.steps if step.state == "failed"), None)


class SubmissionsAnswer(Page[SubmissionAnswer]):
    """Submissions, the newest first, and the quota for the day; `quota` is null without a task."""

    quota: QuotaAnswer | None


class CreatedSubmission(Record):
    """A new submission. `known` is true if the same bytes were already submitted."""

    submission: WholeSubmission
    known: bool
    webhook_secret: str | None = Field(
        description="Key for the signatures of webhook calls; only this answer contains it"
    )


class SignedPart(Record):
    """The URL to PUT a part to. It expires after `expires_in_seconds`."""

    number: int
    size: int
    url: str


class UploadedPart(Record):
    """A stored part. `etag` is the MD5 of its bytes in most stores."""

    number: int
    size: int
    etag: str


class PartsAnswer(Record):
    """URLs to upload parts to."""

    parts: tuple[SignedPart, ...]
    expires_in_seconds: int


class UploadStateAnswer(Record):
    """The parts that are already stored. The others are still to be sent."""

    parts: int
    held: tuple[UploadedPart, ...]


class LogLine(Record):
    """A line of a step's log."""

    id: int
    step: str
    at: datetime
    line: str


class LogAnswer(Record):
    """Lines after `after`, the oldest first. For further lines, send `next_after`."""

    lines: tuple[LogLine, ...]
    next_after: int


class EntryAnswer(Record):
    """The text of an archive entry; null if it is not text or too long to show."""

    path: str
    text: str | None


class PublishedModel(Record):
    """A model that everybody may see."""

    name: str = Field(description="Name at the gateway and as a target")
    model: str
    version: int
    task: str
    submission_id: Id
    submitted_by: Id | None
    submissions_of_team: int = Field(description="Number of submissions by its submitter to the task")
    published: bool
    pool: str | None
    size: int
    digest: str | None
    signed_by: str | None = Field(
        description="Fingerprint of the signer's public key: SHA-256 of its PEM text; null if unsigned"
    )
    deployed_at: datetime | None
    card: CardAnswer
    tombstone: TombstoneAnswer | None = Field(
        description="The record of the deletion, for a model that was deleted while published; else null"
    )


class PublishedModelsAnswer(Page[PublishedModel]):
    """Published models of a task."""

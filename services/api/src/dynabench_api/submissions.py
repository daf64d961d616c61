"""Submitted and published models, as the registry answers them."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import Id, Json, Page, Record


class QuotaAnswer(Record):
    """The submissions to a task that count in the last 24 hours, and their limit."""

    task: str
    used: int
    of: int
    next_free_at: datetime | None = Field(
        description="When the next one is free again; None while some are left"
    )


class StepAnswer(Record):
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
    samples: tuple[dict[str, Json], ...] = Field(
        description="A smoke test's inputs, each with what was answered"
    )


class CardAnswer(Record):
    """A model card; `missing` names what must be filled in before the model can be published."""

    text: str
    licence: str
    contact: str
    languages: tuple[str, ...]
    parameters: int | None
    trained_on: tuple[str, ...]
    paper: str | None
    missing: tuple[str, ...]


class UploadAnswer(Record):
    """The upload of an archive in `parts` parts of `part_bytes`; the last one may be shorter."""

    size: int
    digest: str | None
    part_bytes: int
    parts: int


class TombstoneAnswer(Record):
    """The deletion of a submission, with time, person and reason; its scores stay."""

    deleted_at: datetime
    deleted_as: str = Field(description="submitter, or owner of its task")
    reason: str = Field(description="Empty only where its submitter gave none")
    removed_at: datetime | None = Field(description="When the last of its bytes were gone; null until then")


class SubmissionAnswer(Record):
    """A submission without its steps; of a deleted one the name of its file is empty."""

    submission_id: Id
    task: str
    model: str
    version: int
    serving_name: str | None = Field(description="Name at the gateway and as a target, once it is deployed")
    state: str
    step: str = Field(description="The step it is at, or failed at")
    submitted_by: Id | None = Field(description="None where the submitter stays unnamed")
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


class LoopRoundAnswer(Record):
    """A round in draft, open or paused that has the model as a target; such a model can't be taken away."""

    round_id: Id
    state: str
    task: str | None = Field(description="Name of its task; null where the registry does not know it")
    number: int | None = Field(
        description="1, 2, … within the task; null where the registry does not know it"
    )


class WholeSubmission(SubmissionAnswer):
    """A submission with its steps, its scan and its card, for its submitter and the owners of its task."""

    upload: UploadAnswer
    steps: tuple[StepAnswer, ...]
    scan: dict[str, Json] | None = Field(description="What the scan found, entry by entry")
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
        description="After how long it is worth asking again; 0 where nothing changes"
    )

    @property
    def is_moving(self) -> bool:
        """Tell whether its checks go on by themselves."""
        return self.state in ("draft", "checking")

    @property
    def failed_step(self) -> StepAnswer | None:
        """Return the check that failed, if one did."""
        return next((step for step in self.steps if step.state == "failed"), None)


class SubmissionsAnswer(Page[SubmissionAnswer]):
    """Submissions, the newest first, and how many of the day's are left; `quota` is None without a task."""

    quota: QuotaAnswer | None


class CreatedSubmission(Record):
    """The answer to a new submission; `known` if the same bytes are already here."""

    submission: WholeSubmission
    known: bool
    webhook_secret: str | None = Field(description="Key of the signatures of webhook calls; told this once")


class SignedPart(Record):
    """The address to PUT a part at, until `expires_at`."""

    number: int
    size: int
    url: str


class UploadedPart(Record):
    """A part that the store has; `etag` is the MD5 of its bytes in most stores."""

    number: int
    size: int
    etag: str


class PartsAnswer(Record):
    """Addresses to send parts to."""

    parts: tuple[SignedPart, ...]
    expires_in_seconds: int


class UploadStateAnswer(Record):
    """The parts that the store has; the others are still to be sent."""

    parts: int
    held: tuple[UploadedPart, ...]


class LogLine(Record):
    """A line of a step's log."""

    id: int
    step: str
    at: datetime
    line: str


class LogAnswer(Record):
    """Lines after `after`, the oldest first; ask again with `next_after`."""

    lines: tuple[LogLine, ...]
    next_after: int


class EntryAnswer(Record):
    """The text of an entry; None for one that is no text, or too long to be shown."""

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
    submissions_of_team: int = Field(
        description="How many versions its submitter sent to the task, all counted"
    )
    published: bool
    pool: str | None
    size: int
    digest: str | None
    signed_by: str | None = Field(description="Fingerprint of the signer's public key: sha256 of its PEM")
    deployed_at: datetime | None
    card: CardAnswer
    tombstone: TombstoneAnswer | None = Field(
        description="What is left of a model that was deleted while it was published; null of all others"
    )


class PublishedModelsAnswer(Page[PublishedModel]):
    """Published models of a task."""

"""Results about submitted models."""

from datetime import datetime
from typing import Any

from dynabench_client.results.base import Page, Result

MOVING = frozenset({"draft", "checking"})
OURS = "ours"


class SubmissionStep(Result):
    """A check; `fault` is yours, ours or owner. `samples` are a smoke test's inputs with what was answered."""

    step: str
    state: str
    attempt: int
    started_at: datetime | None
    ended_at: datetime | None
    heartbeat_at: datetime | None
    fault: str | None
    reason: str | None
    remedy: str | None
    samples: tuple[dict[str, Any], ...]


class ModelCard(Result):
    """A model card; `missing` names what must be filled in before the model can be published."""

    text: str
    licence: str
    contact: str
    languages: tuple[str, ...]
    parameters: int | None
    trained_on: tuple[str, ...]
    paper: str | None
    missing: tuple[str, ...]


class UploadPlan(Result):
    """How an archive is sent: in `parts` parts of `part_bytes`, the last one perhaps shorter."""

    size: int
    digest: str | None
    part_bytes: int
    parts: int


class Tombstone(Result):
    """When, by whom (submitter or owner) and why a submission was deleted; `removed_at` once its bytes are gone."""

    deleted_at: datetime
    deleted_as: str
    reason: str
    removed_at: datetime | None


class Submission(Result):
    """An archive of a model, without its steps; of a deleted one a `tombstone` is left."""

    submission_id: str
    task: str
    model: str
    version: int
    serving_name: str | None
    state: str
    step: str
    submitted_by: str | None
    mine: bool
    file_name: str
    size: int
    digest: str | None
    pool: str | None
    created_at: datetime
    received_at: datetime | None
    ended_at: datetime | None
    anonymous: bool
    signed_by: str | None
    counted: bool
    tombstone: Tombstone | None


class LoopRound(Result):
    """A round in draft, open or paused that has the model as a target; None where that is not known."""

    round_id: str
    state: str
    task: str | None
    number: int | None


class WholeSubmission(Submission):
    """A submission with its steps, its scan and its card; while it is `in_the_loop` nobody can take it away."""

    upload: UploadPlan
    steps: tuple[SubmissionStep, ...]
    scan: dict[str, Any] | None
    card: ModelCard
    webhook: str | None
    in_the_loop: tuple[LoopRound, ...]
    may_cancel: bool
    may_retry: bool
    may_decide: bool
    may_publish: bool
    may_withdraw: bool
    may_retire: bool
    may_delete: bool
    retry_after_seconds: int

    @property
    def is_moving(self) -> bool:
        """Tell whether its checks go on by themselves."""
        return self.state in MOVING

    @property
    def failed_step(self) -> SubmissionStep | None:
        """Return the check that failed, if one did."""
        return next((step for step in self.steps if step.state == "failed"), None)


class Quota(Result):
    """How many submissions to a task count in the last 24 hours, of how many."""

    task: str
    used: int
    of: int
    next_free_at: datetime | None


class Submissions(Page[Submission]):
    """Submissions, the newest first; `quota` is None where no task was named."""

    quota: Quota | None


class CreatedSubmission(Result):
    """What became of the wish to send an archive; `known` where the same bytes were there before.

    `webhook_secret` is the key of the signatures of webhook calls, told this once.
    """

    submission: WholeSubmission
    known: bool
    webhook_secret: str | None


class SignedPart(Result):
    """Where a part may be PUT."""

    number: int
    size: int
    url: str


class SignedParts(Result):
    """Addresses to send parts to, straight to the object store."""

    parts: tuple[SignedPart, ...]
    expires_in_seconds: int


class HeldPart(Result):
    """A part that the store has; `etag` is the MD5 of its bytes in most stores."""

    number: int
    size: int
    etag: str


class UploadState(Result):
    """Which parts the store has."""

    parts: int
    held: tuple[HeldPart, ...]


class LogLine(Result):
    """A line of a step's log."""

    id: int
    step: str
    at: datetime
    line: str


class SubmissionLog(Result):
    """Lines of a log; ask again with `next_after`."""

    lines: tuple[LogLine, ...]
    next_after: int


class EntryText(Result):
    """The text of an entry of an archive; None for one that can't be shown."""

    path: str
    text: str | None


class PublishedModel(Result):
    """A model that everybody may see."""

    name: str
    model: str
    version: int
    task: str
    submission_id: str
    submitted_by: str | None
    submissions_of_team: int
    published: bool
    pool: str | None
    size: int
    digest: str | None
    signed_by: str | None
    deployed_at: datetime | None
    card: ModelCard
    tombstone: Tombstone | None


class PublishedModels(Page[PublishedModel]):
    """Published models, the newest first."""

"""Bodies, paths and answers of the routes about submissions and published models."""

from typing import Annotated, Any
from uuid import UUID

from dynabench_api.submissions import CardAnswer, StepAnswer
from dynabench_common.http.schemas import Input, PageQuery, Parameters, Text, cursor_id, page_start
from dynabench_tasks.strict_json import LARGEST
from pydantic import BaseModel, Field, StringConstraints, field_validator

from registry.domain.card import Card
from registry.domain.submission import Signature, Step, StepRecord, Submission, SubmissionState

MOST_PARTS_AT_ONCE = 100
LONGEST_REASON = 2_000
MODEL_NAME = r"^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$"
Digest = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]


class SignatureBody(Input):
    """A signature from `dynabench models sign`, and the signer's public key."""

    bundle: Text = Field(min_length=1, max_length=50_000, description="Content of the file FILE.sig")
    public_key: Text = Field(
        min_length=1, max_length=5_000, description="The elliptic-curve public key in PEM"
    )

    @field_validator("bundle", "public_key")
    @classmethod
    def _is_not_private(cls, value: str) -> str:
        """Refuse a private key that was taken for the public one, and store nothing of it."""
        if "PRIVATE KEY-----" in value:
            raise ValueError("this is a private key; keep it to yourself, and send the public one")
        return value

    def signature(self) -> Signature:
        """Return the signature."""
        return Signature(self.bundle, self.public_key)


class SubmissionPath(BaseModel):
    """A submission in an address."""

    submission_id: UUID


class StepPath(SubmissionPath):
    """A step of a submission in an address."""

    step: Step


class NewestFirst(PageQuery):
    """A page of a list of submissions. Newer submissions have larger ids."""

    def before(self) -> UUID | None:
        """Return the submission after which the page begins. Raises Problem 422 for a cursor of another list."""
        return page_start(self.cursor, cursor_id)


class SubmissionsQuery(NewestFirst):
    """Filters of submissions: your own, or with `task` those to a task of yours, the newest first."""

    task: Text | None = Field(default=None, max_length=100, description="Only submissions to this task")
    state: SubmissionState | None = Field(default=None, description="Only submissions in this state")
    mine: bool = Field(
        default=True,
        description="Only your own. If false, owners see all submissions to a task, and administrators also those "
        "to all tasks",
    )


class NewSubmission(Input):
    """The announcement of an archive. A repeated file is recognised by its digest and size."""

    task: Text = Field(max_length=100, description="Name of the task in addresses")
    model: Text = Field(
        pattern=MODEL_NAME, description="Name of the model: lower-case letters, digits and hyphens"
    )
    file_name: Text = Field(min_length=1, max_length=200)
    size: int = Field(ge=0, le=LARGEST, description="Bytes of the archive")
    digest: Digest | None = Field(default=None, description="SHA-256 of the archive, if it is already known")
    webhook: Text | None = Field(
        default=None, max_length=500, description="https URL that receives a call for each step"
    )
    signature: SignatureBody | None = Field(
        default=None, description="Signature of the archive. An archive that does not match it is refused"
    )


class StarterExampleBody(Input):
    """An example of a starter model."""

    texts: list[Annotated[Text, Field(min_length=1, max_length=2_000)]] = Field(
        min_length=1, max_length=2, description="Texts in the order of the model's fields"
    )
    labels: list[Annotated[Text, Field(min_length=1, max_length=200)]] = Field(
        min_length=1, max_length=50, description="Labels that people give it"
    )


class StarterBody(Input):
    """A starter model: a weak model for the labels of a task, made of a few examples."""

    task: Text = Field(max_length=100, description="Name of the task in addresses")
    model: Text = Field(
        pattern=MODEL_NAME, description="Name of the model: lower-case letters, digits and hyphens"
    )
    examples: list[StarterExampleBody] = Field(
        default=[], max_length=500, description="Without examples the model knows only the labels' names"
    )


class PartsQuery(Input):
    """The numbers of the parts to upload next."""

    numbers: list[Annotated[int, Field(ge=1, le=10_000)]] = Field(min_length=1, max_length=MOST_PARTS_AT_ONCE)


class CardBody(Input):
    """The content of the model card."""

    text: Text = Field(default="", max_length=50_000, description="Markdown")
    licence: Text = Field(default="", max_length=100, description="SPDX identifier, or other words")
    contact: Text = Field(default="", max_length=200)
    languages: list[Annotated[Text, Field(min_length=2, max_length=35)]] = Field(default=[], max_length=100)
    parameters: int | None = Field(default=None, ge=1, le=10**14, description="Number of parameters")
    trained_on: list[Annotated[Text, Field(min_length=1, max_length=200)]] = Field(
        default=[],
        max_length=100,
        description="Dataset versions that it was trained on; empty means not stated",
    )
    paper: Text | None = Field(default=None, max_length=500, description="URL of a paper")

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
    """The choices for a publication."""

    anonymous: bool = Field(default=False, description="If true, the submitter is not named")


class ReasonBody(Input):
    """The reason for an action."""

    reason: Text = Field(default="", max_length=LONGEST_REASON)


class DecisionBody(Input):
    """The decision on an archive with code."""

    approve: bool
    reason: Text = Field(min_length=1, max_length=LONGEST_REASON)


def step_answer(record: StepRecord) -> StepAnswer:
    """Return the answer about a step."""
    return StepAnswer(
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


def card_answer(card: Card | None) -> CardAnswer:
    """Return the answer about a card, or about one that nobody has written yet."""
    held = card or Card(text="", licence="", contact="")
    return CardAnswer.model_validate(held)


def submission_fields(submission: Submission, viewer: UUID | None) -> dict[str, Any]:
    """Return the fields that a viewer may see."""
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
        "tombstone": submission.tombstone,
    }


class LogQuery(Parameters):
    """The range of a log's lines."""

    after: int = Field(default=0, ge=0, le=LARGEST, description="`next_after` of the previous answer")
    step: Step | None = None


class EntryQuery(Parameters):
    """The path of an archive's entry."""

    path: Text = Field(max_length=500)


class PublishedModelsQuery(NewestFirst):
    """Filters of published models."""

    task: Text | None = Field(default=None, max_length=100)


class ServedPath(BaseModel):
    """A served version of a model in an address."""

    name: Text = Field(max_length=100)

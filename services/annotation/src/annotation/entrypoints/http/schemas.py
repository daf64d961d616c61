"""Bodies, paths and answers of the routes."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from dynabench_common.schemas import Input, PageQuery, Text
from dynabench_tasks.configuration.task_configuration import MOST_TARGETS
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema

from annotation.domain.context import MOST_CONTEXTS_AT_ONCE
from annotation.service_layer.assignments import Work

# What a value may be is for the task's fields to say; their refusals name field, reason and remedy.
FieldValue = Annotated[
    Any,
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"type": "string"}},
                {"type": "object"},
            ],
            "description": "By type: a text or label, labels, or a span or image as an object",
        }
    ),
]
TargetName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]


class TaskPath(BaseModel):
    """A task in an address."""

    slug: Text = Field(max_length=100)


class RoundPath(BaseModel):
    """A round in an address."""

    round_id: UUID


class ContextPath(BaseModel):
    """A context in an address."""

    context_id: UUID


class ExamplePath(BaseModel):
    """An example in an address."""

    example_id: UUID


class RoundBody(Input):
    """A round to draft."""

    targets: list[TargetName] = Field(description="Names of served models; none for a control arm")
    title: str = ""


class ContextBody(Input):
    """One context: the task's context fields, and tags."""

    fields: dict[str, FieldValue]
    tags: list[str] = Field(default_factory=list)


class ContextsBody(Input):
    """Contexts to add, all or none."""

    contexts: list[ContextBody] = Field(min_length=1, max_length=MOST_CONTEXTS_AT_ONCE)


class AssignmentBody(Input):
    """Name the context in hand to get another."""

    not_context_id: UUID | None = None


class FlagBody(Input):
    """Why a context is unfit."""

    reason: str


class ExplanationsBody(Input):
    """Why the label is right, and why the model was, or might have been, fooled; left out means unchanged."""

    label: str | None = None
    model: str | None = None


class TryBody(Input):
    """What a person wrote on a context, with what they claim for it."""

    context_id: UUID
    input: dict[str, FieldValue]
    metadata: dict[str, FieldValue] = Field(
        default_factory=dict, description="What the task asks beside the input; may also come later"
    )
    perturbation_of: UUID | None = Field(
        default=None, description="One's own example of which this is a minimal edit"
    )
    hint_shown: bool = False
    explanations: ExplanationsBody = Field(default_factory=ExplanationsBody)


class InspectionBody(Input):
    """Which target to inspect, for which label (its own answer if left out), in how many steps."""

    target: TargetName
    label: str | None = Field(default=None, description="A label; of spans, `start` or `end`")
    n_steps: int | None = Field(default=None, ge=1, le=160)


class MetadataBody(Input):
    """What the task asks beside the input; takes the place of what was given before."""

    metadata: dict[str, FieldValue]


class DecisionBody(Input):
    """The targets whose answers are wrong; those not named are right."""

    wrong_targets: list[TargetName] = Field(max_length=MOST_TARGETS)


class OverrulingBody(Input):
    """Why the example is no duplicate."""

    reason: Text = Field(min_length=1, max_length=1_000, description="Kept in the audit log")


class ExamplesQuery(PageQuery):
    """A page of examples: one's own, or everybody's for an owner."""

    author: Literal["me", "all"] = "me"


class ResponseBody(BaseModel):
    """A body that the service sends."""

    model_config = ConfigDict(from_attributes=True)


class RoundAnswer(ResponseBody):
    """A round; `segments` and `contexts` are counts, of contexts those in use.

    `origin` is empty where people write, else imported or harvested; then `source` names the collection.
    """

    round_id: UUID
    task_slug: str
    number: int
    title: str
    targets: list[str]
    state: str
    segments: int
    contexts: int
    created_at: datetime
    origin: Literal["", "imported", "harvested"]
    source: str


class TaskSummary(ResponseBody):
    """A task in a list."""

    task_id: UUID
    slug: str
    title: str
    description: str
    languages: list[str]
    configuration_version: int
    created_at: datetime
    rounds: list[RoundAnswer]


class TaskAnswer(TaskSummary):
    """A task with its configuration in force."""

    configuration: dict[str, Any]

    @classmethod
    def of(cls, record: Any) -> Self:
        """Return the answer for a task's record."""
        summary = TaskSummary.model_validate(record)
        return cls(**summary.model_dump(), configuration=dict(record.configuration.document()))


class TasksAnswer(ResponseBody):
    """A page of tasks."""

    items: list[TaskSummary]
    next_cursor: str | None


class RoundsAnswer(ResponseBody):
    """A page of rounds, newest first."""

    items: list[RoundAnswer]
    next_cursor: str | None


class ContextAnswer(ResponseBody):
    """A context as an annotator sees it."""

    context_id: UUID
    fields: dict[str, FieldValue]
    tags: list[str]


class OwnersContextAnswer(ContextAnswer):
    """A context as an owner sees it."""

    use_count: int
    flags: int
    is_withdrawn: bool


class ContextsAnswer(ResponseBody):
    """A page of contexts."""

    items: list[OwnersContextAnswer]
    next_cursor: str | None


class AddedContextsAnswer(ResponseBody):
    """The ids of added contexts, in the order of the request."""

    context_ids: list[UUID]


class UploadedContextsAnswer(ResponseBody):
    """How many contexts a file has added."""

    added: int


class AssignmentAnswer(ResponseBody):
    """The context in a person's hands; `attempts` counts their tries on it.

    Where `context_shown` is false the person writes without seeing the context; without targets no model is asked.
    """

    assignment_id: UUID
    context: ContextAnswer
    condition: str
    context_shown: bool
    has_targets: bool
    assigned_label: str | None
    assigned_at: datetime
    attempts: int

    @classmethod
    def of(cls, work: Work) -> Self:
        """Return the answer that tells of a person's work; a context that they are not shown stays here."""
        assignment, context = work.assignment, ContextAnswer.model_validate(work.context)
        if not work.condition.shows_context:
            context = ContextAnswer(context_id=context.context_id, fields={}, tags=[])
        return cls(
            assignment_id=assignment.assignment_id,
            context=context,
            condition=work.condition.name,
            context_shown=work.condition.shows_context,
            has_targets=work.condition.has_targets,
            assigned_label=assignment.assigned_label or None,
            assigned_at=assignment.assigned_at,
            attempts=assignment.attempts,
        )


class FlagAnswer(ResponseBody):
    """What became of a reported context."""

    context_id: UUID
    is_withdrawn: bool


class TargetAnswer(ResponseBody):
    """A target's answer; `wrong` is null while only the author can say."""

    target: str
    value: FieldValue
    confidence: float | None
    probabilities: dict[str, float]
    wrong: bool | None
    model_digest: str
    handler_digest: str
    milliseconds: float


class MissingTargetAnswer(ResponseBody):
    """A target that gave no answer in time, and why."""

    target: str
    missing: str


class UnaskedTargetAnswer(ResponseBody):
    """A target that was not asked, since one of an earlier tier was right."""

    target: str
    not_asked: Literal[True]


class Explanations(ResponseBody):
    """The author's two texts."""

    label: str
    model: str


class ExampleAnswer(ResponseBody):
    """An example with its verdict."""

    example_id: UUID
    round_id: UUID
    task_slug: str
    segment_id: UUID | None
    configuration_version: int
    context_id: UUID
    context: dict[str, FieldValue]
    input: dict[str, FieldValue]
    claimed: FieldValue | None
    assigned_label: str | None
    perturbation_of: UUID | None
    duplicate_of: UUID | None = Field(
        description="An earlier example of the round that fooled, with the same claim and an equal text: then this one "
        "counts as a try that did not fool, unless the owner overrules it"
    )
    duplicate_overruled_at: datetime | None
    metadata: dict[str, FieldValue]
    answers: list[TargetAnswer | MissingTargetAnswer | UnaskedTargetAnswer]
    verdict: Literal["fooled", "not_fooled", "undecided", "unknown"]
    attempt: int
    seconds_since_context: float
    probes_before: int
    inspections_before: int
    hint_shown: bool
    condition: str
    cohort: str
    author_id: UUID | None
    source_id: str | None
    created_at: datetime
    milliseconds: float
    retracted_at: datetime | None
    explanations: Explanations


class ExamplesAnswer(ResponseBody):
    """A page of examples, newest first."""

    items: list[ExampleAnswer]
    next_cursor: str | None


class CountsAnswer(ResponseBody):
    """Tries of a round; retracted ones stay tries, and their fooling is not counted."""

    tries: int
    fooled: int
    not_fooled: int
    retracted: int


class TokenAnswer(ResponseBody):
    """A piece of a field, `[start, end)` in its code points, and how much it spoke for the label."""

    field: str
    text: str
    start: int
    end: int
    weight: float


class ExplanationAnswer(ResponseBody):
    """Token attributions as the gateway gives them, with the target and what ran under its name."""

    model_config = ConfigDict(extra="allow")

    target: str
    label: str = Field(description="Of an answer span, `start` or `end`")
    probability: float
    tokens: list[TokenAnswer]
    convergence_delta: float = Field(description="What the weights miss of the difference")
    difference: float = Field(description="What the weights should add up to")
    n_steps: int
    method: str
    baseline: str
    model_digest: str
    handler_digest: str

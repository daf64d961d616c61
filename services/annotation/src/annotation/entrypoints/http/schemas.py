"""Bodies, paths and answers of the routes."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal
from uuid import UUID

from dynabench_api.annotation import AssignmentAnswer, ContextAnswer, TaskAnswer, TaskSummary
from dynabench_common.auth.permissions import Permission, current_principal, is_allowed
from dynabench_common.http.schemas import Input, PageQuery, Text
from dynabench_tasks.configuration.onboarding import without_quizzes
from dynabench_tasks.configuration.task_configuration import MOST_TARGETS
from dynabench_tasks.strict_json import LARGEST
from pydantic import BaseModel, Field, StringConstraints, WithJsonSchema

from annotation.domain.context import MOST_CONTEXTS_AT_ONCE
from annotation.domain.image import MEDIA_TYPES, MOST_BYTES
from annotation.service_layer.assignments import Work

# The task's fields decide which values are valid; their refusals name field, reason and remedy.
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
MOST_PASTED = 1_000_000
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
    demonstration: bool = Field(
        default=False, description="True if a script writes the examples; they count for no person"
    )


class ContextBody(Input):
    """One context: the task's context fields, and tags."""

    fields: dict[str, FieldValue]
    tags: list[str] = Field(default_factory=list)


class ContextsBody(Input):
    """Contexts to add, all or none."""

    contexts: list[ContextBody] = Field(min_length=1, max_length=MOST_CONTEXTS_AT_ONCE)


class AssignmentBody(Input):
    """The current context, if you want another one."""

    not_context_id: UUID | None = None


class FlagBody(Input):
    """The reason why a context is unfit."""

    reason: str


class ExplanationsBody(Input):
    """Reasons why the label is right and why the model was or could be fooled. Missing fields stay unchanged."""

    label: str | None = None
    model: str | None = None


class TryBody(Input):
    """A person's text on a context, with their claim."""

    context_id: UUID
    input: dict[str, FieldValue]
    metadata: dict[str, FieldValue] = Field(
        default_factory=dict, description="The task's metadata. It may also be sent later"
    )
    perturbation_of: UUID | None = Field(
        default=None, description="The caller's own example that this one is a minimal edit of"
    )
    hint_shown: bool = False
    pasted_characters: int | None = Field(
        default=None,
        ge=0,
        le=MOST_PASTED,
        description="Characters of the text that were pasted and are not in the context; null if no page counted them",
    )
    explanations: ExplanationsBody = Field(default_factory=ExplanationsBody)


class InspectionBody(Input):
    """The target to inspect, the label (default: the target's answer), and the number of steps."""

    target: TargetName
    label: str | None = Field(default=None, description="A label; for spans, `start` or `end`")
    n_steps: int | None = Field(default=None, ge=1, le=160)


class MetadataBody(Input):
    """The task's metadata for the example. It replaces earlier metadata."""

    metadata: dict[str, FieldValue]


class DecisionBody(Input):
    """The targets with a wrong answer. All others count as right."""

    wrong_targets: list[TargetName] = Field(max_length=MOST_TARGETS)


class OverrulingBody(Input):
    """The reason why the example is not a duplicate."""

    reason: Text = Field(min_length=1, max_length=1_000, description="Reason for the audit log")


class ExamplesQuery(PageQuery):
    """A page of examples: the caller's own or, for owners, everybody's."""

    author: Literal["me", "all"] = "me"


class ImagePath(BaseModel):
    """An image in an address."""

    image_id: UUID


class ImageBody(Input):
    """The file to be sent."""

    media_type: str = Field(max_length=100, description="One of " + ", ".join(MEDIA_TYPES))
    bytes: int = Field(ge=0, le=LARGEST, description=f"Size of the file, at most {MOST_BYTES:,}")


def task_answer(record: Any) -> TaskAnswer:
    """Return the answer for a task's record."""
    summary = TaskSummary.model_validate(record)
    configuration = visible_configuration(record.slug, record.configuration.document())
    return TaskAnswer(**summary.model_dump(), configuration=configuration)


def visible_configuration(slug: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration, without its quizzes unless the caller owns the task."""
    is_owner = is_allowed(Permission.MANAGE_TASK, current_principal(), slug)
    return dict(document) if is_owner else without_quizzes(document)


def assignment_answer(work: Work) -> AssignmentAnswer:
    """Return the answer that tells of a person's work; a context that they are not shown stays here."""
    assignment, context = work.assignment, ContextAnswer.model_validate(work.context)
    if not work.condition.shows_context:
        context = ContextAnswer(context_id=context.context_id, fields={}, tags=[])
    return AssignmentAnswer(
        assignment_id=assignment.assignment_id,
        context=context,
        condition=work.condition.name,
        context_shown=work.condition.shows_context,
        has_targets=work.condition.has_targets,
        assigned_label=assignment.assigned_label or None,
        assigned_at=assignment.assigned_at,
        attempts=assignment.attempts,
    )

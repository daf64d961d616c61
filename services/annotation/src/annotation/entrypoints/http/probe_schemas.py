"""Bodies and answers of the routes that ask without storing a try."""

from typing import Any
from uuid import UUID

from dynabench_api.annotation import ModelAnswer
from dynabench_api.base import FieldValue
from dynabench_common.http.schemas import Input
from pydantic import BaseModel, Field

from annotation.adapters.documents import answer_document
from annotation.domain.verdict import Answers
from annotation.entrypoints.http.schemas import TargetName
from annotation.service_layer.sandbox import FittingModel


class WrittenBody(Input):
    """The person's unfinished text on a context. A claim in it is ignored."""

    context_id: UUID
    input: dict[str, FieldValue]


class SandboxBody(Input):
    """A text for one model: input, and the context as far as models read it. A claim in it is ignored."""

    target: TargetName
    context: dict[str, FieldValue]
    input: dict[str, FieldValue]


class SandboxInspectionBody(SandboxBody):
    """A text for one model, with the label to explain (default: the model's answer) and the number of steps."""

    label: str | None = Field(default=None, description="A label; for spans, `start` or `end`")
    n_steps: int | None = Field(default=None, ge=1, le=160)


class TargetPath(BaseModel):
    """A served model in an address."""

    target: TargetName


class CountedProbesBody(Input):
    """The person who saw the model's answers, and the number of texts."""

    person_id: UUID
    texts: int = Field(ge=1, le=1_000)
    also_in_the_loop: bool = Field(
        default=True, description="True if the person may ask targets of rounds in progress"
    )


def answers_document(answers: Answers) -> dict[str, Any]:
    """Return the answers as `AnswersAnswer` describes them."""
    return {"answers": [answer_document(answer) for answer in answers]}


def model_answer(model: FittingModel) -> ModelAnswer:
    """Return the answer for a model."""
    described = model.description
    return ModelAnswer(
        name=described.name,
        task_type=described.task_type,
        labels=list(described.labels),
        ready=described.ready,
        in_the_loop=model.in_the_loop,
        published=described.published,
    )

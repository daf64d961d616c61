"""Bodies and answers of the routes that ask without storing a try."""

from typing import Any, Self
from uuid import UUID

from dynabench_common.schemas import Input
from pydantic import BaseModel, Field

from annotation.adapters.documents import answer_document
from annotation.domain.verdict import Answers
from annotation.entrypoints.http.schemas import (
    FieldValue,
    MissingTargetAnswer,
    ResponseBody,
    TargetAnswer,
    TargetName,
)
from annotation.service_layer.sandbox import FittingModel


class WrittenBody(Input):
    """What a person has written on a context so far; a claim that comes along is left out."""

    context_id: UUID
    input: dict[str, FieldValue]


class SandboxBody(Input):
    """A text for one model: the task's context and input; a claim that comes along is left out."""

    target: TargetName
    context: dict[str, FieldValue]
    input: dict[str, FieldValue]


class SandboxInspectionBody(SandboxBody):
    """The same, with the label to explain (the model's own if left out), in how many steps."""

    label: str | None = Field(default=None, description="A label; of spans, `start` or `end`")
    n_steps: int | None = Field(default=None, ge=1, le=160)


class TargetPath(BaseModel):
    """A served model in an address."""

    target: TargetName


class CountedProbesBody(Input):
    """Who was told what the model answers, on how many texts."""

    person_id: UUID
    texts: int = Field(ge=1, le=1_000)
    also_in_the_loop: bool = Field(
        default=True, description="Whether the person may ask targets of rounds in progress"
    )


class CountedProbesAnswer(ResponseBody):
    """In how many rounds the probes count: those open or paused that have the model as a target."""

    rounds: int


class AnswersAnswer(ResponseBody):
    """What models answer to something that is not stored; nobody is right or wrong."""

    answers: list[TargetAnswer | MissingTargetAnswer]


def answers_document(answers: Answers) -> dict[str, Any]:
    """Return the answers as `AnswersAnswer` describes them."""
    return {"answers": [answer_document(answer) for answer in answers]}


class NearDuplicateAnswer(ResponseBody):
    """An example of one's own that says nearly the same; `similarity` lies in [0.8, 1]."""

    example_id: UUID
    text: str
    similarity: float


class SimilarAnswer(ResponseBody):
    """Near duplicates in the round: one's own, and how many of other people."""

    own: list[NearDuplicateAnswer]
    others: int


class ModelAnswer(ResponseBody):
    """A served model that fits a task; `in_the_loop` while people try to fool it in a round.

    Only a `published` one can become a target.
    """

    name: str
    task_type: str
    labels: list[str]
    ready: bool
    in_the_loop: bool
    published: bool

    @classmethod
    def of(cls, model: FittingModel) -> Self:
        """Return the answer for a model."""
        described = model.description
        return cls(
            name=described.name,
            task_type=described.task_type,
            labels=list(described.labels),
            ready=described.ready,
            in_the_loop=model.in_the_loop,
            published=described.published,
        )


class ModelsAnswer(ResponseBody):
    """The models that fit a task, by name."""

    items: list[ModelAnswer]

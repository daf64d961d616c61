"""Paths and bodies of the HTTP interface, and the question about an example."""

from typing import Annotated, Any
from uuid import UUID

from dynabench_api.validation import ExampleAnswer
from dynabench_common.http.schemas import Input
from dynabench_tasks.votes import VoteKind
from pydantic import BaseModel, Field, JsonValue, StringConstraints

from validation.domain.ballots import Ballot
from validation.domain.queue import ServedExample

LONGEST_REASON = 500
MOST_METADATA = 50


class RoundPath(BaseModel):
    """A round in an address."""

    round_id: UUID


class LeasePath(BaseModel):
    """A lease in an address."""

    lease_id: UUID


class VotePath(BaseModel):
    """A vote in an address."""

    vote_id: UUID


class ExamplePath(BaseModel):
    """An example in an address."""

    example_id: UUID


class VoteBody(Input):
    """A vote on a leased example."""

    kind: VoteKind = Field(description="Kind of the answer. After `unsure` another person gets the example")
    value: JsonValue = Field(
        default=None,
        description="Required with `label` and `judgement`, else refused. By the lease's `answer_type`: an "
        "option, a list of options, or a span with `start`, `end` and `text`",
    )
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_REASON)] | None = (
        Field(default=None, description="Reason why the example is unfit. Required with `flag`, else refused")
    )

    metadata: dict[str, JsonValue] = Field(
        default_factory=dict,
        max_length=MOST_METADATA,
        description="Values of the lease's `metadata_fields`, by name",
    )

    def ballot(self) -> Ballot:
        """Return what the domain takes."""
        return Ballot(self.kind, self.value, self.reason or "", self.metadata)


def question_about(served: ServedExample) -> dict[str, Any]:
    """Return the fields of a `QuestionAnswer` about an example."""
    question = served.rules.question
    return {
        "example": ExampleAnswer(
            example_id=served.example_id,
            context=served.context,
            input=served.input,
            claim_to_judge=served.claim_to_judge,
        ),
        "answer_type": question.name,
        "options": list(question.options),
        "span_of": question.marked_text,
        "metadata_fields": [dict(field.document()) for field in served.metadata_fields],
        "vote": question.kind.value,
    }

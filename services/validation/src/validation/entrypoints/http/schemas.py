"""Bodies, paths and answers of the HTTP interface."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from dynabench_common.schemas import Input
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.values import Value
from dynabench_tasks.votes import VoteKind
from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from validation.domain.ballots import Ballot
from validation.domain.queue import ServedExample
from validation.domain.validators import ValidatorState

LONGEST_REASON = 500
MOST_METADATA = 50


class RoundPath(BaseModel):
    """Names a round."""

    round_id: UUID


class LeasePath(BaseModel):
    """Names a lease."""

    lease_id: UUID


class VotePath(BaseModel):
    """Names a vote."""

    vote_id: UUID


class ExamplePath(BaseModel):
    """Names an example."""

    example_id: UUID


class VoteBody(Input):
    """An answer on a leased example."""

    kind: VoteKind = Field(
        description="What kind of answer it is; `unsure` leaves the slot to another person"
    )
    value: JsonValue = Field(
        default=None,
        description="An answer of the lease's `answer_type`: an option, a list of options or a span with `start`, "
        "`end` and `text`; with `label` and `judgement` only",
    )
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_REASON)] | None = (
        Field(default=None, description="Why the example is unfit; needed with `flag`, with nothing else")
    )

    metadata: dict[str, JsonValue] = Field(
        default_factory=dict,
        max_length=MOST_METADATA,
        description="Values of the lease's `metadata_fields`, by name",
    )

    def ballot(self) -> Ballot:
        """Return what the domain takes."""
        return Ballot(self.kind, self.value, self.reason or "", self.metadata)


class ExampleAnswer(BaseModel):
    """What a validator sees of an example before answering."""

    example_id: UUID
    context: dict[str, Value]
    input: dict[str, Value]
    claim_to_judge: Value | None = Field(
        description="What the author claims where the task votes by judgement; null where votes are blind"
    )


class QuestionAnswer(BaseModel):
    """An example, and what an answer on it may be."""

    example: ExampleAnswer
    answer_type: str = Field(description="What a value is: the type of the claimed field, or judgement")
    options: list[str] = Field(description="What may be chosen, beside `flag` and `unsure`; none for a span")
    span_of: str | None = Field(description="The text field in which a span is marked")
    metadata_fields: list[dict[str, Any]] = Field(
        description="What is asked beside the vote in this round, as the task's configuration says it"
    )
    vote: str = Field(description="The kind of an ordinary vote: label or judgement")


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


class Reveal(BaseModel):
    """What the author said, shown once the answer is final."""

    claimed: Value | None
    explanation: str | None


class Notice(BaseModel):
    """What a voter is told who keeps missing items with a known answer, or who answered faster than anybody reads."""

    kind: Literal[ValidatorState.WARNED, ValidatorState.PAUSED, "too_fast"]
    text: str


class StoredVoteAnswer(BaseModel):
    """A stored answer."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    vote_id: UUID
    counted: bool = Field(
        description="False for `unsure`, for evidence after the resolution, and for an answer given faster than "
        "anybody reads"
    )
    resolution: Resolution | None = Field(
        description="The example's resolution, if it has one; null as long as the vote is not revealed"
    )
    undo_until: datetime | None = Field(
        default=None,
        description="Until when the vote may be taken back, while nobody else acts on the example; "
        "null once it is revealed",
    )
    reveal: Reveal | None = Field(
        description="What the author said; null until one asks for it, which makes the vote final"
    )
    notice: Notice | None = None


class CountsAnswer(BaseModel):
    """How far the validation of a round has come."""

    model_config = ConfigDict(extra="ignore")

    round_id: UUID
    examples: int
    votes: int = Field(description="Votes that counted")
    resolved: int = Field(description="Resolved examples, those that were retracted left out")
    correct: int
    incorrect: int
    flagged: int
    disputed: int
    no_claim: int = Field(description="Agreed on, without a claim to compare with")
    pending: int = Field(description="Examples that wait for votes; retracted ones don't")
    pending_fooling: int = Field(description="Those of them that fooled the targets")
    not_asked: int = Field(
        description="Examples without votes to come, since the configuration that they were written under wants none"
    )
    leases_out: int = Field(description="Examples that somebody holds now, once for each person")


class ExampleStateAnswer(BaseModel):
    """What the votes made of an example."""

    model_config = ConfigDict(extra="ignore")

    example_id: UUID
    round_id: UUID
    resolution: Resolution | None
    agreed_option: str | None = Field(description="As a value text, of spans the earliest agreed one")
    golds: list[Value] = Field(
        description="The answers that stand as gold: one label or set of labels, or every agreed span"
    )
    votes_counted: int
    pending: bool
    retracted: bool
    resolved_at: datetime | None

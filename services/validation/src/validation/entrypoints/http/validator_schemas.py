"""Paths, bodies and answers about validators."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from dynabench_common.schemas import Input
from pydantic import BaseModel, ConfigDict, Field

from validation.domain.validators import PauseAppeal, Validator, ValidatorState
from validation.entrypoints.http.agreement_schemas import RateAnswer
from validation.entrypoints.http.decision_schemas import AppealRecord, Reason
from validation.entrypoints.http.gold_schemas import TaskPath


class ValidatorPath(TaskPath):
    """Names a validator of a task."""

    voter_id: UUID


class PersonPath(BaseModel):
    """Names a person."""

    person_id: UUID


class PauseAppealBody(Input):
    """Why a paused person should go on."""

    reason: Reason = Field(description="For the task's owner")


class ValidatorBody(Input):
    """What an owner decides about a validator."""

    state: Literal[ValidatorState.ACTIVE, ValidatorState.PAUSED] = Field(
        description="`active` reinstates with a clean slate; `paused` pauses, or confirms a pause"
    )
    reason: Reason = Field(description="For the validator and the audit log")


class PauseAppealRecord(BaseModel):
    """What a paused person says."""

    reason: str
    at: datetime

    @classmethod
    def of(cls, appealed: PauseAppeal) -> "PauseAppealRecord":
        """Return the record of an appeal."""
        return cls(reason=appealed.reason, at=appealed.appealed_at)


class PauseAppealAnswer(BaseModel):
    """Where a person stands who has appealed."""

    state: ValidatorState
    appeal: PauseAppealRecord | None

    @classmethod
    def of(cls, validator: Validator) -> "PauseAppealAnswer":
        """Return the answer that tells of a validator."""
        appealed = validator.open_appeal
        return cls(state=validator.state, appeal=PauseAppealRecord.of(appealed) if appealed else None)


class PauseAnswer(BaseModel):
    """The pause that a person is under."""

    reason: str | None = Field(
        description="Why the owner paused them, or lets the pause stand; null if unsaid"
    )
    appeal: AppealRecord | None = Field(description="One's own appeal against it, of which one is heard")


class OwnWorkAnswer(BaseModel):
    """A person's own validation in a round."""

    votes: int = Field(description="Answers given, those on items with a known answer among them")
    votes_today: int = Field(description="Since midnight UTC")
    agreement: float | None = Field(
        description="Share of own votes that say what most others say, 0 to 1; null while none compares"
    )
    agreement_low: float | None = Field(description="Lower end of its 95 % interval")
    agreement_high: float | None
    agreement_votes: int = Field(description="Own votes that could be compared")
    gold: RateAnswer = Field(description="Share of items with a known answer that one got right, in the task")
    state: ValidatorState = Field(description="Whether one may validate in the task")
    pause: PauseAnswer | None = Field(description="While one is paused, what was said about it")


class ValidatorAnswer(BaseModel):
    """A validator of a task, with their figures."""

    model_config = ConfigDict(from_attributes=True)

    voter_id: UUID
    votes: int = Field(description="Votes on examples of the task")
    agreement: RateAnswer = Field(
        description="Share of votes that say what became of the example without them: what most others say, or "
        "its owner's decision"
    )
    gold: RateAnswer = Field(description="Share of items with a known answer that they got right")
    failures: int = Field(description="How many of the last 20 of those they failed; 2 warn, 5 pause")
    seconds_median: float | None = Field(description="Median time from lease to vote")
    state: ValidatorState
    appeal: PauseAppealRecord | None = Field(description="What waits for the owner's answer")


class ValidatorsAnswer(BaseModel):
    """Validators of a task, in the order of their ids."""

    items: list[ValidatorAnswer]
    next_cursor: str | None


class StandingAnswer(BaseModel):
    """Where a person stands in a task that they vote in."""

    task_slug: str
    state: ValidatorState
    paused_by: Literal["owner", "checks"] | None = Field(
        description="`checks` are the items with a known answer; null while not paused"
    )
    paused_at: datetime | None
    reason: str | None = Field(description="What the owner said of the pause; null where nothing was said")
    failures: int = Field(description="Of the last 20 items with a known answer; 2 warn, 5 pause")
    appeal: PauseAppealRecord | None = Field(description="What waits for the owner's answer")


class StandingsAnswer(BaseModel):
    """Where a person stands, by task."""

    items: list[StandingAnswer]

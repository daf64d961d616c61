"""Validators, and known items (items with a known answer)."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from dynabench_api.base import Id, Page, Record, Value, Values, words
from dynabench_api.rates import RateAnswer
from dynabench_api.validation import AppealRecord, PauseAppealRecord
from dynabench_api.words import GoldKind, Retirement, ValidatorState


class PauseAppealAnswer(Record):
    """The state of a person after an appeal."""

    state: ValidatorState
    appeal: PauseAppealRecord | None


class PauseAnswer(Record):
    """A person's pause in a task."""

    reason: str | None = Field(
        description="The owner's reason for the pause, or for keeping it; null if none was given"
    )
    appeal: AppealRecord | None = Field(
        description="The person's appeal against the pause; only one is allowed"
    )


class OwnWorkAnswer(Record):
    """A person's own validation in a round."""

    votes: int = Field(description="Number of answers, including those on known items")
    votes_today: int = Field(description="Number of answers since midnight UTC")
    agreement: float | None = Field(
        description="Share of the person's votes that equal the majority of the others, 0 to 1; null while none "
        "can be compared"
    )
    agreement_low: float | None = Field(description="Lower end of the 95 % interval")
    agreement_high: float | None
    agreement_votes: int = Field(description="Number of votes that could be compared")
    gold: RateAnswer = Field(description="Share of known items of the task that the person got right")
    state: ValidatorState = Field(description="The person's right to validate in the task")
    pause: PauseAnswer | None = Field(description="The pause and its appeal; null unless paused")


class ValidatorAnswer(Record):
    """A validator of a task, with their figures."""

    voter_id: Id
    votes: int = Field(description="Number of votes on examples of the task")
    agreement: RateAnswer = Field(
        description="Share of votes that equal the outcome without this vote: the majority of the others, or the "
        "owner's decision"
    )
    gold: RateAnswer = Field(description="Share of known items that the validator got right")
    failures: int = Field(description="Failures among the last 20 known items; 2 warn, 5 pause")
    seconds_median: float | None = Field(description="Median time from lease to vote")
    state: ValidatorState
    appeal: PauseAppealRecord | None = Field(
        description="The appeal that waits for the owner's reply; null if none"
    )


class ValidatorsAnswer(Page[ValidatorAnswer]):
    """Validators of a task, ordered by id."""


class StandingAnswer(Record):
    """The standing of a person in a task."""

    task_slug: str
    state: ValidatorState
    paused_by: Annotated[str, words("owner", "checks")] | None = Field(
        description="`checks` means the known items; null unless paused"
    )
    paused_at: datetime | None
    reason: str | None = Field(description="The owner's reason for the pause; null if none was given")
    failures: int = Field(description="Failures among the last 20 known items; 2 warn, 5 pause")
    appeal: PauseAppealRecord | None = Field(
        description="The appeal that waits for the owner's reply; null if none"
    )


class StandingsAnswer(Record):
    """The standing of a person, by task."""

    items: tuple[StandingAnswer, ...]


class GoldAnswer(Record):
    """A known item, with counts of people's answers on it."""

    gold_id: Id
    kind: GoldKind
    example_id: Id | None = Field(
        description="The resolved example that the item was made from; null for attention checks"
    )
    context: Values
    input: Values
    claimed: Value | None = Field(description="The claim to reveal after the answer")
    answers: tuple[Value, ...] = Field(description="The right answers; of several spans, any passes")
    shown: int = Field(description="Number of people who saw the item; at most 200 do")
    answered: int = Field(description="Number of people who answered, without `unsure`")
    failed: int = Field(description="Number of people with a wrong answer")
    added_at: datetime
    retirement: Retirement | None = Field(description="Reason for the retirement; null while in use")
    retired_at: datetime | None


class GoldListAnswer(Page[GoldAnswer]):
    """Items of a task, the newest first."""


class RefreshedAnswer(Record):
    """The changes of a refresh."""

    added: int = Field(description="Items made from the round's examples")
    retired: int = Field(description="Items with an example that was retracted or decided again")
    in_use: int = Field(description="Items of the task made from examples and now in use")

"""Validators, and items whose answer is known."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from dynabench_api.base import Id, Page, Record, Value, Values, words
from dynabench_api.rates import RateAnswer
from dynabench_api.validation import AppealRecord, PauseAppealRecord
from dynabench_api.words import GoldKind, Retirement, ValidatorState


class PauseAppealAnswer(Record):
    """The standing of a person who has appealed."""

    state: ValidatorState
    appeal: PauseAppealRecord | None


class PauseAnswer(Record):
    """The pause that a person is under."""

    reason: str | None = Field(
        description="Why the owner paused them, or lets the pause stand; null if unsaid"
    )
    appeal: AppealRecord | None = Field(description="One's own appeal against it, of which one is heard")


class OwnWorkAnswer(Record):
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


class ValidatorAnswer(Record):
    """A validator of a task, with their figures."""

    voter_id: Id
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


class ValidatorsAnswer(Page[ValidatorAnswer]):
    """Validators of a task, in the order of their ids."""


class StandingAnswer(Record):
    """The standing of a person in a task."""

    task_slug: str
    state: ValidatorState
    paused_by: Annotated[str, words("owner", "checks")] | None = Field(
        description="`checks` are the items with a known answer; null while not paused"
    )
    paused_at: datetime | None
    reason: str | None = Field(description="What the owner said of the pause; null where nothing was said")
    failures: int = Field(description="Of the last 20 items with a known answer; 2 warn, 5 pause")
    appeal: PauseAppealRecord | None = Field(description="What waits for the owner's answer")


class StandingsAnswer(Record):
    """The standing of a person, by task."""

    items: tuple[StandingAnswer, ...]


class GoldAnswer(Record):
    """An item whose answer is known, with how people did on it."""

    gold_id: Id
    kind: GoldKind
    example_id: Id | None = Field(
        description="The resolved example it was made of; null for attention checks"
    )
    context: Values
    input: Values
    claimed: Value | None = Field(description="What is revealed as the author's claim after the answer")
    answers: tuple[Value, ...] = Field(description="The right answers; of several spans, any passes")
    shown: int = Field(description="People to whom it was shown; the 200th is the last")
    answered: int = Field(description="Those of them who answered, `unsure` left out")
    failed: int = Field(description="Those of them whose answer was wrong")
    added_at: datetime
    retirement: Retirement | None = Field(description="Why it is shown no more; null while in use")
    retired_at: datetime | None


class GoldListAnswer(Page[GoldAnswer]):
    """Items of a task, the newest first."""


class RefreshedAnswer(Record):
    """The changes of a refresh."""

    added: int = Field(description="Items made of the round's examples")
    retired: int = Field(description="Items whose example was retracted or decided anew")
    in_use: int = Field(description="Items of the task made of examples that are in use now")

"""Paths, bodies and answers about known items."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from dynabench_common.schemas import Input, Text
from dynabench_tasks.values import Value
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from validation.domain.gold import GoldKind, Retirement

MOST_FIELDS = 50


class TaskPath(BaseModel):
    """Names a task."""

    slug: Text = Field(max_length=40)


class GoldPath(BaseModel):
    """Names an item whose answer is known."""

    gold_id: UUID


class AttentionCheckBody(Input):
    """A text whose answer nobody who reads it can miss."""

    kind: Literal[GoldKind.ATTENTION]
    context: dict[str, JsonValue] = Field(max_length=MOST_FIELDS, description="The task's context fields")
    input: dict[str, JsonValue] = Field(
        max_length=MOST_FIELDS,
        description="The task's input fields; the claimed one only where people judge what is claimed",
    )
    answer: JsonValue = Field(description="The right answer, as in a vote")


class GoldAnswer(BaseModel):
    """An item whose answer is known, with how people did on it."""

    gold_id: UUID
    kind: GoldKind
    example_id: UUID | None = Field(
        description="The resolved example it was made of; null for attention checks"
    )
    context: dict[str, Value]
    input: dict[str, Value]
    claimed: Value | None = Field(description="What is revealed as the author's claim after the answer")
    answers: list[Value] = Field(description="The right answers; of several spans, any passes")
    shown: int = Field(description="People to whom it was shown; the 200th is the last")
    answered: int = Field(description="Those of them who answered, `unsure` left out")
    failed: int = Field(description="Those of them whose answer was wrong")
    added_at: datetime
    retirement: Retirement | None = Field(description="Why it is shown no more; null while in use")
    retired_at: datetime | None


class GoldListAnswer(BaseModel):
    """Items of a task, the newest first."""

    items: list[GoldAnswer]
    next_cursor: str | None


class RefreshedAnswer(BaseModel):
    """What a refresh changed."""

    model_config = ConfigDict(from_attributes=True)

    added: int = Field(description="Items made of the round's examples")
    retired: int = Field(description="Items whose example was retracted or decided anew")
    in_use: int = Field(description="Items of the task made of examples that are in use now")

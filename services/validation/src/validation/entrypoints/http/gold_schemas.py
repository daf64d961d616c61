"""Paths and bodies about known items."""

from typing import Literal
from uuid import UUID

from dynabench_common.http.schemas import Input, Text
from pydantic import BaseModel, Field, JsonValue

from validation.domain.gold import GoldKind

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

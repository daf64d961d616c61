"""Paths and bodies about known items."""

from typing import Literal
from uuid import UUID

from dynabench_common.http.schemas import Input, Text
from pydantic import BaseModel, Field, JsonValue

from validation.domain.gold import GoldKind

MOST_FIELDS = 50


class TaskPath(BaseModel):
    """A task in an address."""

    slug: Text = Field(max_length=40)


class GoldPath(BaseModel):
    """A known item in an address."""

    gold_id: UUID


class AttentionCheckBody(Input):
    """An attention check: a text with an answer that is obvious to every reader."""

    kind: Literal[GoldKind.ATTENTION]
    context: dict[str, JsonValue] = Field(max_length=MOST_FIELDS, description="The task's context fields")
    input: dict[str, JsonValue] = Field(
        max_length=MOST_FIELDS,
        description="The task's input fields. Include the claimed field only if the task votes by judgement",
    )
    answer: JsonValue = Field(description="The right answer, as in a vote")

"""Bodies, paths and answers of the routes that import collections."""

from typing import Literal, Self
from uuid import UUID

from dynabench_common.schemas import Input, Text
from pydantic import BaseModel, Field

from annotation.entrypoints.http.schemas import ResponseBody, TargetName, TaskPath
from annotation.queries.rounds import RoundRecord
from annotation.service_layer.imports import LONGEST_SOURCE

LAST_LINE = 1_000_000_000


class ImportPath(TaskPath):
    """A collection of a task in an address."""

    source: Text = Field(max_length=LONGEST_SOURCE)


class ImportBody(Input):
    """A collection to take in: records with votes and answers, or text that targets are run over."""

    targets: list[TargetName] = Field(description="Names of the targets that its records tell of, or to run")
    origin: Literal["imported", "harvested"]
    title: str = ""


class BatchQuery(BaseModel):
    """Where in its file a batch of lines begins."""

    first_line: int = Field(default=1, ge=1, le=LAST_LINE, description="Number of the batch's first line")


class CheckQuery(BatchQuery):
    """The targets that the records tell of."""

    target: list[TargetName] = Field(default_factory=list)


class HarvestQuery(BatchQuery):
    """How sure a target must be of an answer that is not kept."""

    margin_below: float = Field(
        default=0.0, ge=0, le=1, description="Keep text of which a target's answer leads by less"
    )


class ImportAnswer(ResponseBody):
    """The round that takes in a collection; `records` counts those that are stored."""

    round_id: UUID
    task_slug: str
    number: int
    source: str
    origin: Literal["imported", "harvested"]
    targets: list[str]
    state: str
    records: int

    @classmethod
    def of(cls, round_: RoundRecord, records: int) -> Self:
        """Return the answer for a round."""
        return cls.model_validate({**vars(round_), "records": records})


class TakenAnswer(ResponseBody):
    """Records stored, lines that repeat what is known, and votes of the records stored."""

    stored: int
    repeated: int
    votes: int


class HarvestAnswer(ResponseBody):
    """Lines seen; of them stored, known before, answered wrong, and answered without being sure."""

    seen: int
    stored: int
    repeated: int
    wrong: int
    unsure: int

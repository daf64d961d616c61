"""Bodies, paths and answers of the routes that import collections."""

from typing import Literal

from dynabench_api.rounds import ImportAnswer
from dynabench_common.http.schemas import Input, Parameters, Text
from pydantic import Field

from annotation.entrypoints.http.schemas import TargetName, TaskPath
from annotation.queries.rounds import RoundRecord
from annotation.service_layer.imports import LONGEST_SOURCE

LAST_LINE = 1_000_000_000


class ImportPath(TaskPath):
    """A collection of a task in an address."""

    source: Text = Field(max_length=LONGEST_SOURCE)


class ImportBody(Input):
    """A collection to import: records with votes and answers, or texts to run targets on."""

    targets: list[TargetName] = Field(
        description="Names of the targets in the records, or of the targets to run"
    )
    origin: Literal["imported", "harvested"]
    title: str = ""


class BatchQuery(Parameters):
    """The position of a batch of lines in its file."""

    first_line: int = Field(default=1, ge=1, le=LAST_LINE, description="Number of the batch's first line")


class CheckQuery(BatchQuery):
    """The targets in the records."""

    target: list[TargetName] = Field(default_factory=list)


class HarvestQuery(BatchQuery):
    """The confidence limit for storing a text."""

    margin_below: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="Store a text if a target's best answer leads the second by less than this",
    )


def import_answer(round_: RoundRecord, records: int) -> ImportAnswer:
    """Return the answer for a round."""
    return ImportAnswer.model_validate({**vars(round_), "records": records})

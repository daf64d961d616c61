"""Bodies, paths and answers of the HTTP interface."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any
from uuid import UUID

from dynabench_api.datasets import (
    ColumnAnswer,
    DatasetAnswer,
    DatasetsAnswer,
    DatasetSummary,
    NoSplitsAnswer,
    PreviewAnswer,
    RowsAnswer,
    SplitsAnswer,
)
from dynabench_common.http.schemas import Input, PageQuery, Parameters, Text, cursor_id, page_start
from pydantic import AfterValidator, BaseModel, Field, StringConstraints
from sqlalchemy import Row

from scoring.adapters.exports import ExportFormat
from scoring.adapters.first_rows import MOST_SEARCHED, FoundRows, Wanted, column_types, row_of
from scoring.dataset.rows import SPLITS
from scoring.dataset.splits import SplitOptions, SplitSize
from scoring.domain.release import DEFAULT_LICENCE, ReleaseOptions
from scoring.domain.release_plan import ReleasePlan
from scoring.domain.round_facts import RoundFacts

MOST_EXAMPLES = 100_000_000
LARGEST_SEED = 2**31 - 1
FREE_TEXT = "If true, include explanations and free-text metadata. They may name people"


def _whole_from_one(size: float) -> float:
    if size >= 1 and size != int(size):
        raise ValueError("must be a share below 1 or a whole number of examples")
    return size


Size = Annotated[float, Field(ge=0, le=MOST_EXAMPLES), AfterValidator(_whole_from_one)]


class RoundPath(BaseModel):
    """A round in an address."""

    round_id: UUID


class ReleasePath(BaseModel):
    """A release in an address."""

    release_id: UUID


class DatasetPath(BaseModel):
    """A dataset in an address."""

    dataset_id: UUID


class FilePath(DatasetPath):
    """A file of a dataset in an address."""

    path: Text = Field(max_length=200)


class RowsQuery(Parameters):
    """The wanted rows of a dataset."""

    split: Text = Field(default=SPLITS[0], max_length=20, description="train, dev, test or disputed")
    label: Text | None = Field(
        default=None,
        max_length=1000,
        description=f"Only rows with this label, among the first {MOST_SEARCHED} of the split",
    )
    limit: int = Field(default=50, ge=1, le=100, description="Most rows to return")
    offset: int = Field(default=0, ge=0, le=MOST_SEARCHED, description="Number of such rows to skip")

    def wanted(self) -> Wanted:
        """Return the search that this asks for."""
        return Wanted(self.limit, self.offset, self.label)


class PreviewQuery(Parameters):
    """The splits of a possible release."""

    dev: Size = Field(
        default=0.1,
        description="Size of dev: a share of the examples with a gold answer, or a number of examples",
    )
    test: Size = Field(default=0.1, description="Size of test, likewise")
    seed: int = Field(
        default=0, ge=0, le=LARGEST_SEED, description="Seed for drawing the authors of dev and test"
    )
    accept_unresolved: bool = Field(default=False, description="As in the request for a release")
    explanations: bool = Field(default=False, description="As in the request for a release")

    def options(self) -> ReleaseOptions:
        """Return the options that these are."""
        return ReleaseOptions(
            SplitOptions(self.dev, self.test, self.seed),
            accept_unresolved=self.accept_unresolved,
            explanations=self.explanations,
        )


class ReleaseBody(Input):
    """The choices for a release."""

    dev: Size = Field(
        default=0.1,
        description="Size of dev: a share of the examples with a gold answer, or a number of examples",
    )
    test: Size = Field(default=0.1, description="Size of test, likewise")
    seed: int = Field(
        default=0, ge=0, le=LARGEST_SEED, description="Seed for drawing the authors of dev and test"
    )
    licence: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)] | None = (
        Field(
            default=None,
            description=(
                f"SPDX identifier, or other words; {DEFAULT_LICENCE} if it is left out. Required for "
                "imported rounds"
            ),
        )
    )
    accept_unresolved: bool = Field(
        default=False,
        description="If true, examples that need more votes go to train with their authors' claims",
    )
    description: Annotated[str, StringConstraints(strip_whitespace=True, max_length=10_000)] = Field(
        default="", description="First paragraph of the card, in Markdown"
    )
    explanations: bool = Field(default=False, description=FREE_TEXT)

    def options(self) -> ReleaseOptions:
        """Return the options that these are."""
        splits = SplitOptions(self.dev, self.test, self.seed)
        return ReleaseOptions(
            splits, self.licence or "", self.accept_unresolved, self.description, self.explanations
        )


def preview_answer(found: RoundFacts, plan: ReleasePlan) -> PreviewAnswer:
    """Return the answer about a plan."""
    standings, assignment = plan.standings, plan.assignment
    return PreviewAnswer(
        allowed=not plan.refusals,
        state=found.state,
        examples=standings.examples,
        resolved=standings.resolved,
        unresolved=standings.pending,
        unchecked=standings.unchecked,
        excluded=standings.excluded,
        splits=NoSplitsAnswer() if assignment is None else _sizes(assignment.sizes),
        largest_author_share=None if assignment is None else assignment.largest_author_share,
        blockers=plan.refusals,
        notices=plan.notices(),
    )


class DatasetsQuery(PageQuery):
    """Filters of datasets."""

    task: Text | None = Field(
        default=None, max_length=100, description="Slug of a task; all tasks if left out"
    )

    def before(self) -> UUID | None:
        """Return the id that the page starts below. Raises Problem 422 for a cursor of another list."""
        return page_start(self.cursor, cursor_id)


def dataset_summary(row: Row[Any]) -> DatasetSummary:
    """Return the answer about a stored dataset."""
    about = row.described
    stated = {name: about[name] for name in ("splits", "labels", "content_warning")}
    return DatasetSummary.model_validate({**row._mapping, **stated})


def dataset_answer_of_whole(row: Row[Any], measurements: str) -> DatasetAnswer:
    """Return the answer about a stored dataset."""
    about = dict(row.described)
    stated = {"splits": about.pop("splits"), "counts": about.pop("counts"), "about": about}
    shared = {name: about[name] for name in ("labels", "content_warning")}
    return DatasetAnswer.model_validate({**row._mapping, **stated, **shared, "measurements": measurements})


def rows_answer(row: Row[Any], found: FoundRows) -> RowsAnswer:
    """Return the answer about some rows of a stored dataset."""
    types = column_types(row.described["fields"])
    return RowsAnswer(
        columns=tuple(ColumnAnswer(name=name, type=kind) for name, kind in types.items()),
        rows=tuple(row_of(line, types) for line in found.lines),
        next_offset=found.next_offset,
        searched=found.searched,
        is_limit_reached=found.is_limit_reached,
    )


class ExportQuery(Parameters):
    """The choices for an export."""

    format: ExportFormat = Field(
        default=ExportFormat.JSONL, description="Format: jsonl, parquet, csv or xlsx"
    )
    explanations: bool = Field(default=False, description=FREE_TEXT)


def _sizes(sizes: Mapping[str, SplitSize]) -> SplitsAnswer:
    return SplitsAnswer.model_validate({name: asdict(size) for name, size in sizes.items()})


def page_of(rows: Sequence[Row[Any]], next_cursor: str | None) -> DatasetsAnswer:
    """Return a page."""
    return DatasetsAnswer(items=[dataset_summary(row) for row in rows], next_cursor=next_cursor)

"""Bodies, paths and answers of the HTTP interface."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from dynabench_common.schemas import Input, PageQuery, Text, decode_id_cursor
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, StringConstraints
from sqlalchemy import Row

from scoring.adapters.exports import ExportFormat
from scoring.dataset.splits import SplitOptions, SplitSize
from scoring.domain.release import DEFAULT_LICENCE, Release, ReleaseOptions
from scoring.domain.release_plan import ReleasePlan
from scoring.domain.round_facts import RoundFacts

MOST_EXAMPLES = 100_000_000
LARGEST_SEED = 2**31 - 1
FREE_TEXT = "Whether explanations and metadata of free text, which may name people, are included"


def _whole_from_one(size: float) -> float:
    if size >= 1 and size != int(size):
        raise ValueError("must be a share below 1 or a whole number of examples")
    return size


Size = Annotated[float, Field(ge=0, le=MOST_EXAMPLES), AfterValidator(_whole_from_one)]


class RoundPath(BaseModel):
    """Names a round."""

    round_id: UUID


class ReleasePath(BaseModel):
    """Names a release."""

    release_id: UUID


class DatasetPath(BaseModel):
    """Names a dataset."""

    dataset_id: UUID


class FilePath(DatasetPath):
    """Names a file of a dataset."""

    path: Text = Field(max_length=200)


class PreviewQuery(BaseModel):
    """The splits of a release that is thought about."""

    dev: Size = Field(default=0.1, description="Size of dev: a share of the examples with a gold, or a count")
    test: Size = Field(default=0.1, description="Size of test, likewise")
    seed: int = Field(default=0, ge=0, le=LARGEST_SEED, description="Draws which authors go to dev and test")
    accept_unresolved: bool = Field(default=False, description="As when releasing")
    explanations: bool = Field(default=False, description="As when releasing")

    def options(self) -> ReleaseOptions:
        """Return the options that these are."""
        return ReleaseOptions(
            SplitOptions(self.dev, self.test, self.seed),
            accept_unresolved=self.accept_unresolved,
            explanations=self.explanations,
        )


class ReleaseBody(Input):
    """How a round is to be released."""

    dev: Size = Field(default=0.1, description="Size of dev: a share of the examples with a gold, or a count")
    test: Size = Field(default=0.1, description="Size of test, likewise")
    seed: int = Field(default=0, ge=0, le=LARGEST_SEED, description="Draws which authors go to dev and test")
    licence: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)] | None = (
        Field(
            default=None,
            description=(
                f"SPDX identifier, or other words; {DEFAULT_LICENCE} if it is left out. A round that was collected "
                "elsewhere needs it"
            ),
        )
    )
    accept_unresolved: bool = Field(
        default=False, description="Whether examples that wait for votes go to train as their authors claim"
    )
    description: Annotated[str, StringConstraints(strip_whitespace=True, max_length=10_000)] = Field(
        default="", description="What stands first in the card; Markdown"
    )
    explanations: bool = Field(default=False, description=FREE_TEXT)

    def options(self) -> ReleaseOptions:
        """Return the options that these are."""
        splits = SplitOptions(self.dev, self.test, self.seed)
        return ReleaseOptions(
            splits, self.licence or "", self.accept_unresolved, self.description, self.explanations
        )


class SplitAnswer(BaseModel):
    """What a split holds."""

    examples: int
    authors: int


class SplitsAnswer(BaseModel):
    """The parts of a dataset."""

    train: SplitAnswer
    dev: SplitAnswer
    test: SplitAnswer


class NoSplitsAnswer(BaseModel):
    """Stands for splits that can't be filled."""


class ExcludedAnswer(BaseModel):
    """Examples in no split, by reason."""

    retracted: int
    flagged: int
    disputed: int
    no_gold: int


class BlockerAnswer(BaseModel):
    """Something that stands in a release's way."""

    kind: str
    text: str
    remedy: str


class PreviewAnswer(BaseModel):
    """What a release would come to; `splits` is empty if they can't be filled."""

    allowed: bool
    state: str
    examples: int
    resolved: int
    unresolved: int = Field(description="Examples that still wait for votes")
    unchecked: int = Field(description="Examples that get no votes by the task's rule")
    excluded: ExcludedAnswer
    splits: SplitsAnswer | NoSplitsAnswer
    largest_author_share: float | None
    blockers: list[BlockerAnswer]
    notices: list[str]

    @classmethod
    def of(cls, found: RoundFacts, plan: ReleasePlan) -> Self:
        """Return the answer about a plan."""
        standings, assignment = plan.standings, plan.assignment
        return cls(
            allowed=not plan.refusals,
            state=found.state,
            examples=standings.examples,
            resolved=standings.resolved,
            unresolved=standings.pending,
            unchecked=standings.unchecked,
            excluded=ExcludedAnswer.model_validate(standings.excluded),
            splits=NoSplitsAnswer() if assignment is None else _sizes(assignment.sizes),
            largest_author_share=None if assignment is None else assignment.largest_author_share,
            blockers=[
                BlockerAnswer(kind=refusal.kind, text=refusal.text, remedy=refusal.remedy)
                for refusal in plan.refusals
            ],
            notices=list(plan.notices()),
        )


class ReleaseFailure(BaseModel):
    """Why a release came to nothing, and what to do about it; some kinds have further members."""

    model_config = ConfigDict(extra="allow")

    kind: str
    detail: str
    remedy: str


class ReleaseAnswer(BaseModel):
    """A release as it stands."""

    release_id: UUID
    round_id: UUID
    state: str
    step: str
    progress: float
    requested_at: datetime
    dataset_id: UUID | None
    error: ReleaseFailure | None

    @classmethod
    def of(cls, release: Release) -> Self:
        """Return the answer about a release."""
        return cls(
            release_id=release.release_id,
            round_id=release.round_id,
            state=release.state,
            step=release.step,
            progress=release.progress,
            requested_at=release.requested_at,
            dataset_id=release.dataset_id,
            error=None if release.error is None else ReleaseFailure.model_validate(release.error),
        )


class DatasetsQuery(PageQuery):
    """Which datasets to list."""

    task: Text | None = Field(default=None, max_length=100, description="Name of a task; all without it")

    def before(self) -> UUID | None:
        """Return the id that the page starts below. Raises Problem 422 for a cursor of another list."""
        return decode_id_cursor(self.cursor) if self.cursor else None


class DatasetSummary(BaseModel):
    """A dataset in a list."""

    dataset_id: UUID
    digest: str
    name: str
    version: int
    title: str
    task_slug: str
    round_id: UUID
    licence: str
    splits: SplitsAnswer
    released_at: datetime

    @classmethod
    def of(cls, row: Row[Any]) -> Self:
        """Return the answer about a stored dataset."""
        return cls.model_validate({**row._mapping, "splits": row.described["splits"]})


class DatasetsAnswer(BaseModel):
    """A page of datasets, the newest first."""

    items: list[DatasetSummary]
    next_cursor: str | None


class FileAnswer(BaseModel):
    """A file of a dataset; `sha256` in hexadecimal, `size` in bytes."""

    path: str
    media_type: str
    size: int
    sha256: str
    split: str | None
    examples: int | None


class DatasetAnswer(DatasetSummary):
    """A dataset whole."""

    description: str
    citation: str
    counts: dict[str, JsonValue] = Field(
        description="Examples by verdict, resolution, cohort and the like; votes"
    )
    about: dict[str, JsonValue] = Field(
        description="What else its card is made of: fields, rules, targets, seed"
    )
    files: list[FileAnswer]
    measurements: str = Field(description="none, computing, done or failed")

    @classmethod
    def of_whole(cls, row: Row[Any], measurements: str) -> Self:
        """Return the answer about a stored dataset."""
        about = dict(row.described)
        stated = {"splits": about.pop("splits"), "counts": about.pop("counts"), "about": about}
        return cls.model_validate({**row._mapping, **stated, "measurements": measurements})


class ExportQuery(BaseModel):
    """How a round is exported."""

    format: ExportFormat = Field(default=ExportFormat.JSONL, description="jsonl, parquet, csv or xlsx")
    explanations: bool = Field(default=False, description=FREE_TEXT)


def _sizes(sizes: Mapping[str, SplitSize]) -> SplitsAnswer:
    return SplitsAnswer.model_validate({name: asdict(size) for name, size in sizes.items()})


def page_of(rows: Sequence[Row[Any]], next_cursor: str | None) -> DatasetsAnswer:
    """Return a page."""
    return DatasetsAnswer(items=[DatasetSummary.of(row) for row in rows], next_cursor=next_cursor)

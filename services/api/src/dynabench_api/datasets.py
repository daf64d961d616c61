"""Releases and the datasets that they make."""

from datetime import datetime
from typing import ClassVar

from pydantic import ConfigDict, Field

from dynabench_api import rounds
from dynabench_api.base import Id, Json, Page, Record


class SplitAnswer(Record):
    """The content of a split; no author is in two splits."""

    examples: int
    authors: int


class SplitsAnswer(Record):
    """The parts of a dataset."""

    train: SplitAnswer
    dev: SplitAnswer
    test: SplitAnswer


class NoSplitsAnswer(Record):
    """Empty splits, for a release whose splits cannot be filled."""

    train: ClassVar[SplitAnswer] = SplitAnswer(examples=0, authors=0)
    dev: ClassVar[SplitAnswer] = train
    test: ClassVar[SplitAnswer] = train


class ExcludedAnswer(Record):
    """Examples in no split, by reason."""

    retracted: int
    hidden: int
    flagged: int
    disputed: int
    no_gold: int


class BlockerAnswer(rounds.BlockerAnswer):
    """A reason why a release is not possible."""

    kind: str


class PreviewAnswer(Record):
    """A preview of a release. `splits` is empty if the splits cannot be filled."""

    allowed: bool
    state: str
    examples: int
    resolved: int
    unresolved: int = Field(description="Examples that need more votes")
    unchecked: int = Field(description="Examples that get no votes by the task's rule")
    excluded: ExcludedAnswer
    splits: SplitsAnswer | NoSplitsAnswer
    largest_author_share: float | None
    blockers: tuple[BlockerAnswer, ...]
    notices: tuple[str, ...]


class Failure(Record):
    """The reason for a failure, and the remedy."""

    kind: str
    detail: str
    remedy: str


class ReleaseFailure(Failure):
    """The reason for a failed release, and the remedy. Some kinds have further members."""

    model_config = ConfigDict(extra="allow")


class ReleaseAnswer(Record):
    """The current state of a release."""

    release_id: Id
    round_id: Id
    state: str
    step: str
    progress: float
    requested_at: datetime
    dataset_id: Id | None
    error: ReleaseFailure | None

    @property
    def is_finished(self) -> bool:
        """Return whether the release is done or failed."""
        return self.state in ("done", "failed")


class DatasetSummary(Record):
    """A dataset in a list."""

    dataset_id: Id
    digest: str
    name: str
    version: int
    title: str
    task_slug: str
    round_id: Id
    licence: str
    splits: SplitsAnswer
    labels: tuple[str, ...] = Field(
        description="Labels of the task; none where a text or a span is the answer"
    )
    content_warning: str = Field(description="Warning of the task before its texts; empty if there is none")
    released_at: datetime


class DatasetsAnswer(Page[DatasetSummary]):
    """A page of datasets, the newest first."""


class FileAnswer(Record):
    """A file of a dataset; `sha256` in hexadecimal, `size` in bytes."""

    path: str
    media_type: str
    size: int
    sha256: str
    split: str | None
    examples: int | None


class DatasetAnswer(DatasetSummary):
    """A dataset with all details."""

    description: str
    citation: str
    counts: dict[str, Json] = Field(
        description="Numbers of examples by verdict, resolution, cohort and so on, and of votes"
    )
    about: dict[str, Json] = Field(description="Further content of the card: fields, rules, targets, seed")
    files: tuple[FileAnswer, ...]
    measurements: str = Field(description="none, computing, done or failed")


class ColumnAnswer(Record):
    """A column of rows."""

    name: str
    type: str = Field(description="A type of fields in the task language, or `targets`")


class RowsAnswer(Record):
    """Rows of a split, in the order of its files."""

    columns: tuple[ColumnAnswer, ...]
    rows: tuple[dict[str, Json], ...] = Field(
        description="Values by the names of columns; `targets` is a list of objects with name, answer and wrong"
    )
    next_offset: int | None = Field(description="Offset of the next rows; null if no more were found")
    searched: int = Field(description="Rows of the split that were read")
    is_limit_reached: bool = Field(
        description="True if the search stopped before the end of the split, so more rows may match"
    )

"""Results about datasets and the releases that make them."""

from datetime import datetime
from typing import Any

from pydantic import Field

from dynabench_client.results.base import Result
from dynabench_client.results.rounds import Blocker


class Excluded(Result):
    """Examples that a release leaves out of its splits, by reason."""

    retracted: int
    flagged: int
    disputed: int
    no_gold: int


class Split(Result):
    """How many examples by how many authors a split has; no author is in two."""

    examples: int
    authors: int


NOBODY = Split(examples=0, authors=0)


class Splits(Result):
    """The three parts of a dataset; the preview of a release that can't fill them leaves them out."""

    train: Split = NOBODY
    dev: Split = NOBODY
    test: Split = NOBODY


class ReleaseBlocker(Blocker):
    """What stands in the way of a release, and what to do about it."""

    kind: str


class ReleasePreview(Result):
    """What a release would hold, and what stands in its way; nothing has happened yet.

    Of the examples `unresolved` still wait for votes, and `unchecked` get none by the task's rule.
    """

    allowed: bool
    state: str
    examples: int
    resolved: int
    unresolved: int
    unchecked: int
    excluded: Excluded
    splits: Splits
    largest_author_share: float | None
    blockers: tuple[ReleaseBlocker, ...]
    notices: tuple[str, ...]


class Failure(Result):
    """Why a piece of work came to nothing, and what to do about it."""

    kind: str
    detail: str
    remedy: str


class Release(Result):
    """A dataset in the making: `state` is building, done or failed, `progress` goes from 0 to 1."""

    release_id: str
    round_id: str
    state: str
    step: str
    progress: float
    requested_at: datetime
    dataset_id: str | None
    error: Failure | None

    @property
    def is_finished(self) -> bool:
        """Tell whether nothing more will happen."""
        return self.state in ("done", "failed")


class DatasetFile(Result):
    """A file of a dataset; `size` is in bytes. Data files name their split and count their examples."""

    path: str
    media_type: str
    size: int
    sha256: str
    split: str | None
    examples: int | None


class Dataset(Result):
    """A frozen set of labelled examples; `digest` is of its content, `measurements` the state of theirs.

    `about` is what its card is made of beside the counts: fields, rules, targets, the seed and the like. A list of
    datasets leaves out description, counts, about, files, citation and measurements.
    """

    dataset_id: str
    task_slug: str
    round_id: str
    name: str
    title: str
    version: int
    digest: str
    description: str = ""
    licence: str
    splits: Splits
    counts: dict[str, Any] = Field(default_factory=dict)
    about: dict[str, Any] = Field(default_factory=dict)
    files: tuple[DatasetFile, ...] = ()
    citation: str = ""
    measurements: str = ""
    released_at: datetime

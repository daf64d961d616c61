"""Results about datasets and the releases that make them."""

from datetime import datetime
from typing import Any

from pydantic import Field

from dynabench_client.results.base import Result
from dynabench_client.results.rounds import Blocker


class Excluded(Result):
    """Examples that a release leaves out of its splits, by reason."""

    retracted: int = 0
    flagged: int = 0
    disputed: int = 0
    no_gold: int = 0


class Split(Result):
    """How many examples by how many authors a split has; no author is in two."""

    examples: int = 0
    authors: int = 0


class Splits(Result):
    """The three parts of a dataset."""

    train: Split = Split()
    dev: Split = Split()
    test: Split = Split()


class ReleasePreview(Result):
    """What a release would hold, and what stands in its way; nothing has happened yet."""

    allowed: bool = False
    state: str = ""
    examples: int = 0
    resolved: int = 0
    unresolved: int = 0
    excluded: Excluded = Excluded()
    splits: Splits = Splits()
    largest_author_share: float | None = None
    blockers: tuple[Blocker, ...] = ()
    notices: tuple[str, ...] = ()


class Failure(Result):
    """Why a piece of work came to nothing, and what to do about it."""

    kind: str = ""
    detail: str = ""
    remedy: str = ""


class Release(Result):
    """A dataset in the making: `state` is building, done or failed, `progress` goes from 0 to 1."""

    release_id: str
    round_id: str = ""
    state: str = ""
    step: str = ""
    progress: float = 0.0
    dataset_id: str | None = None
    error: Failure | None = None

    @property
    def is_finished(self) -> bool:
        """Tell whether nothing more will happen."""
        return self.state in ("done", "failed")


class DatasetFile(Result):
    """A file of a dataset; `size` is in bytes. Data files name their split and count their examples."""

    path: str
    media_type: str = ""
    size: int = 0
    sha256: str = ""
    split: str | None = None
    examples: int | None = None


class Dataset(Result):
    """A frozen set of labelled examples; `digest` is of its content, `measurements` the state of theirs.

    `about` is what its card is made of beside the counts: fields, rules, targets, the seed and the like; only a
    dataset that is read by itself tells it, with its files and counts.
    """

    dataset_id: str
    task_slug: str = ""
    round_id: str | None = None
    name: str = ""
    title: str = ""
    version: int = 1
    digest: str = ""
    description: str = ""
    licence: str = ""
    splits: Splits | None = None
    counts: dict[str, Any] = Field(default_factory=dict)
    about: dict[str, Any] = Field(default_factory=dict)
    files: tuple[DatasetFile, ...] = ()
    citation: str = ""
    measurements: str = ""
    released_at: datetime | None = None

"""What a release would hold, and how far it is."""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_client.results.datasets import Failure, Release, ReleasePreview, Split

from web.kit.blockers import BlockerView, blocker_views
from web.kit.numbers import MISSING, count, percent, plural


@dataclass(frozen=True)
class ProgressView:
    """A dataset in the making; `meter` goes from 0 to 1."""

    release_id: str
    is_done: bool
    is_failed: bool
    step: str
    meter: str
    percent: str
    dataset_id: str
    error: Failure | None

    @property
    def is_finished(self) -> bool:
        """Tell whether nothing more will happen."""
        return self.is_done or self.is_failed


def progress_view(found: Release) -> ProgressView:
    """Return a release in print."""
    progress = min(1.0, max(0.0, found.progress))
    return ProgressView(
        release_id=found.release_id,
        is_done=found.state == "done",
        is_failed=found.state == "failed",
        step=found.step,
        meter=f"{progress:.3f}",
        percent=percent(progress, 0),
        dataset_id=found.dataset_id or "",
        error=found.error,
    )


EXCLUDED = {
    "retracted": "retracted by their authors",
    "flagged": "flagged",
    "disputed": "disputed",
    "no_gold": "without a gold label",
}


@dataclass(frozen=True)
class SplitRow:
    """What a split would hold."""

    name: str
    examples: str
    authors: str


@dataclass(frozen=True)
class ReleaseView:
    """What a release would hold."""

    counts: list[tuple[str, str]]
    excluded: list[tuple[str, str]]
    splits: list[SplitRow]
    blockers: list[BlockerView]
    notices: list[str]
    unresolved: int


def release_view(found: ReleasePreview) -> ReleaseView:
    """Return what a release would hold, and what stands in its way."""
    share = found.largest_author_share
    return ReleaseView(
        counts=[
            ("Examples", count(found.examples)),
            ("Resolved", count(found.resolved)),
            ("Still wait for votes", count(found.unresolved)),
            ("Most by one author", MISSING if share is None else percent(share)),
        ],
        excluded=_excluded(found.excluded.model_dump()),
        splits=[_split(name, getattr(found.splits, name)) for name in ("train", "dev", "test")],
        blockers=blocker_views(found.blockers),
        notices=list(found.notices),
        unresolved=found.unresolved,
    )


def _excluded(numbers: Mapping[str, object]) -> list[tuple[str, str]]:
    return [
        (words, count(number))
        for name, words in EXCLUDED.items()
        if isinstance(number := numbers.get(name), int) and number
    ]


def _split(name: str, split: Split) -> SplitRow:
    return SplitRow(name, count(split.examples), plural(split.authors, "author"))

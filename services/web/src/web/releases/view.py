"""View of a release: its contents and its progress."""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_client.results.datasets import Failure, Release, ReleasePreview, Split
from dynabench_client.results.validation import ValidationCounts

from web.kit.language import N_, _, ngettext
from web.kit.numbers import MISSING, count, percent
from web.kit.round_actions import BlockerView, blocker_views, waiting_votes
from web.kit.service_words import service_words

STEPS = {
    "waiting for a worker": N_("waiting for a worker"),
    "asking targets again": N_("asking the models again about their confirmed errors"),
    "drawing splits": N_("drawing splits"),
    "writing files": N_("writing files"),
    "storing files": N_("storing files"),
    "done": N_("done"),
}


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
        """Return whether the release is done or failed."""
        return self.is_done or self.is_failed


def progress_view(found: Release) -> ProgressView:
    """Return the view of a release."""
    progress = min(1.0, max(0.0, found.progress))
    return ProgressView(
        release_id=found.release_id,
        is_done=found.state == "done",
        is_failed=found.state == "failed",
        step=_(STEPS[found.step]) if found.step in STEPS else found.step,
        meter=f"{progress:.3f}",
        percent=percent(progress, 0),
        dataset_id=found.dataset_id or "",
        error=_failure(found.error),
    )


def _failure(found: Failure | None) -> Failure | None:
    """Return the reason for a failed release, in the reader's language."""
    if found is None:
        return None
    return Failure(kind=found.kind, detail=service_words(found.detail), remedy=service_words(found.remedy))


EXCLUDED = {
    "retracted": N_("%(number)s retracted by their authors"),
    "hidden": N_("%(number)s hidden"),
    "flagged": N_("%(number)s found unfit"),
    "disputed": N_("%(number)s without agreement"),
    "no_gold": N_("%(number)s without a final label"),
}


@dataclass(frozen=True)
class SplitRow:
    """Contents of a planned split."""

    name: str
    examples: str
    authors: str


@dataclass(frozen=True)
class ReleaseView:
    """Contents of a planned release."""

    counts: list[tuple[str, str]]
    excluded: list[str]
    splits: list[SplitRow]
    blockers: list[BlockerView]
    notices: list[str]
    waiting: str

    @property
    def excluded_in_words(self) -> str:
        """Numbers of examples that go to no split, each with the reason."""
        return ", ".join(self.excluded)


def release_view(found: ReleasePreview, waiting: ValidationCounts | None) -> ReleaseView:
    """Return the preview of a release and what blocks it; `waiting` is validation's count of pending votes."""
    share = found.largest_author_share
    return ReleaseView(
        counts=[
            (_("Examples"), count(found.examples)),
            (_("Checked"), count(found.resolved)),
            (_("Most by one author"), MISSING if share is None else percent(share)),
        ],
        excluded=_excluded(found.excluded.model_dump()),
        splits=[_split(name, getattr(found.splits, name)) for name in ("train", "dev", "test")],
        blockers=blocker_views(found.blockers),
        notices=[service_words(each) for each in found.notices],
        waiting=waiting_votes(waiting) if waiting else "",
    )


def _excluded(numbers: Mapping[str, object]) -> list[str]:
    return [
        _(words, number=count(number))
        for name, words in EXCLUDED.items()
        if isinstance(number := numbers.get(name), int) and number
    ]


def _split(name: str, split: Split) -> SplitRow:
    shown = count(split.authors)
    authors = ngettext("%(shown)s\u00a0author", "%(shown)s\u00a0authors", split.authors, shown=shown)
    return SplitRow(name, count(split.examples), authors)

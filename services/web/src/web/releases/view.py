"""How far a release is."""

from dataclasses import dataclass

from dynabench_client.results.datasets import Failure, Release

from web.kit.numbers import percent


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

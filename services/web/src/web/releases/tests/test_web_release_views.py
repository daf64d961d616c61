"""Preview of a release, and its progress."""

import pytest
import web_fake_standing as figures
from dynabench_client.results.datasets import Release, ReleasePreview
from dynabench_client.results.validation import ValidationCounts
from web.releases.view import progress_view, release_view


def test_a_release_shows_what_stands_in_its_way_and_what_it_would_hold() -> None:
    view = release_view(ReleasePreview.blank(**figures.release_preview()), ValidationCounts.blank(pending=3))
    assert len(view.blockers) == 1
    assert [split.examples for split in view.splits] == ["320", "31", "30"]
    assert view.excluded == ["14 retracted by their authors", "6 found unfit", "9 without agreement"]


@pytest.mark.parametrize(
    ("state", "progress", "finished", "percent"),
    [
        ("building", 0.256, False, "26\u00a0%"),
        ("done", 1, True, "100\u00a0%"),
        ("failed", 7, True, "100\u00a0%"),
    ],
)
def test_progress_stays_between_nothing_and_all(
    state: str, progress: float, finished: bool, percent: str
) -> None:
    view = progress_view(Release.blank(release_id="r", state=state, progress=progress))
    assert (view.is_finished, view.percent) == (finished, percent)

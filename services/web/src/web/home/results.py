"""Results so far: the figures of the current rounds, and the newest datasets."""

from dataclasses import dataclass

from dynabench_client.results.base import Page
from dynabench_client.results.datasets import DatasetSummary
from dynabench_client.results.leaderboard import TaskHeadline

from web.kit.numbers import TimeView, count, day

NEWEST_DATASETS = 3


@dataclass(frozen=True)
class DatasetLine:
    """A dataset in a short list."""

    dataset_id: str
    title: str
    released: TimeView | None


@dataclass(frozen=True)
class Results:
    """Counts of tries, fooling tries and confirmed ones in the current rounds of all tasks; and datasets."""

    tries: str
    fooled: str
    confirmed: str
    has_tries: bool
    datasets: list[DatasetLine]


def results(headlines: Page[TaskHeadline] | None, datasets: Page[DatasetSummary] | None) -> Results:
    """Return the results; unreadable parts are left out."""
    rounds = [each.current_round for each in headlines.items if each.current_round] if headlines else []
    tries = sum(found.tries for found in rounds)
    return Results(
        tries=count(tries),
        fooled=count(sum(found.fooled for found in rounds)),
        confirmed=count(sum(found.validated_errors for found in rounds)),
        has_tries=tries > 0,
        datasets=[
            DatasetLine(found.dataset_id, found.title or found.name, day(found.released_at))
            for found in (datasets.items if datasets else ())
        ],
    )

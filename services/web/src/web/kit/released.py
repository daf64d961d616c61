"""Released datasets in a list, and which of them a round has become."""

from collections.abc import Iterable
from dataclasses import dataclass

from dynabench_client.areas.datasets import DatasetsClient
from dynabench_client.results.annotation import Round
from dynabench_client.results.base import LARGEST_PAGE, every
from dynabench_client.results.datasets import DatasetSummary, Split

from web.kit import isolation
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.numbers import MISSING, TimeView, count, day
from web.kit.outcomes import optional

RELEASED = "released"


@dataclass(frozen=True)
class DatasetRow:
    """A dataset in a list."""

    dataset_id: str
    title: str
    name: str
    task_slug: str
    sizes: dict[str, str]
    examples: str
    licence: str
    released: TimeView | None


SPLITS = ("train", "dev", "test")


def dataset_row(found: DatasetSummary) -> DatasetRow:
    """Return a dataset as a row."""
    return DatasetRow(
        dataset_id=found.dataset_id,
        title=found.title or found.name or found.dataset_id,
        name=_("%(name)s, version %(version)s", name=isolation.name(found.name), version=found.version),
        task_slug=found.task_slug,
        sizes={
            **dict.fromkeys(SPLITS, MISSING),
            **{name: count(each.examples) for name, each in splits_of(found)},
        },
        examples=count(examples_in(found)),
        licence=found.licence or MISSING,
        released=day(found.released_at),
    )


def splits_of(found: DatasetSummary) -> list[tuple[str, Split]]:
    """Return the splits by name."""
    return [(name, getattr(found.splits, name)) for name in SPLITS]


def examples_in(found: DatasetSummary) -> int:
    """Return how many examples the splits hold together."""
    return sum(split.examples for _name, split in splits_of(found))


def rounds_released(rounds: Iterable[Round]) -> frozenset[str]:
    """Return the ids of the rounds that have become datasets."""
    return frozenset(found.round_id for found in rounds if found.state == RELEASED)


def released_by_round(
    area: DatasetsClient, task_slug: str, round_ids: frozenset[str]
) -> dict[str, DatasetRow]:
    """Return the datasets of a task by the round that each was; nothing is asked where no round is released."""
    if not round_ids:
        return {}
    found = every(lambda cursor: area.datasets(task_slug, limit=LARGEST_PAGE, cursor=cursor))
    return {each.round_id: dataset_row(each) for each in found if each.round_id in round_ids}


def released_as(found: Round) -> DatasetRow | None:
    """Return the dataset that a round has become, if it can be had."""
    released = optional(
        lambda: released_by_round(platform().datasets, found.task_slug, rounds_released([found]))
    )
    return (released or {}).get(found.round_id)

"""Which dataset a released round has become."""

from collections.abc import Iterable

from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.results.annotation import Round

from web.datasets.view import DatasetRow, dataset_row
from web.kit.dependencies import platform
from web.kit.outcomes import optional

RELEASED = "released"


def released_datasets(task_slug: str, rounds: Iterable[Round]) -> dict[str, DatasetRow]:
    """Return the datasets of a task by the round that each was; nothing is asked where no round is released."""
    wanted = {found.round_id for found in rounds if found.state == RELEASED}
    area = platform().datasets
    if not wanted:
        return {}
    found = optional(
        lambda: list(every(lambda cursor: area.datasets(task_slug, limit=LARGEST_PAGE, cursor=cursor)))
    )
    return {each.round_id: dataset_row(each) for each in found or () if each.round_id in wanted}

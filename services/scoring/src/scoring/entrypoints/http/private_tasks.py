"""Parts of private tasks in addresses."""

from typing import Any
from uuid import UUID

from dynabench_common.auth.private_tasks import PrivateTasks, private_by_newest
from evaluation.adapters.tables import evaluation, evaluation_dataset
from sqlalchemy import Engine, Select, select

from scoring.adapters.tables import dataset, example, release, round_, task_configuration

OF_ROUND = select(task_configuration.c.slug).join(round_, round_.c.task_id == task_configuration.c.task_id)


def private_tasks(engine: Engine) -> PrivateTasks:
    """Return the private tasks of this service. Released datasets and those for scoring share their parameter."""
    return PrivateTasks(
        engine.connect,
        private_by_newest(task_configuration),
        {
            "round_id": lambda key: OF_ROUND.where(round_.c.round_id == key),
            "example_id": lambda key: OF_ROUND.join(example, example.c.round_id == round_.c.round_id).where(
                example.c.example_id == key
            ),
            "release_id": lambda key: OF_ROUND.join(release, release.c.round_id == round_.c.round_id).where(
                release.c.release_id == key
            ),
            "dataset_id": _of_dataset,
            "evaluation_id": lambda key: select(evaluation.c.task_slug).where(
                evaluation.c.evaluation_id == key
            ),
        },
        {"path"},
    )


def _of_dataset(key: UUID) -> Select[Any]:
    released = select(dataset.c.task_slug).where(dataset.c.dataset_id == key)
    scored = select(evaluation_dataset.c.task_slug).where(evaluation_dataset.c.dataset_id == key)
    return select(released.union(scored).subquery().c.task_slug)

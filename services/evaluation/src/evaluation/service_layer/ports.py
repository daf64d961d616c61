"""Interfaces to the served models, which tests replace, and to tasks and released rows, which scoring knows."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

from dynabench_tasks.configuration.task_configuration import TaskConfiguration

from evaluation.domain.evaluations import LiveModel
from evaluation.domain.items import Item


class Models(Protocol):
    """The served models, asked as evaluations ask them: after everybody else."""

    def live(self) -> Sequence[LiveModel]:
        """Return the served models. Raises ModelAway."""

    def predict(
        self, model: LiveModel, instances: Sequence[Mapping[str, str]], isolated: UUID | None = None
    ) -> Sequence[Mapping[str, Any]]:
        """Return a prediction, or an error, for each instance.

        `isolated` is an evaluation whose texts a model must not get in one call with others.
        Raises ModelAway, InstancesRefused, and EvaluationFailure where the model is not the one that was asked for.
        """


class Tasks(Protocol):
    """Tasks, rounds and released rows."""

    def of_task(self, slug: str) -> TaskConfiguration:
        """Return the newest configuration of a task. Raises TaskUnknown, UnknownKind."""

    def targets_of(self, round_id: UUID) -> frozenset[str]:
        """Return the names of all targets that a round has had."""

    def rounds_of(self, example_ids: Collection[UUID]) -> Mapping[UUID, tuple[int, str]]:
        """Return the number of the round and the name of the task of each of these examples that is known."""

    def hidden_in(self, round_id: UUID) -> frozenset[str]:
        """Return the ids of a round's hidden examples."""

    def public_at_once(self, round_ids: Collection[UUID]) -> frozenset[UUID]:
        """Return those of the rounds whose errors anybody could read while they were collected."""

    def released_items(self, dataset_id: UUID, folder: Path) -> Iterator[Item]:
        """Yield the items of a released dataset that have a gold: its test split, or all of one without.

        Files go to `folder`. Raises DatasetUnknown, ObjectsUnavailable.
        """

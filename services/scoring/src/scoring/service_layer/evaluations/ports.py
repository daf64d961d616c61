"""Ports of evaluations: the interfaces to other systems."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

from dynabench_events.score import Fault, ScoreComputed
from dynabench_tasks.configuration.task_configuration import TaskConfiguration

from scoring.domain.canaries import Sighting
from scoring.domain.evaluation import Evaluation, LiveModel, ScoredDataset, ShardWork
from scoring.evaluation.items import Item, Request
from scoring.evaluation.prediction_files import StoredPrediction
from scoring.evaluation.suspects import Right
from scoring.service_layer.ports import Held, Jobs


class EvaluationDatasets(Jobs, Protocol):
    """Datasets that models are scored on, and the jobs that prepare them."""

    def add(self, dataset: ScoredDataset) -> None:
        """Store a dataset that is still to be prepared."""

    def get(self, dataset_id: UUID) -> ScoredDataset:
        """Return a dataset. Raises DatasetUnknown."""

    def newest(self, name: str) -> ScoredDataset | None:
        """Return the newest version under a name."""

    def serialise_name(self, name: str) -> None:
        """Let others who add a version of this name wait for the end of the transaction."""

    def ready(self) -> Sequence[ScoredDataset]:
        """Return the newest version of every dataset that can be scored on."""

    def finish(self, held: Held, **found: Any) -> None:
        """Store what was prepared. Raises LeaseLost."""


class Evaluations(Jobs, Protocol):
    """Evaluations; those whose shards are all answered are jobs, to be finished."""

    def note_model(self, model: LiveModel) -> None:
        """Note what is known of a model."""

    def known(self, metric_version: int) -> set[tuple[str, str, str, UUID]]:
        """Return model, digests and dataset of every evaluation that there is by these metrics."""

    def request(
        self, model: LiveModel, dataset: ScoredDataset, metric_version: int, now: datetime
    ) -> UUID | None:
        """Queue an evaluation with its shards, unless there is one; return its id."""

    def model_owner(self, name: str) -> tuple[UUID | None, bool] | None:
        """Return who submitted the model of this name, and whether only its predictions are known; None without one."""

    def take_predictions(
        self, model: LiveModel, dataset: ScoredDataset, metric_version: int, content: bytes, now: datetime
    ) -> UUID:
        """Store predictions as an evaluation that is only to be finished; the same ones are the same evaluation."""

    def get(self, evaluation_id: UUID, *, for_update: bool = False) -> Evaluation:
        """Return an evaluation. Raises EvaluationUnknown."""

    def answers(self, evaluation_id: UUID) -> Sequence[bytes]:
        """Return what was answered to each shard, in order."""

    def finish(
        self, held: Held, record: ScoreComputed, result: Mapping[str, Any], predictions_key: str | None
    ) -> None:
        """Store what came of an evaluation, and tell of it. Raises LeaseLost."""

    def end(self, evaluation_id: UUID, fault: Fault, reason: str, now: datetime) -> None:
        """End an evaluation that comes to nothing, unless it has ended, and tell of it."""

    def queue_again(self, evaluation_id: UUID, now: datetime) -> None:
        """Queue an evaluation that ended without a score once more."""


class Shards(Jobs, Protocol):
    """Stretches of requests to be answered."""

    def work(self, shard_id: UUID) -> ShardWork:
        """Return what is to be answered. Raises LeaseLost where the evaluation has ended meanwhile."""

    def answered(self, held: Held, evaluation_id: UUID, answers: bytes, now: datetime) -> None:
        """Store what was answered. Raises LeaseLost."""

    def wait(self, held: Held, evaluation_id: UUID, now: datetime, until: datetime, reason: str) -> None:
        """Leave a shard, and those beside it, for later without counting the attempt. Raises LeaseLost."""


class Canaries(Protocol):
    """Made-up words of hidden datasets, and where they were found."""

    def keep(self, dataset_id: UUID, words: Iterable[str]) -> None:
        """Keep the made-up words of a dataset."""

    def note(self, sightings: Iterable[Sighting]) -> None:
        """Note which of these words are made-up ones of datasets; each place is noted once."""


class Models(Protocol):
    """The served models, asked as evaluations ask them: after everybody else."""

    def live(self) -> Sequence[LiveModel]:
        """Return what is served. Raises ModelAway."""

    def predict(
        self, model: LiveModel, instances: Sequence[Mapping[str, str]], apart: UUID | None = None
    ) -> Sequence[Mapping[str, Any]]:
        """Return a prediction, or an error, for each instance.

        `apart` is an evaluation whose texts a model must not answer beside others.
        Raises ModelAway, InstancesRefused, and EvaluationFailure where the model is not the one that was asked for.
        """


class InstancesRefused(Exception):
    """The model takes at least one of the instances not; the message says why."""


class Configurations(Protocol):
    """Configurations of tasks."""

    def of_task(self, slug: str) -> TaskConfiguration:
        """Return the newest configuration of a task. Raises RoundUnknown."""

    def targets_of(self, round_id: UUID) -> frozenset[str]:
        """Return the names of all targets that a round has had."""

    def released_items(self, dataset_id: UUID, folder: Path) -> Iterator[Item]:
        """Yield the items of a released dataset. Raises DatasetUnknown, ObjectsUnavailable."""


class Answers(Protocol):
    """Answers of models, in files."""

    def prediction(self, key: str, item_id: str) -> StoredPrediction | None:
        """Return the answer to an item; None without one. Raises ObjectsUnavailable."""

    def right(self, key: str) -> Right:
        """Return whether each item is answered right, in the order of the dataset. Raises ObjectsUnavailable."""


class RequestFiles(Protocol):
    """Items and requests in files."""

    def first_items(self, dataset: ScoredDataset, most: int) -> Sequence[Item]:
        """Return so many items of a dataset. Raises ObjectsUnavailable."""

    def item(self, dataset: ScoredDataset, item_id: str) -> Item | None:
        """Return an item of a dataset. Raises ObjectsUnavailable."""

    def first_kinds(self, dataset: ScoredDataset, most: int) -> Sequence[tuple[int, str]]:
        """Return the item and the rule of so many requests. Raises ObjectsUnavailable."""

    def items(self, dataset: ScoredDataset) -> Sequence[Item]:
        """Return the items of a dataset. Raises ObjectsUnavailable."""

    def requests(self, dataset: ScoredDataset, first: int, number: int) -> Sequence[Request]:
        """Return a stretch of a dataset's requests. Raises ObjectsUnavailable."""

    def kinds(self, dataset: ScoredDataset) -> Iterable[tuple[int, str]]:
        """Return the item and the rule of each request. Raises ObjectsUnavailable."""

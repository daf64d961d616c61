"""Known facts of a task's models and their scores, the input of boards."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

Influences: TypeAlias = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class ScoredDataset:
    """A version of a dataset; `round_number` is 0 where it is of no round."""

    dataset_id: UUID
    name: str
    version: int
    kind: str
    round_number: int
    access: str
    items: int


@dataclass(frozen=True, slots=True)
class Value:
    """A metric's value over `n` with its interval, and the influence of each cluster as a share, if it is of items."""

    value: float
    n: int
    low: float | None
    high: float | None
    no_interval: str
    influences: Influences | None


@dataclass(frozen=True, slots=True)
class ModelScore:
    """A model on a dataset: `state` is waiting, done or failed, `values` are by metric."""

    evaluation_id: UUID
    state: str
    fault: str | None
    reason: str | None
    happened_at: datetime
    values: Mapping[str, Value]
    failed_items: int
    constant_answer: str
    target_of_round: bool


@dataclass(frozen=True, slots=True)
class StoredScore:
    """A score as it is stored, with the model and the dataset that its event named; `version` is of the evaluation."""

    version: int
    metric_version: int
    model: Mapping[str, Any]
    dataset: Mapping[str, Any]
    score: ModelScore


@dataclass(frozen=True, slots=True)
class RankedModel:
    """A model on a board.

    `submitted_by` is None for models of the installation, and not shown for `is_anonymous` ones. `submissions` counts
    its submitter's models on the task. `scores` are by name of the dataset. `trained_on` comes from its card.
    Scores or figures of `is_external` models were measured elsewhere.
    """

    name: str
    model_digest: str
    submitted_by: UUID | None
    prediction_only: bool
    is_published: bool
    is_anonymous: bool
    submissions: int
    scores: Mapping[str, ModelScore]
    trained_on: tuple[str, ...] = ()
    is_external: bool = False

    @property
    def is_baseline(self) -> bool:
        """Return whether the installation brings it."""
        return self.submitted_by is None


@dataclass(frozen=True, slots=True)
class MetricRules:
    """Metric rules of the task's configuration: the performance metric, weights by dimension, owners' prices."""

    primary: str
    weights: Mapping[str, float]
    prices: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class TaskScores:
    """All data of one revision for a board of a task's models; datasets are by name.

    `stored` are the scores behind it, by evaluation. The next revision reads only those that changed, and shares the
    other objects with this one. `external_models` counts the models measured elsewhere.
    """

    task_slug: str
    revision: UUID
    as_of: datetime
    rules: MetricRules
    datasets: Mapping[str, ScoredDataset]
    models: tuple[RankedModel, ...]
    stored: Mapping[UUID, StoredScore] = field(default_factory=dict, repr=False, compare=False)
    external_models: int = 0

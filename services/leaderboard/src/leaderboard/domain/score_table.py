"""A task's scores as arrays, made once per revision, so that a board under any weights is a few sums over them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import TypeAlias
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from leaderboard.domain.model_facts import Influences, RankedModel, ScoredDataset, TaskScores, Value
from leaderboard.domain.ranking.certainty import NORMAL_QUANTILE
from leaderboard.domain.ranking.dynascore import Floats
from leaderboard.domain.ranking.packed_covariance import Before, PackedCovariance
from leaderboard.domain.ranking.utility import PERFORMANCE, default_prices, utilities
from leaderboard.domain.unchanged_scores import Unchanged

PERCENT = 100.0
DONE = "done"
FEWEST_PRICED = 2
"""Baselines whose differences say what a dimension is worth."""
OF_ITEMS = ("fairness", "robustness")
EVERY_DIMENSION = (PERFORMANCE, "throughput", "latency", "memory", *OF_ITEMS)
Bools: TypeAlias = NDArray[np.bool_]


def metric_of(dimension: str, facts: TaskScores) -> str:
    """Return the metric behind a dimension."""
    return facts.rules.primary if dimension == PERFORMANCE else dimension


@dataclass(frozen=True)
class ScoreTable:
    """Scores by dimension, each an array of models × datasets with NaN where there is none.

    `datasets` are in order, older rounds first; models are as in `facts`. `done` marks finished evaluations. `counts`
    are the items, or turns, behind each value: 0 for a value stated by rule. `digests` identify the known facts of
    each model. `covariance` is that of the scores. `is_reference` marks the models that decide which datasets and
    dimensions count: the installation's, else all. So another model's arrival does not change the others' ranking.
    """

    facts: TaskScores
    datasets: Sequence[ScoredDataset]
    done: Bools
    values: Mapping[str, Floats]
    counts: Mapping[str, Floats]
    is_reference: Bools
    digests: Mapping[str, str]
    covariance: PackedCovariance

    @classmethod
    def of(cls, facts: TaskScores, before: "ScoreTable | None" = None) -> "ScoreTable":
        """Return the table of a revision, computed from the changes since the previous one."""
        datasets = sorted(facts.datasets.values(), key=lambda each: (each.round_number, each.name))
        unchanged = None
        if before is not None and before.facts.rules.primary == facts.rules.primary:
            unchanged = Unchanged.between(facts, datasets, before.facts, before.datasets)
        shape = (len(facts.models), len(datasets))
        values = {name: np.full(shape, np.nan) for name in EVERY_DIMENSION}
        done = np.zeros(shape, dtype=np.bool_)
        counts = {name: np.zeros(shape) for name in EVERY_DIMENSION}
        is_read = np.zeros(len(facts.models), dtype=np.bool_)
        if before is not None and unchanged is not None and datasets == list(before.datasets):
            is_read[:] = unchanged.is_same
            rows = unchanged.rows[is_read]
            done[is_read] = before.done[rows]
            for name in EVERY_DIMENSION:
                values[name][is_read] = before.values[name][rows]
                counts[name][is_read] = before.counts[name][rows]
        _read(facts, datasets, np.flatnonzero(~is_read), values, done, counts)
        baselines = np.array([model.is_baseline for model in facts.models], dtype=np.bool_)
        is_reference = baselines if baselines.any() else np.ones_like(baselines)
        return cls(
            facts,
            datasets,
            done,
            values,
            counts,
            is_reference,
            _digests(facts, before, unchanged),
            _covariance(facts, datasets, before, unchanged),
        )

    @property
    def revision(self) -> UUID:
        """Return the revision that it is of."""
        return self.facts.revision

    @cached_property
    def performance(self) -> Sequence[Sequence[float | None]]:
        """Return each model's performance by dataset, None where there is none."""
        return [
            [value if np.isfinite(value) else None for value in row]
            for row in self.values[PERFORMANCE].tolist()
        ]

    @cached_property
    def target_of(self) -> Sequence[Sequence[int]]:
        """Return the rounds that each model was a target of."""
        rounds = self.facts.datasets
        return [
            sorted(rounds[name].round_number for name, found in model.scores.items() if found.target_of_round)
            for model in self.facts.models
        ]

    @cached_property
    def is_constant(self) -> Sequence[bool]:
        """Tell of each model whether it gave nearly always the same answer on a dataset."""
        return [any(found.constant_answer for found in model.scores.values()) for model in self.facts.models]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Return the row of each model."""
        return {model.name: place for place, model in enumerate(self.facts.models)}

    @cached_property
    def measures(self) -> Mapping[str, Bools]:
        """Datasets that measure each dimension: those on which a reference model has a value.

        A dataset without variants measures no model's fairness, so its share passes to datasets that do.
        """
        return {
            name: np.asarray(np.isfinite(found[self.is_reference]).any(axis=0))
            for name, found in self.values.items()
        }

    @property
    def is_scored(self) -> Bools:
        """Mark the datasets that measure performance."""
        return self.measures[PERFORMANCE]

    def shares_in(self, dimension: str, shares: Floats) -> Floats:
        """Return the shares of the datasets that measure a dimension, which sum to 1; zeros if none does."""
        found: Floats = np.where(self.measures[dimension], shares, 0.0)
        return found / found.sum() if found.any() else found

    @cached_property
    def utilities(self) -> Mapping[str, Floats]:
        """Return the utility of each value in its dimension, before prices."""
        return {name: utilities(name, found) for name, found in self.values.items()}

    @cached_property
    def prices(self) -> Mapping[str, float | None]:
        """Return the owners' prices, else 1 / AMRS of the installation's baselines over the scored datasets.

        Prices do not depend on a reader's choice; performance costs 1. Each dimension has its own price, from measured
        values only. A robustness stated by rule, for a model without right answers, is no evidence of a price.
        """
        set_by_owner = self.facts.rules.prices
        return {
            name: 1.0
            if name == PERFORMANCE
            else set_by_owner[name]
            if name in set_by_owner
            else self._price(name)
            for name in EVERY_DIMENSION
        }

    def _price(self, dimension: str) -> float | None:
        """Return the default price, over datasets on which at least two baselines have both values."""
        baselines = np.array([model.is_baseline for model in self.facts.models], dtype=np.bool_)
        parts = [
            np.where(self.counts[name] > 0, self.utilities[name], np.nan)[np.ix_(baselines, self.is_scored)]
            for name in (PERFORMANCE, dimension)
        ]
        has_both = np.isfinite(parts[0]) & np.isfinite(parts[1])
        kept = has_both.sum(axis=0) > 1
        while kept.any() and has_both[:, kept].all(axis=1).sum() < FEWEST_PRICED:
            rarest = np.where(kept, has_both.sum(axis=0), len(has_both) + 1).argmin()
            kept[rarest] = False
        if not kept.any():
            return None
        whole = has_both[:, kept].all(axis=1)
        means = np.column_stack([part[np.ix_(whole, kept)].mean(axis=1) for part in parts])
        return default_prices(means, (PERFORMANCE, dimension))[dimension]


def _read(
    facts: TaskScores,
    datasets: Sequence[ScoredDataset],
    models: NDArray[np.intp],
    values: Mapping[str, Floats],
    done: Bools,
    counts: Mapping[str, Floats],
) -> None:
    """Fill in the known scores of these models."""
    by_name = {each.name: place for place, each in enumerate(datasets)}
    metrics = [(dimension, metric_of(dimension, facts)) for dimension in EVERY_DIMENSION]
    for row in models.tolist():
        for name, score in facts.models[row].scores.items():
            column = by_name[name]
            done[row, column] = score.state == DONE
            for dimension, metric in metrics:
                found = score.values.get(metric)
                if found is not None:
                    values[dimension][row, column] = found.value
                    counts[dimension][row, column] = found.n


def _covariance(
    facts: TaskScores,
    datasets: Sequence[ScoredDataset],
    before: ScoreTable | None,
    unchanged: Unchanged | None,
) -> PackedCovariance:
    """Return the covariance of the scores, from the values of single items."""

    def read(model: int, dataset: int, dimension: str) -> Value | None:
        score = facts.models[model].scores.get(datasets[dataset].name)
        return None if score is None else score.values.get(metric_of(dimension, facts))

    def influences(model: int, dataset: int, dimension: str) -> Influences | None:
        found = read(model, dataset, dimension)
        return None if found is None else found.influences

    def variance(model: int, dataset: int, dimension: str) -> float:
        found = read(model, dataset, dimension)
        if found is None or found.low is None or found.high is None:
            return 0.0
        return float(((found.high - found.low) / (2 * NORMAL_QUANTILE * PERCENT)) ** 2)

    kept = None if before is None or unchanged is None else Before(before.covariance, unchanged)
    dimensions = (PERFORMANCE, *OF_ITEMS)
    return PackedCovariance(len(facts.models), len(datasets), dimensions, influences, variance, kept)


def _digests(facts: TaskScores, before: ScoreTable | None, unchanged: Unchanged | None) -> Mapping[str, str]:
    """Name what is known of each model: the same scores have the same, in another revision too."""
    if before is None or unchanged is None:
        return {model.name: _digest(model) for model in facts.models}
    return {
        model.name: before.digests[model.name]
        if is_same and replace(model, scores={}) == replace(before.facts.models[row], scores={})
        else _digest(model)
        for model, row, is_same in zip(facts.models, unchanged.rows, unchanged.is_same, strict=True)
    }


def _digest(model: RankedModel) -> str:
    scores = [
        (
            *(name, score.state, score.fault, score.reason, score.failed_items, score.constant_answer),
            *((metric, *_said(value)) for metric, value in sorted(score.values.items())),
        )
        for name, score in sorted(model.scores.items())
    ]
    return sha256(repr((replace(model, scores={}), scores)).encode()).hexdigest()


def _said(value: Value) -> tuple[float | str | None, ...]:
    return value.value, value.n, value.low, value.high, value.no_interval

"""A reader's choice for a board of models: dimensions with their prices, and datasets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from dynabench_tasks.metrics import METRICS

from leaderboard.domain.model_facts import ScoredDataset
from leaderboard.domain.ranking.certainty import least_difference
from leaderboard.domain.ranking.dynascore import Floats, NoScore, normalised
from leaderboard.domain.score_table import EVERY_DIMENSION, PERCENT, ScoreTable, metric_of

DIAGNOSTIC = "diagnostic"
"""Suites have one result per test: they have no macro F1 and no variants, so a board can't count them."""
SUITE_NOTE = "a diagnostic suite, reported test by test; it does not count here"


class Mode(StrEnum):
    """By which rule scores are made."""

    UTILITY = "utility"
    CLASSIC = "classic"


@dataclass(frozen=True)
class Choice:
    """A reader's choice: weights by dimension and by dataset, the weight of older rounds, and the rule.

    The name of the metric behind performance may be used for the dimension. A missing dimension has the task's default
    weight, a missing dataset 1; diagnostic suites never count. An `external` board ranks only models that were measured
    elsewhere.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    datasets: Mapping[str, float] = field(default_factory=dict)
    gamma: float = 1.0
    mode: Mode = Mode.UTILITY
    external: bool = False


@dataclass(frozen=True)
class Dimension:
    """A column of the board: its weight, share of the whole, price, and why it does not count where it does not."""

    name: str
    metric: str
    weight: float
    share: float
    price: float | None
    is_measured: bool
    note: str


@dataclass(frozen=True)
class WeightedDataset:
    """A dataset of the board with its share, and the least difference of two models in points that it can show."""

    dataset: ScoredDataset
    weight: float
    share: float
    least_difference: float
    note: str


def weighted_datasets(table: ScoreTable, choice: Choice) -> Sequence[WeightedDataset]:
    """Return the task's datasets with their shares, older rounds first. Raises NoScore."""
    newest = max((each.round_number for each in table.datasets), default=0)
    found: list[tuple[ScoredDataset, float, float, str]] = []
    for place, (dataset, is_scored) in enumerate(zip(table.datasets, table.is_scored, strict=True)):
        is_suite = dataset.kind == DIAGNOSTIC
        weight = 0.0 if is_suite else choice.datasets.get(dataset.name, 1.0)
        age = newest - dataset.round_number if dataset.round_number else 0
        note = SUITE_NOTE if is_suite else ""
        if not is_suite and not is_scored:
            note = _why_unscored(table, place)
        found.append((dataset, weight, weight * choice.gamma**age if is_scored else 0.0, note))
    total = [counted for _, _, counted, _ in found]
    shares = normalised(total) if any(total) else np.zeros(len(found))
    return [
        WeightedDataset(
            dataset, weight, float(share), PERCENT * least_difference(max(dataset.items, 1)), note
        )
        for (dataset, weight, _, note), share in zip(found, shares, strict=True)
    ]


def _why_unscored(table: ScoreTable, dataset: int) -> str:
    primary = table.facts.rules.primary
    if table.done[table.is_reference, dataset].any():
        reason = METRICS[primary].undefined_reason if primary in METRICS else ""
        if reason:
            return f"{primary} can't be measured on it ({reason}), so it does not count"
        return f"{primary} can't be measured on it, so it does not count"
    if any(model.is_baseline for model in table.facts.models):
        return f"no shipped model has its {primary} on it yet, so it does not count"
    return f"no model has its {primary} on it yet, so it does not count"


def shares_of(datasets: Sequence[WeightedDataset]) -> Floats:
    """Return the shares of datasets, in their order."""
    return np.array([each.share for each in datasets], dtype=np.float64)


def weighted_dimensions(
    table: ScoreTable, choice: Choice, datasets: Sequence[WeightedDataset]
) -> Sequence[Dimension]:
    """Return every dimension with its share of those that count. Raises NoScore."""
    used, rules, prices = shares_of(datasets) > 0, table.facts.rules, table.prices
    weights = {
        name: choice.weights.get(
            name, choice.weights.get(metric_of(name, table.facts), rules.weights.get(name, 0.0))
        )
        for name in EVERY_DIMENSION
    }
    measured = {name: bool(table.measures[name][used].any()) for name in EVERY_DIMENSION}
    is_done = bool(table.done[np.ix_(table.is_reference, used)].any())
    normalised(list(weights.values()))
    counted = {
        name: weights[name]
        if measured[name] and (choice.mode is Mode.CLASSIC or prices[name] is not None)
        else 0.0
        for name in EVERY_DIMENSION
    }
    if not any(counted.values()) and used.any():
        raise NoScore("nothing with a weight above 0 is measured here")
    shares = normalised(list(counted.values())) if any(counted.values()) else np.zeros(len(counted))
    return [
        Dimension(
            name,
            metric_of(name, table.facts),
            weights[name],
            float(share),
            prices[name],
            measured[name],
            _note(weights[name], prices[name], choice, is_measured=measured[name], is_done=is_done),
        )
        for name, share in zip(EVERY_DIMENSION, shares, strict=True)
    ]


def _note(weight: float, price: float | None, choice: Choice, *, is_measured: bool, is_done: bool) -> str:
    if not weight:
        return ""
    if not is_measured and is_done:
        return "none of these datasets measures it, so it does not count"
    if not is_measured:
        return "not measured for any model yet, so it does not count"
    if price is None and choice.mode is Mode.UTILITY:
        return "the task's owner has to set its price; until then it does not count"
    return ""

"""What a board of models is weighed by: dimensions with their prices, and datasets, under a reader's choice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from leaderboard.domain.model_facts import RankedModel, ScoredDataset, TaskScores
from leaderboard.domain.ranking.certainty import least_difference
from leaderboard.domain.ranking.dynascore import NoScore, normalised
from leaderboard.domain.ranking.utility import PERFORMANCE, default_prices, utility

PERCENT = 100.0
OF_ITEMS = ("fairness", "robustness")
EVERY_DIMENSION = (PERFORMANCE, "throughput", "latency", "memory", *OF_ITEMS)


class Mode(StrEnum):
    """By which rule scores are made."""

    UTILITY = "utility"
    CLASSIC = "classic"


@dataclass(frozen=True)
class Choice:
    """What a reader chose: weights by dimension and by dataset, how much older rounds count, and the rule.

    The metric behind performance may stand for it. What is not named has the task's default weight, a dataset 1.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    datasets: Mapping[str, float] = field(default_factory=dict)
    gamma: float = 1.0
    mode: Mode = Mode.UTILITY


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


def metric_of(dimension: str, facts: TaskScores) -> str:
    """Return the metric behind a dimension."""
    return facts.rules.primary if dimension == PERFORMANCE else dimension


def _reference(facts: TaskScores) -> Sequence[RankedModel]:
    """Return the models that say what counts: the installation's, else all.

    So a model that comes or goes does not change which datasets and dimensions the others are ranked by.
    """
    return [model for model in facts.models if model.is_baseline] or facts.models


def weighted_datasets(facts: TaskScores, choice: Choice) -> Sequence[WeightedDataset]:
    """Return the task's datasets with their shares, older rounds first. Raises NoScore."""
    newest = max((each.round_number for each in facts.datasets.values()), default=0)
    found: list[tuple[ScoredDataset, float, float, str]] = []
    for name, dataset in sorted(facts.datasets.items(), key=lambda pair: (pair[1].round_number, pair[0])):
        weight = choice.datasets.get(name, 1.0)
        age = newest - dataset.round_number if dataset.round_number else 0
        is_scored = any(has_value(model, name, facts.rules.primary) for model in _reference(facts))
        note = "" if is_scored else f"{facts.rules.primary} is not measured on it yet"
        found.append((dataset, weight, weight * choice.gamma**age if is_scored else 0.0, note))
    total = [counted for _, _, counted, _ in found]
    shares = normalised(total) if any(total) else np.zeros(len(found))
    return [
        WeightedDataset(
            dataset, weight, float(share), PERCENT * least_difference(max(dataset.items, 1)), note
        )
        for (dataset, weight, _, note), share in zip(found, shares, strict=True)
    ]


def weighted_dimensions(
    facts: TaskScores, choice: Choice, datasets: Sequence[WeightedDataset]
) -> Sequence[Dimension]:
    """Return every dimension with its share of those that count. Raises NoScore."""
    used = [each.dataset.name for each in datasets if each.share > 0]
    weights = {
        name: choice.weights.get(
            name, choice.weights.get(metric_of(name, facts), facts.rules.weights.get(name, 0.0))
        )
        for name in EVERY_DIMENSION
    }
    measured = {
        name: any(
            has_value(model, dataset, metric_of(name, facts))
            for model in _reference(facts)
            for dataset in used
        )
        for name in EVERY_DIMENSION
    }
    prices = _prices(facts, [each.dataset.name for each in datasets if not each.note])
    normalised(list(weights.values()))
    counted = {
        name: weights[name]
        if measured[name] and (choice.mode is Mode.CLASSIC or prices[name] is not None)
        else 0.0
        for name in EVERY_DIMENSION
    }
    if not any(counted.values()) and used:
        raise NoScore("nothing with a weight above 0 is measured here")
    shares = normalised(list(counted.values())) if any(counted.values()) else np.zeros(len(counted))
    return [
        Dimension(
            name,
            metric_of(name, facts),
            weights[name],
            float(share),
            prices[name],
            measured[name],
            _note(weights[name], prices[name], choice, is_measured=measured[name]),
        )
        for name, share in zip(EVERY_DIMENSION, shares, strict=True)
    ]


def _note(weight: float, price: float | None, choice: Choice, *, is_measured: bool) -> str:
    if not weight:
        return ""
    if not is_measured:
        return "not measured for any model yet, so it does not count"
    if price is None and choice.mode is Mode.UTILITY:
        return "the task's owner has to set its price; until then it does not count"
    return ""


def _prices(facts: TaskScores, scored: Sequence[str]) -> Mapping[str, float | None]:
    """Return what owners set, else 1 / AMRS of the installation's baselines over all that is scored.

    They stand still whatever a reader chooses; performance costs 1.
    """
    baselines = [model for model in facts.models if model.is_baseline]
    names = [
        name
        for name in EVERY_DIMENSION
        if any(has_value(model, each, metric_of(name, facts)) for model in baselines for each in scored)
    ]
    table = [
        [_utility_mean(model, name, scored, facts) for name in names]
        for model in baselines
        if all(has_value(model, each, metric_of(name, facts)) for each in scored for name in names)
    ]
    found: Mapping[str, float | None] = (
        default_prices(np.array(table), names) if len(table) > 1 and PERFORMANCE in names else {}
    )
    set_by_owner = facts.rules.prices
    return {
        name: 1.0 if name == PERFORMANCE else set_by_owner.get(name, found.get(name))
        for name in EVERY_DIMENSION
    }


def _utility_mean(model: RankedModel, dimension: str, scored: Sequence[str], facts: TaskScores) -> float:
    metric = metric_of(dimension, facts)
    return float(np.mean([utility(dimension, model.scores[name].values[metric].value) for name in scored]))


def has_value(model: RankedModel, dataset: str, metric: str) -> bool:
    """Tell whether a model has a value of a metric on a dataset."""
    found = model.scores.get(dataset)
    return found is not None and metric in found.values

"""The board of a task's models, under a reader's own weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

import numpy as np

from leaderboard.domain.model_facts import ModelScore, RankedModel, ScoredDataset, TaskScores
from leaderboard.domain.ranking.certainty import (
    Certainty,
    certainty,
    covariance,
    least_difference,
    tie_groups,
)
from leaderboard.domain.ranking.dynascore import Floats, NoScore, dynascores, normalised, substitution_rates
from leaderboard.domain.ranking.utility import (
    PERFORMANCE,
    SIGNS,
    default_prices,
    utilities_of_scores,
    utility,
)

PERCENT = 100.0
MOST_MEMORY = 16.0
OF_ITEMS = ("fairness", "robustness")
EVERY_DIMENSION = (PERFORMANCE, "throughput", "latency", "memory", *OF_ITEMS)


class Mode(StrEnum):
    """By which rule scores are made."""

    UTILITY = "utility"
    CLASSIC = "classic"


@dataclass(frozen=True)
class Choice:
    """What a reader chose: weights by dimension and by dataset, how much older rounds count, and the rule.

    What is not named has the task's default weight, a dataset 1.
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


@dataclass(frozen=True)
class Row:
    """A model's place. Without a score `reason` says why; `values` are means over datasets in the metrics' units."""

    model: RankedModel
    score: float | None
    reason: str
    values: Mapping[str, float]
    rank: int | None = None
    rank_interval: tuple[int, int] | None = None
    rank_set: tuple[int, int] | None = None
    tie_group: int | None = None
    interval: tuple[float, float] | None = None
    n: int = 0


@dataclass(frozen=True)
class ModelBoard:
    """The board whole: ranked rows by rank, then those without a score by name."""

    facts: TaskScores
    choice: Choice
    dimensions: Sequence[Dimension]
    datasets: Sequence[WeightedDataset]
    rows: Sequence[Row]
    critical: float | None
    problem: str


def model_board(facts: TaskScores, choice: Choice, seen: frozenset[str]) -> ModelBoard:
    """Return the board; `seen` are the names of the models on it. Raises NoScore for weights that mean nothing."""
    models = [model for model in facts.models if model.name in seen]
    datasets = _datasets(facts, choice)
    dimensions = _dimensions(facts, choice, datasets)
    needed = [each for each in dimensions if each.share > 0]
    used = [each for each in datasets if each.share > 0]
    reasons = {model.name: _lacks(model, needed, used) for model in models}
    ranked = [model for model in models if not reasons[model.name]]
    values = {model.name: _means(model, dimensions, used) for model in models}
    rows, critical, problem = _ranked(ranked, needed, used, choice, values)
    rest = [
        Row(model, None, reasons[model.name], values[model.name])
        for model in sorted(models, key=lambda model: model.name)
        if reasons[model.name]
    ]
    return ModelBoard(facts, choice, dimensions, datasets, [*rows, *rest], critical, problem)


def metric_of(dimension: str, facts: TaskScores) -> str:
    """Return the metric behind a dimension."""
    return facts.rules.primary if dimension == PERFORMANCE else dimension


def _reference(facts: TaskScores) -> Sequence[RankedModel]:
    """Return the models that say what counts: the installation's, else all.

    So a model that comes or goes does not change which datasets and dimensions the others are ranked by.
    """
    return [model for model in facts.models if model.is_baseline] or facts.models


def _datasets(facts: TaskScores, choice: Choice) -> Sequence[WeightedDataset]:
    newest = max((each.round_number for each in facts.datasets.values()), default=0)
    found: list[tuple[ScoredDataset, float, float, str]] = []
    for name, dataset in sorted(facts.datasets.items(), key=lambda pair: (pair[1].round_number, pair[0])):
        weight = choice.datasets.get(name, 1.0)
        age = newest - dataset.round_number if dataset.round_number else 0
        is_scored = any(_has(model, name, facts.rules.primary) for model in _reference(facts))
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


def _dimensions(
    facts: TaskScores, choice: Choice, datasets: Sequence[WeightedDataset]
) -> Sequence[Dimension]:
    used = [each.dataset.name for each in datasets if each.share > 0]
    weights = {name: choice.weights.get(name, facts.rules.weights.get(name, 0.0)) for name in EVERY_DIMENSION}
    measured = {
        name: any(
            _has(model, dataset, metric_of(name, facts)) for model in _reference(facts) for dataset in used
        )
        for name in EVERY_DIMENSION
    }
    prices = _prices(facts, used, measured)
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


def _prices(
    facts: TaskScores, used: Sequence[str], measured: Mapping[str, bool]
) -> Mapping[str, float | None]:
    """Return what owners set, else 1 / AMRS of the installation's baselines; performance costs 1."""
    names = [name for name in EVERY_DIMENSION if measured[name]]
    table = []
    for model in facts.models:
        if model.is_baseline and all(
            _has(model, each, metric_of(name, facts)) for each in used for name in names
        ):
            table.append([_utility_mean(model, name, used, facts) for name in names])
    found: Mapping[str, float | None] = default_prices(np.array(table), names) if len(table) > 1 else {}
    set_by_owner = facts.rules.prices
    return {
        name: 1.0 if name == PERFORMANCE else set_by_owner.get(name, found.get(name))
        for name in EVERY_DIMENSION
    }


def _utility_mean(model: RankedModel, dimension: str, used: Sequence[str], facts: TaskScores) -> float:
    metric = metric_of(dimension, facts)
    return float(np.mean([utility(dimension, model.scores[name].values[metric].value) for name in used]))


def _has(model: RankedModel, dataset: str, metric: str) -> bool:
    found = model.scores.get(dataset)
    return found is not None and metric in found.values


def _lacks(model: RankedModel, needed: Sequence[Dimension], used: Sequence[WeightedDataset]) -> str:
    """Return why a model has no score; empty if it has one."""
    if not used:
        return "the task has no dataset to score on yet"
    for each in used:
        name = each.dataset.name
        found = model.scores.get(name)
        if found is None or found.state != "done":
            return _why_not_done(name, found)
        missing = [dimension.name for dimension in needed if dimension.metric not in found.values]
        if missing:
            because = " (only its predictions are known)" if model.prediction_only else ""
            return f"it has no {', '.join(missing)} on {name}{because}"
    return ""


def _why_not_done(name: str, found: ModelScore | None) -> str:
    if found is None:
        return f"it was not evaluated on {name} yet"
    if found.state == "waiting":
        return f"its evaluation on {name} is under way"
    whose = {"ours": "the platform's fault", "yours": "the submitter's fault", "cancelled": "cancelled"}
    return (
        f"its evaluation on {name} failed, {whose.get(found.fault or '', 'reason unknown')}: {found.reason}"
    )


def _means(
    model: RankedModel, dimensions: Sequence[Dimension], used: Sequence[WeightedDataset]
) -> Mapping[str, float]:
    """Return the mean of each dimension over datasets by their shares, in the metric's unit."""
    found = {}
    for dimension in dimensions:
        have = [each for each in used if _has(model, each.dataset.name, dimension.metric)]
        share = sum(each.share for each in have)
        if have and len(have) == len(used):
            found[dimension.name] = (
                sum(
                    each.share * model.scores[each.dataset.name].values[dimension.metric].value
                    for each in have
                )
                / share
            )
    return found


def _ranked(
    ranked: Sequence[RankedModel],
    needed: Sequence[Dimension],
    used: Sequence[WeightedDataset],
    choice: Choice,
    values: Mapping[str, Mapping[str, float]],
) -> tuple[Sequence[Row], float | None, str]:
    if not ranked:
        return [], None, ""
    try:
        scores, factors = _scores(ranked, needed, used, choice)
    except NoScore as err:
        unscored = [Row(model, None, str(err), values[model.name]) for model in ranked]
        return sorted(unscored, key=lambda row: row.model.name), None, str(err)
    found = certainty(scores, covariance(_influences(ranked, needed, used, factors), len(ranked)))
    order = sorted(range(len(ranked)), key=lambda place: (-scores[place], ranked[place].name))
    groups = tie_groups(order, found.told_apart)
    rows = [
        _row(ranked[model], float(scores[model]), place, groups[place], found, model, values, used)
        for place, model in enumerate(order)
    ]
    return rows, found.critical, ""


def _row(
    model: RankedModel,
    score: float,
    place: int,
    group: int,
    found: Certainty,
    number: int,
    values: Mapping[str, Mapping[str, float]],
    used: Sequence[WeightedDataset],
) -> Row:
    reach = float(found.reach[number])
    return Row(
        model,
        score,
        "",
        values[model.name],
        rank=place + 1,
        rank_interval=found.paired[number],
        rank_set=found.simultaneous[number],
        tie_group=group,
        interval=(score - reach, score + reach),
        n=sum(each.dataset.items for each in used),
    )


def _scores(
    ranked: Sequence[RankedModel],
    needed: Sequence[Dimension],
    used: Sequence[WeightedDataset],
    choice: Choice,
) -> tuple[Floats, Mapping[str, float]]:
    """Return the scores, and by how much a point of each dimension moves them."""
    shares = [each.share for each in needed]
    if choice.mode is Mode.CLASSIC:
        table = np.array([[_classic(model, each, used) for each in needed] for model in ranked])
        rates = substitution_rates(table)
        scores = dynascores(table, shares, [each.name for each in needed])
        return scores, {
            each.name: each.share / float(rate) if rate else 0.0
            for each, rate in zip(needed, rates, strict=True)
        }
    prices = [each.price or 0.0 for each in needed]
    table = np.array(
        [
            [
                sum(
                    part.share * utility(each.name, model.scores[part.dataset.name].values[each.metric].value)
                    for part in used
                )
                for each in needed
            ]
            for model in ranked
        ]
    )
    return utilities_of_scores(table, shares, prices), {
        each.name: each.share * price for each, price in zip(needed, prices, strict=True)
    }


def _classic(model: RankedModel, dimension: Dimension, used: Sequence[WeightedDataset]) -> float:
    """Return the mean utility by the published rule: values as they are, what should be small taken from a maximum."""
    mean = sum(part.share * model.scores[part.dataset.name].values[dimension.metric].value for part in used)
    return MOST_MEMORY - mean if SIGNS.get(dimension.name, 1.0) < 0 else mean


def _influences(
    ranked: Sequence[RankedModel],
    needed: Sequence[Dimension],
    used: Sequence[WeightedDataset],
    factors: Mapping[str, float],
) -> Sequence[Floats]:
    """Return by dataset how each cluster moves each model's score; speed and memory are taken as exact."""
    found = []
    of_items = [each for each in needed if each.name in (PERFORMANCE, *OF_ITEMS)]
    for part in used:
        matrix: Floats | None = None
        for dimension in of_items:
            values = [model.scores[part.dataset.name].values[dimension.metric].influences for model in ranked]
            lengths = {len(each) for each in values if each is not None}
            if len(lengths) != 1 or any(each is None for each in values):
                continue
            scaled = PERCENT * part.share * factors[dimension.name] * np.array(values)
            matrix = scaled if matrix is None else matrix + scaled
        if matrix is not None:
            found.append(matrix)
    return found


def submitter_of(row: Row) -> UUID | None:
    """Return who submitted a model, None where that is not shown."""
    return None if row.model.is_anonymous else row.model.submitted_by

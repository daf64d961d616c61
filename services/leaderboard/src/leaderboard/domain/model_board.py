"""The board of a task's models, under a reader's own weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from leaderboard.domain.board_choice import (
    OF_ITEMS,
    PERCENT,
    Choice,
    Dimension,
    Mode,
    WeightedDataset,
    has_value,
    weighted_datasets,
    weighted_dimensions,
)
from leaderboard.domain.model_facts import ModelScore, RankedModel, ScoredDataset, TaskScores
from leaderboard.domain.ranking.certainty import (
    Certainty,
    certainty,
    covariance,
    tie_groups,
)
from leaderboard.domain.ranking.dynascore import (
    Floats,
    NoScore,
    dynascores,
    substitution_rates,
    z_scores,
)
from leaderboard.domain.ranking.utility import (
    PERFORMANCE,
    SIGNS,
    utilities_of_scores,
    utility,
)

MOST_MEMORY = 16.0
HIDDEN = "hidden"


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
    z_score: float | None = None


@dataclass(frozen=True)
class ModelBoard:
    """The board whole: ranked rows by rank, then those without a score by name."""

    facts: TaskScores
    choice: Choice
    dimensions: Sequence[Dimension]
    datasets: Sequence[WeightedDataset]
    rows: Sequence[Row]
    problem: str


def model_board(facts: TaskScores, choice: Choice, seen: frozenset[str]) -> ModelBoard:
    """Return the board; `seen` are the names of the models on it. Raises NoScore for weights that mean nothing."""
    models = [model for model in facts.models if model.name in seen]
    datasets = weighted_datasets(facts, choice)
    dimensions = weighted_dimensions(facts, choice, datasets)
    needed = [each for each in dimensions if each.share > 0 or _is_yardstick(each, choice)]
    used = [each for each in datasets if each.share > 0]
    reasons = {model.name: _lacks(model, needed, used) for model in models}
    ranked = [model for model in models if not reasons[model.name]]
    values = {model.name: _means(model, dimensions, used) for model in models}
    rows, problem = _ranked(ranked, needed, used, choice, values)
    rest = [
        Row(model, None, reasons[model.name], values[model.name])
        for model in sorted(models, key=lambda model: model.name)
        if reasons[model.name]
    ]
    return ModelBoard(facts, choice, dimensions, datasets, [*rows, *rest], problem)


def _is_yardstick(dimension: Dimension, choice: Choice) -> bool:
    """Tell whether the classic rule needs a dimension whatever it weighs: all others are weighed by performance."""
    return choice.mode is Mode.CLASSIC and dimension.name == PERFORMANCE


def _lacks(model: RankedModel, needed: Sequence[Dimension], used: Sequence[WeightedDataset]) -> str:
    """Return why a model has no score; empty if it has one."""
    if not used:
        return "the task has no dataset to score on yet"
    for each in used:
        name = each.dataset.name
        found = model.scores.get(name)
        if found is None or found.state != "done":
            return _why_not_done(each.dataset, found)
        missing = [dimension.name for dimension in needed if dimension.metric not in found.values]
        if missing:
            because = " (only its predictions are known)" if model.prediction_only else ""
            return f"it has no {', '.join(missing)} on {name}{because}"
    return ""


def _why_not_done(dataset: ScoredDataset, found: ModelScore | None) -> str:
    name = dataset.name
    if found is None:
        return f"it was not evaluated on {name} yet"
    if found.state == "waiting":
        return f"its evaluation on {name} is under way"
    whose = {"ours": "the platform's fault", "yours": "the submitter's fault", "cancelled": "cancelled"}
    failed = f"its evaluation on {name} failed, {whose.get(found.fault or '', 'reason unknown')}"
    return failed if dataset.access == HIDDEN else f"{failed}: {found.reason}"


def _means(
    model: RankedModel, dimensions: Sequence[Dimension], used: Sequence[WeightedDataset]
) -> Mapping[str, float]:
    """Return the mean of each dimension over datasets by their shares, in the metric's unit."""
    found = {}
    for dimension in dimensions:
        have = [each for each in used if has_value(model, each.dataset.name, dimension.metric)]
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
) -> tuple[Sequence[Row], str]:
    if not ranked:
        return [], ""
    try:
        scores, factors, standard = _scores(ranked, needed, used, choice)
    except NoScore as err:
        unscored = [Row(model, None, str(err), values[model.name]) for model in ranked]
        return sorted(unscored, key=lambda row: row.model.name), str(err)
    found = certainty(scores, covariance(_influences(ranked, needed, used, factors), len(ranked)))
    order = sorted(range(len(ranked)), key=lambda place: (-scores[place], ranked[place].name))
    groups = tie_groups(order, found.told_apart)
    rows = [
        _row(ranked[model], float(scores[model]), place, groups[place], found, model, values, used)
        for place, model in enumerate(order)
    ]
    if standard is not None:
        rows = [replace(row, z_score=float(standard[model])) for row, model in zip(rows, order, strict=True)]
    return rows, ""


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
) -> tuple[Floats, Mapping[str, float], Floats | None]:
    """Return the scores, by how much a point of each dimension moves them, and z-scores by the classic rule."""
    shares = [each.share for each in needed]
    if choice.mode is Mode.CLASSIC:
        table = np.array([[_classic(model, each, used) for each in needed] for model in ranked])
        rates = substitution_rates(table)
        scores = dynascores(table, shares, [each.name for each in needed])
        factors = {
            each.name: each.share / float(rate) if rate else 0.0
            for each, rate in zip(needed, rates, strict=True)
        }
        return scores, factors, z_scores(table, shares)
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
    factors = {each.name: each.share * price for each, price in zip(needed, prices, strict=True)}
    return utilities_of_scores(table, shares, prices), factors, None


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

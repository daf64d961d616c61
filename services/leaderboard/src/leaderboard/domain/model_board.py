"""The board of a task's models, under a reader's own weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Self, TypeAlias
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from leaderboard.domain.board_choice import (
    Choice,
    Dimension,
    Mode,
    WeightedDataset,
    shares_of,
    weighted_datasets,
    weighted_dimensions,
)
from leaderboard.domain.leads import OF_RIGHT_ANSWERS, Counted, Lead, fastest_of, gain_of_best, leads
from leaderboard.domain.model_facts import ModelScore, RankedModel, ScoredDataset, TaskScores
from leaderboard.domain.ranking.certainty import Certainty, certainty, tie_groups
from leaderboard.domain.ranking.dynascore import (
    Floats,
    NoScore,
    dynascores,
    substitution_rates,
    z_scores,
)
from leaderboard.domain.ranking.utility import PERFORMANCE, SIGNS, utilities_of_scores
from leaderboard.domain.score_table import DONE, OF_ITEMS, PERCENT, ScoreTable

Places: TypeAlias = NDArray[np.intp]
MOST_MEMORY = 16.0
HIDDEN = "hidden"
DIGEST = 12


@dataclass(frozen=True)
class Row:
    """A model's place. Without a score `reason` says why; `values` are means over datasets in the metrics' units.

    `lead` is that over the next model. `best_of_gain` is what the best of as many equal models as its submitter sent
    gains by luck, in points of score; `faster` the ratios of its speed to the next fastest and to the slowest of those
    tied for the first place, if it is the fastest of them.
    """

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
    lead: Lead | None = None
    best_of_gain: float | None = None
    faster: tuple[float, float] | None = None
    no_interval: str = ""


@dataclass(frozen=True)
class ModelBoard:
    """The board whole: ranked rows by rank, then those without a score by name; `digest` names what it shows."""

    table: ScoreTable
    choice: Choice
    dimensions: Sequence[Dimension]
    datasets: Sequence[WeightedDataset]
    rows: Sequence[Row]
    problem: str
    digest: str

    @property
    def facts(self) -> TaskScores:
        """Return what it is made of."""
        return self.table.facts

    @cached_property
    def widened_on(self) -> Sequence[Sequence[str]]:
        """Name for each of the table's models the datasets that count on which the linear form is poor."""
        count = {each.dataset.name for each in self.datasets if each.share > 0}
        names = np.array([each.name for each in self.table.datasets], dtype=np.object_)
        counts = np.array([name in count for name in names], dtype=np.bool_)
        return [names[poor].tolist() for poor in self.table.covariance.is_poor & counts]


@dataclass(frozen=True)
class _Scored:
    """Scores of some models, by how much a point of each dimension moves them, and z-scores by the classic rule."""

    scores: Floats
    factors: Mapping[str, float]
    standard: Floats | None

    def by(self, order: Places) -> Self:
        """Return the same in another order."""
        standard = None if self.standard is None else self.standard[order]
        return replace(self, scores=self.scores[order], standard=standard)


def model_board(table: ScoreTable, choice: Choice, seen: frozenset[str]) -> ModelBoard:
    """Return the board; `seen` are the names of the models on it. Raises NoScore for weights that mean nothing."""
    datasets = weighted_datasets(table, choice)
    dimensions = weighted_dimensions(table, choice, datasets)
    shares = shares_of(datasets)
    needed = [each for each in dimensions if each.share > 0 or _is_yardstick(each, choice)]
    models = np.array(sorted(table.places[name] for name in seen), dtype=np.intp)
    shares_in = {each.name: table.shares_in(each.name, shares) for each in dimensions}
    means = {each.name: _means(table.values[each.name][models], shares_in[each.name]) for each in dimensions}
    is_whole = table.done[np.ix_(models, shares > 0)].all(axis=1) & (shares > 0).any()
    for each in needed:
        is_whole &= np.isfinite(means[each.name])
    ranked = models[is_whole]
    reading = _Reading(table, choice, datasets, shares_in, dimensions, needed, models, means)
    rows, problem = _ranked(reading, ranked) if len(ranked) else ([], "")
    rest = [
        Row(model, None, _lacks(model, reading), reading.values(place))
        for place, model in ((place, table.facts.models[place]) for place in models[~is_whole])
    ]
    digest = _digest(table, choice, dimensions, datasets, seen)
    return ModelBoard(table, choice, dimensions, datasets, [*rows, *rest], problem, digest)


def _digest(
    table: ScoreTable,
    choice: Choice,
    dimensions: Sequence[Dimension],
    datasets: Sequence[WeightedDataset],
    seen: frozenset[str],
) -> str:
    """Name a board: equal scores, models and weights have the same name, for any spelling of the weights."""
    parts = (
        table.facts.rules,
        list(table.datasets),
        [table.digests[name] for name in sorted(seen)],
        choice.mode.value,
        choice.gamma,
        [(each.name, each.weight) for each in dimensions],
        [(each.dataset.name, each.weight) for each in datasets],
    )
    return sha256(repr(parts).encode()).hexdigest()[:DIGEST]


@dataclass(frozen=True)
class _Reading:
    """Inputs of one board; `means` are those of `models` by dimension, NaN where something is missing.

    `shares` are, by dimension, those of the datasets that measure it.
    """

    table: ScoreTable
    choice: Choice
    datasets: Sequence[WeightedDataset]
    shares: Mapping[str, Floats]
    dimensions: Sequence[Dimension]
    needed: Sequence[Dimension]
    models: Places
    means: Mapping[str, Floats]

    def values(self, place: int) -> Mapping[str, float]:
        """Return the means of a model that there are."""
        row = self.rows[place]
        found = ((name, column[row]) for name, column in self.columns)
        return {name: value for name, value in found if value == value}  # noqa: PLR0124 - NaN is not itself

    @cached_property
    def rows(self) -> Mapping[int, int]:
        """Return the row of each model in the means."""
        return {place: row for row, place in enumerate(self.models.tolist())}

    @cached_property
    def columns(self) -> Sequence[tuple[str, list[float]]]:
        """Return the means by dimension."""
        return [(each.name, self.means[each.name].tolist()) for each in self.dimensions]


def _is_yardstick(dimension: Dimension, choice: Choice) -> bool:
    """Return whether the classic rule needs a dimension also at weight 0: performance weighs all others."""
    return choice.mode is Mode.CLASSIC and dimension.name == PERFORMANCE


def _means(values: Floats, shares: Floats) -> Floats:
    """Return the means over the datasets that count, models × datasets; NaN where one is missing or none counts."""
    used = shares > 0
    if not used.any():
        return np.full(len(values), np.nan)
    found: Floats = values[:, used] @ shares[used]
    return found


def _lacks(model: RankedModel, reading: _Reading) -> str:
    """Return why a model has no score."""
    for place, each in enumerate(reading.datasets):
        name = each.dataset.name
        found = model.scores.get(name)
        if not each.share:
            continue
        if found is None or found.state != DONE:
            return _why_not_done(each.dataset, found)
        missing = [
            dimension.name
            for dimension in reading.needed
            if reading.shares[dimension.name][place] and dimension.metric not in found.values
        ]
        if missing:
            if model.prediction_only:
                return f"it has no {', '.join(missing)} on {name} (only its predictions are known)"
            return f"it has no {', '.join(missing)} on {name}"
    for each in reading.datasets:
        found = model.scores.get(each.dataset.name)
        if each.weight and found is not None and found.state != DONE:
            return _why_not_done(each.dataset, found)
    if not reading.datasets:
        return "the task has no dataset to score on yet"
    notes = sorted({each.note for each in reading.datasets if each.weight and each.note})
    return f"none of the task's datasets counts: {notes[0] if notes else 'their weight here is 0'}"


def _why_not_done(dataset: ScoredDataset, found: ModelScore | None) -> str:
    name = dataset.name
    if found is None:
        return f"it was not evaluated on {name} yet"
    if found.state == "waiting":
        return f"its evaluation on {name} is under way"
    if dataset.access == HIDDEN or not found.reason:
        return _why_failed(name, found.fault)
    return f"{_why_failed(name, found.fault)}: {found.reason}"


def _why_failed(name: str, fault: str | None) -> str:
    if fault == "ours":
        return f"its evaluation on {name} failed, the platform's fault"
    if fault == "yours":
        return f"its evaluation on {name} failed, the submitter's fault"
    if fault == "cancelled":
        return f"its evaluation on {name} failed, cancelled"
    return f"its evaluation on {name} failed, reason unknown"


def _ranked(reading: _Reading, ranked: Places) -> tuple[list[Row], str]:
    """Return the rows of models that have all that is needed, by rank, or why none of them has a score."""
    models = reading.table.facts.models
    try:
        scored = _scores(reading, ranked)
    except NoScore as err:
        return [Row(models[place], None, str(err), reading.values(place)) for place in ranked], str(err)
    worth = {
        name: PERCENT * reading.shares[name] * scored.factors.get(name, 0.0)
        for name in (PERFORMANCE, *OF_ITEMS)
    }
    kept, chosen = reading.table.covariance, ranked.tolist()
    unknown = kept.are_unknown(worth, chosen)
    found = certainty(scored.scores, kept.of_scores(worth, chosen), kept.freedom(worth, chosen), unknown)
    order = np.argsort(-scored.scores, kind="stable")
    rows = _rows(reading, ranked[order], scored.by(order), found.by(order))
    return [
        _without_interval(row, reading, worth) if unknown[order[place]] else row
        for place, row in enumerate(rows)
    ], ""


def _without_interval(row: Row, reading: _Reading, worth: Mapping[str, Floats]) -> Row:
    """Return the row of a model of which nothing tells what chance does to its score, and say where."""
    place = reading.table.places[row.model.name]
    metric, dataset = next(
        (metric, reading.datasets[int(column)].dataset.name)
        for metric, known in reading.table.covariance.is_known.items()
        for column in np.flatnonzero((worth[metric] != 0) & ~known[place])
    )
    reason = f"no interval: the uncertainty of its {metric} on {dataset} is not known"
    return replace(row, interval=None, no_interval=reason, best_of_gain=None)


def _rows(reading: _Reading, ranked: Places, scored: _Scored, found: Certainty) -> list[Row]:
    """Return the rows; everything is given by rank."""
    models = [reading.table.facts.models[place] for place in ranked]
    values = [reading.values(place) for place in ranked]
    groups = tie_groups(found.separated)
    ahead = _leads(reading, ranked, scored)
    fastest = fastest_of([each.get("throughput") for each in values[: groups.count(1)]])
    items = sum(each.dataset.items for each in reading.datasets if each.share > 0)
    rows = []
    for place, (model, score) in enumerate(zip(models, scored.scores.tolist(), strict=True)):
        reach = float(found.reach[place])
        tries = 1 if model.is_anonymous else model.submissions
        rows.append(
            Row(
                model,
                score,
                "",
                values[place],
                rank=place + 1,
                rank_interval=found.paired[place],
                rank_set=found.simultaneous[place],
                tie_group=groups[place],
                interval=(score - reach, score + reach),
                n=items,
                z_score=None if scored.standard is None else float(scored.standard[place]),
                lead=ahead[place],
                best_of_gain=gain_of_best(tries, float(found.errors[place])) if tries > 1 else None,
                faster=fastest[1:] if fastest is not None and fastest[0] == place else None,
            )
        )
    return rows


def _leads(reading: _Reading, ranked: Places, scored: _Scored) -> list[Lead | None]:
    """Say what each place depends on; by the classic rule only where performance alone counts, since else all move."""
    performance = next(each for each in reading.dimensions if each.name == PERFORMANCE)
    is_plain = reading.choice.mode is Mode.UTILITY or performance.share == 1
    if performance.metric not in OF_RIGHT_ANSWERS or not is_plain:
        return [None] * len(ranked)
    table = reading.table
    counted = Counted(
        table.values[PERFORMANCE][ranked],
        table.counts[PERFORMANCE][ranked],
        np.array([each.items for each in table.datasets]),
        PERCENT * reading.shares[PERFORMANCE] * scored.factors.get(PERFORMANCE, 0.0),
    )
    names = [table.facts.models[place].name for place in ranked]
    return leads(names, scored.scores, [each.name for each in table.datasets], counted)


def _scores(reading: _Reading, ranked: Places) -> _Scored:
    """Return the scores of models. Raises NoScore."""
    needed = reading.needed
    shares = [each.share for each in needed]
    if reading.choice.mode is Mode.CLASSIC:
        rows = np.searchsorted(reading.models, ranked)
        table = np.column_stack([_classic(each.name, reading.means[each.name][rows]) for each in needed])
        rates = substitution_rates(table)
        scores = dynascores(table, shares, [each.name for each in needed])
        factors = {
            each.name: each.share / float(rate) if rate else 0.0
            for each, rate in zip(needed, rates, strict=True)
        }
        return _Scored(scores, factors, z_scores(table, shares))
    prices = [each.price or 0.0 for each in needed]
    table = np.column_stack(
        [_means(reading.table.utilities[each.name][ranked], reading.shares[each.name]) for each in needed]
    )
    factors = {each.name: each.share * price for each, price in zip(needed, prices, strict=True)}
    return _Scored(utilities_of_scores(table, shares, prices), factors, None)


def _classic(dimension: str, means: Floats) -> Floats:
    """Return the utilities by the published rule: values as they are, what should be small taken from a maximum."""
    return MOST_MEMORY - means if SIGNS.get(dimension, 1.0) < 0 else means


def submitter_of(row: Row) -> UUID | None:
    """Return the submitter of a model, or None if it is not shown."""
    return None if row.model.is_anonymous else row.model.submitted_by

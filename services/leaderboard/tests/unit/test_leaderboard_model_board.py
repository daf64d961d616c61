"""Boards of models of every kind: whatever is missing or equal, each model has a place or a reason."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leaderboard.domain.board_choice import Choice, Mode
from leaderboard.domain.model_board import ModelBoard, model_board
from leaderboard.domain.model_facts import (
    MetricRules,
    ModelScore,
    RankedModel,
    ScoredDataset,
    StoredScore,
    TaskScores,
    Value,
)
from leaderboard.domain.moving_parts import moving_parts
from leaderboard.domain.ranking.dynascore import NoScore, dynascores
from leaderboard.domain.score_table import ScoreTable
from leaderboard.domain.target_proposals import BY_PERFORMANCE, target_proposals
from leaderboard.entrypoints.http.model_board_answers import model_board_answer
from leaderboard.queries.model_boards import ModelBoards
from sqlalchemy import create_engine

ITEMS = 30
BOARDS = int(os.environ.get("DYNABENCH_BOARDS", "400"))
"""How many boards the rule is tried on that Utility never reorders; `make test-all`: 10,000."""
RULES = MetricRules(
    "accuracy",
    {"performance": 4, "throughput": 1, "memory": 1, "fairness": 1, "robustness": 1},
    {},
)
NOW = datetime(2026, 3, 2, tzinfo=UTC)
OF_ITEMS = ("accuracy", "fairness", "robustness")
OF_SPEED = ("throughput", "latency")


def score(chance: np.random.Generator, missing: float, alike: bool) -> ModelScore:
    state = str(chance.choice(["done", "waiting", "failed"], p=[1 - missing, missing / 2, missing / 2]))
    values: dict[str, Value] = {}
    for metric in (*OF_ITEMS, *OF_SPEED) if state == "done" else ():
        if chance.random() < missing / 2:
            continue
        right = np.ones(ITEMS) if alike else (chance.random(ITEMS) < 0.7).astype(float)
        mean = float(right.mean())
        if metric in OF_ITEMS:
            values[metric] = Value(100 * mean, ITEMS, 0.0, 100.0, "", (right - mean) / ITEMS)
        else:
            ratio = 1.0 if alike else float(chance.lognormal(0, 2))
            values[metric] = Value(ratio, 7, ratio, ratio, "", None)
    return ModelScore(UUID(int=1), state, "ours", "It broke.", NOW, values, 0, "", False)


def facts(seed: int, models: int, datasets: int, missing: float, *, alike: bool = False) -> TaskScores:
    chance = np.random.default_rng(seed)
    names = [f"set-{number}" for number in range(datasets)]
    return TaskScores(
        "sentiment",
        UUID(int=seed),
        NOW,
        RULES,
        {
            name: ScoredDataset(
                UUID(int=number), name, 1, "static", int(chance.integers(0, 4)), "open", ITEMS
            )
            for number, name in enumerate(names)
        },
        tuple(
            RankedModel(
                f"m{number}",
                "sha256:a",
                None if chance.random() < 0.4 else UUID(int=number + 1),
                prediction_only=False,
                is_published=True,
                is_anonymous=False,
                submissions=1,
                scores={
                    name: score(chance, missing, alike) for name in names if chance.random() >= missing / 3
                },
            )
            for number in range(models)
        ),
    )


def everybody(found: TaskScores) -> frozenset[str]:
    return frozenset(model.name for model in found.models)


def ranked(board: ModelBoard) -> dict[str, float]:
    return {row.model.name: row.score for row in board.rows if row.score is not None}


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, 10_000),
    st.integers(0, 7),
    st.integers(0, 3),
    st.sampled_from([0.0, 0.2, 0.7]),
    st.booleans(),
    st.sampled_from(list(Mode)),
    st.sampled_from([1.0, 0.8]),
)
def test_every_model_has_a_place_or_a_reason_and_every_number_is_finite(
    seed: int, models: int, datasets: int, missing: float, alike: bool, mode: Mode, gamma: float
) -> None:
    found = facts(seed, models, datasets, missing, alike=alike)
    board = model_board(ScoreTable.of(found), Choice(gamma=gamma, mode=mode), everybody(found))
    assert {row.model.name for row in board.rows} == everybody(found)
    for row in board.rows:
        assert (row.rank is None) == bool(row.reason)
    places = [row.rank for row in board.rows if row.rank is not None]
    assert places == list(range(1, len(places) + 1))
    document = model_board_answer(board, None).model_dump(mode="json")
    json.dumps(document, allow_nan=False)


@pytest.mark.long
@settings(max_examples=BOARDS, deadline=None)
@given(st.integers(0, 1_000_000), st.integers(2, 9), st.integers(0, 8))
def test_by_utility_nobody_moves_when_a_model_comes_or_goes(seed: int, models: int, hidden: int) -> None:
    found = facts(seed, models, 2, 0.0)
    gone = found.models[hidden % models]
    if gone.is_baseline or not any(model.is_baseline for model in found.models):
        return
    whole = ranked(model_board(ScoreTable.of(found), Choice(), everybody(found)))
    without = ranked(model_board(ScoreTable.of(found), Choice(), everybody(found) - {gone.name}))
    assert without == {name: pytest.approx(value) for name, value in whole.items() if name != gone.name}
    order = [name for name in whole if name != gone.name]
    assert list(without) == order


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 1_000_000),
    st.integers(3, 7),
    st.lists(st.sets(st.sampled_from(OF_ITEMS[1:])), min_size=1, max_size=3),
    st.sets(st.integers(0, 2)),
    st.sampled_from(list(Mode)),
)
def test_what_a_dataset_does_not_measure_unranks_nobody(
    seed: int, models: int, unmeasured: list[set[str]], wrong: set[int], mode: Mode
) -> None:
    """Datasets lack variants of any kind; some models get nothing with a variant right, and have a stated 0."""
    found = facts(seed, models, len(unmeasured), 0.0)
    lacks = dict(zip(found.datasets, unmeasured, strict=True))

    def told(model: RankedModel, number: int) -> RankedModel:
        scores = {
            name: replace(
                each,
                values={
                    metric: Value(0.0, 0, None, None, "no interval", np.zeros(ITEMS))
                    if number in wrong and metric in OF_ITEMS[1:]
                    else value
                    for metric, value in each.values.items()
                    if metric not in lacks[name]
                },
            )
            for name, each in model.scores.items()
        }
        return replace(
            model, scores=scores, submitted_by=None if number == models - 1 else UUID(int=number + 1)
        )

    all_models = tuple(told(model, number) for number, model in enumerate(found.models))
    boards = [
        model_board(
            ScoreTable.of(replace(found, models=some)), Choice(mode=mode), frozenset(m.name for m in some)
        )
        for some in (all_models, all_models[1:])
    ]
    whole, without = (ranked(board) for board in boards)
    assert boards[0].problem or set(whole) == everybody(found)
    if mode is Mode.UTILITY:
        newcomer = all_models[0].name
        assert without == {name: pytest.approx(value) for name, value in whole.items() if name != newcomer}


def test_only_weights_above_zero_are_needed() -> None:
    found = facts(3, 4, 1, 0.0)
    nothing = dict.fromkeys(("performance", "throughput", "latency", "memory", "fairness", "robustness"), 0.0)
    with pytest.raises(NoScore):
        model_board(ScoreTable.of(found), Choice(nothing), everybody(found))
    with pytest.raises(NoScore):
        model_board(ScoreTable.of(found), Choice({**nothing, "memory": 1.0}), everybody(found))
    by_metric = model_board(
        ScoreTable.of(found), Choice({**nothing, "accuracy": 2.0} | {"performance": 2.0}), everybody(found)
    )
    assert len(ranked(by_metric)) == 4


def test_by_the_classic_rule_all_is_weighed_by_performance_even_at_weight_zero() -> None:
    found = facts(3, 5, 1, 0.0)
    others = {"throughput": 0.0, "latency": 0.0, "memory": 0.0, "fairness": 0.0}
    weights = {**others, "performance": 0.0, "robustness": 1.0}
    scores = ranked(model_board(ScoreTable.of(found), Choice(weights, mode=Mode.CLASSIC), everybody(found)))
    table = np.array(
        [
            [model.scores["set-0"].values[name].value for name in ("accuracy", "robustness")]
            for model in found.models
        ]
    )
    expected = dynascores(table, (0, 1), ("performance", "robustness"))
    assert [scores[model.name] for model in found.models] == pytest.approx(expected.tolist())


def test_prices_stand_still_whatever_a_reader_weighs() -> None:
    found = facts(8, 9, 3, 0.0)
    names = list(found.datasets)
    whole = model_board(ScoreTable.of(found), Choice(), everybody(found)).dimensions
    one = model_board(
        ScoreTable.of(found), Choice(datasets={names[0]: 0.0, names[1]: 5.0}), everybody(found)
    ).dimensions
    assert [each.price for each in whole] == [each.price for each in one]


def test_a_dimension_that_a_baseline_lacks_somewhere_leaves_the_others_their_prices() -> None:
    found = facts(7, 4, 2, 0.0)
    models = [replace(model, submitted_by=None) for model in found.models]
    first = models[0].scores
    poor = {name: value for name, value in first["set-1"].values.items() if name not in OF_ITEMS[1:]}
    models[0] = replace(models[0], scores={**first, "set-1": replace(first["set-1"], values=poor)})
    prices = ScoreTable.of(replace(found, models=tuple(models))).prices
    assert {name for name, price in prices.items() if price is None} == {"memory"}
    whole = ScoreTable.of(replace(found, models=tuple(models[1:])))
    assert prices["robustness"] == whole.prices["robustness"]


def test_a_diagnostic_suite_is_listed_and_never_counts() -> None:
    found = facts(7, 4, 2, 0.0)
    suite = replace(found.datasets["set-0"], kind="diagnostic")
    table = ScoreTable.of(replace(found, datasets={**found.datasets, "set-0": suite}))
    for choice in (Choice(), Choice(datasets={"set-0": 5.0})):
        board = model_board(table, choice, everybody(found))
        assert {each.dataset.name: each.share for each in board.datasets} == {"set-0": 0.0, "set-1": 1.0}
        assert {each.dataset.name: bool(each.note) for each in board.datasets}["set-0"]
        assert len(ranked(board)) == 4


def test_a_dataset_of_one_label_says_why_it_does_not_count() -> None:
    found = facts(7, 4, 2, 0.0)
    models = []
    for model in found.models:
        one = model.scores["set-0"]
        values = {name: value for name, value in one.values.items() if name != found.rules.primary}
        models.append(replace(model, scores={**model.scores, "set-0": replace(one, values=values)}))
    rules = replace(found.rules, primary="macro_f1")
    for rule, reason in (
        (rules, "(undefined: all items have the same label)"),
        (found.rules, "measured on it,"),
    ):
        table = ScoreTable.of(replace(found, models=tuple(models), rules=rule))
        notes = {
            each.dataset.name: each.note for each in model_board(table, Choice(), everybody(found)).datasets
        }
        assert reason in notes["set-0"]


WORKED = {
    "a": (70.0, 20.0, 2.0, 95.0, 80.0),
    "b": (80.0, 8.0, 6.0, 92.0, 84.0),
    "c": (90.0, 5.0, 12.0, 94.0, 88.0),
}
"""Figures as a published board states them: percent, examples/s, GiB, percent, percent."""


def measured_elsewhere(name: str, figures: tuple[float, ...]) -> RankedModel:
    share = figures[0] / 100
    right = np.array([1.0] * round(ITEMS * share) + [0.0] * (ITEMS - round(ITEMS * share)))
    stated = zip(("throughput", "memory", "fairness", "robustness"), figures[1:], strict=True)
    values = {
        "accuracy": Value(figures[0], ITEMS, 0.0, 100.0, "", (right - right.mean()) / ITEMS),
        **{
            metric: Value(value, 0, None, None, "no interval: measured elsewhere", None)
            for metric, value in stated
        },
    }
    found = ModelScore(UUID(int=2), "done", None, None, NOW, values, 0, "", False)
    return RankedModel(
        name, "sha256:b", UUID(int=9), True, True, False, 0, {"set-0": found}, is_external=True
    )


def test_a_published_board_is_reproduced_from_what_it_states_beside_the_own_board() -> None:
    own = facts(7, 4, 1, 0.0)
    elsewhere = tuple(measured_elsewhere(name, figures) for name, figures in WORKED.items())

    class Stored(ModelBoards):
        def _read_revision(self, task_slug: str) -> UUID:
            return own.revision

        def _read_scores(self, task_slug: str, held: Mapping[UUID, StoredScore]) -> TaskScores:
            return replace(own, models=(*own.models, *elsewhere))

    boards = Stored(create_engine("postgresql+psycopg2://"))
    external = boards.board("sentiment", Choice(mode=Mode.CLASSIC, external=True), None)
    assert ranked(external) == pytest.approx({"a": 114.33, "b": 116.08, "c": 121.33}, abs=0.005)
    answer = model_board_answer(external, None)
    assert {each.name: each.unit for each in answer.dimensions if each.is_measured} == {
        "performance": "%", "throughput": "examples/s", "memory": "GiB", "fairness": "%", "robustness": "%"
    }  # fmt: skip
    assert all(row.external for row in answer.rows)
    usual = boards.board("sentiment", Choice(), None)
    assert ranked(usual) == ranked(model_board(ScoreTable.of(own), Choice(), everybody(own)))
    assert (model_board_answer(usual, None).external_models, usual.digest) == (
        3,
        model_board(ScoreTable.of(own), Choice(), everybody(own)).digest,
    )
    found = target_proposals(boards.board("sentiment", BY_PERFORMANCE, None), 8)
    named = [each.row.model.name for each in found.proposed] + [
        each.row.model.name for each in found.passed_over
    ]
    assert {*named} <= everybody(own)


def shown(board: ModelBoard) -> Any:
    """Return the answer about a board, with figures to nine digits: sums over more models may round otherwise."""

    def rounded(found: Any) -> Any:
        if isinstance(found, dict):
            return {name: rounded(value) for name, value in found.items()}
        if isinstance(found, list | tuple):
            return [rounded(value) for value in found]
        return float(f"{found:.9g}") if isinstance(found, float) else found

    return rounded(model_board_answer(board, None).model_dump())


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 4), st.booleans(), st.booleans())
def test_a_board_made_of_what_changed_is_the_board_made_anew(
    seed: int, models: int, datasets: int, goes: bool, comes: bool
) -> None:
    """One score changes, a model goes, a model comes: the same ranks, intervals and digest as from nothing."""
    chance = np.random.default_rng(seed)
    before = facts(seed, models, datasets, 0.2)
    told = [*before.models]
    place = int(chance.integers(len(told)))
    names = list(before.datasets)
    changed = {**told[place].scores, str(chance.choice(names)): score(chance, 0.2, alike=False)}
    told[place] = replace(told[place], scores=changed)
    if goes:
        told.pop(int(chance.integers(len(told))))
    if comes:
        told.append(
            replace(before.models[0], name="a-new-one", scores={names[0]: score(chance, 0.1, alike=False)})
        )
    after = replace(
        before, revision=UUID(int=seed + 1), models=tuple(sorted(told, key=lambda each: each.name))
    )
    anew, grown = ScoreTable.of(after), ScoreTable.of(after, ScoreTable.of(before))
    assert grown.digests == anew.digests
    seen = everybody(after)
    for mode in Mode:
        first, second = (model_board(table, Choice(mode=mode), seen) for table in (anew, grown))
        assert shown(first) == shown(second)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 4))
def test_what_a_page_moves_rows_by_gives_the_scores_that_the_board_gives(
    seed: int, models: int, datasets: int
) -> None:
    """Parts of the board under one choice give scores and errors under another, as a page adds them up."""
    found = facts(seed, models, datasets, 0.1)
    table, weights = ScoreTable.of(found), {"performance": 2.0, "throughput": 3.0, "fairness": 1.0}
    asked = Choice({**dict.fromkeys(("memory", "robustness", "latency"), 0.0), **weights})
    parts = moving_parts(model_board(table, Choice(), everybody(found)))
    board = model_board(table, asked, everybody(found))
    factors = {each.name: each.share * (each.price or 0.0) for each in board.dimensions if each.share > 0}
    for row in board.rows:
        if row.rank is None or row.interval is None or row.model.name not in parts:
            continue
        told = parts[row.model.name]
        added = sum(factor * told.utilities[name] for name, factor in factors.items())
        variance = sum(
            factors.get(pair.split(":")[0], 0.0) * factors.get(pair.split(":")[1], 0.0) * value
            for pair, value in told.variances.items()
        )
        assert added == pytest.approx(row.score)
        reach = (row.interval[1] - row.interval[0]) / 2
        assert 1.95 * variance**0.5 <= reach * (1 + 1e-9) <= 2.2 * variance**0.5 + 1e-9


def test_by_the_classic_rule_no_row_can_be_moved_alone() -> None:
    found = facts(3, 4, 2, 0.0)
    assert moving_parts(model_board(ScoreTable.of(found), Choice(mode=Mode.CLASSIC), everybody(found))) == {}


@pytest.mark.parametrize("left_by_rounding", [0.0, 1e-17])
def test_items_of_one_context_alone_give_no_interval_and_tell_nobody_apart(left_by_rounding: float) -> None:
    """One cluster says nothing of chance: not an interval of no width, nor a place that is sure."""
    found = facts(5, 3, 1, 0.0)
    influences = np.full(1, left_by_rounding, dtype=np.float32)
    told = [
        replace(
            model,
            scores={
                name: replace(
                    each,
                    values={
                        metric: replace(value, low=None, high=None, influences=influences)
                        if value.influences is not None
                        else value
                        for metric, value in each.values.items()
                    },
                )
                for name, each in model.scores.items()
            },
        )
        for model in found.models
    ]
    board = model_board(ScoreTable.of(replace(found, models=tuple(told))), Choice(), everybody(found))
    assert [row.rank for row in board.rows] == [1, 2, 3]
    assert [row.rank_set for row in board.rows] == [(1, 3)] * 3
    assert [row.tie_group for row in board.rows] == [1, 1, 1]
    assert all(row.interval is None for row in board.rows)
    assert {row.no_interval for row in board.rows} == {
        "no interval: the uncertainty of its performance on set-0 is not known"
    }
    assert all(not parts.variances for parts in moving_parts(board).values())

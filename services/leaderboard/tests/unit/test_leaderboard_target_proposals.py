"""Targets for the next round: the best that err in different ways, and why others are passed over."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import numpy as np
import pytest
from leaderboard.domain.board_choice import Choice
from leaderboard.domain.model_board import model_board
from leaderboard.domain.model_facts import (
    MetricRules,
    ModelScore,
    RankedModel,
    ScoredDataset,
    TaskScores,
    Value,
)
from leaderboard.domain.score_table import ScoreTable
from leaderboard.domain.target_proposals import TargetProposals, target_proposals
from leaderboard.domain.training_claims import names

NOW = datetime(2026, 3, 2, tzinfo=UTC)
ITEMS = 200
ROUND = ScoredDataset(UUID(int=1), "sentiment-round-1", 2, "round", 1, "open", ITEMS)
SET = ScoredDataset(UUID(int=2), "small-talk", 1, "static", 0, "open", ITEMS)


def right(seed: int, share: float) -> np.ndarray:
    return (np.random.default_rng(seed).random(ITEMS) < share).astype(float)


def scored(results: np.ndarray, *, state: str = "done", constant: str = "") -> ModelScore:
    mean = float(results.mean())
    value = Value(100 * mean, ITEMS, 0.0, 100.0, "", (results - mean) / ITEMS)
    return ModelScore(UUID(int=1), state, None, None, NOW, {"accuracy": value}, 0, constant, False)


def model(name: str, results: np.ndarray, **changes: object) -> RankedModel:
    found = RankedModel(
        name,
        f"sha256:{name}",
        UUID(int=7),
        prediction_only=False,
        is_published=True,
        is_anonymous=False,
        submissions=1,
        scores={ROUND.name: scored(results)},
    )
    return replace(found, **changes)  # type: ignore[arg-type]


def proposals(*models: RankedModel, targets: int = 2) -> TargetProposals:
    rules = MetricRules("accuracy", {"performance": 1}, {})
    facts = TaskScores("sentiment", UUID(int=3), NOW, rules, {ROUND.name: ROUND}, models)
    return target_proposals(
        model_board(ScoreTable.of(facts), Choice(), frozenset(each.name for each in models)), targets
    )


def test_the_best_that_err_apart_are_proposed_in_the_order_of_the_board() -> None:
    best = right(1, 0.9)
    copy = best.copy()
    copy[np.flatnonzero(best)[:1]] = 0
    found = proposals(model("best", best), model("copy", copy), model("other", right(2, 0.8)))
    assert [each.row.model.name for each in found.proposed] == ["best", "other"]
    assert found.proposed[0].alike == {}
    assert abs(found.proposed[1].alike["best"]) < 0.3
    (passed,) = found.passed_over
    assert passed.row.model.name == "copy"
    assert "it makes the same errors as best: their results correlate at 0.9" in passed.reason
    assert found.waiting == []


def test_whoever_comes_after_the_last_place_is_not_talked_about() -> None:
    found = proposals(model("best", right(1, 0.9)), model("copy", right(1, 0.9)), targets=1)
    assert [each.row.model.name for each in found.proposed] == ["best"]
    assert found.passed_over == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"prediction_only": True}, "only its predictions are known"),
        ({"is_published": False}, "it is not published"),
        ({"model_digest": "sha256:second"}, "it is the same model as second"),
        (
            {"trained_on": ("small-talk", "sentiment-round-1, version 2")},
            "trained on data that it is ranked by: sentiment-round-1",
        ),
        ({"scores": {ROUND.name: scored(right(1, 0.95), constant="positive")}}, "one answer to nearly"),
    ],
)
def test_what_can_not_be_a_target_is_passed_over_with_the_reason(
    changes: dict[str, object], reason: str
) -> None:
    others = model("third", right(3, 0.6))
    second = model("second", right(2, 0.97 if "model_digest" in changes else 0.8))
    found = proposals(model("first", right(1, 0.95), **changes), second, others)
    assert [each.row.model.name for each in found.proposed] == ["second", "third"]
    assert [each.row.model.name for each in found.passed_over] == ["first"]
    assert reason in found.passed_over[0].reason


def test_nobody_is_called_alike_on_a_handful_of_items_or_by_answers_that_never_differ() -> None:
    few = scored(right(1, 0.9)[:5])
    found = proposals(
        model("a", right(1, 1.0)),
        model("b", right(1, 1.0)),
        model("c", right(1, 0.9), scores={ROUND.name: few}),
    )
    assert [each.row.model.name for each in found.proposed] == ["a", "b"]
    assert found.proposed[1].alike == {}


def test_it_tells_whose_evaluations_are_under_way() -> None:
    late = model("late", right(1, 0.9), scores={ROUND.name: scored(right(1, 0.9), state="waiting")})
    gone = model("gone", right(1, 0.9), scores={})
    private = replace(late, name="private", is_published=False)
    found = proposals(model("here", right(2, 0.8)), late, gone, private)
    assert found.waiting == ["late"]
    assert [each.row.model.name for each in found.proposed] == ["here"]


def test_an_empty_board_proposes_nobody() -> None:
    found = proposals()
    assert (found.proposed, found.passed_over, found.waiting) == ([], [], [])


@pytest.mark.parametrize(
    ("claim", "dataset", "named"),
    [
        ("sentiment-round-1", ROUND, True),
        ("Sentiment-Round-1, version 2", ROUND, True),
        ("sentiment-round-1@2: test", ROUND, True),
        ("sentiment-round-1, version 2: train", ROUND, False),
        ("sentiment-round-1: dev", ROUND, False),
        ("sentiment-round-1, version 1", ROUND, False),
        ("sentiment-round-11", ROUND, False),
        ("small-talk: train", SET, True),
        ("small-talk and others", SET, False),
        ("", SET, False),
        (":::,,,@@@", SET, False),
    ],
)
def test_a_claim_names_what_a_dataset_is_scored_on(claim: str, dataset: ScoredDataset, named: bool) -> None:
    assert names([claim], dataset) is named

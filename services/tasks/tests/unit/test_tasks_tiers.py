"""Tiers of targets: valid and invalid ones, and the order in which a round's targets are asked."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.configuration.tiers import Tiers, in_tiers

SENTIMENT = yaml.safe_load((Path(__file__).parents[1] / "sentiment.yaml").read_text())
TWO = [{"targets": ["n-gram"]}, {"targets": ["minilm", "large"]}]


def document(**changes: Any) -> dict[str, Any]:
    return {**SENTIMENT, "ensemble": "all", **changes}


def test_tiers_survive_being_written_and_read() -> None:
    found = read_task_configuration(document(tiers=TWO))
    assert found.tiers == (("n-gram",), ("minilm", "large"))
    assert read_published(found.document()).document() == found.document()
    assert found.document()["tiers"] == TWO


def test_without_tiers_nothing_is_written() -> None:
    found = read_task_configuration(document())
    assert found.tiers == ()
    assert "tiers" not in found.document()


@pytest.mark.parametrize(
    ("changes", "path", "reason"),
    [
        ({"ensemble": "any", "tiers": TWO}, "tiers", "need `ensemble: all`"),
        ({"ensemble": {"at_least": 2}, "tiers": TWO}, "tiers", "need `ensemble: all`"),
        ({"wrong_when": "ask_annotator", "tiers": TWO}, "tiers", "says at once"),
        ({"tiers": [TWO[0], TWO[0]]}, "tiers[1].targets", "repeats 'n-gram'"),
        ({"tiers": [{"targets": []}]}, "tiers[0].targets", "has 0 entries"),
        ({"tiers": [{"targets": ["a", "a"]}]}, "tiers[0].targets[1]", "repeats 'a'"),
        ({"tiers": [{"models": ["a"]}]}, "tiers[0].models", ""),
        ({"tiers": [["a"]]}, "tiers[0]", ""),
    ],
)
def test_what_cant_be_a_tier_is_refused(changes: dict[str, Any], path: str, reason: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_task_configuration(document(**changes))
    problems = {problem.path: problem.reason for problem in caught.value.problems}
    assert path in problems
    assert reason in problems[path]


@pytest.mark.parametrize(
    ("targets", "tiers", "asked"),
    [
        (("a", "b"), (), [("a", "b")]),
        (("a", "b", "c"), (("b",), ("a", "c")), [("b",), ("a", "c")]),
        (("a", "b", "c"), (("b",),), [("b",), ("a", "c")]),
        (("a",), (("gone",), ("a",)), [("a",)]),
        (("c", "a"), (("a", "c"),), [("c", "a")]),
        ((), (("a",),), []),
    ],
)
def test_the_order_in_which_targets_are_asked(
    targets: tuple[str, ...], tiers: Tiers, asked: list[tuple[str, ...]]
) -> None:
    assert in_tiers(targets, tiers) == asked

"""Confirmed errors to repeat: the examples, their targets, and equal answers."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from scoring.domain.facts import ExampleFacts
from scoring.domain.repeats import ErrorToRepeat, errors_of
from scoring.domain.round_facts import RoundFacts
from scoring.domain.task_rules import read_rules

LABEL = {"name": "label", "type": "multiclass", "labels": ["neg", "neu", "pos"]}
TASK = {
    "context": [{"name": "prompt", "type": "string"}],
    "input": [{"name": "text", "type": "string"}, LABEL],
    "output": [LABEL],
}
MAJORITY = {**TASK, "validation": {"gold": "majority"}}


def round_of(document: Mapping[str, Any]) -> RoundFacts:
    return RoundFacts(
        uuid4(), uuid4(), "sentiment", "Sentiment", 1, "", ("a", "b"), "", "", "closed",
        {1: read_rules(document)}, document, {}, {},
    )  # fmt: skip


def given(target: str, value: str, **more: bool) -> dict[str, Any]:
    return {"target": target, "value": value, "wrong": value not in ("", "neg"), "missing": not value, **more}


EXAMPLE = ExampleFacts(
    example_id=UUID(int=1), author_id=None, segment_id=None, configuration_version=1,
    context={"prompt": "At sea."}, input={"text": "Sand."}, claimed="neg", verdict="fooled",
    answers=[given("a", "pos"), given("b", "neg")], is_retracted=False, resolution="correct", golds=["neg"],
    metadata={}, label_explanation="", model_explanation="", cohort="", condition="", tags=(),
    created_at=datetime(2026, 1, 5, tzinfo=UTC),
)  # fmt: skip


def targets(example: ExampleFacts, document: Mapping[str, Any] = TASK) -> list[str]:
    return [error.target for error in errors_of(round_of(document), [example])]


@pytest.mark.parametrize(
    ("changes", "document", "found"),
    [
        pytest.param({}, TASK, ["a"], id="a confirmed error of the target that was wrong"),
        pytest.param({"resolution": "incorrect", "golds": ["pos"]}, TASK, [], id="votes disagreed"),
        pytest.param({"resolution": None, "golds": []}, TASK, [], id="votes are missing"),
        pytest.param({"is_retracted": True}, TASK, [], id="its author withdrew it"),
        pytest.param({"duplicate_of": uuid4()}, TASK, [], id="its error is another example's"),
        pytest.param({"answers": [given("a", "")]}, TASK, [], id="no answer was given"),
        pytest.param({"answers": [given("a", "", not_asked=True)]}, MAJORITY, [], id="it was not asked"),
        pytest.param({"golds": ["neu"], "resolution": "incorrect"}, MAJORITY, ["a", "b"], id="majority gold"),
        pytest.param({"configuration_version": 9}, TASK, [], id="nothing is known of its rules"),
    ],
)
def test_what_is_asked_again(changes: dict[str, Any], document: Mapping[str, Any], found: list[str]) -> None:
    assert targets(replace(EXAMPLE, **changes), document) == found


def test_an_answer_repeats_if_it_is_the_same_wrong_one() -> None:
    (error,) = errors_of(round_of(TASK), [EXAMPLE])
    assert isinstance(error, ErrorToRepeat)
    assert (error.key, error.instance["text"]) == ((UUID(int=1), "a"), "Sand.")
    assert "neg" not in error.instance.values()
    answers: list[dict[str, Any]] = [
        {"label": "pos"},
        {"label": "neg"},
        {"label": "neu"},
        {"error": {"detail": "no"}},
        {},
    ]
    assert [error.is_repeated_by(each) for each in answers] == [True, False, False, False, False]

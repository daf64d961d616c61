"""Validated errors by the round's rule, and the order of the best."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid4

import pytest
from scoring.domain.eligibility import Standing, standing
from scoring.domain.facts import ExampleFacts, VoteFacts
from scoring.domain.task_rules import TaskRules, read_rules
from scoring.domain.validated_errors import has_text, merit, validated_errors

LABEL = {"name": "label", "type": "multiclass", "labels": ["neg", "neu", "pos"]}
TASK = {
    "context": [{"name": "prompt", "type": "string"}],
    "input": [{"name": "text", "type": "string"}, LABEL],
    "output": [LABEL],
}
BOTH = {**TASK, "ensemble": "all"}
MAJORITY = {**TASK, "validation": {"gold": "majority"}}


def given(target: str, value: str, confidence: float | None = None) -> dict[str, Any]:
    is_wrong = value not in ("", "neg")
    return {
        "target": target,
        "value": value,
        "wrong": is_wrong,
        "missing": not value,
        "confidence": confidence,
    }


def voted(*options: str) -> list[VoteFacts]:
    return [VoteFacts("somebody", "label" if option else "unsure", option) for option in options]


EXAMPLE = ExampleFacts(
    example_id=UUID(int=1), author_id=None, segment_id=None, configuration_version=1,
    context={"prompt": "At sea."}, input={"text": "Sand."}, claimed="neg", verdict="fooled",
    answers=[given("a", "pos"), given("b", "neg")], is_retracted=False, resolution="correct", golds=["neg"],
    metadata={}, label_explanation="", model_explanation="", cohort="", condition="", tags=(),
    created_at=datetime(2026, 1, 5, tzinfo=UTC), votes=voted("neg", "neg"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "document", "targets", "of_rule"),
    [
        pytest.param({}, TASK, ("a",), True, id="confirmed"),
        pytest.param({"verdict": "not_fooled"}, BOTH, ("a",), False, id="the rule asks for both targets"),
        pytest.param({"resolution": "incorrect"}, TASK, (), False, id="people disagree"),
        pytest.param({"resolution": None}, TASK, (), False, id="people were not asked yet"),
        pytest.param({"resolution": "flagged"}, TASK, (), False, id="it is unfit"),
        pytest.param({"is_retracted": True}, TASK, (), False, id="its author withdrew it"),
        pytest.param({"duplicate_of": uuid4()}, TASK, (), False, id="another example has the same text"),
        pytest.param({"golds": ["pos"]}, MAJORITY, ("b",), True, id="the gold replaces the claim"),
        pytest.param({"golds": []}, MAJORITY, (), False, id="there is no gold"),
    ],
)
def test_what_a_validated_error_is(
    changes: dict[str, Any], document: Mapping[str, Any], targets: tuple[str, ...], of_rule: bool
) -> None:
    found = validated_errors(replace(EXAMPLE, **changes), read_rules(document).configuration)
    assert (found.targets, found.of_rule) == (targets, of_rule)


def test_without_its_configuration_nothing_is_an_error() -> None:
    assert not validated_errors(EXAMPLE, None).of_rule


BEST_FIRST: list[dict[str, Any]] = [
    {"answers": [given("a", "pos"), given("b", "pos")], "votes": []},
    {"answers": [given("a", "pos", 0.2)], "votes": voted("neg", "neg", "")},
    {"votes": voted("neg", "neg")},
    {"answers": [given("a", "pos", 1.0)], "votes": voted("neg", "pos")},
    {"answers": [given("a", "pos", 0.9)], "votes": voted("neg", "pos")},
    {"votes": voted("neg", "pos")},
]
"""Two models; one model and people who agree, whatever others were unsure of; one model, by its confidence."""


@pytest.mark.parametrize(("better", "worse"), list(pairwise(BEST_FIRST)))
def test_the_best_fooled_most_models_then_all_voters_agreed_then_models_were_sure(
    better: dict[str, Any], worse: dict[str, Any]
) -> None:
    configuration = read_rules(TASK).configuration
    merits = [
        merit(example, validated_errors(example, configuration))
        for example in (replace(EXAMPLE, **better), replace(EXAMPLE, **worse))
    ]
    assert merits[0] > merits[1]


@pytest.mark.parametrize(
    ("written", "expected"), [({"text": "Sand."}, True), ({"text": " "}, False), ({}, False)]
)
def test_an_example_has_a_text_if_its_author_wrote_any(written: dict[str, str], expected: bool) -> None:
    assert has_text(replace(EXAMPLE, input=written)) is expected


@pytest.mark.parametrize(("is_retracted", "expected"), [(False, Standing.HIDDEN), (True, Standing.RETRACTED)])
def test_a_hidden_example_enters_no_dataset(is_retracted: bool, expected: Standing) -> None:
    found = standing(
        TaskRules(), is_retracted=is_retracted, verdict="fooled", resolution="correct", has_golds=True,
        has_claim=True, is_hidden=True,
    )  # fmt: skip
    assert found is expected
    assert not found.enters

"""Conditions of the additional questions, and reading of their answers from a form."""

from collections.abc import Mapping

import pytest
from dynabench_client.results.annotation import Example
from web.kit.configuration import TaskRules, rules_of
from web.kit.questions import (
    Reading,
    after_verdict,
    before_submit,
    circumstances_before,
    read_input,
    read_metadata,
)
from web_fake_arena import shipped

HATE = shipped("hate-speech")
WHY = {"name": "why", "type": "string", "label": "Why?", "when": {"verdict": ["fooled"]}}
MOOD = {"name": "mood", "type": "string", "label": "Mood", "optional": True}


def rules(*more: Mapping[str, object]) -> TaskRules:
    return rules_of({**HATE, "metadata": {"create": [*HATE["metadata"]["create"], *more]}}, "hate-speech")


@pytest.mark.parametrize(
    ("number", "names"), [(1, ["mood"]), (2, ["target_group", "statement_type", "mood"])]
)
def test_before_the_verdict_all_is_asked_that_does_not_hang_on_it(number: int, names: list[str]) -> None:
    assert [each.field.name for each in before_submit(rules(WHY, MOOD), number)] == names


@pytest.mark.parametrize(
    ("verdict", "metadata", "names"),
    [
        ("fooled", {"target_group": ["age"], "statement_type": "excluding"}, ["why"]),
        ("not_fooled", {"target_group": ["age"], "statement_type": "excluding"}, []),
        ("fooled", {}, ["target_group", "statement_type", "why"]),
    ],
)
def test_after_the_verdict_what_hangs_on_it_and_what_is_missing(
    verdict: str, metadata: dict[str, object], names: list[str]
) -> None:
    example = Example.blank(
        example_id="e", round_id="r", claimed="hateful", verdict=verdict, metadata=metadata
    )
    assert [each.field.name for each in after_verdict(rules(WHY, MOOD), example, 2)] == names


def reading(claimed: str, entered: dict[str, list[str]]) -> Reading:
    asked = before_submit(rules(), 2)
    return read_metadata(asked, 2, circumstances_before(claimed), entered, {})


def test_what_is_not_asked_for_with_this_claim_is_left_out() -> None:
    entered = {"metadata.target_group": ["age"], "metadata.statement_type": ["excluding"]}
    assert reading("not hateful", entered) == Reading({})
    assert reading("hateful", entered).values == {"target_group": ["age"], "statement_type": "excluding"}


def test_what_must_be_answered_and_is_not_is_named() -> None:
    problem = reading("hateful", {"metadata.target_group": ["age"]}).problem
    assert problem
    assert problem.field == "metadata.statement_type"


def test_a_span_may_lie_in_what_is_being_written() -> None:
    document = {
        "input": [
            {"name": "text", "type": "string"},
            {"name": "part", "type": "span", "of": "text"},
        ],
        "output": [{"name": "part", "type": "span", "of": "text"}],
    }
    entered = {"input.text": ["so glad\r\nto go"], "input.part": ["glad\nto"]}
    read = read_input(rules_of(document, "t"), entered, {})
    assert read.values["part"] == {"start": 3, "end": 10, "text": "glad\nto"}

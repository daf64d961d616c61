"""The models' answers in the reveal after a final vote."""

from typing import Any
from uuid import UUID

import pytest
from dynabench_common.identifiers import new_id
from validation.domain.disclosure import Disclosure, ModelAnswer, answers_of_models
from validation.domain.rules import read_rules
from validation.domain.selection import share_position

TARGETS: list[dict[str, Any]] = [
    {"name": "one", "wrong": True, "value": "positive", "confidence": 0.9},
    {"name": "two", "wrong": None, "value": None, "confidence": None},
    {"name": "three", "wrong": False, "value": "negative", "confidence": None},
]
KEY = UUID("6f0d6d0e-6c5b-4c38-9f55-8e3e2a1f7b11")


def drawn() -> UUID:
    return next(each for each in iter(new_id, None) if answers_of_models(KEY, each, TARGETS))


def test_answers_come_without_names_in_the_order_of_the_targets() -> None:
    assert answers_of_models(KEY, drawn(), TARGETS) == (
        ModelAnswer("positive", 0.9),
        ModelAnswer("negative", None),
    )


@pytest.mark.parametrize("targets", [None, [], [{"name": "one", "wrong": True}]])
def test_a_copy_without_answers_gives_none(targets: list[dict[str, Any]] | None) -> None:
    assert answers_of_models(KEY, drawn(), targets) == ()


def test_an_item_without_an_example_looks_like_the_half_without_answers() -> None:
    ids = [new_id() for _ in range(2_000)]
    given = [each for each in ids if answers_of_models(KEY, each, TARGETS)]
    assert 900 < len(given) < 1_100
    assert given == [each for each in ids if answers_of_models(KEY, each, TARGETS)]
    assert answers_of_models(KEY, None, TARGETS) == ()


def test_the_draw_is_separate_from_that_of_the_sample_to_validate() -> None:
    sampled = [each for each in (new_id() for _ in range(4_000)) if share_position(each) < 0.1]
    assert 0.35 < sum(bool(answers_of_models(KEY, each, TARGETS)) for each in sampled) / len(sampled) < 0.65


def test_another_secret_draws_other_examples() -> None:
    ids = [new_id() for _ in range(2_000)]
    other = new_id()
    alike = [
        bool(answers_of_models(KEY, each, TARGETS)) is bool(answers_of_models(other, each, TARGETS))
        for each in ids
    ]
    assert 0.4 < sum(alike) / len(alike) < 0.6


def test_an_answer_that_is_no_value_of_the_claimed_field_is_shown_as_its_text() -> None:
    passage = {"name": "passage", "type": "string"}
    answer = {"name": "answer", "type": "span", "of": "passage"}
    rules = read_rules({"context": [passage], "input": [answer], "output": [answer], "validation": {}})
    marked = '{"end":3,"start":0,"text":"The"}'
    disclosure = Disclosure("", (ModelAnswer("a lighthouse", None), ModelAnswer(marked, None)))
    models = disclosure.reveal(marked, rules)["models"]
    assert [each["value"] for each in models] == ["a lighthouse", {"end": 3, "start": 0, "text": "The"}]

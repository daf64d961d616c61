"""Votes on an example as its author reads them."""

from dataclasses import replace
from typing import Any

import pytest
from dynabench_client.results.annotation import Example, Task
from dynabench_client.results.validation import ExampleVotes
from web.create.received_votes import received_votes
from web.create.try_view import try_view
from web.kit import fields
from web.kit.answers import shown_values
from web.kit.configuration import TaskRules, rules_of, task_rules
from web_fake_loop import Loop


@pytest.fixture
def rules() -> TaskRules:
    return task_rules(Task.blank(**Loop().task("sentiment")))


def example(**changes: Any) -> Example:
    return Example.blank(**{"example_id": "e", "round_id": "r", "input": {"text": "T."}, **changes})


@pytest.mark.parametrize(
    ("resolution", "appeal", "state", "allowed"),
    [
        ("incorrect", None, "open", True),
        ("flagged", None, "closed", True),
        ("disputed", None, "paused", True),
        ("correct", None, "open", False),
        (None, None, "open", False),
        ("incorrect", {"reason": "Irony."}, "open", False),
        ("incorrect", None, "released", False),
    ],
)
def test_an_author_appeals_once_against_what_is_not_correct(
    resolution: str | None, appeal: dict[str, Any] | None, state: str, allowed: bool, rules: TaskRules
) -> None:
    found = ExampleVotes.blank(**{"resolution": resolution, "appeal": appeal})
    view = received_votes(found, example(), rules, state)
    assert view
    assert view.can_appeal is allowed


@pytest.mark.parametrize(
    ("rule", "state", "changes", "resolution", "has_page"),
    [
        ("at_once", "open", {}, "correct", True),
        ("after_release", "released", {}, "correct", True),
        ("after_release", "open", {}, "correct", False),
        ("never", "released", {}, "correct", False),
        ("at_once", "open", {}, "incorrect", False),
        ("at_once", "open", {}, None, False),
        ("at_once", "open", {"verdict": "not_fooled"}, "correct", False),
        ("at_once", "open", {"retracted_at": "2026-01-06T09:00:00Z"}, "correct", False),
        ("at_once", "open", {"duplicate_of": "other"}, "correct", False),
    ],
)
def test_an_author_is_led_to_the_public_page_of_a_confirmed_example(
    rule: str,
    state: str,
    changes: dict[str, Any],
    resolution: str | None,
    has_page: bool,
    rules: TaskRules,
) -> None:
    mine = example(**{"verdict": "fooled", **changes})
    found = ExampleVotes.blank(resolution=resolution)
    view = received_votes(found, mine, replace(rules, public_examples=rule), state)
    assert view
    assert view.public_page == ("/examples/e" if has_page else "")


@pytest.mark.parametrize(
    ("kind", "option", "words"),
    [
        ("span", '{"end":2,"start":0,"text":"In"}', "In"),
        ("multilabel", '["a","b"]', "a, b"),
        ("multiclass", "a", "a"),
        ("span", "{broken", "{broken"),
        ("span", "2", "2"),
    ],
)
def test_votes_are_read_from_their_texts(kind: str, option: str, words: str) -> None:
    claim = {"name": "answer", "type": kind, "labels": ["a", "b"], "of": "text"}
    text = {"name": "text", "type": "string"}
    view = received_votes(
        ExampleVotes.blank(**{"items": [{"kind": "label", "option": option}]}),
        example(),
        rules_of({"input": [text, claim], "output": [claim]}, "task"),
        "open",
    )
    assert view
    assert view.votes[0].said
    assert view.votes[0].said.text == words


@pytest.mark.parametrize(
    ("value", "blank"), [(None, True), ("", True), (" \n", True), ("a", False), ({}, False)]
)
def test_nothing_is_shown_of_an_optional_text_without_words(
    value: Any, blank: bool, rules: TaskRules
) -> None:
    assert fields.is_blank(value) is blank
    if isinstance(value, str):
        assert (shown_values({"prompt": value}, rules) == []) is blank


def test_an_example_of_an_unknown_author_is_shown(rules: TaskRules) -> None:
    view = try_view(example(author_id=None, claimed=None, context={"prompt": ""}, verdict="unknown"), rules)
    assert view.context == []
    assert view.claimed is None
    assert view.edits == []

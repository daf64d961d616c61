"""Contexts of a round as their owner sees them."""

import json
from typing import Any

import pytest
from web.kit.configuration import rules_of
from web.kit.line_problems import line_problems
from web.rounds.contexts_view import expected_line, policy_words

CLAIM = {"name": "label", "type": "multiclass", "label": "Label", "labels": ["no", "yes"]}
TEXT = {"name": "text", "type": "string", "label": "Your text", "max_length": 100}
CONFIGURATION: dict[str, Any] = {
    "slug": "made-up",
    "context": [{"name": "prompt", "type": "string", "label": "Prompt"}],
    "input": [TEXT, CLAIM],
    "output": [CLAIM],
    "validation": {"vote": "label", "options": ["no", "yes"]},
    "metadata": {
        "create": [
            {"name": "group", "type": "string", "when": {"claimed": ["yes"]}},
            {"name": "reason", "type": "string", "when": {"verdict": ["fooled"]}},
        ],
        "validate": [{"name": "group", "type": "string"}],
    },
}


def test_the_expected_line_is_one_of_this_task() -> None:
    rules = rules_of({**CONFIGURATION, "context": [{"name": "picture", "type": "image"}]}, "made-up")
    line = json.loads(expected_line(rules))
    assert set(line["fields"]["picture"]) == {"image_id", "alt"}
    assert line["tags"]


@pytest.mark.parametrize(
    ("configuration", "words"),
    [
        ({}, "least used"),
        ({"contexts": {"policy": "least_fooled"}}, "fooled least often"),
        ({"contexts": {"policy": "by_moon"}}, "by moon"),
    ],
)
def test_policies_are_said_in_words(configuration: dict[str, Any], words: str) -> None:
    assert words in policy_words(configuration)


def test_problems_of_a_file_say_how_many_are_not_shown() -> None:
    error = {"line": 3, "field": "fields.prompt", "reason": "is missing", "remedy": "Give it."}
    view = line_problems({"errors": [error], "error_count": 1200})
    assert view
    assert (view.lines[0].line, view.total, view.more) == ("3", "1,200\u00a0problems", "1,199")
    assert line_problems({"detail": "The round is closed."}) is None

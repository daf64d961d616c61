"""Differences between two versions of a configuration."""

from typing import Any

import pytest
from dynabench_tasks.configuration.changes import Change, changes_between

TEXT = {"name": "text", "type": "string", "max_length": 100}
LABEL = {"name": "label", "labels": ["a", "b"]}


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ({"title": "a"}, {"title": "a"}, []),
        ({"title": "a"}, {"title": "b"}, [("title", "a", "b")]),
        ({}, {"quotas": {"tries_per_person": 5}}, [("quotas.tries_per_person", None, 5)]),
        ({"quotas": {"tries_per_person": 5}}, {"quotas": {}}, [("quotas.tries_per_person", 5, None)]),
        ({"input": [TEXT, LABEL]}, {"input": [LABEL, TEXT]}, []),
        (
            {"input": [TEXT]},
            {"input": [{**TEXT, "max_length": 50}]},
            [("input.text.max_length", 100, 50)],
        ),
        (
            {"input": [LABEL]},
            {"input": [{**LABEL, "labels": ["a", "b", "c"]}]},
            [("input.label.labels", ["a", "b"], ["a", "b", "c"])],
        ),
        (
            {"wrong_when": {"exact_match": {"fields": ["label"]}}},
            {"wrong_when": "ask_annotator"},
            [("wrong_when", None, "ask_annotator"), ("wrong_when.exact_match.fields", ["label"], None)],
        ),
    ],
)
def test_changes_are_listed_by_place(
    before: dict[str, Any], after: dict[str, Any], changes: list[tuple[str, object, object]]
) -> None:
    assert changes_between(before, after) == tuple(Change(*change) for change in changes)

"""The editor's findings on a text, and the preview of its screens."""

from typing import Any

import pytest
from dynabench_client.results.annotation import ConfigurationChange, ConfigurationCheck
from web.configure.editor_view import check_view, diff_lines, value_words
from web.configure.preview import preview_view

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


@pytest.mark.parametrize(
    ("problems", "changes", "status"),
    [
        ([{"line": 3, "column": 5}], None, "1\u00a0problem: line 3, column 5."),
        ([{"line": None}], None, "1\u00a0problem: in the whole configuration."),
        ([], None, "No problem found."),
        ([], [], "No problem found, and nothing changes."),
        (
            [],
            [{"path": "ensemble", "before": "any", "after": "all"}],
            "No problem found. Version 3 changes 1\u00a0place.",
        ),
    ],
)
def test_a_check_is_told_in_one_sentence(
    problems: list[dict[str, Any]], changes: list[dict[str, Any]] | None, status: str
) -> None:
    check = ConfigurationCheck.blank(**{"valid": not problems, "problems": problems})
    change = None if changes is None else {"configuration_version": 3, "changes": changes}
    view = check_view(check, None if change is None else ConfigurationChange.blank(**change))
    assert view.status == status


@pytest.mark.parametrize(
    ("value", "words"),
    [(None, ""), ("any", "any"), (["a", "ü"], '["a", "ü"]'), (0.5, "0.5"), ("x" * 400, "x" * 299 + "…")],
)
def test_values_of_a_configuration_are_printed(value: object, words: str) -> None:
    assert value_words(value) == words


def test_a_difference_shows_the_lines_around_it() -> None:
    before = "\n".join(f"line {number}" for number in range(1, 21))
    groups = diff_lines(before, before.replace("line 2\n", "line two\n").replace("line 19", "line 19\nnew"))
    assert [[line.kind for line in group].count("same") for group in groups] == [4, 4]
    changed = [(line.sign, line.before, line.after, line.text) for line in groups[0] if line.kind != "same"]
    assert changed == [("−", "2", "", "line 2"), ("+", "", "2", "line two")]
    assert diff_lines(before, before) == []


def test_a_preview_shows_what_is_asked_before_and_after_the_verdict() -> None:
    view = preview_view(CONFIGURATION)
    assert [field.label for field in view.create.fields] == ["Label", "Your text", "Group"]
    assert [field.label for field in view.create.questions] == ["Reason"]
    assert [field.label for field in view.validate.fields][-1] == "Group"
    controls = [
        field.element for field in (*view.create.fields, *view.create.questions, *view.validate.fields)
    ]
    assert len(controls) == len(set(controls))


def test_a_preview_starts_from_the_first_worked_example() -> None:
    example = {"context": {"prompt": "A plain one."}, "input": {"text": "A sly one.", "label": "yes"}}
    view = preview_view({**CONFIGURATION, "worked_examples": [example]})
    assert [shown.text for shown in view.create.context] == ["A plain one."]
    assert [shown.text for shown in view.validate.vote_form.written] == ["A sly one."]


def test_a_preview_of_judging_shows_the_claim() -> None:
    view = preview_view({**CONFIGURATION, "validation": {"vote": "judgement"}, "metadata": {}})
    assert view.validate.vote_form.claim
    assert [option.name for option in view.validate.vote_form.options] == ["correct", "incorrect"]

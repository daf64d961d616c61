"""What owners' pages are given: activity, contexts, problems of a file, checks and differences of configurations."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from dynabench_client.results.annotation import Context, Round
from dynabench_client.results.configuration import ConfigurationChange, ConfigurationCheck
from dynabench_client.results.leaderboard import History
from web.configure.editor_view import check_view, diff_lines, value_words
from web.configure.preview import preview_view
from web.kit.configuration import rules_of
from web.kit.words import language_words
from web.rounds.contexts_view import expected_line, policy_words, upload_problems
from web.tasks.activity import MOST_DAYS, tries_by_day, tries_by_round
from web.tasks.task_view import stock_view

NIGHT = datetime(2026, 1, 5, 23, 0, tzinfo=UTC)
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


def history(*steps: tuple[int, int]) -> History:
    """Return a history of `(hours after the night began, tries until then)`."""
    points = [{"at": NIGHT + timedelta(hours=hours), "tries": tries} for hours, tries in steps]
    return History.model_validate({"points": points})


@pytest.mark.parametrize(
    ("histories", "expected"),
    [
        ([], []),
        ([history()], []),
        ([history((0, 4), (0.5, 6), (3, 9))], [("5 Jan", 6), ("6 Jan", 3)]),
        ([history((0, 4), (49, 5))], [("5 Jan", 4), ("6 Jan", 0), ("7 Jan", 0), ("8 Jan", 1)]),
        ([history((0, 4)), history((0.1, 2), (2, 3))], [("5 Jan", 6), ("6 Jan", 1)]),
    ],
    ids=["no round", "no try", "differences", "idle days stay", "rounds add up"],
)
def test_tries_of_a_day_are_what_the_histories_gained_in_it(
    histories: list[History], expected: list[tuple[str, int]]
) -> None:
    assert tries_by_day(histories) == expected


def test_only_the_last_days_are_shown() -> None:
    days = tries_by_day([history((0, 5), (24 * 100, 6))])
    assert len(days) == MOST_DAYS
    assert days[-1][1] == 1


def test_rounds_stand_in_their_order() -> None:
    assert tries_by_round([(2, 5), (1, 0)]) == [("Round 1", 0), ("Round 2", 5)]
    assert tries_by_round([(1, 0)]) == []


def test_languages_have_names_where_they_are_known() -> None:
    assert language_words(["en", "de", "tlh"]) == "English, German, tlh"


@pytest.mark.parametrize(
    ("is_whole", "contexts", "used", "unused"),
    [
        (True, "3", "2", "1"),
        (False, "900", "2 of the first 3\u00a0contexts", "1 of the first 3\u00a0contexts"),
    ],
)
def test_contexts_left_are_those_that_nobody_had(
    is_whole: bool, contexts: str, used: str, unused: str
) -> None:
    listed = [Context(context_id=str(count), use_count=count) for count in range(3)]
    listed.append(Context(context_id="w", use_count=0, is_withdrawn=True))
    view = stock_view(Round(round_id="r", contexts=900), listed, is_whole=is_whole)
    assert (view.contexts, view.used, view.unused) == (contexts, used, unused)


def test_the_expected_line_is_one_of_this_task() -> None:
    rules = rules_of({**CONFIGURATION, "context": [{"name": "picture", "type": "image"}]}, "made-up")
    line = json.loads(expected_line(rules))
    assert set(line["fields"]["picture"]) == {"image_id", "alt"}
    assert line["tags"]


@pytest.mark.parametrize(
    ("configuration", "words"),
    [
        ({}, "used least"),
        ({"contexts": {"policy": "least_fooled"}}, "fooled least"),
        ({"contexts": {"policy": "by_moon"}}, "by moon"),
    ],
)
def test_policies_are_said_in_words(configuration: dict[str, Any], words: str) -> None:
    assert words in policy_words(configuration)


def test_problems_of_a_file_say_how_many_are_not_shown() -> None:
    error = {"line": 3, "field": "fields.prompt", "reason": "is missing", "remedy": "Give it."}
    view = upload_problems({"errors": [error], "error_count": 1200})
    assert view
    assert (view.lines[0].line, view.total, view.more) == ("3", "1,200\u00a0problems", "1,199")
    assert upload_problems({"detail": "The round is closed."}) is None


@pytest.mark.parametrize(
    ("problems", "changes", "status"),
    [
        ([{"line": 3, "column": 5}], None, "1\u00a0problem: line 3, column 5."),
        ([{"line": None}], None, "1\u00a0problem: in the whole text."),
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
    check = ConfigurationCheck.model_validate({"valid": not problems, "problems": problems})
    change = None if changes is None else {"configuration_version": 3, "changes": changes}
    view = check_view(check, None if change is None else ConfigurationChange.model_validate(change))
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
    assert [shown.text for shown in view.validate.work.written] == ["A sly one."]


def test_a_preview_of_judging_shows_the_claim() -> None:
    view = preview_view({**CONFIGURATION, "validation": {"vote": "judgement"}, "metadata": {}})
    assert view.validate.work.claim
    assert [option.name for option in view.validate.work.options] == ["correct", "incorrect"]

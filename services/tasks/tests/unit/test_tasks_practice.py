"""Practice items: values of the task's own fields; each mistake is reported with its place."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_tasks.configuration.changes import changes_between
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.configuration.yaml_text import find_problems, read_configuration

PLAIN = (Path(__file__).parents[1] / "sentiment.yaml").read_text()
MARKED = (Path(__file__).parents[1] / "golden" / "v1" / "practice.yaml").read_text()
ITEM: dict[str, Any] = {
    "context": {"prompt": "The film lasted three hours."},
    "input": {"text": "The film lasted three hours, and I wished for a fourth."},
    "answer": "positive",
    "model_said": "negative",
    "because": "Whoever wishes for more enjoyed it.",
}


def problems_of(text: str, *items: Any) -> list[tuple[str, str, str]]:
    """Path, reason and remedy of all problems of a task with these practice items."""
    with pytest.raises(ConfigurationError) as caught:
        read_task_configuration({**yaml.safe_load(text), "practice": list(items)})
    return [(each.path, each.reason, each.remedy) for each in caught.value.problems]


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in ITEM.items() if name != key}


def test_items_are_read_written_back_and_judged_by_the_tasks_own_rule() -> None:
    document = {**yaml.safe_load(PLAIN), "practice": [ITEM]}
    configuration = read_task_configuration(document)
    [item] = configuration.practice

    assert (item.answer, item.model_said) == ("positive", "negative")
    assert configuration.wrong_when.is_wrong(item.answer, item.model_said)
    assert configuration.document()["practice"] == [ITEM]


@pytest.mark.parametrize("practice", [{}, {"practice": []}])
def test_a_task_without_items_is_published_as_it_was_before_there_were_any(practice: dict[str, Any]) -> None:
    document = {**yaml.safe_load(PLAIN), **practice}
    assert read_task_configuration(document).document() == read_configuration(PLAIN).document()
    assert "practice" not in read_configuration(PLAIN).document()


@pytest.mark.parametrize(
    ("item", "path", "reason"),
    [
        ({**ITEM, "answer": "postive"}, "practice[0].answer", "is 'postive', no label of this task"),
        (
            {**ITEM, "model_said": ["negative"]},
            "practice[0].model_said",
            "is not text, no label of this task",
        ),
        ({**ITEM, "answer": False}, "practice[0].answer", "is not text, no label of this task"),
        ({**ITEM, "answer": None}, "practice[0].answer", "is missing or empty"),
        ({**ITEM, "because": " "}, "practice[0].because", "is blank"),
        (
            {**ITEM, "because": "x" * 1_001},
            "practice[0].because",
            "has 1,001 characters; at most 1,000 are allowed",
        ),
        ({**ITEM, "context": {}}, "practice[0].context.prompt", "is missing"),
        (without("context"), "practice[0].context.prompt", "is missing"),
        (without("model_said"), "practice[0].model_said", "is missing"),
        (
            {**ITEM, "input": {"text": "x" * 1_001}},
            "practice[0].input.text",
            "has 1,001 characters; at most 1,000 are allowed",
        ),
        (
            {**ITEM, "input": {**ITEM["input"], "label": "positive"}},
            "practice[0].input.label",
            "is not a field of this task",
        ),
        ("a sentence", "practice[0]", "is text"),
    ],
)
def test_an_impossible_value_is_reported_at_its_place(item: Any, path: str, reason: str) -> None:
    [problem] = problems_of(PLAIN, item)
    assert (problem[0], problem[1]) == (path, reason)
    assert problem[2]


def test_a_misspelt_key_of_an_item_is_reported_with_the_nearest_one() -> None:
    item = {**without("model_said"), "model_sad": "negative"}
    assert problems_of(PLAIN, item) == [
        ("practice[0].model_said", "is missing", "Did you write `model_sad` for it?")
    ]


def test_a_mistake_is_reported_with_line_and_column() -> None:
    text = MARKED.replace(
        "answer: {start: 49, end: 54, text: stone}", "answer: {start: 49, end: 54, text: brick}"
    )
    assert text != MARKED
    _, [problem] = find_problems(text)
    assert problem.path == "practice[0].answer"
    assert problem.reason == "says 'brick' where passage has 'stone'"
    assert text.splitlines()[(problem.line or 0) - 1].startswith("    answer:")
    assert problem.column == 5


def test_answers_that_mark_a_text_wait_until_the_text_can_be_used() -> None:
    marked = yaml.safe_load(MARKED)["practice"][0]
    assert [path for path, _, _ in problems_of(MARKED, {**marked, "context": {"passage": ""}})] == [
        "practice[0].context.passage"
    ]


def test_more_items_than_anybody_practises_on_are_refused() -> None:
    assert problems_of(PLAIN, *[ITEM] * 6) == [("practice", "has 6 entries", "Give between 0 and 5.")]


def test_versions_show_what_changed_in_the_items() -> None:
    before = read_configuration(PLAIN).document()
    after = read_task_configuration({**yaml.safe_load(PLAIN), "practice": [ITEM]}).document()
    assert [(each.path, each.before, each.after) for each in changes_between(before, after)] == [
        ("practice", None, [ITEM])
    ]

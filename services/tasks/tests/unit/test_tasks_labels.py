"""Names in new configurations are distinct for people and programs; published ones are still read."""

from typing import Any

import pytest
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.fields import AnswerUnreadable
from dynabench_tasks.fields.multilabel import MultilabelField

ALIKE = [
    ("positive", "Positive"),
    ("positive", "positive "),
    ("positive", "posi\u200btive"),
    ("caf\u00e9", "cafe\u0301"),
    ("positive", "p\u043esitive"),
    ("1 star", "1star"),
    ("\u2160", "I"),
]


def document(labels: list[str]) -> dict[str, Any]:
    field = {"name": "label", "type": "multiclass", "labels": labels}
    return {
        "slug": "a-task",
        "title": "A task",
        "languages": ["en"],
        "context": [{"name": "prompt", "type": "string"}],
        "input": [{"name": "text", "type": "string"}, field],
        "output": [field],
        "instance": {"text": "text"},
        "wrong_when": {"exact_match": {"fields": ["label"]}},
    }


def problems(labels: list[str]) -> list[str]:
    with pytest.raises(ConfigurationError) as refused:
        read_task_configuration(document(labels))
    return [f"{each.path} {each.reason}. {each.remedy}" for each in refused.value.problems]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_labels_that_look_alike_are_refused_in_new_configurations(one: str, other: str) -> None:
    assert any("input[1].labels[2] looks like" in each for each in problems(["neither", one, other]))


@pytest.mark.parametrize("label", ["flag", "unsure", "Flag", " unsure"])
def test_labels_are_no_votes_of_their_own(label: str) -> None:
    assert any("labels[1] is" in each and "a vote of its own" in each for each in problems(["good", label]))


def test_options_of_votes_are_held_to_the_same() -> None:
    options = {**document(["good", "bad"]), "validation": {"options": ["good", "bad", "unsure"]}}
    with pytest.raises(ConfigurationError, match=r"validation\.options\[2\] is 'unsure', which is a vote"):
        read_task_configuration(options)
    assert read_published(options).labels == ("good", "bad")


@pytest.mark.parametrize("label", [" good", "good\u00a0", "go\u200bod", "\ufeffgood", "cafe\u0301"])
def test_labels_hold_nothing_that_nobody_sees(label: str) -> None:
    (first, *_) = problems([label, "bad"])
    assert "labels[0]" in first
    assert "Write 'good'" in first or "Write 'café'" in first


@pytest.mark.parametrize(
    "labels", [["👍🏽", "👎"], ["C", "C++"], ["hateful", "not hateful"], ["صحيح", "خطأ"], ["नहीं", "हाँ"]]
)
def test_distinct_labels_are_accepted(labels: list[str]) -> None:
    assert read_task_configuration(document(labels)).labels == tuple(labels)


@pytest.mark.parametrize("labels", [*map(list, ALIKE), ["flag", "unsure"], [" good", "bad\u200b"]])
def test_published_configurations_are_read_on(labels: list[str]) -> None:
    assert read_published(document(labels)).labels == tuple(labels)


@pytest.mark.parametrize("answered", [[1], ["1", 1], [True], [["1"]], [None], {"1": 1}, "1", ["3"]])
def test_a_target_answers_labels_as_text(answered: object) -> None:
    field = MultilabelField("label", "Label", label_names=("1", "2", "True", "None"))
    with pytest.raises(AnswerUnreadable):
        field.read_answer({"labels": answered}, {})
    assert field.read_answer({"labels": ["2", "1", "2"]}, {}) == ["1", "2"]

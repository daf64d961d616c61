"""Tasks of the original platform become ours, and nothing is lost without a word."""

from typing import Any

import pytest
import yaml
from dynabench_toolkit.dynatask.configuration import Converted, convert_configuration
from dynabench_toolkit.dynatask.contexts import convert_contexts
from dynabench_toolkit.dynatask.source import DynataskError, read_document

PASSAGE = {"name": "passage", "type": "string"}
LABEL = {"name": "label", "type": "multiclass", "labels": ["a", "b"]}
SELECTION = {"name": "answer", "type": "context_string_selection", "reference_name": "passage"}
GUESSED = {"title", "languages", "instructions"}


def document(**changes: Any) -> dict[str, Any]:
    plain = {
        "context": [PASSAGE],
        "input": [{"name": "statement", "type": "string"}, LABEL],
        "output": [{"name": "label"}],
        "model_wrong_metric": {"type": "exact_match", "reference_names": ["label"]},
    }
    return {**plain, **changes}


def convert(**changes: Any) -> Converted:
    return convert_configuration(document(**changes), "my-task")


def lost(converted: Converted) -> set[str]:
    return {loss.key for loss in converted.losses} - GUESSED


def test_a_plain_task_is_carried_over_whole() -> None:
    converted = convert(
        goal_message="Fool it.",
        content_warning="Take care.",
        perf_metric={"type": "macro_f1", "reference_name": "label"},
        aggregation_metric={"type": "dynascore"},
        delta_metrics=[{"type": "fairness"}],
    )
    written = yaml.safe_load(converted.yaml())
    assert written["slug"] == "my-task"
    assert written["context"] == [{"name": "passage", "type": "string", "label": "Passage"}]
    assert written["input"][1] == written["output"][0] == {**LABEL, "label": "Label"}
    assert written["instance"] == {"passage": "passage", "statement": "statement"}
    assert written["goal"] == {"message": "Fool it."}
    assert written["content_warning"] == "Take care."
    assert written["metrics"] == {"primary": "macro_f1", "weights": {"fairness": 1, "robustness": 0}}
    assert written["validation"]["vote"] == "judgement"
    assert written["validation"]["reading_speed"] == 100
    assert lost(converted) == set()
    assert {loss.key for loss in converted.losses} == GUESSED
    assert "&" not in converted.yaml()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"type": "target_label", "labels": ["a"]}, {"type": "multiclass", "labels": ["a"]}),
        ({"type": "multilabel", "labels": ["a"]}, {"type": "multilabel", "labels": ["a"]}),
        (
            {"type": "multilabel", "labels": ["a"], "single_select": True},
            {"type": "multiclass", "labels": ["a"]},
        ),
        (
            {"type": "multiclass", "constructor_args": {"labels": [1, 2]}},
            {"type": "multiclass", "labels": ["1", "2"]},
        ),
        (
            {"type": "context_string_selection", "reference_name": "passage"},
            {"type": "span", "of": "passage"},
        ),
        ({"type": "image"}, {"type": "image"}),
        ({"type": "string", "placeholder": "Enter it..."}, {"type": "string", "label": "Enter it"}),
        (
            {"type": "string", "display_name": "the why", "placeholder": "Say why…"},
            {"type": "string", "label": "The why: Say why"},
        ),
    ],
)
def test_objects_become_fields(given: dict[str, Any], field: dict[str, Any]) -> None:
    inputs = [{"name": "other_one", **given}, LABEL]
    made = convert(input=inputs).configuration["input"][0]
    assert made == {"name": "other_one", "label": "Other one", **field}


@pytest.mark.parametrize(
    ("metric", "wrong_when"),
    [
        ({"type": "exact_match", "reference_names": ["answer"]}, {"exact_match": {"fields": ["answer"]}}),
        (
            {"type": "string_f1", "reference_name": "answer", "threshold": 0.3},
            {"token_f1": {"field": "answer", "below": 0.3}},
        ),
        (
            {"type": "string_f1", "constructor_args": {"reference_name": "answer", "threshold": 0.3}},
            {"token_f1": {"field": "answer", "below": 0.3}},
        ),
        ({"type": "ask_user"}, "ask_annotator"),
    ],
)
def test_what_counts_as_wrong_is_carried_over(metric: Any, wrong_when: Any) -> None:
    converted = convert(input=[SELECTION], output=[SELECTION], model_wrong_metric=metric)
    assert converted.configuration["wrong_when"] == wrong_when
    assert lost(converted) == set()


@pytest.mark.parametrize(
    ("key", "given", "when"),
    [
        ("create", {"model_wrong_condition": True}, {"verdict": ["fooled"]}),
        ("create", {"model_wrong_condition": False}, {"verdict": ["not_fooled"]}),
        ("create", {"label_condition": "a"}, {"claimed": ["a"]}),
        ("create", {}, None),
        ("validate", {"validated_label_condition": "flagged"}, {"vote": ["flag"]}),
        ("validate", {"label_condition": "incorrect"}, {"vote": ["incorrect"]}),
    ],
)
def test_conditions_of_metadata_are_carried_over(key: str, given: Any, when: Any) -> None:
    converted = convert(metadata={key: [{"name": "why", "type": "string", **given}]})
    (field,) = converted.configuration["metadata"][key]
    assert (field.get("when"), field["optional"]) == (when, True)
    assert lost(converted) == set()


@pytest.mark.parametrize(
    ("changes", "keys"),
    [
        ({"train_file_metric": {}}, {"train_file_metric"}),
        ({"context": [{**PASSAGE, "font": "big"}]}, {"context[0].font"}),
        ({"context": [{"name": "kind", "type": "multiclass", "labels": ["a"]}]}, {"context.kind.type"}),
        ({"context": [{"name": "The Passage", "type": "string"}]}, {"context[0].name"}),
        ({"output": [{"name": "label"}, {"name": "sure", "type": "conf"}]}, {"output[1].type"}),
        ({"output": [{"name": "label"}, {"name": "words", "type": "string"}]}, {"output.words"}),
        ({"output": [{"name": "label"}, {"name": "statement"}]}, {"output.statement"}),
        ({"output": [{"name": "reply", "type": "string"}]}, {"output.reply", "model_wrong_metric"}),
        ({"perf_metric": "bleu"}, {"perf_metric"}),
        ({"aggregation_metric": {"type": "mean"}}, {"aggregation_metric"}),
        ({"delta_metrics": [{"type": "speed"}]}, {"delta_metrics"}),
        ({"model_wrong_metric": {"type": "own"}}, {"model_wrong_metric"}),
        ({"goal": {"type": "x", "message": "Go"}}, {"goal.type"}),
        ({"metadata": {"other": []}}, {"metadata.other"}),
        (
            {"metadata": {"create": [{"name": "p", "type": "string", "label_condition": "zzz"}]}},
            {"metadata.create[0].label_condition"},
        ),
        (
            {"metadata": {"validate": [{"name": "p", "type": "string", "model_wrong_condition": True}]}},
            {"metadata.validate[0].model_wrong_condition"},
        ),
        ({"metadata": {"create": [{"name": "p", "type": "image"}]}}, {"metadata.create[0]"}),
    ],
)
def test_what_can_not_be_carried_over_is_named(changes: dict[str, Any], keys: set[str]) -> None:
    assert lost(convert(**changes)) == keys


@pytest.mark.parametrize(
    "changes",
    [
        {"context": []},
        {"context": "text"},
        {"input": None},
        {"output": [{"name": "sure", "type": "conf"}]},
        {"input": [{"type": "string"}]},
        {"input": ["text"]},
        {"context": [{"name": "語", "type": "string"}]},
    ],
)
def test_what_is_no_task_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(DynataskError):
        convert(**changes)


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    ["", "[1]", "a: [", "a: &b [1]\nc: *b", "1: 2", "a: !!python/object:os.x {}", "[" * 5_000, "a: \x00"],
)
def test_what_is_no_plain_yaml_is_refused(text: str) -> None:
    with pytest.raises(DynataskError):
        read_document(text)


def test_contexts_have_their_fields_on_top_or_inside_and_tags_of_both_kinds() -> None:
    lines = [
        '{"Passage": "a", "tag": "x"}',
        "",
        '{"context": {"Passage": "b"}, "tag": null, "metadata": {}}',
        '{"Passage": "c", "tags": ["x", "y"], "uid": 7}',
    ]
    converted = convert_contexts(lines, {"Passage": "passage"})
    assert converted.contexts == [
        {"fields": {"passage": "a"}, "tags": ["x"]},
        {"fields": {"passage": "b"}, "tags": []},
        {"fields": {"passage": "c"}, "tags": ["x", "y"]},
    ]
    assert converted.left_out == {"metadata": 1, "uid": 1}
    bad = convert_contexts(["{", "[]", '{"Passage": null}'], {"Passage": "passage"})
    assert [error.line for error in bad.errors] == [1, 2, 3]

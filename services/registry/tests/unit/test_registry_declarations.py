"""`models.yaml`: what is accepted, and that each refusal names the field."""

import re
from typing import Any

import pytest
from registry.domain.declarations import Start, read_declarations
from registry.domain.entry import DeclarationError

GOOD: dict[str, Any] = {
    "name": "mini",
    "version": "1",
    "archive": "mini.mar",
    "task": "sentiment",
    "task_type": "text-classification",
    "labels": ["negative", "neutral", "positive"],
    "workers": 2,
    "explain": {"workers": 1, "start": "on_demand", "idle_seconds": 900},
}
# ` (entry's name): reason. Remedy.`
REASON_AND_REMEDY = re.compile(r"( \(.+\))?: .+\. .+[.?]")


def test_defaults_fill_what_is_left_out() -> None:
    (model,) = read_declarations({"models": [GOOD]})
    assert (model.name, model.workers, model.batch_size, model.max_in_flight) == ("mini", 2, 1, 32)
    assert model.explain is not None
    assert (model.fields, model.start) == (("text",), Start("always", idle_seconds=900))
    assert (model.explain_name, model.explain.start.on_demand) == ("mini-explain", True)
    assert model.explain.response_timeout_seconds == 60


@pytest.mark.parametrize(
    ("change", "fields", "labels"),
    [
        ({"fields": ["title", "text"]}, ("title", "text"), ("a", "b")),
        ({"task_type": "text-pair-classification"}, ("premise", "hypothesis"), ("a", "b")),
        (
            {"task_type": "text-pair-classification", "fields": ["claim", "proof"]},
            ("claim", "proof"),
            ("a", "b"),
        ),
        ({"task_type": "extractive-qa", "labels": []}, ("passage", "question"), ()),
        ({"task_type": "multilabel-classification"}, ("text",), ("a", "b")),
        (
            {"task_type": "multilabel-classification", "fields": ["title", "text"]},
            ("title", "text"),
            ("a", "b"),
        ),
    ],
)
def test_each_task_type_has_its_fields_and_labels(
    change: dict[str, Any], fields: tuple[str, ...], labels: tuple[str, ...]
) -> None:
    (model,) = read_declarations({"models": [{**GOOD, "labels": ["a", "b"], **change}]})
    assert (model.fields, model.labels) == (fields, labels)


def test_prediction_workers_may_start_on_demand() -> None:
    (model,) = read_declarations({"models": [{**GOOD, "start": "on_demand", "idle_seconds": 60}]})
    assert (model.start, model.start.on_demand) == (Start("on_demand", idle_seconds=60), True)


def test_an_explainer_may_be_kept_warm_by_predictions_and_nothing_else_may() -> None:
    (model,) = read_declarations({"models": [{**GOOD, "explain": {"start": "with_predictions"}}]})
    assert model.explain is not None
    assert model.explain.start == Start("with_predictions", idle_seconds=900)
    assert model.explain.start.on_demand
    with pytest.raises(DeclarationError) as caught:
        read_declarations({"models": [{**GOOD, "start": "with_predictions"}]})
    assert "start" in str(caught.value)


def test_a_number_is_fine_as_a_version() -> None:
    (model,) = read_declarations({"models": [{**GOOD, "version": 2}]})
    assert model.version == "2"


def test_explanations_may_be_left_out() -> None:
    (model,) = read_declarations({"models": [{**GOOD, "explain": None}]})
    assert model.explain is None


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"name": "Bad Name"}, "models[0].name"),
        ({"name": None}, "models[0].name"),
        ({"archive": "../elsewhere.mar"}, "models[0].archive"),
        ({"archive": "mini.zip"}, "models[0].archive"),
        ({"task_type": "divination"}, "models[0].task_type"),
        ({"labels": "negative"}, "models[0].labels"),
        ({"labels": []}, "models[0].labels"),
        ({"labels": ["yes", "yes"]}, "models[0].labels"),
        ({"labels": ["yes", " "]}, "models[0].labels"),
        ({"labels": None}, "models[0].labels"),
        ({"task_type": "extractive-qa"}, "models[0].labels"),
        ({"fields": []}, "models[0].fields"),
        ({"fields": "text"}, "models[0].fields"),
        ({"fields": ["text", "text"]}, "models[0].fields"),
        ({"fields": ["Text"]}, "models[0].fields"),
        ({"fields": ["text", "label"]}, "models[0].fields"),
        ({"task_type": "text-pair-classification", "fields": ["premise"]}, "models[0].fields"),
        ({"task_type": "extractive-qa", "labels": [], "fields": ["a", "b", "c"]}, "models[0].fields"),
        ({"start": "sometimes"}, "models[0].start"),
        ({"start": True}, "models[0].start"),
        ({"idle_seconds": 0}, "models[0].idle_seconds"),
        ({"workers": 0}, "models[0].workers"),
        ({"workers": True}, "models[0].workers"),
        ({"batch_size": "8"}, "models[0].batch_size"),
        ({"wokers": 2}, "models[0].wokers"),
        ({"explain": "yes"}, "models[0].explain"),
        ({"explain": {"start": "sometimes"}}, "models[0].explain.start"),
        ({"explain": {"idle_seconds": 0}}, "models[0].explain.idle_seconds"),
    ],
)
def test_refusals_name_the_field(change: dict[str, Any], named: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        read_declarations({"models": [{**GOOD, **change}]})
    assert str(caught.value).startswith(f"{named}")
    assert REASON_AND_REMEDY.fullmatch(str(caught.value).removeprefix(named))


def test_a_refusal_names_the_entry_the_reason_and_the_remedy() -> None:
    entries = [{**GOOD, "name": "other"}, {**GOOD, "wokers": 2}]
    with pytest.raises(DeclarationError) as caught:
        read_declarations({"models": entries})
    assert str(caught.value).startswith(
        "models[1].wokers (mini): there is no such field. Did you mean workers? Known: name, "
    )


@pytest.mark.parametrize("content", [None, [], "models", {"models": {}}, {"model": []}])
def test_a_file_without_a_list_is_refused(content: object) -> None:
    with pytest.raises(DeclarationError, match="models"):
        read_declarations(content)


@pytest.mark.parametrize("second", ["mini", "mini-explain"])
def test_names_are_used_once(second: str) -> None:
    with pytest.raises(DeclarationError, match=r"\.name \(.*\): .* is used twice"):
        read_declarations({"models": [{**GOOD, "name": second}, GOOD]})

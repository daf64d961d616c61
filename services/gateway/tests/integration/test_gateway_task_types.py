"""Instances and answers of every task type through a running gateway."""

from typing import Any

import pytest

from .conftest import MODELS, Gateway, model
from .gateway_fakes import prediction

TYPES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "pair": (
        {"task_type": "text-pair-classification", "fields": ["premise", "hypothesis"]},
        {"premise": "It rains.", "hypothesis": "It is dry."},
    ),
    "reader": (
        {"task_type": "extractive-qa", "fields": ["passage", "question"], "labels": []},
        {"passage": "😀 Ada saw it.", "question": "Who?"},
    ),
    "topics": (
        {"task_type": "multilabel-classification", "fields": ["title", "text"]},
        {"title": "Rain", "text": "It rains."},
    ),
}


@pytest.fixture
def every_type(gateway: Gateway) -> Gateway:
    gateway.serve(model(), *(model(name, **changes) for name, (changes, _) in TYPES.items()))
    return gateway


@pytest.mark.parametrize("name", TYPES)
def test_instances_and_answers_arrive_unchanged(every_type: Gateway, name: str) -> None:
    _, instance = TYPES[name]
    answer = every_type.predict_instances(name, instance)
    assert (answer.status, answer.json()["predictions"]) == (200, [prediction(instance)])
    assert every_type.torchserve.calls[-1][:2] == (f"/predictions/{name}", [instance])


@pytest.mark.parametrize("name", TYPES)
def test_explanations_name_the_field_of_each_token(every_type: Gateway, name: str) -> None:
    changes, instance = TYPES[name]
    answer = every_type.explain_instance(name, instance)
    tokens = answer.json()["explanations"][0]["tokens"]
    assert (answer.status, [token["field"] for token in tokens]) == (200, changes["fields"])


@pytest.mark.parametrize("name", TYPES)
def test_the_fields_of_a_model_are_listed(every_type: Gateway, name: str) -> None:
    changes, _ = TYPES[name]
    status = every_type.call("GET", f"{MODELS}/{name}").json()
    assert {key: status[key] for key in changes} == changes


@pytest.mark.parametrize("name", TYPES)
def test_a_text_too_few_or_too_many_never_reaches_the_model_server(every_type: Gateway, name: str) -> None:
    changes, instance = TYPES[name]
    last = changes["fields"][-1]
    too_few = every_type.predict_instances(name, {key: instance[key] for key in changes["fields"][:-1]})
    assert (too_few.status, too_few.json()["field"]) == (422, f"instances[0].{last}")
    too_many = every_type.predict_instances(name, {**instance, "label": "yes"})
    assert (too_many.status, too_many.json()["field"]) == (422, "instances[0].label")
    assert every_type.torchserve.calls == []


def test_the_limit_of_characters_is_for_all_texts_together(every_type: Gateway) -> None:
    answer = every_type.predict_instances("pair", {"premise": "x" * 600, "hypothesis": "x" * 401})
    assert (answer.status, answer.json()["field"]) == (422, "instances[0].hypothesis")

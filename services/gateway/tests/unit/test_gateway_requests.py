"""Validation of requests to a model: each refusal names the field."""

from dataclasses import replace
from typing import Any

import pytest
from gateway.domain.deadline import HEADER, Timeout, timeout
from gateway.domain.errors import RequestRefused
from gateway.domain.explanation import explanation_keys
from gateway.domain.requests import prediction_instances
from gateway.domain.routes import ExplainRoute, Route, read_routes
from gateway.entrypoints.http.body import decode
from hypothesis import given
from hypothesis import strategies as st

EXPLAIN = ExplainRoute("mini-explain", "ready", 2, 100, 60.0)
ROUTE = Route(
    name="mini",
    version="1",
    task="sentiment",
    task_type="text-classification",
    fields=("text",),
    labels=("no", "yes"),
    model_digest="sha256:m",
    handler_digest="sha256:h",
    state="ready",
    serving_name="mini",
    workers=2,
    start="always",
    max_in_flight=8,
    max_characters=100,
    response_timeout_seconds=10.0,
    explain=EXPLAIN,
)
READER = replace(ROUTE, task_type="extractive-qa", fields=("passage", "question"), labels=())


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "x" * 100,
        "é",
        "e\u0301",
        "👩🏽‍🚀",
        "<script>alert(1)</script>",
        "tab\tand\nline",
        "\u202eright",
    ],
)
def test_any_text_is_accepted(text: str) -> None:
    body = {"instances": [{"text": text}]}
    assert prediction_instances(body, ("text",), 100) == [{"text": text}]


@pytest.mark.parametrize(
    ("body", "field", "slug"),
    [
        (None, "body", "body-invalid"),
        ([], "body", "body-invalid"),
        ("text", "body", "body-invalid"),
        ({}, "instances", "instances-missing"),
        ({"instances": []}, "instances", "instances-missing"),
        ({"instances": {"text": "a"}}, "instances", "instances-missing"),
        ({"instances": [{"text": "a"}], "signature": "x"}, "signature", "field-unknown"),
        ({"instances": [{"text": "a"}] * 65}, "instances", "instances-too-many"),
        ({"instances": ["a"]}, "instances[0]", "instance-invalid"),
        ({"instances": [{}]}, "instances[0]", "instance-invalid"),
        ({"instances": [{"text": "a"}, {"txt": "a"}]}, "instances[1].txt", "field-unknown"),
        ({"instances": [{"text": "a", "label": "yes"}]}, "instances[0].label", "field-unknown"),
        ({"instances": [{"text": None}]}, "instances[0].text", "text-invalid"),
        ({"instances": [{"text": 5}]}, "instances[0].text", "text-invalid"),
        ({"instances": [{"text": ""}]}, "instances[0].text", "text-blank"),
        ({"instances": [{"text": " \n\t"}]}, "instances[0].text", "text-blank"),
        ({"instances": [{"text": "x" * 101}]}, "instances[0].text", "text-too-long"),
        ({"instances": [{"text": "a\x00b"}]}, "instances[0].text", "text-unusable"),
        ({"instances": [{"text": "a\ud800b"}]}, "instances[0].text", "text-unusable"),
        ({"instances": [{"text\ud800": "a"}]}, "instances[0].text?", "field-unknown"),
    ],
)
def test_refusals_name_the_field(body: object, field: str, slug: str) -> None:
    with pytest.raises(RequestRefused) as caught:
        prediction_instances(body, ("text",), 100)
    assert (caught.value.field, caught.value.slug, caught.value.status) == (field, slug, 422)


PAIR = ("premise", "hypothesis")


def test_a_model_reads_the_texts_that_its_route_names() -> None:
    body = {"instances": [{"hypothesis": "b", "premise": "a" * 99}]}
    assert prediction_instances(body, PAIR, 100) == body["instances"]


@pytest.mark.parametrize(
    ("instance", "field", "slug"),
    [
        ({"premise": "a"}, "instances[0].hypothesis", "text-missing"),
        ({"hypothesis": "b"}, "instances[0].premise", "text-missing"),
        ({"premise": "a", "hypothesis": "b", "text": "c"}, "instances[0].text", "field-unknown"),
        ({"text": "c"}, "instances[0].text", "field-unknown"),
        ({"premise": "a", "hypothesis": " "}, "instances[0].hypothesis", "text-blank"),
        ({"premise": ["a"], "hypothesis": "b"}, "instances[0].premise", "text-invalid"),
        ({"premise": "a" * 60, "hypothesis": "b" * 60}, "instances[0].hypothesis", "text-too-long"),
    ],
)
def test_each_text_of_a_pair_is_checked(instance: dict[str, Any], field: str, slug: str) -> None:
    with pytest.raises(RequestRefused) as caught:
        prediction_instances({"instances": [instance]}, PAIR, 100)
    assert (caught.value.field, caught.value.slug) == (field, slug)


def test_the_remedy_shows_an_instance_of_this_model() -> None:
    with pytest.raises(RequestRefused) as caught:
        prediction_instances([], PAIR, 100)
    assert caught.value.remedy == 'Send {"instances": [{"premise": "...", "hypothesis": "..."}]}.'


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(body=JSON | st.fixed_dictionaries({"instances": JSON}, optional={"parameters": JSON}))
def test_nothing_breaks_the_checks(body: Any) -> None:
    for check in (
        lambda: prediction_instances(body, ("text",), 100),
        lambda: explanation_keys(body, ROUTE, 100),
        lambda: explanation_keys(body, READER, 100),
    ):
        try:
            check()
        except RequestRefused as refused:
            assert refused.field.encode()


def explained(parameters: object = None, **instance: Any) -> Any:
    body = {"instances": [{"text": "a", **instance}]}
    return explanation_keys(body if parameters is None else {**body, "parameters": parameters}, ROUTE, 100)


def test_a_key_holds_everything_that_an_explanation_depends_on() -> None:
    (key,) = explained({"n_steps": 20}, label="yes")
    assert key.instance() == {"text": "a", "label": "yes"}
    assert key.options.parameters() == {
        "method": "layer_integrated_gradients",
        "baseline": "pad",
        "n_steps": 20,
    }
    others = [
        explained({"n_steps": 21}, label="yes")[0],
        explained({"n_steps": 20})[0],
        explained({"n_steps": 20, "tolerance": 0.1}, label="yes")[0],
        explained({"n_steps": 20}, label="yes", text="b")[0],
        replace(key, model_digest="sha256:other"),
        replace(key, handler_digest="sha256:other"),
    ]
    assert len({key, *others}) == 7


def test_the_same_question_has_the_same_key_however_it_is_put() -> None:
    assert (
        explained({"label": "yes"}) == explained({}, label="yes") == explained({"n_steps": None}, label="yes")
    )


@pytest.mark.parametrize(
    ("parameters", "instance", "field"),
    [
        ("steps", {}, "parameters"),
        ({"steps": 3}, {}, "parameters.steps"),
        ({"n_steps": 0}, {}, "parameters.n_steps"),
        ({"n_steps": 161}, {}, "parameters.n_steps"),
        ({"n_steps": True}, {}, "parameters.n_steps"),
        ({"n_steps": "20"}, {}, "parameters.n_steps"),
        ({"tolerance": 0}, {}, "parameters.tolerance"),
        ({"tolerance": 1.5}, {}, "parameters.tolerance"),
        ({"method": "saliency"}, {}, "parameters.method"),
        ({"baseline": "zero"}, {}, "parameters.baseline"),
        ({"label": "maybe"}, {}, "parameters.label"),
        ({}, {"label": "maybe"}, "instances[0].label"),
        ({}, {"label": ["yes"]}, "instances[0].label"),
    ],
)
def test_explanation_refusals_name_the_field(
    parameters: object, instance: dict[str, Any], field: str
) -> None:
    with pytest.raises(RequestRefused) as caught:
        explained(parameters, **instance)
    assert caught.value.field == field


def read(parameters: object = None, **instance: Any) -> Any:
    body = {"instances": [{"passage": "😀 Ada", "question": "Who?", **instance}]}
    return explanation_keys(body if parameters is None else {**body, "parameters": parameters}, READER, 100)


ANSWER = {"start": 2, "end": 5}


def test_the_answer_and_its_side_are_part_of_an_explanations_key() -> None:
    (key,) = read(answer=ANSWER, label="end")
    expected = {"passage": "😀 Ada", "question": "Who?", "label": "end", "answer": ANSWER}
    assert key.instance() == expected
    others = [
        read()[0],
        read(label="end")[0],
        read(answer=ANSWER)[0],
        read(answer={"start": 2, "end": 4}, label="end")[0],
        read(answer={"start": 3, "end": 5}, label="end")[0],
    ]
    assert len({key, *others}) == 6


def test_without_a_side_the_start_is_explained() -> None:
    assert read() == read(label="start") == read({"label": "start"}) == read(answer=None)
    assert read()[0].instance()["label"] == "start"


@pytest.mark.parametrize(
    ("instance", "field"),
    [
        ({"answer": "Ada"}, "instances[0].answer"),
        ({"answer": {}}, "instances[0].answer"),
        ({"answer": {"start": 0}}, "instances[0].answer"),
        ({"answer": {**ANSWER, "text": "Ada"}}, "instances[0].answer"),
        ({"answer": {"start": 0, "end": 0}}, "instances[0].answer"),
        ({"answer": {"start": 2, "end": 1}}, "instances[0].answer"),
        ({"answer": {"start": -1, "end": 1}}, "instances[0].answer"),
        ({"answer": {"start": 0, "end": 6}}, "instances[0].answer"),
        ({"answer": {"start": False, "end": True}}, "instances[0].answer"),
        ({"answer": {"start": 0.0, "end": 1.0}}, "instances[0].answer"),
        ({"label": "yes"}, "instances[0].label"),
        ({"label": "begin"}, "instances[0].label"),
    ],
)
def test_refusals_of_answers_name_the_field(instance: dict[str, Any], field: str) -> None:
    with pytest.raises(RequestRefused) as caught:
        read(**instance)
    assert caught.value.field == field


def test_only_answers_in_a_passage_are_given_to_be_explained() -> None:
    with pytest.raises(RequestRefused) as caught:
        explained(answer={"start": 0, "end": 1})
    assert (caught.value.field, caught.value.slug) == ("instances[0].answer", "field-unknown")


def test_more_instances_than_can_be_explained_are_refused() -> None:
    with pytest.raises(RequestRefused) as caught:
        explanation_keys({"instances": [{"text": "a"}] * 9}, ROUTE, 100)
    assert caught.value.slug == "instances-too-many"


@pytest.mark.parametrize(
    ("header", "response_timeout", "expected"),
    [
        (None, 30.0, Timeout(10.0)),
        (None, 8.0, Timeout(7.5)),
        (None, 0.5, Timeout(0.5)),
        ("250", 30.0, Timeout(0.25, shortened=True)),
        ("60000", 30.0, Timeout(10.0)),
    ],
)
def test_patience_stays_below_the_model_servers_own(
    header: str | None, response_timeout: float, expected: Timeout
) -> None:
    assert timeout(header, 10_000, response_timeout) == expected


@pytest.mark.parametrize("header", ["", "0", "-5", "1.5", "soon", "٣", "1" * 10])
def test_an_unusable_deadline_is_refused(header: str) -> None:
    with pytest.raises(RequestRefused) as caught:
        timeout(header, 10_000, 30.0)
    assert (caught.value.field, caught.value.status) == (HEADER, 400)


def test_routes_are_read_from_the_registrys_records() -> None:
    record = {
        "name": "mini",
        "version": "1",
        "task": "sentiment",
        "task_type": "text-classification",
        "fields": ["text"],
        "labels": ["no", "yes"],
        "model_digest": "sha256:m",
        "handler_digest": "sha256:h",
        "state": "ready",
        "serving_name": "mini",
        "workers": 2,
        "start": "always",
        "max_in_flight": 8,
        "max_characters": 100,
        "response_timeout_seconds": 10,
        "published": True,
        "explain": {
            "serving_name": "mini-explain",
            "state": "ready",
            "max_in_flight": 2,
            "max_characters": 100,
            "response_timeout_seconds": 60,
        },
        "something_new": True,
    }
    assert read_routes([record]) == {"mini": ROUTE}
    with pytest.raises(KeyError):
        read_routes([{"name": "mini"}])


@pytest.mark.parametrize(
    "number", ["9" * 401, "-9223372036854775809", "9223372036854775808", "1e999", "-1e999", "9" * 5_000]
)
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{"parameters": {"n_steps": %s}}', "parameters.n_steps"),
        ('{"inputs": [{"shape": [1, %s]}]}', "inputs[0].shape[1]"),
        ("%s", "body"),
    ],
)
def test_a_number_that_64_bits_cannot_hold_is_refused_before_anything_is_worked_out(
    number: str, body: str, field: str
) -> None:
    with pytest.raises(RequestRefused) as caught:
        decode((body % number).encode())
    assert (caught.value.slug, caught.value.field, caught.value.status) == ("number-too-large", field, 422)


@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 0, 1e308, 5e-324])
def test_a_number_that_64_bits_hold_is_read(number: float) -> None:
    assert decode(f"[{number!r}]".encode()) == [number]

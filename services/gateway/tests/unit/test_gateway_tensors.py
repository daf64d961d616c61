"""Open Inference requests and answers: what is read, what is refused, and how answers become tensors."""

import json
from typing import Any

import pytest
from gateway.domain.errors import RequestRefused
from gateway.domain.outputs import chosen_outputs, metadata_of, outputs_of
from gateway.domain.routes import ExplainRoute, Route
from gateway.domain.tensors import in_tensor_terms, read_infer_request

EXPLAIN = ExplainRoute("mini-explain", "ready", 1, 200, 60.0)


def route(
    task_type: str = "text-classification", *fields: str, labels: tuple[str, ...] = ("no", "yes")
) -> Route:
    return Route(
        name="mini",
        version="3",
        task="sentiment",
        task_type=task_type,
        fields=fields or ("text",),
        labels=labels,
        model_digest="sha256:m",
        handler_digest="sha256:h",
        state="ready",
        serving_name="mini",
        workers=1,
        start="always",
        max_in_flight=8,
        max_characters=1000,
        response_timeout_seconds=10.0,
        explain=EXPLAIN,
    )


def tensor(name: str = "text", *data: Any, **changes: Any) -> dict[str, Any]:
    values = data or ("a",)
    return {"name": name, "shape": [len(values)], "datatype": "BYTES", "data": list(values), **changes}


def read(
    body: Any, tail: bytes = b"", asked: Route | None = None, *, explains: bool = False
) -> list[dict[str, Any]]:
    asked = asked or route()
    names = [output.name for output in outputs_of(asked, explains=explains)]
    return [dict(each) for each in read_infer_request(body, tail, asked, names, explains=explains).instances]


@pytest.mark.parametrize(
    "given",
    [
        tensor("text", "a", "b"),
        tensor("text", "a", "b", shape=[2, 1]),
        tensor("text", ["a"], ["b"], shape=[2, 1]),
        tensor("text", "a", "b", parameters={"content_type": "str"}),
    ],
)
def test_a_tensor_has_a_text_for_each_instance(given: dict[str, Any]) -> None:
    assert read({"inputs": [given]}) == [{"text": "a"}, {"text": "b"}]


def test_there_is_a_tensor_for_each_field() -> None:
    pair = route("text-pair-classification", "premise", "hypothesis")
    inputs = [tensor("hypothesis", "c", "d"), tensor("premise", "a", "b")]
    assert read({"inputs": inputs}, asked=pair) == [
        {"premise": "a", "hypothesis": "c"},
        {"premise": "b", "hypothesis": "d"},
    ]


def test_texts_may_follow_in_binary_form() -> None:
    pair = route("text-pair-classification", "premise", "hypothesis")
    premise, hypothesis = b"\x01\0\0\0a\x04\0\0\0\xf0\x9f\x98\x80", b"\0\0\0\0\x02\0\0\0cd"
    inputs = [
        tensor(name, shape=[2], data=None, parameters={"binary_data_size": len(data)})
        for name, data in (("premise", premise), ("hypothesis", hypothesis))
    ]
    assert read({"inputs": inputs}, premise + hypothesis, pair) == [
        {"premise": "a", "hypothesis": ""},
        {"premise": "😀", "hypothesis": "cd"},
    ]


def test_explanations_say_of_what() -> None:
    labels = tensor("label", "yes", "")
    found = read({"inputs": [tensor("text", "a", "b"), labels]}, explains=True)
    assert found == [{"text": "a", "label": "yes"}, {"text": "b"}]
    answers = route("extractive-qa", "passage", "question")
    sides = [tensor("answer_start", 2, datatype="INT64"), tensor("answer_end", 4, datatype="INT32")]
    found = read({"inputs": [tensor("passage"), tensor("question"), *sides]}, asked=answers, explains=True)
    assert found == [{"passage": "a", "question": "a", "answer": {"start": 2, "end": 4}}]


BINARY = {"binary_data_size": 5}


@pytest.mark.parametrize(
    ("body", "tail", "field", "reason"),
    [
        ([], b"", "body", "JSON object"),
        ({}, b"", "inputs", "a tensor for each field"),
        ({"inputs": []}, b"", "inputs", "a tensor for each field"),
        ({"instances": [{"text": "a"}]}, b"", "instances", "no such field"),
        ({"inputs": ["a"]}, b"", "inputs[0]", "JSON object"),
        ({"inputs": [tensor("txt")]}, b"", "inputs[0].name", "no such tensor"),
        ({"inputs": [tensor("label")]}, b"", "inputs[0].name", "no such tensor"),
        ({"inputs": [tensor(), tensor()]}, b"", "inputs[1].name", "came before"),
        ({"inputs": [tensor(contents="a")]}, b"", "inputs[0].contents", "no such field"),
        ({"inputs": [tensor(shape=[1, 2])]}, b"", "inputs.text.shape", "[n] or [n, 1]"),
        ({"inputs": [tensor(shape=[-1])]}, b"", "inputs.text.shape", "[n] or [n, 1]"),
        ({"inputs": [tensor(shape=[True])]}, b"", "inputs.text.shape", "[n] or [n, 1]"),
        ({"inputs": [tensor(shape=[65])]}, b"", "inputs.text.shape", "at most 64"),
        ({"inputs": [tensor(shape=[2])]}, b"", "inputs.text", "1 values, and its shape says 2"),
        ({"inputs": [tensor(datatype="FP32")]}, b"", "inputs.text.datatype", "must be BYTES"),
        ({"inputs": [tensor(data="a")]}, b"", "inputs.text.data", "must be a list"),
        (
            {"inputs": [tensor(data=None, parameters=BINARY)]},
            b"\x01\0\0\0\xff",
            "inputs.text.data[0]",
            "UTF-8",
        ),
        ({"inputs": [tensor(data=None, parameters=BINARY)]}, b"\x09\0\0\0a", "inputs.text", "bytes end"),
        ({"inputs": [tensor(data=None, parameters=BINARY)]}, b"\x01\0", "inputs.text", "bytes end"),
        ({"inputs": [tensor(parameters=BINARY)]}, b"\x01\0\0\0a", "inputs.text", "this form"),
        ({"inputs": [tensor(parameters={"binary_data_size": -1})]}, b"", "inputs.text.parameters.binary", ""),
        ({"inputs": [tensor()]}, b"abc", "body", "3 bytes follow"),
        ({"inputs": [tensor()], "id": 7}, b"", "id", "printable text"),
        ({"inputs": [tensor()], "outputs": "label"}, b"", "outputs", "must be a list"),
        ({"inputs": [tensor()], "outputs": [{"name": "text"}]}, b"", "outputs[0].name", "no such output"),
    ],
)
def test_what_can_not_be_read_is_named(body: Any, tail: bytes, field: str, reason: str) -> None:
    with pytest.raises(RequestRefused) as refused:
        read(body, tail)
    assert refused.value.field.startswith(field)
    assert reason in refused.value.reason
    assert refused.value.remedy


def test_every_tensor_is_needed_and_as_long_as_the_others() -> None:
    pair = route("text-pair-classification", "premise", "hypothesis")
    with pytest.raises(RequestRefused, match=r"inputs\.hypothesis: the tensor is missing"):
        read({"inputs": [tensor("premise")]}, asked=pair)
    with pytest.raises(RequestRefused, match="premise 1, hypothesis 2"):
        read({"inputs": [tensor("premise"), tensor("hypothesis", "a", "b")]}, asked=pair)


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("instances[3].text", "inputs.text.data[3]"),
        ("instances[0].label", "inputs.label.data[0]"),
        ("instances[0].answer", "inputs.answer_start.data[0]"),
        ("instances[2]", "inputs, each data[2]"),
        ("instances", "inputs"),
        ("parameters.n_steps", "parameters.n_steps"),
        ("body", "body"),
    ],
)
def test_refusals_speak_of_tensors(field: str, expected: str) -> None:
    assert in_tensor_terms(RequestRefused("slug", field, "reason", "remedy")).field == expected


FAILED = {"error": {"type": "empty_text", "detail": '"text" is blank'}}
SHARES = {"no": 0.25, "yes": 0.75}


@pytest.mark.parametrize(
    ("task_type", "entry", "expected"),
    [
        (
            "text-classification",
            {"label": "yes", "probabilities": SHARES, "truncated": True},
            {
                "label": ("BYTES", [2], ["yes", ""]),
                "probabilities": ("FP32", [2, 2], [0.25, 0.75, 0.0, 0.0]),
                "truncated": ("BOOL", [2], [True, False]),
            },
        ),
        (
            "multilabel-classification",
            {"labels": ["yes"], "probabilities": SHARES},
            {
                "applies": ("BOOL", [2, 2], [False, True, False, False]),
                "probabilities": ("FP32", [2, 2], [0.25, 0.75, 0.0, 0.0]),
                "truncated": ("BOOL", [2], [False, False]),
            },
        ),
        (
            "extractive-qa",
            {"start": 3, "end": 5, "text": "ab", "probability": 0.5},
            {
                "text": ("BYTES", [2], ["ab", ""]),
                "probability": ("FP32", [2], [0.5, 0.0]),
                "start": ("INT64", [2], [3, -1]),
                "end": ("INT64", [2], [5, -1]),
                "truncated": ("BOOL", [2], [False, False]),
            },
        ),
        (
            "date-extraction",
            {"date": "2026-11-21"},
            {
                "prediction": ("BYTES", [2], ['{"date": "2026-11-21"}', ""]),
                "truncated": ("BOOL", [2], [False, False]),
            },
        ),
    ],
)
def test_answers_become_tensors_and_failures_are_named(
    task_type: str, entry: dict[str, Any], expected: dict[str, Any]
) -> None:
    asked = route(task_type)
    outputs = outputs_of(asked, explains=False)
    tensors = [output.tensor([entry, FAILED]) for output in outputs]
    *found, errors = tensors
    assert {each["name"]: (each["datatype"], each["shape"], each["data"]) for each in found} == expected
    assert errors["data"][0] == ""
    assert json.loads(errors["data"][1]) == FAILED["error"]
    described = metadata_of(asked, "mini", explains=False)["outputs"]
    assert [(each["name"], each["datatype"], each["shape"][1:]) for each in described] == [
        (each["name"], each["datatype"], each["shape"][1:]) for each in tensors
    ]


def test_columns_are_named() -> None:
    [probabilities] = [each for each in outputs_of(route(), explains=False) if each.name == "probabilities"]
    assert json.loads(probabilities.metadata()["parameters"]["labels"]) == ["no", "yes"]


@pytest.mark.parametrize(("entry", "names"), [({"label": "yes"}, ["label"]), (FAILED, ["label", "error"])])
def test_an_error_is_included_even_if_not_requested(entry: dict[str, Any], names: list[str]) -> None:
    chosen = chosen_outputs(outputs_of(route(), explains=False), ["label"], [entry])
    assert [output.name for output in chosen] == names

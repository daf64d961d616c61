"""The Open Inference Protocol (KServe V2): the same models, rules and refusals in its terms."""

import json
from typing import Any
from uuid import uuid4

import pytest

from .conftest import PREFIX, SERVICE, TENSORS, Gateway, model


def texts(*values: str, name: str = "text") -> dict[str, Any]:
    return {"name": name, "shape": [len(values)], "datatype": "BYTES", "data": list(values)}


def outputs(answer: Any) -> dict[str, list[Any]]:
    assert answer.status == 200, answer.data
    return {each["name"]: each["data"] for each in answer.json()["outputs"]}


def test_the_server_metadata_is_public(gateway: Gateway) -> None:
    found = {
        path: gateway.call("GET", PREFIX + path, headers={}).json()
        for path in ("/v2", "/v2/health/live", "/v2/health/ready")
    }
    assert found["/v2"]["name"] == "dynabench-gateway"
    assert (found["/v2/health/live"], found["/v2/health/ready"]) == ({"live": True}, {"ready": True})


def test_metadata_names_the_tensors(gateway: Gateway) -> None:
    found = gateway.call("GET", f"{TENSORS}/mini").json()
    assert found["inputs"] == [{"name": "text", "datatype": "BYTES", "shape": [-1]}]
    assert [each["name"] for each in found["outputs"]] == ["label", "probabilities", "truncated", "error"]
    assert found["outputs"][1]["shape"] == [-1, 2]
    assert found["parameters"]["max_characters"] == 1000
    explains = gateway.call("GET", f"{TENSORS}/mini-explain").json()
    assert [each["name"] for each in explains["inputs"]] == ["text", "label"]
    assert [each["name"] for each in explains["outputs"]] == ["explanation", "error"]


def test_answers_are_those_of_predict_and_each_failure_has_its_place(gateway: Gateway) -> None:
    answer = gateway.infer([texts("good", "error", "bad")], id="seven")
    predicted = gateway.predict("good", "error", "bad").json()
    assert answer.json()["id"] == "seven"
    assert answer.json()["parameters"] == {
        name: predicted[name] for name in ("model_digest", "handler_digest")
    }
    found = outputs(answer)
    assert found["label"] == ["yes", "", "yes"]
    assert found["probabilities"] == [0.25, 0.75, 0.0, 0.0, 0.25, 0.75]
    assert [json.loads(each)["type"] if each else "" for each in found["error"]] == [
        "",
        "prediction_failed",
        "",
    ]
    assert gateway.torchserve.calls[0][1] == gateway.torchserve.calls[1][1]


def test_outputs_are_chosen_by_name(gateway: Gateway) -> None:
    assert list(outputs(gateway.infer([texts("a")], outputs=[{"name": "label"}]))) == ["label"]
    both = outputs(gateway.infer([texts("a", "error")], outputs=[{"name": "label"}]))
    assert list(both) == ["label", "error"]


def test_a_version_is_the_served_one_or_unknown(gateway: Gateway) -> None:
    body = {"inputs": [texts("a")]}
    for path, method, given in (("", "GET", None), ("/ready", "GET", None), ("/infer", "POST", body)):
        assert gateway.call(method, f"{TENSORS}/mini/versions/1{path}", given).status == 200
        refused = gateway.call(method, f"{TENSORS}/mini/versions/2{path}", given)
        assert (refused.status, refused.json()["type"]) == (404, "/problems/model-version-not-found")


def test_explanations_are_inference_on_the_paired_model(gateway: Gateway) -> None:
    inputs = [texts("so good"), texts("no", name="label")]
    answer = gateway.infer(inputs, name="mini-explain", parameters={"n_steps": 5, "binary_data_output": True})
    assert answer.headers["X-Cache"] == "miss"
    [explanation] = outputs(answer)["explanation"]
    assert json.loads(explanation)["label"] == "no"
    assert gateway.torchserve.parameters[-1]["n_steps"] == 5
    again = gateway.explain_instance("mini", {"text": "so good", "label": "no"}, {"n_steps": 5})
    assert again.headers["X-Cache"] == "hit"
    assert again.json()["explanations"][0] == json.loads(explanation)


def test_a_model_without_explanations_or_workers_is_reported_as_such(gateway: Gateway) -> None:
    gateway.serve(model(explain=None), model("sleeping", state="stopped", start="on_demand"))
    for call in (
        gateway.call("GET", f"{TENSORS}/mini-explain"),
        gateway.infer([texts("a")], name="mini-explain"),
    ):
        assert (call.status, call.json()["type"]) == (404, "/problems/explanations-not-served")
    assert gateway.call("GET", f"{TENSORS}/mini/ready").json() == {"name": "mini", "ready": True}
    sleeping = gateway.call("GET", f"{TENSORS}/sleeping/ready")
    assert (sleeping.status, sleeping.headers["Retry-After"]) == (503, "5")
    assert gateway.registry.started == []
    assert gateway.call("GET", f"{TENSORS}/sleeping-explain/ready").status == 200


@pytest.mark.parametrize(
    ("inputs", "status", "field"),
    [
        ([texts("a", " ")], 422, "inputs.text.data[1]"),
        ([texts("a" * 1001)], 422, "inputs.text.data[0]"),
        ([texts()], 422, "inputs"),
        ([texts("a", name="premise")], 422, "inputs[0].name"),
    ],
)
def test_a_refusal_names_the_tensor_and_has_a_sentence_as_error(
    gateway: Gateway, inputs: list[dict[str, Any]], status: int, field: str
) -> None:
    answer = gateway.infer(inputs)
    problem = answer.json()
    assert (answer.status, problem["field"]) == (status, field)
    assert problem["error"] == f"{problem['detail']} {problem['remedy']}"
    assert gateway.torchserve.calls == []


def test_limits_are_those_of_predict(gateway: Gateway) -> None:
    large = gateway.call("POST", f"{TENSORS}/mini/infer", {"inputs": [texts("a" * 300_000)]})
    assert (large.status, large.json()["type"]) == (413, "/problems/body-too-large")
    assert gateway.infer([texts("a")], {"X-Deadline-Milliseconds": "soon"}).status == 400
    gateway.torchserve.gate.clear()
    late = gateway.infer([texts("a")], {"X-Deadline-Milliseconds": "50"})
    assert (late.status, late.json()["type"]) == (503, "/problems/deadline-passed")
    assert late.json()["error"].endswith("Try again in 1 s.")


def test_values_behind_the_json_are_read(gateway: Gateway) -> None:
    tensor = {"name": "text", "shape": [1], "datatype": "BYTES", "parameters": {"binary_data_size": 8}}
    head = json.dumps({"inputs": [tensor]}).encode()
    headers = {
        **SERVICE,
        "Inference-Header-Content-Length": str(len(head)),
        "Content-Type": "application/octet-stream",
    }
    path = f"{TENSORS}/mini/infer"
    answer = gateway.call("POST", path, head + b"\x04\0\0\0\xf0\x9f\x98\x80", headers)
    assert outputs(answer)["label"] == ["yes"]
    assert gateway.torchserve.calls[0][1] == [{"text": "😀"}]
    headers["Inference-Header-Content-Length"] = "9999"
    refused = gateway.call("POST", path, head, headers)
    assert (refused.status, refused.json()["field"]) == (400, "Inference-Header-Content-Length")


def test_who_may_ask_and_how_much_is_the_same(gateway: Gateway) -> None:
    strangers = gateway.call("POST", f"{TENSORS}/mini/infer", {"inputs": [texts("a")]}, {})
    assert (strangers.status, strangers.json()["error"][:16]) == (401, "You must sign in")
    person = uuid4()
    gateway.serve(model(), model("tiny-v1", submitted_by=str(uuid4()), published=False))
    headers = gateway.issuer.headers(person, ("annotator",))
    for method, path in (("GET", ""), ("GET", "/ready"), ("POST", "/infer")):
        body = {"inputs": [texts("a")]} if method == "POST" else None
        for name in ("tiny-v1", "tiny-v1-explain"):
            assert gateway.call(method, f"{TENSORS}/{name}{path}", body, headers).status == 404
    asked = [gateway.infer([texts(*["a" * 900] * 6)], headers) for _ in range(2)]
    assert [each.status for each in asked] == [200, 429]
    assert int(asked[1].headers["Retry-After"]) >= 1


def test_answers_are_counted_and_targets_are_closed(gateway: Gateway) -> None:
    headers = gateway.issuer.headers(uuid4(), ("annotator",))
    assert gateway.infer([texts("a", "error", "b")], headers).status == 200
    assert gateway.annotation.counted[0][1]["texts"] == 2
    gateway.annotation.in_the_loop.add("mini")
    for name in ("mini", "mini-explain"):
        refused = gateway.infer([texts("a")], headers, name)
        assert (refused.status, refused.json()["type"]) == (403, "/problems/target-in-the-loop")

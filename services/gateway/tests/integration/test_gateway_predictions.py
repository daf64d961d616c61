"""Predictions through a running gateway: answers, coalescing, limits, failures of the model server."""

import gzip
import json
from typing import Any
from uuid import uuid4

import pytest
from dynabench_common.auth.permissions import SERVICES, Permission
from dynabench_common.service_tokens import CALLERS
from dynabench_common.testing import service_headers, wait_until

from .conftest import (
    MODELS,
    PATIENCE_SECONDS,
    PREFIX,
    SERVICE,
    STATUSES,
    TENSORS,
    Gateway,
    model,
    wait_for_calls,
    write_key,
)
from .gateway_fakes import HANDLER_DIGEST, MODEL_DIGEST


def test_a_prediction_carries_the_digests_and_the_request_id(gateway: Gateway) -> None:
    answer = gateway.predict("I liked it", headers={"X-Request-Id": "request-7"})
    assert answer.status == 200
    assert answer.json() == {
        "predictions": [{"label": "yes", "probabilities": {"no": 0.25, "yes": 0.75}, "text": "I liked it"}],
        "model_digest": MODEL_DIGEST,
        "handler_digest": HANDLER_DIGEST,
    }
    assert answer.headers["X-Request-Id"] == "request-7"
    path, instances, headers = gateway.torchserve.calls[-1]
    assert (path, instances) == ("/predictions/mini", [{"text": "I liked it"}])
    assert headers["X-Request-Id"] == "request-7"
    line = wait_until(lambda: logged(gateway, "request-7"), PATIENCE_SECONDS, "the log line")
    assert (line["model"], line["instances"], line["status"]) == ("mini", 1, 200)
    assert line["milliseconds"] > 0


def logged(gateway: Gateway, request_id: str) -> dict[str, Any] | None:
    lines = gateway.log_lines("request_served")
    return next((line for line in lines if line["request_id"] == request_id), None)


@pytest.mark.parametrize("text", ["é", "e\u0301", "👩🏽‍🚀 ok", "<script>alert(1)</script>", '"quoted"\n\\'])
def test_text_arrives_unchanged(gateway: Gateway, text: str) -> None:
    assert gateway.predict(text).json()["predictions"][0]["text"] == text


def test_a_compressed_request_is_answered_as_any_other(gateway: Gateway) -> None:
    body = gzip.compress(json.dumps({"instances": [{"text": "👍🏽 packed"}]}).encode())
    headers = {**SERVICE, "Content-Type": "application/json", "Content-Encoding": "gzip"}
    answer = gateway.call("POST", f"{MODELS}/mini:predict", body, headers)
    assert (answer.status, answer.json()["predictions"][0]["text"]) == (200, "👍🏽 packed")
    broken = gateway.call("POST", f"{MODELS}/mini:predict", body[:-4], headers)
    assert (broken.status, broken.json()["type"]) == (400, "/problems/body-not-packed")


def test_an_instance_that_fails_leaves_its_neighbours_their_answers(gateway: Gateway) -> None:
    entries = gateway.predict("a", "error", "b").json()["predictions"]
    assert [entry.get("text") for entry in entries] == ["a", None, "b"]
    assert entries[1]["error"]["type"] == "prediction_failed"


def test_callers_who_wait_share_one_call(gateway: Gateway) -> None:
    gateway.torchserve.gate.clear()
    first = gateway.later(gateway.predict, "first")
    wait_for_calls(gateway, 1)
    others = [gateway.later(gateway.predict, f"text {i}") for i in range(6)]
    wait_until(lambda: gateway.in_flight() == 7, PATIENCE_SECONDS, "seven in hand")
    gateway.torchserve.gate.set()
    assert first.result().status == 200
    answers = [other.result().json()["predictions"][0]["text"] for other in others]
    assert answers == [f"text {i}" for i in range(6)]
    assert [len(instances) for _, instances, _ in gateway.torchserve.calls] == [1, 6]


def test_at_most_the_limit_is_in_flight(gateway: Gateway) -> None:
    gateway.torchserve.gate.clear()
    held = [gateway.later(gateway.predict, f"text {i}") for i in range(8)]
    wait_until(lambda: gateway.in_flight() == 8, PATIENCE_SECONDS, "eight in hand")
    refused = gateway.predict("one more")
    assert (refused.status, refused.headers["Retry-After"]) == (429, "1")
    assert refused.json()["type"] == "/problems/too-many-in-flight"
    gateway.torchserve.gate.set()
    assert [each.result().status for each in held] == [200] * 8


def test_a_worker_killed_once_costs_nobody_an_answer(gateway: Gateway) -> None:
    assert gateway.predict("crash once").status == 200
    assert len(gateway.torchserve.calls) == 2


def test_a_text_that_kills_workers_takes_no_neighbour_along(gateway: Gateway) -> None:
    gateway.torchserve.gate.clear()
    first = gateway.later(gateway.predict, "first")
    wait_for_calls(gateway, 1)
    good, bad = gateway.later(gateway.predict, "good"), gateway.later(gateway.predict, "crash")
    wait_until(lambda: gateway.in_flight() == 3, PATIENCE_SECONDS, "three in hand")
    gateway.torchserve.gate.set()
    assert (first.result().status, good.result().status) == (200, 200)
    assert bad.result().status == 503
    assert bad.result().json()["type"] == "/problems/model-crashed"
    assert int(bad.result().headers["Retry-After"]) > 0


def test_a_deadline_is_kept_and_others_are_not_harmed(gateway: Gateway) -> None:
    gateway.torchserve.gate.clear()
    first = gateway.later(gateway.predict, "first")
    wait_for_calls(gateway, 1)
    late = gateway.predict("late", headers={"X-Deadline-Milliseconds": "50"})
    assert (late.status, late.json()["type"]) == (503, "/problems/deadline-passed")
    assert late.headers["Retry-After"] == "1"
    gateway.torchserve.gate.set()
    assert first.result().status == 200
    assert all(
        instance["text"] != "late" for _, instances, _ in gateway.torchserve.calls for instance in instances
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("raise", "/problems/prediction-failed"),
        ("no worker", "/problems/model-not-ready"),
        ("wrong", "/problems/model-answer-unreadable"),
    ],
)
def test_failures_of_the_model_server_are_temporary(gateway: Gateway, text: str, kind: str) -> None:
    answer = gateway.predict(text)
    assert (answer.status, answer.json()["type"]) == (503, kind)
    assert int(answer.headers["Retry-After"]) > 0


def test_what_the_handler_refuses_is_the_callers_to_change(gateway: Gateway) -> None:
    answer = gateway.predict("refused")
    assert (answer.status, answer.json()["detail"]) == (422, "instances: not this one.")


def test_failures_in_a_row_open_the_breaker_and_one_success_closes_it(gateway: Gateway) -> None:
    def refused_while_open() -> bool:
        """Return whether all this happened before the breaker let a request through again."""
        for _ in range(3):
            gateway.predict("crash")
        calls = len(gateway.torchserve.calls)
        refused, status = gateway.predict("hello"), gateway.call("GET", f"{MODELS}/mini").json()
        return (
            (refused.status, refused.json().get("type")) == (503, "/problems/model-failing")
            and len(gateway.torchserve.calls) == calls
            and (status["ready"], status["breaker"]["state"]) == (False, "open")
        )

    wait_until(refused_while_open, PATIENCE_SECONDS, "a refusal without a call")
    wait_until(
        lambda: gateway.predict("hello").status == 200, PATIENCE_SECONDS, "the half-open breaker's probe"
    )
    assert gateway.call("GET", f"{MODELS}/mini").json()["breaker"]["state"] == "closed"


def test_a_model_server_that_restarts_is_found_again_with_its_new_key(gateway: Gateway) -> None:
    gateway.torchserve.stop()
    away = gateway.predict("hello")
    assert (away.status, away.json()["type"]) == (503, "/problems/model-server-away")
    gateway.torchserve.key = "second-key"
    write_key(gateway.key_file, "second-key")
    gateway.torchserve.start()
    wait_until(lambda: gateway.predict("hello").status == 200, PATIENCE_SECONDS, "an answer")


def test_a_model_that_is_not_ready_is_not_called(gateway: Gateway) -> None:
    gateway.serve(model(state="starting"), model("sick", state="failed", reason="it is broken"))
    starting, failed = gateway.predict("hello"), gateway.predict("hello", name="sick")
    assert (starting.status, starting.json()["type"]) == (503, "/problems/model-starting")
    assert int(starting.headers["Retry-After"]) > 0
    assert (failed.status, failed.json()["type"]) == (503, "/problems/model-failed")
    assert "it is broken" in failed.json()["detail"]
    assert gateway.torchserve.calls == []


def test_predictions_work_while_the_registry_is_unavailable(gateway: Gateway) -> None:
    gateway.registry.stop()
    wait_until(lambda: gateway.log_lines("routes_not_refreshed"), PATIENCE_SECONDS, "a look in vain")
    try:
        assert gateway.predict("hello").status == 200
        assert gateway.call("GET", "/healthz/ready").status == 200
    finally:
        gateway.registry.start()


def test_who_is_signed_in_may_ask(gateway: Gateway) -> None:
    assert gateway.predict("hello", headers=gateway.issuer.headers(uuid4(), ("annotator",))).status == 200
    assert gateway.call("POST", f"{MODELS}/mini:predict", {"instances": [{"text": "a"}]}, {}).status == 401


@pytest.mark.parametrize("service", CALLERS)
def test_services_ask_models_where_the_table_names_them(gateway: Gateway, service: str) -> None:
    headers = service_headers(service)
    answers = [gateway.predict("a", headers=headers), gateway.explain("a", headers=headers)]
    if service in SERVICES[Permission.USE_MODELS]:
        assert [answer.status for answer in answers] == [200, 200]
        return
    for answer in answers:
        assert (answer.status, answer.json()["type"]) == (403, "/problems/not-allowed")
        assert answer.json()["detail"] == f"The service {service} may not ask models directly."
    assert gateway.torchserve.calls == []


def test_models_are_listed_and_described(gateway: Gateway) -> None:
    assert gateway.call("GET", MODELS).json() == {"models": ["mini"]}
    status = gateway.call("GET", f"{MODELS}/mini").json()
    assert gateway.call("GET", STATUSES).json() == {"models": [status]}
    assert (status["name"], status["ready"], status["state"]) == ("mini", True, "ready")
    assert (status["task"], status["task_type"]) == ("sentiment", "text-classification")
    assert (status["fields"], status["labels"], status["start"]) == (["text"], ["no", "yes"], "always")
    assert (status["model_digest"], status["handler_digest"]) == (MODEL_DIGEST, HANDLER_DIGEST)
    assert status["explain"]["state"] == "ready"


@pytest.mark.parametrize("call", ["GET {}/unknown", "POST {}/unknown:predict", "POST {}/unknown:explain"])
def test_an_unknown_model_is_not_found(gateway: Gateway, call: str) -> None:
    method, path = call.format(MODELS).split(" ")
    answer = gateway.call(method, path, {"instances": [{"text": "a"}]} if method == "POST" else None)
    assert (answer.status, answer.json()["type"]) == (404, "/problems/model-not-found")
    assert answer.json()["field"] == "name"


@pytest.mark.parametrize("content_type", ["application/json", "application/x-www-form-urlencoded", None])
@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        (b"", 400, "body"),
        (b"{", 400, "body"),
        (b'{"instances": [{"text": NaN}]}', 400, "body"),
        (b"\xff\xfe", 400, "body"),
        (b"[" * 100_000, 400, "body"),
        (b"[]", 422, "body"),
        (b'{"instances": []}', 422, "instances"),
        (b'{"instances": [{"text": " "}]}', 422, "instances[0].text"),
        (b'{"instances": [{"text": "\\ud800"}]}', 422, "instances[0].text"),
        (b'{"instances": [{"text": "a\\u0000b"}]}', 422, "instances[0].text"),
        (json.dumps({"instances": [{"text": "x" * 1_001}]}).encode(), 422, "instances[0].text"),
        (b" " * 300_000, 413, "body"),
    ],
)
def test_unusable_bodies_never_reach_the_model_server(
    gateway: Gateway, body: bytes, status: int, field: str, content_type: str | None
) -> None:
    headers = {**SERVICE, **({"Content-Type": content_type} if content_type else {})}
    for verb in ("predict", "explain"):
        answer = gateway.call("POST", f"{MODELS}/mini:{verb}", body, headers)
        problem = answer.json()
        assert (answer.status, problem["field"]) == (status, field)
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert problem["remedy"]
    assert gateway.torchserve.calls == []


def test_a_deadline_that_is_no_number_is_refused(gateway: Gateway) -> None:
    answer = gateway.predict("hello", headers={"X-Deadline-Milliseconds": "soon"})
    assert (answer.status, answer.json()["field"]) == (400, "X-Deadline-Milliseconds")


def test_the_interface_is_described(gateway: Gateway) -> None:
    paths = gateway.call("GET", "/api/gateway/openapi.json", headers={}).json()["paths"]
    assert set(paths) == {
        MODELS,
        STATUSES,
        f"{MODELS}/{{name}}",
        f"{MODELS}/{{name}}:predict",
        f"{MODELS}/{{name}}:explain",
        *(f"{PREFIX}/v2{path}" for path in ("", "/health/live", "/health/ready")),
        *(
            f"{TENSORS}/{{name}}{version}{verb}"
            for version in ("", "/versions/{version}")
            for verb in ("", "/ready", "/infer")
        ),
    }
    assert "requestBody" in paths[f"{MODELS}/{{name}}:predict"]["post"]

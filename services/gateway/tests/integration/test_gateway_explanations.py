"""Explanations through a running gateway: the cache, shared computations, workers on demand, limits."""

from dynabench_common.testing import wait_until

from .conftest import MODELS, SERVICE, Gateway, model, wait_for_calls
from .gateway_twins import HANDLER_DIGEST, MODEL_DIGEST


def stopped(state: str = "stopped") -> dict[str, object]:
    explain = model()["explain"]
    return model(explain={**explain, "state": state, "reason": "no memory" if state == "failed" else None})


def test_an_explanation_is_made_once_and_remembered(gateway: Gateway) -> None:
    first = gateway.explain("remember me", {"n_steps": 20})
    assert (first.status, first.headers["X-Cache"]) == (200, "miss")
    assert first.json() == {
        "explanations": [{"label": "yes", "text": "remember me"}],
        "model_digest": MODEL_DIGEST,
        "handler_digest": HANDLER_DIGEST,
    }
    again = gateway.explain("remember me", {"n_steps": 20})
    assert (again.headers["X-Cache"], again.json()) == ("hit", first.json())
    assert [path for path, _, _ in gateway.torchserve.calls] == ["/predictions/mini-explain"]
    assert gateway.torchserve.parameters == [
        {"method": "layer_integrated_gradients", "baseline": "pad", "n_steps": 20}
    ]


def test_another_question_is_another_entry(gateway: Gateway) -> None:
    assert gateway.explain("questions", {"n_steps": 20}).headers["X-Cache"] == "miss"
    assert gateway.explain("questions", {"n_steps": 40}).headers["X-Cache"] == "miss"
    assert gateway.explain("questions", {"n_steps": 20, "label": "no"}).headers["X-Cache"] == "miss"
    assert gateway.torchserve.calls[-1][1] == [{"text": "questions", "label": "no"}]


def test_a_new_model_has_new_explanations(gateway: Gateway) -> None:
    assert gateway.explain("versions").headers["X-Cache"] == "miss"
    gateway.serve(model(model_digest="sha256:another"))
    wait_until(
        lambda: gateway.call("GET", f"{MODELS}/mini").json()["model_digest"] == "sha256:another",
        5,
        "a digest",
    )
    changed = gateway.explain("versions")
    assert (changed.status, changed.json()["type"]) == (503, "/problems/model-changed")


def test_those_who_ask_at_once_share_one_computation(gateway: Gateway) -> None:
    gateway.torchserve.gate.clear()
    asked = [gateway.later(gateway.explain, "shared") for _ in range(5)]
    wait_for_calls(gateway, 1)
    gateway.torchserve.gate.set()
    assert {each.result().status for each in asked} == {200}
    assert len(gateway.torchserve.calls) == 1


def test_only_a_few_are_computed_at_once(gateway: Gateway) -> None:
    gateway.torchserve.gate.clear()
    held = gateway.later(gateway.explain, "one")
    wait_for_calls(gateway, 1)
    refused = gateway.explain("two")
    assert (refused.status, refused.headers["Retry-After"]) == (429, "1")
    assert gateway.predict("hello", headers={"X-Deadline-Milliseconds": "1"}).status == 503
    gateway.torchserve.gate.set()
    assert held.result().status == 200


def test_what_was_begun_is_kept_even_when_its_caller_has_left(gateway: Gateway) -> None:
    gateway.torchserve.gate.clear()
    left = gateway.explain("left behind", headers={"X-Deadline-Milliseconds": "30"})
    assert (left.status, left.json()["type"]) == (503, "/problems/deadline-passed")
    gateway.torchserve.gate.set()
    wait_until(lambda: gateway.explain("left behind").headers.get("X-Cache") == "hit", 5, "a hit")
    assert len(gateway.torchserve.calls) == 1


def test_an_explanation_that_failed_is_not_remembered(gateway: Gateway) -> None:
    for _ in range(2):
        answer = gateway.explain("error")
        assert (answer.status, answer.headers["X-Cache"]) == (200, "miss")
        assert answer.json()["explanations"][0]["error"]["type"] == "prediction_failed"


def test_several_instances_are_explained_in_order(gateway: Gateway) -> None:
    body = {"instances": [{"text": "alpha"}, {"text": "beta", "label": "no"}]}
    first = gateway.call("POST", f"{MODELS}/mini:explain", body)
    assert [entry["text"] for entry in first.json()["explanations"]] == ["alpha", "beta"]
    assert gateway.explain("alpha").headers["X-Cache"] == "hit"


def test_stopped_workers_are_started_and_the_caller_is_told(gateway: Gateway) -> None:
    gateway.serve(stopped())
    answer = gateway.explain("wake up")
    assert (answer.status, answer.json()["type"]) == (503, "/problems/explainer-starting")
    assert "explanation workers are starting, usually 9-16 s" in answer.json()["detail"]
    assert int(answer.headers["Retry-After"]) > 0
    wait_until(lambda: "mini" in gateway.registry.started, 5, "the request to start")


def test_a_caller_may_wait_for_the_workers(gateway: Gateway) -> None:
    gateway.serve(stopped())
    waiting = gateway.later(gateway.explain, "worth the wait", None, {"Prefer": "respond-async, wait=20"})
    wait_until(lambda: gateway.registry.started, 5, "the request to start")
    gateway.registry.models = [stopped("starting")]
    assert not waiting.done()
    gateway.registry.models = [model()]
    assert waiting.result().status == 200


def test_workers_that_can_not_start_are_a_failure_with_its_reason(gateway: Gateway) -> None:
    gateway.serve(stopped("failed"))
    answer = gateway.explain("anybody there")
    assert (answer.status, answer.json()["type"]) == (503, "/problems/explainer-failed")
    assert "no memory" in answer.json()["detail"]


def test_cached_explanations_need_no_workers(gateway: Gateway) -> None:
    gateway.explain("kept")
    gateway.serve(stopped())
    assert gateway.explain("kept").headers["X-Cache"] == "hit"


def test_each_new_explanation_tells_the_registry_that_workers_are_used(gateway: Gateway) -> None:
    gateway.explain("in use")
    wait_until(lambda: "mini" in gateway.registry.started, 5, "the report of use")


def test_a_model_may_be_served_without_explanations(gateway: Gateway) -> None:
    gateway.serve(model(), model("plain", explain=None))
    answer = gateway.explain("why", name="plain")
    assert (answer.status, answer.json()["type"]) == (404, "/problems/explanations-not-served")


def test_an_unusable_parameter_is_named(gateway: Gateway) -> None:
    answer = gateway.explain("why", {"n_steps": 1_000})
    assert (answer.status, answer.json()["field"]) == (422, "parameters.n_steps")
    body = {"instances": [{"text": "x" * 201}]}
    long = gateway.call("POST", f"{MODELS}/mini:explain", body, SERVICE)
    assert (long.status, long.json()["field"]) == (422, "instances[0].text")

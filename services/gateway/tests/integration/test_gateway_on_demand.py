"""Models whose prediction workers start on demand. Each test has a model of its own: use is reported once a second."""

from typing import Any

from dynabench_common.testing import wait_until

from .conftest import MODELS, PATIENCE_SECONDS, Gateway, model


def on_demand(name: str, state: str = "stopped", **changes: Any) -> dict[str, Any]:
    return model(name, start="on_demand", state=state, **changes)


def test_stopped_workers_are_started_and_the_caller_is_informed(gateway: Gateway) -> None:
    gateway.serve(model(), on_demand("resting"))
    answer = gateway.predict("wake up", name="resting")
    assert (answer.status, answer.json()["type"]) == (503, "/problems/model-starting")
    assert "prediction workers are starting" in answer.json()["detail"]
    assert int(answer.headers["Retry-After"]) > 0
    wait_until(lambda: "resting/predictor" in gateway.registry.started, PATIENCE_SECONDS, "a request")
    assert gateway.torchserve.calls == []


def test_a_caller_may_wait_for_the_workers(gateway: Gateway) -> None:
    gateway.serve(model(), on_demand("patient"))
    waiting = gateway.later(gateway.predict, "worth the wait", name="patient", headers={"Prefer": "wait=30"})
    wait_until(lambda: "patient/predictor" in gateway.registry.started, PATIENCE_SECONDS, "a request")
    gateway.registry.models = [model(), on_demand("patient", "starting")]
    assert not waiting.done()
    gateway.registry.models = [model(), on_demand("patient", "ready")]
    assert waiting.result().status == 200
    assert waiting.result().json()["predictions"][0]["text"] == "worth the wait"


def test_workers_that_can_not_start_are_a_failure_with_its_reason(gateway: Gateway) -> None:
    gateway.serve(model(), on_demand("broken", "failed", reason="no memory"))
    answer = gateway.predict("anybody there", name="broken", headers={"Prefer": "wait=1"})
    assert (answer.status, answer.json()["type"]) == (503, "/problems/model-failed")
    assert "no memory" in answer.json()["detail"]


def test_a_model_that_goes_while_somebody_waits_is_not_found(gateway: Gateway) -> None:
    gateway.serve(model(), on_demand("leaving"))
    waiting = gateway.later(gateway.predict, "still there", name="leaving", headers={"Prefer": "wait=30"})
    wait_until(lambda: "leaving/predictor" in gateway.registry.started, PATIENCE_SECONDS, "a request")
    gateway.registry.models = [model()]
    assert (waiting.result().status, waiting.result().json()["type"]) == (404, "/problems/model-not-found")


def test_predictions_report_use_of_workers_to_the_registry(gateway: Gateway) -> None:
    gateway.serve(model(), on_demand("busy", "ready"))
    for _ in range(20):
        assert gateway.predict("in use", name="busy").status == 200
    wait_until(lambda: "busy/predictor" in gateway.registry.started, PATIENCE_SECONDS, "the report of use")
    gateway.registry.started.clear()
    wait_until(
        lambda: (
            gateway.predict("in use", name="busy").status == 200
            and "busy/predictor" in gateway.registry.started
        ),
        PATIENCE_SECONDS,
        "another report",
    )


def test_workers_that_always_run_are_not_reported(gateway: Gateway) -> None:
    gateway.serve(model(), model("steady"), on_demand("asked", "ready"))
    assert gateway.predict("in use", name="steady").status == 200
    assert gateway.predict("in use", name="asked").status == 200
    wait_until(lambda: "asked/predictor" in gateway.registry.started, PATIENCE_SECONDS, "the report of use")
    assert "steady/predictor" not in gateway.registry.started


def test_the_status_names_models_that_start_on_demand(gateway: Gateway) -> None:
    gateway.serve(model(), on_demand("sleepy"))
    status = gateway.call("GET", f"{MODELS}/sleepy").json()
    assert (status["start"], status["state"], status["ready"]) == ("on_demand", "stopped", False)


def test_an_unusable_instance_starts_nothing(gateway: Gateway) -> None:
    gateway.serve(model(), on_demand("strict"), on_demand("later"))
    assert gateway.predict(" ", name="strict").status == 422
    assert gateway.predict("wake up", name="later").status == 503
    wait_until(lambda: "later/predictor" in gateway.registry.started, PATIENCE_SECONDS, "a request")
    assert "strict/predictor" not in gateway.registry.started


def test_a_prediction_warms_the_explainer_that_is_declared_so_and_no_other(gateway: Gateway) -> None:
    warm, cold = model("warm"), model("cold")
    warm["explain"] |= {"state": "stopped", "start": "with_predictions"}
    cold["explain"] |= {"state": "stopped", "start": "on_demand"}
    gateway.serve(warm, cold)
    assert gateway.predict("first try", name="cold").status == 200
    assert gateway.predict("first try", name="warm").status == 200
    wait_until(lambda: "warm/explainer" in gateway.registry.started, PATIENCE_SECONDS, "the report of use")
    assert "cold/explainer" not in gateway.registry.started

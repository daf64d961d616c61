"""Explanations through a running gateway: the cache, shared computations, workers on demand, limits."""

import json
import socket

from dynabench_common.http.client import ON_BEHALF_OF
from dynabench_common.testing import service_headers, wait_until
from gateway.domain.fair_queue import MOST_WAITING_OF_ONE

from .conftest import MODELS, PATIENCE_SECONDS, SERVICE, Gateway, model, wait_for_calls
from .gateway_fakes import HANDLER_DIGEST, MODEL_DIGEST, explanation


def stopped(state: str = "stopped", name: str = "mini") -> dict[str, object]:
    explain = model(name)["explain"]
    reason = "no memory" if state == "failed" else None
    return model(name, explain={**explain, "state": state, "reason": reason})


def test_an_explanation_is_made_once_and_remembered(gateway: Gateway) -> None:
    first = gateway.explain("remember me", {"n_steps": 20})
    assert (first.status, first.headers["X-Cache"]) == (200, "miss")
    assert first.json() == {
        "explanations": [explanation({"text": "remember me"})],
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
    changed = gateway.explain("versions")
    assert (changed.status, changed.json()["type"]) == (503, "/problems/model-changed")


def test_those_who_ask_at_once_share_one_computation(gateway: Gateway) -> None:
    gateway.torchserve.gate.clear()
    asked = [gateway.later(gateway.explain, "shared") for _ in range(5)]
    wait_for_calls(gateway, 1)
    gateway.torchserve.gate.set()
    assert {each.result().status for each in asked} == {200}
    assert len(gateway.torchserve.calls) == 1


def test_only_a_few_are_computed_at_once_and_a_few_wait(gateway: Gateway) -> None:
    gateway.torchserve.gate.clear()
    held = gateway.later(gateway.explain, "one")
    wait_for_calls(gateway, 1)
    waiting = [gateway.later(gateway.explain, f"waits {number}") for number in range(MOST_WAITING_OF_ONE + 1)]
    wait_until(lambda: any(each.done() for each in waiting), PATIENCE_SECONDS, "a refusal")
    (refused,) = [each.result() for each in waiting if each.done()]
    assert (refused.status, refused.headers["Retry-After"]) == (429, "1")
    prediction = gateway.later(gateway.predict, "hello")
    wait_for_calls(gateway, 2)
    assert [path for path, _, _ in gateway.torchserve.calls].count("/predictions/mini-explain") == 1
    gateway.torchserve.gate.set()
    assert {each.result().status for each in [held, prediction, *waiting]} == {200, 429}
    assert [each.result().status for each in waiting].count(200) == MOST_WAITING_OF_ONE


def test_one_person_leaves_a_place_to_the_others(gateway: Gateway) -> None:
    explain = model()["explain"]
    gateway.serve(model(explain={**explain, "max_in_flight": 2}))
    wait_until(lambda: status(gateway)["max_in_flight"] == 2, PATIENCE_SECONDS, "two places")
    gateway.torchserve.gate.clear()
    greedy, other = ({ON_BEHALF_OF: name} for name in ("greedy", "other"))
    asked = [gateway.later(gateway.explain, f"long {number}", headers=greedy) for number in range(3)]
    wait_for_calls(gateway, 1)
    asked.append(gateway.later(gateway.explain, "short", headers=other))
    wait_until(
        lambda: any(instances == [{"text": "short"}] for _, instances, _ in gateway.torchserve.calls),
        PATIENCE_SECONDS,
        "the other one's",
    )
    assert len(gateway.torchserve.calls) == 2
    gateway.torchserve.gate.set()
    assert {each.result().status for each in asked} == {200}


def test_only_annotation_may_call_on_behalf_of_a_person(gateway: Gateway) -> None:
    explain = model()["explain"]
    gateway.serve(model(explain={**explain, "max_in_flight": 2}))
    wait_until(lambda: status(gateway)["max_in_flight"] == 2, PATIENCE_SECONDS, "two places")
    gateway.torchserve.gate.clear()
    names = [{**service_headers("scoring"), ON_BEHALF_OF: f"made up {number}"} for number in range(3)]
    asked = [
        gateway.later(gateway.explain, f"of nobody {number}", headers=names[number]) for number in range(3)
    ]
    wait_for_calls(gateway, 1)
    wait_until(lambda: waiting(gateway) == 2, PATIENCE_SECONDS, "the other two to wait, as of one caller")
    asked.append(gateway.later(gateway.explain, "of somebody", headers={ON_BEHALF_OF: "somebody"}))
    wait_for_calls(gateway, 2)
    assert [{"text": "of somebody"}] in [instances for _, instances, _ in gateway.torchserve.calls]
    gateway.torchserve.gate.set()
    assert {each.result().status for each in asked} == {200}


def test_a_waiting_explanation_is_dropped_with_its_caller(gateway: Gateway) -> None:
    gateway.torchserve.gate.clear()
    held = gateway.later(gateway.explain, "held")
    wait_for_calls(gateway, 1)
    body = json.dumps({"instances": [{"text": "nobody wants it"}]}).encode()
    host, _, port = gateway.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), PATIENCE_SECONDS) as connection:
        head = f"POST {MODELS}/mini:explain HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n"
        head += f"Authorization: {SERVICE['Authorization']}\r\n\r\n"
        connection.sendall(head.encode() + body)
        wait_until(lambda: waiting(gateway) == 1, PATIENCE_SECONDS, "it to wait")
    wait_until(lambda: waiting(gateway) == 0, PATIENCE_SECONDS, "it to be gone")
    gateway.torchserve.gate.set()
    assert held.result().status == 200
    assert gateway.explain("last").status == 200
    assert [{"text": "nobody wants it"}] not in [instances for _, instances, _ in gateway.torchserve.calls]


def status(gateway: Gateway) -> dict[str, int]:
    found: dict[str, int] = gateway.call("GET", f"{MODELS}/mini").json()["explain"]
    return found


def waiting(gateway: Gateway) -> int:
    return status(gateway)["waiting"]


def test_what_was_begun_is_kept_even_when_its_caller_has_left(gateway: Gateway) -> None:
    gateway.torchserve.gate.clear()
    left = gateway.explain("left behind", headers={"X-Deadline-Milliseconds": "30"})
    assert (left.status, left.json()["type"]) == (503, "/problems/deadline-passed")
    gateway.torchserve.gate.set()
    wait_until(
        lambda: gateway.explain("left behind").headers.get("X-Cache") == "hit", PATIENCE_SECONDS, "a hit"
    )
    assert len(gateway.torchserve.calls) == 1


def test_an_explanation_that_failed_is_not_remembered(gateway: Gateway) -> None:
    for _ in range(2):
        answer = gateway.explain("error")
        assert (answer.status, answer.headers["X-Cache"]) == (200, "miss")
        assert answer.json()["explanations"][0]["error"]["type"] == "prediction_failed"


def test_several_instances_are_explained_in_order(gateway: Gateway) -> None:
    body = {"instances": [{"text": "alpha"}, {"text": "beta", "label": "no"}]}
    first = gateway.call("POST", f"{MODELS}/mini:explain", body)
    assert [entry["tokens"][0]["text"] for entry in first.json()["explanations"]] == ["alpha", "beta"]
    assert gateway.explain("alpha").headers["X-Cache"] == "hit"


def test_stopped_workers_are_started_and_the_caller_is_informed(gateway: Gateway) -> None:
    gateway.serve(model(), stopped(name="resting"))
    answer = gateway.explain("wake up", name="resting")
    assert (answer.status, answer.json()["type"]) == (503, "/problems/explainer-starting")
    assert "explanation workers are starting, usually 9-16 s" in answer.json()["detail"]
    assert int(answer.headers["Retry-After"]) > 0
    wait_until(lambda: "resting/explainer" in gateway.registry.started, PATIENCE_SECONDS, "a request")
    assert "resting/predictor" not in gateway.registry.started


def test_a_caller_may_wait_for_the_workers(gateway: Gateway) -> None:
    gateway.serve(model(), stopped(name="patient"))
    prefer = {"Prefer": "respond-async, wait=30"}
    waiting = gateway.later(gateway.explain, "worth the wait", None, prefer, "patient")
    wait_until(lambda: "patient/explainer" in gateway.registry.started, PATIENCE_SECONDS, "a request")
    gateway.registry.models = [model(), stopped("starting", "patient")]
    assert not waiting.done()
    gateway.registry.models = [model(), model("patient")]
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


def test_new_explanations_report_use_of_workers_to_the_registry(gateway: Gateway) -> None:
    gateway.serve(model(), model("busy"))
    assert gateway.explain("in use", name="busy").status == 200
    wait_until(lambda: "busy/explainer" in gateway.registry.started, PATIENCE_SECONDS, "the report of use")


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


def question(**changes: object) -> dict[str, object]:
    return {"passage": "Ada saw it.", "question": "Who?", **changes}


def test_an_answer_in_a_passage_is_explained_by_where_it_starts_or_ends(gateway: Gateway) -> None:
    gateway.serve(
        model(), model("reader", task_type="extractive-qa", fields=["passage", "question"], labels=[])
    )
    first = gateway.explain_instance("reader", question())
    entry = first.json()["explanations"][0]
    assert (first.status, first.headers["X-Cache"], entry["label"]) == (200, "miss", "start")
    assert [token["field"] for token in entry["tokens"]] == ["passage", "question"]
    others = [
        question(label="end"),
        question(answer={"start": 0, "end": 3}),
        question(answer={"start": 4, "end": 7}),
        question(answer={"start": 0, "end": 3}, label="end"),
        question(question="What?"),
    ]
    assert {gateway.explain_instance("reader", each).headers["X-Cache"] for each in others} == {"miss"}
    for same in (question(label="start"), question(answer=None), *others):
        assert gateway.explain_instance("reader", same).headers["X-Cache"] == "hit"
    assert gateway.torchserve.calls[-2][1] == [question(label="end", answer={"start": 0, "end": 3})]


def test_an_unusable_answer_is_named(gateway: Gateway) -> None:
    gateway.serve(
        model(), model("reader", task_type="extractive-qa", fields=["passage", "question"], labels=[])
    )
    outside = gateway.explain_instance("reader", question(answer={"start": 0, "end": 12}))
    assert (outside.status, outside.json()["field"]) == (422, "instances[0].answer")
    foreign = gateway.explain_instance("mini", {"text": "why", "answer": {"start": 0, "end": 1}})
    assert (foreign.status, foreign.json()["field"]) == (422, "instances[0].answer")
    assert gateway.torchserve.calls == []

"""A dispatcher against a model server in memory: coalescing, the second try, admission, deadlines, the breaker."""

import time
from collections.abc import Sequence
from dataclasses import replace

import gevent
import pytest
from gateway.domain.answers import BatchAnswer
from gateway.domain.breaker import CircuitBreaker
from gateway.domain.coalescer import Coalescer
from gateway.domain.deadline import Timeout
from gateway.domain.errors import CallFailed, Fault, RequestRefused, TooManyInFlight, Unavailable
from gateway.domain.requests import Instance
from gateway.service_layer.model_dispatcher import ModelDispatcher
from gevent.event import Event

from .test_gateway_requests import ROUTE

PATIENT = Timeout(90.0)


class ServerInMemory:
    """Echoes texts. `gate` delays answers; the configured texts fail."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.request_ids: list[str] = []
        self.gate = Event()
        self.gate.set()
        self.crash_once: set[str] = set()
        self.crash: set[str] = set()
        self.fault: Fault | None = None
        self.replaced_at = 1_000

    def predict(
        self, serving_name: str, instances: Sequence[Instance], *, timeout_seconds: float, request_id: str
    ) -> BatchAnswer:
        texts = [instance["text"] for instance in instances]
        self.calls.append(texts)
        self.request_ids.append(request_id)
        self.gate.wait()
        if self.fault is not None:
            raise CallFailed(self.fault, "as told")
        fatal = self.crash.intersection(texts) or self.crash_once.intersection(texts)
        self.crash_once -= set(texts)
        if fatal:
            raise CallFailed(Fault.CRASHED, "Worker died.")
        model_digest = "sha256:m" if len(self.calls) < self.replaced_at else "sha256:m2"
        return BatchAnswer([{"label": text} for text in texts], model_digest, "sha256:h")

    def explain(self, *_args: object, **_named: object) -> BatchAnswer:
        raise AssertionError("a dispatcher never explains")


@pytest.fixture
def server() -> ServerInMemory:
    return ServerInMemory()


@pytest.fixture
def dispatcher(server: ServerInMemory) -> ModelDispatcher:
    return ModelDispatcher(
        lambda _: server, Coalescer(1, 16), CircuitBreaker(3, 60.0, time.monotonic), time.monotonic
    )


ONE_WORKER = replace(ROUTE, workers=1)


def ask(
    dispatcher: ModelDispatcher, *texts: str, timeout: Timeout = PATIENT
) -> "gevent.Greenlet[..., object]":
    def labels() -> object:
        instances: list[Instance] = [{"text": text} for text in texts]
        try:
            answer = dispatcher.predict(ONE_WORKER, instances, timeout, f"id-{texts[0]}")
        except (RequestRefused, TooManyInFlight, Unavailable) as err:
            return err
        return [entry["label"] if "label" in entry else entry["error"]["type"] for entry in answer.entries]

    return gevent.spawn(labels)


def outcome(asked: "gevent.Greenlet[..., object]") -> object:
    return asked.get(timeout=90)


def test_waiting_callers_share_a_call_and_get_their_own_answers(
    dispatcher: ModelDispatcher, server: ServerInMemory
) -> None:
    server.gate.clear()
    asked = [ask(dispatcher, "a"), ask(dispatcher, "b", "c"), ask(dispatcher, "d")]
    gevent.sleep(0)
    server.gate.set()
    assert [outcome(each) for each in asked] == [["a"], ["b", "c"], ["d"]]
    assert server.calls == [["a"], ["b", "c", "d"]]
    assert server.request_ids == ["id-a", "id-b,id-d"]
    assert dispatcher.in_flight == 0


def test_a_large_request_is_answered_in_order(dispatcher: ModelDispatcher, server: ServerInMemory) -> None:
    texts = [f"t{i}" for i in range(40)]
    assert outcome(ask(dispatcher, *texts)) == texts
    assert [len(call) for call in server.calls] == [16, 16, 8]


def test_after_a_crash_everyone_is_tried_again_alone(
    dispatcher: ModelDispatcher, server: ServerInMemory
) -> None:
    server.crash = {"poison"}
    server.gate.clear()
    asked = [
        ask(dispatcher, "first"),
        ask(dispatcher, "a", "poison"),
        ask(dispatcher, "b"),
        ask(dispatcher, "poison"),
    ]
    gevent.sleep(0)
    server.gate.set()
    results = [outcome(each) for each in asked]
    assert results[:3] == [["first"], ["a", "worker_crashed"], ["b"]]
    assert isinstance(results[3], Unavailable)
    assert results[3].slug == "model-crashed"
    assert server.calls[2:] == [["a"], ["poison"], ["b"], ["poison"]]


def test_a_worker_that_was_killed_costs_nobody_an_answer(
    dispatcher: ModelDispatcher, server: ServerInMemory
) -> None:
    server.crash_once = {"a"}
    assert outcome(ask(dispatcher, "a")) == ["a"]
    assert server.calls == [["a"], ["a"]]


def test_a_failed_batch_of_one_is_not_tried_again(
    dispatcher: ModelDispatcher, server: ServerInMemory
) -> None:
    server.fault = Fault.BATCH_FAILED
    failed = outcome(ask(dispatcher, "a"))
    assert isinstance(failed, Unavailable)
    assert failed.slug == "prediction-failed"
    assert len(server.calls) == 1


def test_at_most_the_limit_is_in_flight(dispatcher: ModelDispatcher, server: ServerInMemory) -> None:
    server.gate.clear()
    asked = [ask(dispatcher, f"t{i}") for i in range(ONE_WORKER.max_in_flight)]
    gevent.sleep(0)
    assert isinstance(outcome(ask(dispatcher, "one more")), TooManyInFlight)
    server.gate.set()
    assert [outcome(each) for each in asked] == [[f"t{i}"] for i in range(ONE_WORKER.max_in_flight)]


def test_one_who_can_not_wait_leaves_the_others_their_answers(
    dispatcher: ModelDispatcher, server: ServerInMemory
) -> None:
    server.gate.clear()
    first, hasty, patient = (
        ask(dispatcher, "a"),
        ask(dispatcher, "b", timeout=Timeout(0.01, True)),
        ask(dispatcher, "c"),
    )
    late = outcome(hasty)
    assert isinstance(late, Unavailable)
    assert late.slug == "deadline-passed"
    server.gate.set()
    assert [outcome(first), outcome(patient)] == [["a"], ["c"]]
    assert ["b"] not in server.calls


def test_the_breaker_opens_after_failures_in_a_row(
    dispatcher: ModelDispatcher, server: ServerInMemory
) -> None:
    server.fault = Fault.AWAY
    for _ in range(3):
        assert getattr(outcome(ask(dispatcher, "a")), "slug", "") == "model-server-away"
    refused = outcome(ask(dispatcher, "a"))
    assert isinstance(refused, Unavailable)
    assert refused.slug == "model-failing"
    assert len(server.calls) == 3


def test_impatient_callers_do_not_open_the_breaker(
    dispatcher: ModelDispatcher, server: ServerInMemory
) -> None:
    server.fault = Fault.TIMED_OUT
    for _ in range(5):
        outcome(ask(dispatcher, "a", timeout=Timeout(1.0, shortened=True)))
    assert dispatcher.breaker.admit()


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Fault.REFUSED, RequestRefused),
        (Fault.BATCH_FAILED, Unavailable),
        (Fault.UNREADABLE, Unavailable),
    ],
)
def test_texts_that_a_handler_can_not_answer_open_no_breaker(
    dispatcher: ModelDispatcher, server: ServerInMemory, fault: Fault, expected: type
) -> None:
    server.fault = fault
    for _ in range(5):
        assert isinstance(outcome(ask(dispatcher, "a")), expected)
    assert dispatcher.breaker.admit()


def test_a_timeout_of_many_texts_advises_to_send_fewer(
    dispatcher: ModelDispatcher, server: ServerInMemory
) -> None:
    server.gate.clear()
    ask(dispatcher, "keeps the worker")
    gevent.sleep(0)
    late = outcome(ask(dispatcher, *(f"t{n}" for n in range(11)), timeout=Timeout(0.05)))
    assert isinstance(late, Unavailable)
    assert late.instances == 11
    server.gate.set()


def test_parts_answered_by_two_versions_are_no_answer(
    dispatcher: ModelDispatcher, server: ServerInMemory
) -> None:
    server.replaced_at = 2
    changed = outcome(ask(dispatcher, *[f"t{i}" for i in range(17)]))
    assert isinstance(changed, Unavailable)
    assert changed.slug == "model-changed"

"""Traces of a shared call to a model: its span belongs to the first recorded caller, with links to the others."""

import time
from collections.abc import Sequence

import gevent
import pytest
from dynabench_common.telemetry.spans import begin_request
from dynabench_common.telemetry.trace_export import TracingSettings, begin_export, end_export
from gateway.adapters.connections import trace_header
from gateway.domain.answers import BatchAnswer
from gateway.domain.breaker import CircuitBreaker
from gateway.domain.coalescer import Coalescer
from gateway.domain.requests import Instance
from gateway.service_layer.model_dispatcher import ModelDispatcher

from tests.collector import Collector

from .test_gateway_model_dispatcher import ONE_WORKER, PATIENT, ServerInMemory

TRACES = ["1" * 32, "2" * 32, "3" * 32, "4" * 32]


class RecordingServer(ServerInMemory):
    """Records the trace headers for a model server."""

    def __init__(self) -> None:
        super().__init__()
        self.headers: list[dict[str, str]] = []

    def predict(
        self, serving_name: str, instances: Sequence[Instance], *, timeout_seconds: float, request_id: str
    ) -> BatchAnswer:
        self.headers.append(trace_header())
        return super().predict(
            serving_name, instances, timeout_seconds=timeout_seconds, request_id=request_id
        )


@pytest.fixture
def server() -> RecordingServer:
    return RecordingServer()


@pytest.fixture
def dispatcher(server: RecordingServer) -> ModelDispatcher:
    return ModelDispatcher(
        lambda _: server, Coalescer(1, 16), CircuitBreaker(3, 60.0, time.monotonic), time.monotonic
    )


def ask_together(dispatcher: ModelDispatcher, server: RecordingServer, flags: Sequence[str]) -> None:
    """Let one call, and the others while the model answers it: these share the next call."""

    def ask(trace_id: str, flag: str) -> None:
        begin_request("POST", f"00-{trace_id}-{'a' * 16}-{flag}").end()
        dispatcher.predict(ONE_WORKER, [{"text": trace_id}], PATIENT, "an-id")

    server.gate.clear()
    asking = []
    for trace_id, flag in zip(TRACES, flags, strict=True):
        asking.append(gevent.spawn(ask, trace_id, flag))
        gevent.sleep(0.01)
    server.gate.set()
    gevent.joinall(asking, raise_error=True)
    assert [len(call) for call in server.calls] == [1, 3]


def test_callers_of_one_call_are_its_parent_and_its_links(
    dispatcher: ModelDispatcher, server: RecordingServer, collector: Collector
) -> None:
    begin_export("gateway", TracingSettings(otel_exporter_otlp_endpoint=collector.address))
    ask_together(dispatcher, server, ["01", "00", "01", "01"])
    end_export()
    requests = {span.trace_id: span.span_id for span in collector.spans() if span.kind == "server"}
    alone, together = sorted(
        (span for span in collector.spans() if span.kind == "client"),
        key=lambda span: span.attributes["dynabench.instances"],
    )
    assert (alone.trace_id, alone.parent_id) == (TRACES[0], requests[TRACES[0]])
    assert (together.trace_id, together.parent_id) == (TRACES[2], requests[TRACES[2]])
    assert requests[TRACES[3]] in together.links
    assert len(together.links) == 2
    assert together.name == f"predict {ONE_WORKER.serving_name}"
    assert server.headers == [
        {"traceparent": f"00-{span.trace_id}-{span.span_id}-01"} for span in (alone, together)
    ]


def test_unrecorded_callers_send_their_trace_on(dispatcher: ModelDispatcher, server: RecordingServer) -> None:
    ask_together(dispatcher, server, ["01", "00", "01", "01"])
    assert server.headers == [
        {"traceparent": f"00-{trace_id}-{'a' * 16}-{flag}"}
        for trace_id, flag in ((TRACES[0], "01"), (TRACES[1], "00"))
    ]

"""Traces continue whether or not they are recorded; spans reach the collector and delay no request."""

import json
import logging
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest
import structlog
import urllib3
from dynabench_common.http.client import JsonClient, UpstreamError
from dynabench_common.http.service import json_response, service_app
from dynabench_common.settings import SettingsError, load
from dynabench_common.telemetry.logging import configure_logging, get_logger
from dynabench_common.telemetry.spans import begin_unwatched
from dynabench_common.telemetry.trace_export import (
    MOST_SENT_AT_ONCE,
    MOST_WAITING,
    TracingSettings,
    begin_export,
    end_export,
)
from dynabench_common.telemetry.tracing import current_traceparent
from dynabench_common.testing import Issuer, wait_until
from flask import Response
from flask.testing import FlaskClient

from tests.collector import Collector

TRACE, CALLER = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SAMPLED = f"00-{TRACE}-{CALLER}-01"
UNSAMPLED = f"00-{TRACE}-{CALLER}-00"
ROUTE = "/things/<name>"
SERVED = """
import os
from dynabench_common.http.service import service_app, json_response
from dynabench_common.testing import Issuer

def make():
    app = service_app("events", verifier=Issuer().verifier())
    app.add_url_rule("/", "pid", lambda: json_response({"pid": os.getpid()}))
    return app
"""
SERVER = """
import sys
if sys.argv[1] == "gevent":
    from gevent import monkey
    monkey.patch_all()
from dynabench_common.http.serve import run_http
from dynabench_common.settings import ServiceSettings, load

chosen = {"worker_class": "gevent"} if sys.argv[1] == "gevent" else {}
run_http("common", "served:make", load(ServiceSettings), **chosen)
"""


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


@pytest.fixture
def client() -> FlaskClient:
    """An app that returns its trace, calls an unavailable service, and raises."""
    app = service_app("events", verifier=Issuer().verifier())
    away = JsonClient(f"http://127.0.0.1:{free_port()}", 2)

    def tell(name: str) -> Response:
        get_logger("made").info("told", name=name)
        return json_response({"traceparent": current_traceparent()})

    def call() -> Response:
        try:
            away.call("POST", "/api/gateway/v1/models/a:predict", {})
        except UpstreamError:
            return json_response({"traceparent": current_traceparent()})
        raise AssertionError("the service is away")

    def fail() -> Response:
        raise RuntimeError("broken")

    app.add_url_rule(ROUTE, "tell", tell)
    app.add_url_rule("/call", "call", call)
    app.add_url_rule("/broken", "fail", fail)
    return app.test_client()


def export_to(address: str, ratio: float = 1.0) -> None:
    begin_export(
        "common", TracingSettings(otel_exporter_otlp_endpoint=address, otel_traces_sampler_arg=ratio)
    )


def asked(client: FlaskClient, path: str = "/things/a", traceparent: str | None = None) -> list[str]:
    """Return the parts of the trace context that a request was served with."""
    answer = client.get(path, headers={"traceparent": traceparent} if traceparent else {})
    parts: list[str] = answer.get_json()["traceparent"].split("-")
    return parts


def test_a_trace_that_comes_in_goes_on_unrecorded(client: FlaskClient) -> None:
    assert "-".join(asked(client, traceparent=SAMPLED)) == SAMPLED
    assert "-".join(asked(client, traceparent=UNSAMPLED)) == UNSAMPLED


@pytest.mark.parametrize(
    "malformed",
    [
        "nonsense",
        SAMPLED.upper(),
        SAMPLED + "-more",
        SAMPLED[:-1],
        f"00-{'0' * 32}-{CALLER}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"ff-{TRACE}-{CALLER}-01",
        "0" * 600,
        f"{SAMPLED},{SAMPLED}",
    ],
)
def test_a_malformed_trace_is_ignored_and_a_new_one_begun(client: FlaskClient, malformed: str) -> None:
    version, trace_id, span_id, flags = asked(client, traceparent=malformed)
    assert (version, flags) == ("00", "00")
    assert len(trace_id) == 32
    assert trace_id not in (TRACE, "0" * 32)
    assert span_id not in (CALLER, "0" * 16)


def test_each_request_without_one_begins_a_trace(client: FlaskClient) -> None:
    assert len({asked(client)[1] for _ in range(5)}) == 5


def test_a_request_and_the_call_that_it_makes_are_spans(client: FlaskClient, collector: Collector) -> None:
    export_to(collector.address)
    asked(client, "/call", SAMPLED)
    end_export()
    served = next(span for span in collector.spans(TRACE) if span.kind == "server")
    called = next(span for span in collector.spans(TRACE) if span.kind == "client")
    assert (served.name, served.parent_id, served.failed) == ("GET /call", CALLER, False)
    assert served.attributes["http.request.method"] == "GET"
    assert served.attributes["http.route"] == "/call"
    assert served.attributes["http.response.status_code"] == 200
    assert served.attributes["dynabench.request_id"]
    assert (called.name, called.parent_id, called.failed) == ("POST /api/gateway", served.span_id, True)
    assert called.attributes["error.type"] == "NewConnectionError"
    assert served.service == "common"


def test_failures_are_marked_and_health_checks_left_out(client: FlaskClient, collector: Collector) -> None:
    export_to(collector.address)
    client.get("/broken")
    client.get("/nowhere/at/all")
    client.get("/healthz/live")
    end_export()
    found = {span.name: span for span in collector.spans()}
    assert set(found) == {"GET /broken", "GET"}
    assert found["GET /broken"].failed
    assert found["GET /broken"].attributes["error.type"] == "500"
    assert not found["GET"].failed


def test_the_caller_decides_what_is_recorded_and_the_share_is_of_the_rest(
    client: FlaskClient, collector: Collector
) -> None:
    export_to(collector.address, ratio=0.0)
    new = asked(client)
    unsampled = asked(client, traceparent=UNSAMPLED)
    assert int(new[3], 16) & 1 == int(unsampled[3], 16) & 1 == 0
    assert unsampled[1] == TRACE
    assert asked(client, traceparent=SAMPLED)[1] == TRACE
    end_export()
    assert [(span.trace_id, span.parent_id) for span in collector.spans()] == [(TRACE, CALLER)]


def test_internal_calls_begin_no_recorded_trace(collector: Collector) -> None:
    export_to(collector.address)
    begin_unwatched()
    with pytest.raises(UpstreamError):
        JsonClient(f"http://127.0.0.1:{free_port()}", 1).call("GET", "/api/registry/v1/routes")
    end_export()
    assert collector.spans() == []


def test_log_lines_name_trace_and_span(client: FlaskClient, capsys: pytest.CaptureFixture[str]) -> None:
    handlers, level, configuration = logging.root.handlers[:], logging.root.level, structlog.get_config()
    try:
        configure_logging("made")
        structlog.configure(cache_logger_on_first_use=False)
        asked(client, traceparent=SAMPLED)
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    finally:
        logging.root.handlers[:] = handlers
        logging.root.setLevel(level)
        structlog.configure(**configuration)
    assert {line["event"] for line in lines} == {"told", "request_served"}
    assert {(line["trace_id"], line["span_id"]) for line in lines} == {(TRACE, CALLER)}


@pytest.mark.long
def test_an_unavailable_collector_costs_only_the_oldest_spans(client: FlaskClient) -> None:
    port = free_port()
    export_to(f"http://127.0.0.1:{port}")
    wanted = MOST_WAITING + 2 * MOST_SENT_AT_ONCE
    for _ in range(wanted):
        assert client.get("/things/a").status_code == 200
    last = asked(client)[1]
    back = Collector(port)
    try:
        spans = back.wait_for(lambda spans: any(span.trace_id == last for span in spans))
        assert len(spans) < wanted
    finally:
        end_export()
        back.close()


@pytest.mark.long
def test_a_collector_that_never_answers_does_not_keep_a_process_from_ending(client: FlaskClient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        export_to(f"http://127.0.0.1:{silent.getsockname()[1]}")
        assert client.get("/things/a").status_code == 200
        end_export()
    assert asked(client, traceparent=UNSAMPLED)[1] == TRACE


@pytest.mark.long
@pytest.mark.parametrize("worker", ["threads", "gevent"])
def test_processes_forked_by_gunicorn_send_their_spans_and_the_last_ones_when_they_stop(
    tmp_path: Path, collector: Collector, worker: str
) -> None:
    (tmp_path / "served.py").write_text(SERVED)
    http = free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "HTTP_BIND": f"127.0.0.1:{http}",
        "HTTP_PROCESSES": "2",
        "SERVICE_TOKEN": "a-token-between-services",
        "JWKS_URL": "http://127.0.0.1:1/jwks",
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.address,
        "OTEL_TRACES_SAMPLER_ARG": "1",
    }
    server = subprocess.Popen([sys.executable, "-c", SERVER, worker], env=environment)
    patient = urllib3.Retry(total=50, backoff_factor=0.1, backoff_max=0.2)
    served: dict[str, str] = {}

    def ask() -> None:
        request_id = uuid4().hex
        headers = {"Connection": "close", "X-Request-Id": request_id}
        answer = urllib3.request("GET", f"http://127.0.0.1:{http}/", headers=headers, retries=patient)
        served[request_id] = str(answer.json()["pid"])

    def received() -> dict[str, str]:
        spans = collector.spans()
        return {span.attributes["dynabench.request_id"]: span.instance.rpartition(":")[2] for span in spans}

    try:
        while len(set(served.values())) < 2:
            ask()
        wait_until(lambda: received() == served, what="spans of running processes")
        for _ in range(5):
            ask()
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)
    assert received() == served


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "write an address as in http://collector:4318"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/v1/traces", "without /v1/traces"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://", "write an address"),
        ("OTEL_TRACES_SAMPLER_ARG", "1.5", "less than or equal to 1"),
        ("OTEL_TRACES_SAMPLER_ARG", "much", "valid number"),
    ],
)
def test_unusable_settings_are_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, reason: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=f"{name}.*{reason}"):
        load(TracingSettings)

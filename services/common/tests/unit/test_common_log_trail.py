"""A request id leads through the log to the problem, the written events, and the workers that processed them."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.consumer import MOST_LOGGED, _log_applied
from dynabench_common.events.outbox import OutboxMessage, message_for
from dynabench_common.http.service import json_response, service_app
from dynabench_common.problems import Problem
from dynabench_common.telemetry.logging import _add_trace
from dynabench_common.testing import Issuer
from flask import Response
from google.protobuf.timestamp_pb2 import Timestamp
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

ISSUER = Issuer()
NOW = datetime(2026, 11, 26, tzinfo=UTC)
AGGREGATE = uuid4()


def event_of(message: OutboxMessage) -> Event:
    return Event(
        id=uuid4(),
        type=message.type,
        topic=message.topic,
        source="/annotation",
        aggregate_id=message.aggregate_id,
        aggregate_version=message.aggregate_version,
        time=message.occurred_at,
        message=Timestamp(),
        traceparent=message.traceparent,
    )


@pytest.fixture
def written() -> list[OutboxMessage]:
    return []


def ask(path: str, written: list[OutboxMessage]) -> list[Any]:
    app = service_app("common", verifier=ISSUER.verifier())

    @app.get("/writes")
    @requires(Permission.READ_PUBLIC)
    def writes() -> Response:
        written.append(message_for("dynabench.example.v1", Timestamp(), AGGREGATE, 1, NOW))
        return json_response({})

    @app.get("/refuses")
    @requires(Permission.READ_PUBLIC)
    def refuses() -> Response:
        raise Problem(409, "context-changed", "Changed", "The context has changed.")

    with capture_logs(processors=[merge_contextvars, _add_trace]) as lines:
        app.test_client().get(path, headers={"X-Request-Id": "asked-1"})
    return [line for line in lines if line["event"] == "request_served"]


def test_a_refused_request_names_its_problem(written: list[OutboxMessage]) -> None:
    (line,) = ask("/refuses", written)
    assert (line["request_id"], line["problem"]) == ("asked-1", "/problems/context-changed")
    (next_one,) = ask("/writes", written)
    assert "problem" not in next_one


def test_the_trace_leads_from_a_request_to_the_workers(written: list[OutboxMessage]) -> None:
    (line,) = ask("/writes", written)
    assert (line["request_id"], line["wrote"]) == ("asked-1", f"Timestamp {AGGREGATE}")
    with capture_logs() as lines:
        _log_applied("validation", [event_of(written[0])])
    (log_line,) = lines
    assert (log_line["consumer"], log_line["aggregate_id"]) == ("validation", str(AGGREGATE))
    assert log_line["trace_id"] == line["trace_id"]


def test_a_consumer_that_catches_up_writes_one_line(written: list[OutboxMessage]) -> None:
    ask("/writes", written)
    with capture_logs() as lines:
        _log_applied("validation", [event_of(written[0])] * (MOST_LOGGED + 1))
    assert [line["event"] for line in lines] == ["events_taken_in"]

"""A writer's trace continues through outbox, Kafka and consumer into the events that follow."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from dynabench_common.events import outbox
from dynabench_common.events.cloud_events import Event
from dynabench_common.telemetry.spans import begin_request, begin_unwatched
from dynabench_common.telemetry.trace_export import TracingSettings, begin_export, end_export
from dynabench_common.testing import wait_until
from sqlalchemy import Connection

from tests.collector import Collector

from .conftest import OUTBOX, TOPIC, Harness, Recorder, retraction

FOLLOWING = "dynabench.validation.v1"
TRACES = ["1" * 32, "2" * 32, "3" * 32]
CALLER = "a" * 16


class Following(Recorder):
    """Writes an event for each event that it processes."""

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        super().apply(connection, events)
        follow = [
            outbox.message_for(FOLLOWING, retraction(each.aggregate_id), each.aggregate_id, 1, each.time)
            for each in events
        ]
        outbox.append(connection, OUTBOX, follow)


def write_traced(harness: Harness, flags: Sequence[str]) -> dict[UUID, str]:
    """Write an event in each trace and process all in one batch; return the traces by aggregate."""
    harness.recorder = Following()
    traces = {}
    for trace_id, flag in zip(TRACES, flags, strict=True):
        aggregate = uuid4()
        traces[aggregate] = trace_id
        span = begin_request("POST", f"00-{trace_id}-{CALLER}-{flag}")
        harness.write(aggregate, [1])
        span.end()
    begin_unwatched()
    harness.start(harness.relay())
    wait_until(lambda: len(harness.sent()) == len(traces), what="events on the topic")
    harness.start(harness.consumer())
    wait_until(lambda: len(harness.seen()) == len(traces), what="effects")
    wait_until(lambda: not unsent(harness), what="what follows to be sent")
    return traces


def unsent(harness: Harness) -> int:
    count: int = harness.rows("SELECT count(*) AS n FROM outbox WHERE sent_at IS NULL")[0].n
    return count


def parts(harness: Harness, topic: str) -> dict[UUID, list[str]]:
    """Return the parts of the trace context of each record, by aggregate."""
    found = harness.probe.records(topic, at_least=len(TRACES))
    return {
        UUID(record.key.decode()): dict(record.headers)["traceparent"].decode().split("-") for record in found
    }


def test_unrecorded_traces_reach_what_follows(harness: Harness) -> None:
    traces = write_traced(harness, ["01", "00", "01"])
    for topic in (TOPIC, FOLLOWING):
        parts_of_records = parts(harness, topic)
        assert {aggregate: each[1] for aggregate, each in parts_of_records.items()} == traces
        assert {each[2] for each in parts_of_records.values()} == {CALLER}
        assert sorted(each[3] for each in parts_of_records.values()) == ["00", "01", "01"]


def test_recorded_traces_are_whole_from_request_to_what_follows(
    harness: Harness, collector: Collector
) -> None:
    begin_export("common", TracingSettings(otel_exporter_otlp_endpoint=collector.address))
    traces = write_traced(harness, ["01", "00", "01"])
    first, following = parts(harness, TOPIC), parts(harness, FOLLOWING)
    end_export()
    assert collector.spans(TRACES[1]) == []
    for aggregate, trace_id in traces.items():
        assert first[aggregate][1] == following[aggregate][1] == trace_id
        if trace_id == TRACES[1]:
            continue
        by_id = {span.span_id: span for span in collector.spans(trace_id)}
        chain = [by_id[following[aggregate][2]]]
        while chain[-1].parent_id in by_id:
            chain.append(by_id[chain[-1].parent_id])
        assert [span.kind for span in chain] == ["producer", "consumer", "producer", "server"]
        assert chain[-1].parent_id == CALLER
        assert chain[2].span_id == first[aggregate][2]
        assert chain[2].name == f"send {harness.prefix}{TOPIC}"
        assert chain[1].name == f"process {harness.prefix}{TOPIC}"
        assert chain[1].attributes["messaging.consumer.group.name"] == "recorder"
        assert not any(span.failed for span in chain)
        assert len(by_id) == 4


def test_an_event_that_fails_is_a_failed_span(harness: Harness, collector: Collector) -> None:
    begin_export("common", TracingSettings(otel_exporter_otlp_endpoint=collector.address))
    aggregate = uuid4()
    harness.recorder.never.add(aggregate)
    begin_request("POST", f"00-{TRACES[0]}-{CALLER}-01").end()
    harness.write(aggregate, [1])
    begin_unwatched()
    harness.start(harness.relay())
    harness.start(harness.consumer())
    harness.probe.records(TOPIC + ".dlq", at_least=1)
    end_export()
    taken = [span for span in collector.spans(TRACES[0]) if span.kind == "consumer"]
    assert taken
    assert all(span.failed and span.attributes["error.type"] == "PermanentEventError" for span in taken)

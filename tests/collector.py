"""A collector of traces: takes in what processes export over OTLP, and finds spans again."""

import gzip
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from dynabench_common.testing import wait_until
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as WireSpan
from opentelemetry.proto.trace.v1.trace_pb2 import Status

MOST_KEPT = 5_000
"""Requests of the exporters that are remembered."""


@dataclass(frozen=True)
class Received:
    """A span as it came; ids in hexadecimal digits."""

    service: str
    instance: str
    name: str
    kind: str
    trace_id: str
    span_id: str
    parent_id: str
    attributes: dict[str, Any]
    links: tuple[str, ...]
    failed: bool


class Collector:
    """Listens on the loopback interface until it is closed."""

    def __init__(self, port: int = 0) -> None:
        self._bodies: deque[bytes] = deque(maxlen=MOST_KEPT)
        bodies = self._bodies

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                is_traces = self.path == "/v1/traces"
                if is_traces:
                    bodies.append(
                        gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
                    )
                self.send_response(200 if is_traces else 404)
                self.send_header("Content-Type", "application/x-protobuf")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        threading.Thread(
            target=self._server.serve_forever, args=(0.02,), name="collector", daemon=True
        ).start()

    @property
    def address(self) -> str:
        """Return the value for OTEL_EXPORTER_OTLP_ENDPOINT."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def spans(self, trace_id: str | None = None) -> list[Received]:
        """Return the received spans, of one trace if it is named."""
        read = (span for body in list(self._bodies) for span in _spans(body))
        return [span for span in read if trace_id in (None, span.trace_id)]

    def wait_for(
        self, condition: Callable[[list[Received]], bool], trace_id: str | None = None, what: str = "spans"
    ) -> list[Received]:
        """Return the received spans, once they suffice."""

        def enough() -> list[Received] | None:
            spans = self.spans(trace_id)
            return spans if condition(spans) else None

        found: list[Received] = wait_until(enough, what=what)
        return found

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


def _spans(body: bytes) -> Iterable[Received]:
    request = ExportTraceServiceRequest()
    request.ParseFromString(body)
    for of_process in request.resource_spans:
        resource = _values(of_process.resource.attributes)
        for of_scope in of_process.scope_spans:
            for span in of_scope.spans:
                yield Received(
                    service=resource["service.name"],
                    instance=resource["service.instance.id"],
                    name=span.name,
                    kind=WireSpan.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_").lower(),
                    trace_id=span.trace_id.hex(),
                    span_id=span.span_id.hex(),
                    parent_id=span.parent_span_id.hex(),
                    attributes=_values(span.attributes),
                    links=tuple(link.span_id.hex() for link in span.links),
                    failed=span.status.code == Status.STATUS_CODE_ERROR,
                )


def _values(attributes: Iterable[Any]) -> dict[str, Any]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}

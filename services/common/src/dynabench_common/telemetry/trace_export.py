"""Export of a process's spans: to a collector over OTLP in a separate thread, or nowhere.

No request waits for the collector. Spans wait in a queue of fixed length; when it is full, the oldest are dropped.
Under gunicorn each process has its own queue and thread, made after the fork.
"""

import os
import socket
import threading
from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings

from dynabench_common.telemetry.logging import get_logger
from dynabench_common.telemetry.spans import record_with

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

log = get_logger(__name__)
PATH = "/v1/traces"
MOST_WAITING = 2_048
MOST_SENT_AT_ONCE = 256
"""The limit of a batch: in a process with greenlets, writing it delays the others by milliseconds."""
PAUSE_MILLISECONDS = 2_000
ANSWER_SECONDS = 5
FLUSH_SECONDS = 3.0


class TracingSettings(BaseSettings):
    """Settings for the export of a process's traces."""

    otel_exporter_otlp_endpoint: str = Field(
        default="", description="Address of an OTLP collector (HTTP); empty: no spans are recorded"
    )
    otel_traces_sampler_arg: float = Field(
        default=1.0,
        ge=0,
        le=1,
        description="Share of the traces begun here that are recorded; of others, the caller has decided",
    )

    @field_validator("otel_exporter_otlp_endpoint")
    @classmethod
    def _is_an_address(cls, endpoint: str) -> str:
        try:
            parts = urlsplit(endpoint)
            is_usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_usable = False
        if endpoint and (not is_usable or endpoint.rstrip("/").endswith(PATH)):
            raise ValueError(f"write an address as in http://collector:4318, without {PATH}")
        return endpoint.rstrip("/")


class _Export:
    """The export state of this process."""

    provider: "TracerProvider | None" = None


def begin_export(service: str, settings: TracingSettings) -> None:
    """Record the spans of this process, as those of a service, if there is a collector to send them to."""
    if not settings.otel_exporter_otlp_endpoint:
        return
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    number = version("dynabench-common")
    resource = {
        "service.namespace": "dynabench",
        "service.name": service,
        "service.version": number,
        "service.instance.id": f"{socket.gethostname()}:{os.getpid()}",
    }
    provider = TracerProvider(
        sampler=ParentBased(TraceIdRatioBased(settings.otel_traces_sampler_arg)),
        resource=Resource(resource),
        shutdown_on_exit=False,
    )
    provider.add_span_processor(
        BatchSpanProcessor(
            _exporter(settings.otel_exporter_otlp_endpoint + PATH),
            max_queue_size=MOST_WAITING,
            schedule_delay_millis=PAUSE_MILLISECONDS,
            max_export_batch_size=MOST_SENT_AT_ONCE,
        )
    )
    _Export.provider = provider
    record_with(provider.get_tracer("dynabench", number))


def end_export() -> None:
    """Send waiting spans, for a moment at most; then stop recording."""
    provider, _Export.provider = _Export.provider, None
    record_with(None)
    if provider is not None:
        sending = threading.Thread(target=provider.shutdown, name="last spans", daemon=True)
        sending.start()
        sending.join(FLUSH_SECONDS)


def _exporter(address: str) -> "SpanExporter":
    """Return an exporter of spans that logs once when a collector is down and once when it is back."""
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import SpanExportResult

    class LoggingExporter(OTLPSpanExporter):
        is_away = False

        def export(self, spans: "Sequence[ReadableSpan]") -> SpanExportResult:
            result = super().export(spans)
            is_away = result is not SpanExportResult.SUCCESS
            if is_away and not self.is_away:
                log.warning("spans_not_taken", collector=address)
            elif self.is_away and not is_away:
                log.info("spans_taken_again", collector=address)
            self.is_away = is_away
            return result

    return LoggingExporter(endpoint=address, timeout=ANSWER_SECONDS, compression=Compression.Gzip)

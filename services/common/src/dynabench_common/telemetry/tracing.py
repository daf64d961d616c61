"""The request id, the caller and the trace of the current work, carried through calls and events.

Traces are OpenTelemetry's. The W3C `traceparent` of the current span is passed on, whether or not any span is recorded.
`spans` makes the spans, and `trace_export` decides if and where they go.
"""

import secrets
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from uuid import UUID

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import NonRecordingSpan, Span, SpanContext, TraceFlags
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

TRACEPARENT = "traceparent"
NO_TRACE = Context()
PROPAGATOR = TraceContextTextMapPropagator()

request_id_variable: ContextVar[str | None] = ContextVar("request_id", default=None)
person_variable: ContextVar[str | None] = ContextVar("person", default=None)
causes_variable: ContextVar[Mapping[UUID, str]] = ContextVar("causes", default=MappingProxyType({}))
"""The `traceparent` of the event in process, by its aggregate."""


def current_request_id() -> str | None:
    """Return the id of the request being served, if one is."""
    return request_id_variable.get()


def current_traceparent() -> str | None:
    """Return the trace context of the current work, if it has one."""
    return traceparent_of(trace.get_current_span())


def traceparent_of(span: Span) -> str | None:
    """Return a span's context as a W3C `traceparent` value (version 00), if it has one."""
    context = span.get_span_context()
    if not context.is_valid:
        return None
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"


def context_of(traceparent: str | None) -> Context:
    """Return the context that a `traceparent` names; an empty one for none, and for one that is malformed."""
    return PROPAGATOR.extract({TRACEPARENT: traceparent}, NO_TRACE) if traceparent else NO_TRACE


def untraced() -> Span:
    """Return a span that begins a trace of its own which nobody records."""
    context = SpanContext(secrets.randbits(128), secrets.randbits(64), False, TraceFlags(TraceFlags.DEFAULT))
    return NonRecordingSpan(context)


def traceparent_for(aggregate_id: UUID) -> str | None:
    """Return the trace context of an event: of the current work, else of the event that it follows from."""
    return current_traceparent() or causes_variable.get().get(aggregate_id)

"""The spans of a trace: requests served, calls, calls to models, events sent and processed.

Without `record_with` nothing is recorded, and an incoming trace is passed on unchanged. A trace begins with a request,
or with the event that a request left behind. Work that the platform starts by itself is not recorded. Spans contain
methods, route templates, names of models, topics and consumers, and ids of requests and events. They contain no texts,
paths or people. `0004-traces.md` says why they are made here, by hand.
"""

from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, ParamSpec, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.trace import Link, Span, SpanKind, StatusCode, Tracer

from dynabench_common.telemetry.tracing import (
    NO_TRACE,
    TRACEPARENT,
    causes_variable,
    context_of,
    traceparent_of,
    untraced,
)

if TYPE_CHECKING:
    from dynabench_common.events.cloud_events import Event

HTTP_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_METHOD = "_OTHER"
SAMPLED_ENDS = frozenset("13579bdf")
"""The last hex digits of `traceparent` flags that mean "sampled": spans of such a trace are recorded."""
Attributes = dict[str, str | int]
Given = ParamSpec("Given")
Result = TypeVar("Result")


class _Recorder:
    """The maker of this process's spans, if they are recorded."""

    tracer: Tracer | None = None


def record_with(tracer: Tracer | None) -> None:
    """Record spans from now on, or stop doing so."""
    _Recorder.tracer = tracer


def begin_request(method: str, traceparent: str | None) -> Span:
    """Begin to serve a request, in the caller's trace or in a new one; it is current until the next one begins."""
    context = context_of(traceparent)
    tracer = _Recorder.tracer
    if tracer is None:
        span = trace.get_current_span(context)
        if not span.get_span_context().is_valid:
            span = untraced()
    else:
        span = tracer.start_span(method, context, SpanKind.SERVER)
    contexts.attach(trace.set_span_in_context(span, NO_TRACE))
    return span


def begin_unwatched() -> Span:
    """Begin to serve a request without a trace."""
    contexts.attach(NO_TRACE)
    return trace.INVALID_SPAN


def end_request(
    span: Span, method: str, route: str | None, status: int, request_id: str, at: int | None = None
) -> None:
    """End a request's span; `at` is in nanoseconds since 1970, where it ended before now."""
    if span.is_recording():
        attributes: Attributes = {
            "http.request.method": method if method in HTTP_METHODS else OTHER_METHOD,
            "http.response.status_code": status,
            "dynabench.request_id": request_id,
        }
        if route is not None:
            attributes["http.route"] = route
        span.update_name(_request_name(method, route))
        if status >= 500:
            attributes["error.type"] = str(status)
            span.set_status(StatusCode.ERROR)
        span.set_attributes(attributes)
    span.end(at)


@contextmanager
def calling(method: str, url: str, headers: MutableMapping[str, str]) -> Iterator[Callable[[int], None]]:
    """Trace a call to another service: add the trace to its headers, and yield a function for the answer's status."""
    current = trace.get_current_span()
    context = current.get_span_context()
    tracer = _Recorder.tracer
    if tracer is None or not context.trace_flags.sampled:
        # Without a trace of its own, an internal call would begin one at a callee that records.
        traceparent = traceparent_of(current if context.is_valid or tracer is None else untraced())
        if traceparent:
            headers[TRACEPARENT] = traceparent
        yield _unheard
        return
    span = tracer.start_span(_call_name(method, url), kind=SpanKind.CLIENT)
    headers[TRACEPARENT] = traceparent_of(span) or ""

    def answered(status: int) -> None:
        span.set_attribute("http.response.status_code", status)
        if status >= 400:
            _fail(span, str(status))

    if span.is_recording():
        address = urlsplit(url)
        span.set_attributes(
            {
                "http.request.method": method,
                "server.address": address.hostname or "",
                "server.port": address.port or (443 if address.scheme == "https" else 80),
            }
        )
    with _lasting([span]), _current(span):
        yield answered


@contextmanager
def asking_model(operation: str, model: str, instances: int, callers: Sequence[Span]) -> Iterator[None]:
    """Trace a call to a model for several callers: one caller's span is the parent, others are linked."""
    sampled = (each for each in callers if each.get_span_context().trace_flags.sampled)
    parent = next(sampled, None)
    tracer = _Recorder.tracer
    if tracer is None or parent is None:
        with _current(callers[0]):
            yield
        return
    others = [each.get_span_context() for each in callers if each is not parent]
    span = tracer.start_span(
        f"{operation} {model}",
        trace.set_span_in_context(parent, NO_TRACE),
        SpanKind.CLIENT,
        {"dynabench.model": model, "dynabench.operation": operation, "dynabench.instances": instances},
        [Link(each) for each in others if each.is_valid],
    )
    with _lasting([span]), _current(span):
        yield


def begin_sending(traceparent: str | None, topic: str, kind: str, event_id: UUID) -> Span | None:
    """Begin to send an event to its topic, if its trace is recorded."""
    tracer = _Recorder.tracer
    if tracer is None or not _is_sampled(traceparent):
        return None
    attributes = _of_message("send", topic, kind, event_id)
    return tracer.start_span(f"send {topic}", context_of(traceparent), SpanKind.PRODUCER, attributes)


def end_sending(span: Span, error: Exception | None = None) -> None:
    """End the sending of an event, which failed where there is an error."""
    if error is not None:
        _fail(span, type(error).__name__)
    span.end()


@contextmanager
def taking_in(consumer: str, events: "Sequence[Event]") -> Iterator[None]:
    """Trace the processing of events: consequences of one belong to its trace."""
    begun: list[Span] = []
    causes: dict[UUID, str] = {}
    for event in events:
        if event.traceparent is None:
            continue
        causes[event.aggregate_id] = event.traceparent
        if _Recorder.tracer is not None and _is_sampled(event.traceparent):
            attributes = _of_message("process", event.topic, event.type, event.id)
            attributes["messaging.consumer.group.name"] = consumer
            attributes["messaging.batch.message_count"] = len(events)
            parent = context_of(event.traceparent)
            name = f"process {event.topic}"
            span = _Recorder.tracer.start_span(name, parent, SpanKind.CONSUMER, attributes)
            causes[event.aggregate_id] = traceparent_of(span) or event.traceparent
            begun.append(span)
    token = causes_variable.set(causes)
    sole = context_of(next(iter(causes.values()))) if len(events) == 1 and causes else NO_TRACE
    try:
        with _lasting(begun), _current(trace.get_current_span(sole)):
            yield
    finally:
        causes_variable.reset(token)


def in_this_trace(work: Callable[Given, Result]) -> Callable[Given, Result]:
    """Return the same work, bound to the current trace, for another thread."""
    context = contexts.get_current()

    def run(*given: Given.args, **named: Given.kwargs) -> Result:
        token = contexts.attach(context)
        try:
            return work(*given, **named)
        finally:
            contexts.detach(token)

    return run


@contextmanager
def _lasting(spans: Sequence[Span]) -> Iterator[None]:
    """End spans with their block, as failed if it fails."""
    try:
        yield
    except BaseException as err:
        for span in spans:
            _fail(span, type(err).__name__)
        raise
    finally:
        for span in spans:
            span.end()


@contextmanager
def _current(span: Span) -> Iterator[None]:
    token = contexts.attach(trace.set_span_in_context(span, NO_TRACE))
    try:
        yield
    finally:
        contexts.detach(token)


def _fail(span: Span, kind: str) -> None:
    if span.is_recording():
        span.set_attribute("error.type", kind)
        span.set_status(StatusCode.ERROR)


def _is_sampled(traceparent: str | None) -> bool:
    return traceparent is not None and traceparent[-1:] in SAMPLED_ENDS


def _request_name(method: str, route: str | None) -> str:
    known = method if method in HTTP_METHODS else "HTTP"
    return known if route is None else f"{known} {route}"


def _call_name(method: str, url: str) -> str:
    """Return the method and the service's name. A path would differ for each id in it."""
    _, is_ours, rest = url.partition("/api/")
    return f"{method} /api/{rest.partition('/')[0]}" if is_ours else method


def _of_message(operation: str, topic: str, kind: str, event_id: UUID) -> Attributes:
    return {
        "messaging.system": "kafka",
        "messaging.operation.name": operation,
        "messaging.operation.type": operation,
        "messaging.destination.name": topic,
        "messaging.message.id": str(event_id),
        "cloudevents.event_type": kind,
    }


def _unheard(_status: int) -> None:
    """Ignore an answer."""

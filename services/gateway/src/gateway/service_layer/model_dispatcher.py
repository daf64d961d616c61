"""The dispatcher of one model: admission, breaker, batching, and the retry after a crash.

A call that carries the texts of several callers runs in its own greenlet. So if one caller gives up, the others still
get their answers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import gevent
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.telemetry.spans import asking_model
from gevent.event import AsyncResult
from opentelemetry.trace import Span, get_current_span

from gateway.domain.answers import BatchAnswer
from gateway.domain.breaker import CircuitBreaker
from gateway.domain.coalescer import Chunk, Coalescer, Lane
from gateway.domain.deadline import Timeout
from gateway.domain.errors import CallFailed, Fault, TooManyInFlight
from gateway.domain.requests import Instance
from gateway.domain.routes import Route, share_of_workers
from gateway.service_layer.outages import breaker_open, deadline_passed, model_changed, outage
from gateway.service_layer.ports import Predictor

log = get_logger(__name__)
OF_ONE = (Fault.BATCH_FAILED, Fault.UNREADABLE)
"""Faults that one instance of a call may have caused; they do not open the breaker by themselves."""
CRASHED_ENTRY = {"type": "worker_crashed", "detail": "the model's worker died on this instance, twice"}
FAILED_ENTRY = {"type": "prediction_failed", "detail": "the model could not answer this instance"}


@dataclass(eq=False)
class PendingChunk(Chunk):
    """A chunk whose caller waits."""

    result: "AsyncResult[BatchAnswer]" = field(default_factory=AsyncResult)
    span: Span = field(default_factory=get_current_span)


class ModelDispatcher:
    """The requests in progress for one model, in one of `among` processes that call it."""

    def __init__(
        self,
        server_of: Callable[[Route], Predictor],
        coalescer: Coalescer[PendingChunk],
        breaker: CircuitBreaker,
        monotonic: Callable[[], float],
        among: int = 1,
    ) -> None:
        self._server_of = server_of
        self._coalescer = coalescer
        self._monotonic = monotonic
        self._among = among
        self._route: Route | None = None
        self._server: Predictor  # the route's value, set at the first request
        self._serving_name = ""
        self.breaker = breaker
        self.in_flight = 0

    def predict(
        self,
        route: Route,
        instances: list[Instance],
        timeout: Timeout,
        request_id: str,
        lane: Lane = Lane.PEOPLE,
    ) -> BatchAnswer:
        """Return an entry per instance. Raises TooManyInFlight or Unavailable."""
        if self.in_flight >= route.max_in_flight:
            raise TooManyInFlight(route.name, route.max_in_flight)
        if not self.breaker.admit():
            raise breaker_open(route.name, self.breaker.report())
        if route is not self._route:  # once for each refresh of the table
            self._route, self._server = route, self._server_of(route)
            self._serving_name = route.serving_name
            self._coalescer.max_calls = share_of_workers(route.workers, self._among)
        self.in_flight += 1
        try:
            return self._answer_in_time(route, instances, timeout, request_id, lane)
        finally:
            self.in_flight -= 1

    def _answer_in_time(
        self, route: Route, instances: list[Instance], timeout: Timeout, request_id: str, lane: Lane
    ) -> BatchAnswer:
        deadline = self._monotonic() + timeout.seconds
        chunks = [
            PendingChunk(part, deadline, request_id, timeout.shortened, lane)
            for part in self._coalescer.split(instances, lane)
        ]
        for chunk in chunks:
            self._coalescer.offer(chunk)
        self._begin_calls(chunks)
        try:
            return _joined(route.name, [self._wait(chunk) for chunk in chunks])
        except gevent.Timeout:
            raise deadline_passed(route.name, timeout.seconds, len(instances)) from None
        except CallFailed as err:
            raise outage(route.name, err) from err
        finally:
            for chunk in chunks:
                if not chunk.result.ready():
                    self._coalescer.withdraw(chunk)

    def _wait(self, chunk: PendingChunk) -> BatchAnswer:
        answer: BatchAnswer = chunk.result.get(timeout=max(chunk.deadline - self._monotonic(), 0))
        return answer

    def _begin_calls(self, own: list[PendingChunk]) -> None:
        """Make all allowed calls: the caller's own in this greenlet, others in new ones."""
        at_once: list[PendingChunk] = []
        while batch := self._coalescer.begin_call(self._monotonic()):
            if batch == own:
                at_once = batch
            else:
                gevent.spawn(self._make_calls, batch)
        if at_once:
            self._make_call(at_once)
            if self._coalescer.waiting:
                self._begin_calls([])

    def _make_calls(self, batch: list[PendingChunk]) -> None:
        while batch:
            self._make_call(batch)
            batch = self._coalescer.begin_call(self._monotonic())

    def _make_call(self, batch: list[PendingChunk]) -> None:
        try:
            self._answer(batch)
        finally:
            self._coalescer.end_call(batch)

    def _answer(self, batch: list[PendingChunk]) -> None:
        instances = [instance for chunk in batch for instance in chunk.instances]
        try:
            answer = self._call(instances, batch)
        except CallFailed as err:
            if err.fault is Fault.CRASHED or (err.fault in OF_ONE and len(instances) > 1):
                log.warning("batch_retried_singly", reason=str(err), instances=len(instances))
                self._answer_singly(batch)
                return
            _fail(batch, err)
        except Exception as err:
            _fail(batch, err)
            raise
        else:
            _deal(answer, batch)

    def _answer_singly(self, batch: list[PendingChunk]) -> None:
        """Repeat the call for each instance alone: one of them may have broken the batch."""
        for chunk in batch:
            answers = []
            try:
                for instance in chunk.instances:
                    answers.append(self._call_alone(instance, chunk))
            except CallFailed as err:
                chunk.result.set_exception(err)
                continue
            broken = [answer for answer in answers if isinstance(answer, CallFailed)]
            if len(broken) == len(answers):
                chunk.result.set_exception(broken[0])
            else:
                chunk.result.set(_patched(answers))

    def _call_alone(self, instance: Instance, chunk: PendingChunk) -> BatchAnswer | CallFailed:
        try:
            return self._call([instance], [chunk])
        except CallFailed as err:
            if err.fault is Fault.CRASHED or err.fault in OF_ONE:
                return err
            raise

    def _call(self, instances: Sequence[Instance], batch: Sequence[PendingChunk]) -> BatchAnswer:
        timeout = max(chunk.deadline for chunk in batch) - self._monotonic()
        if timeout <= 0:
            raise CallFailed(Fault.TIMED_OUT, "the deadline passed before the call")
        request_id = ",".join(chunk.request_id for chunk in batch)
        callers = [chunk.span for chunk in batch]
        try:
            with asking_model("predict", self._serving_name, len(instances), callers):
                answer = self._server.predict(
                    self._serving_name, instances, timeout_seconds=timeout, request_id=request_id
                )
        except CallFailed as err:
            hasty = err.fault is Fault.TIMED_OUT and all(chunk.shortened for chunk in batch)
            if err.fault not in {Fault.REFUSED, *OF_ONE} and not hasty:
                self.breaker.failed()
            raise
        self.breaker.succeeded()
        return answer


def _deal(answer: BatchAnswer, batch: Sequence[PendingChunk]) -> None:
    start = 0
    for chunk in batch:
        end = start + len(chunk.instances)
        chunk.result.set(BatchAnswer(answer.entries[start:end], answer.model_digest, answer.handler_digest))
        start = end


def _fail(batch: Sequence[PendingChunk], error: Exception) -> None:
    for chunk in batch:
        chunk.result.set_exception(error)


def _patched(answers: Sequence[BatchAnswer | CallFailed]) -> BatchAnswer:
    whole = [answer for answer in answers if isinstance(answer, BatchAnswer)]
    entries = [
        answer.entries[0] if isinstance(answer, BatchAnswer) else {"error": _error_entry(answer.fault)}
        for answer in answers
    ]
    return BatchAnswer(entries, whole[-1].model_digest, whole[-1].handler_digest)


def _error_entry(fault: Fault) -> dict[str, str]:
    return CRASHED_ENTRY if fault is Fault.CRASHED else FAILED_ENTRY


def _joined(name: str, answers: Sequence[BatchAnswer]) -> BatchAnswer:
    first = answers[0]
    if len(answers) == 1:
        return first
    if any(
        (other.model_digest, other.handler_digest) != (first.model_digest, first.handler_digest)
        for other in answers
    ):
        raise model_changed(name)
    entries = [entry for answer in answers for entry in answer.entries]
    return BatchAnswer(entries, first.model_digest, first.handler_digest)

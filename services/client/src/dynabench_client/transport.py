"""HTTP with the platform: pooled keep-alive connections, a timeout on each call, safe retries, one error shape."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import urllib3
from urllib3.exceptions import HTTPError, NewConnectionError

from dynabench_client.errors import UnexpectedAnswerError, UnreachableError, problem_of, seconds_of
from dynabench_client.retries import RetryPolicy, may_repeat

CONNECT_TIMEOUT_SECONDS = 3.0
READ_TIMEOUT_SECONDS = 30.0
STREAM_TIMEOUT_SECONDS = 30.0
POOL_SIZE = 32
JSON = "application/json"
NDJSON = "application/x-ndjson"
ANYTHING = "*/*"
PIECE_BYTES = 64 * 1024
USER_AGENT = "dynabench-client/0.1"


@dataclass(frozen=True)
class Content:
    """A body that is not JSON; an iterable is streamed, and an iterator can be sent only once."""

    data: bytes | Iterable[bytes]
    media_type: str

    @property
    def is_spent_by_sending(self) -> bool:
        """True if sending consumes the data."""
        return isinstance(self.data, Iterator)

    @property
    def write_timeout_seconds(self) -> float:
        """The longest wait for the other side to take the next piece; it covers connecting too."""
        return CONNECT_TIMEOUT_SECONDS if isinstance(self.data, bytes) else STREAM_TIMEOUT_SECONDS


@dataclass(frozen=True)
class Call:
    """One request; `body` is JSON or a `Content`. `idempotent` says that sending it twice does no harm.

    The answer to a `streamed` call is read piece by piece. `takes_redirect` makes a redirect the answer.
    """

    method: str
    url: str
    body: object | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    idempotent: bool = True
    timeout_seconds: float = READ_TIMEOUT_SECONDS
    accept: str = JSON
    streamed: bool = False
    takes_redirect: bool = False

    @property
    def can_be_repeated(self) -> bool:
        """Return whether its body can be sent a second time."""
        return not (isinstance(self.body, Content) and self.body.is_spent_by_sending)


@dataclass(frozen=True)
class Reply:
    """A successful answer, its JSON decoded; bytes where the call accepts something else.

    Of a streamed call `data` is an iterator of bytes; it raises UnreachableError if the rest does not come.
    """

    status: int
    headers: urllib3.HTTPHeaderDict
    data: Any


Watch = Callable[[str, str, dict[str, str]], AbstractContextManager[Callable[[int], None]]]
"""Wraps each attempt: it gets method, address and headers, may add headers, and yields a function for the status."""


def new_pool(size: int = POOL_SIZE) -> urllib3.PoolManager:
    """Return a connection pool that any number of clients and threads may share."""
    return urllib3.PoolManager(num_pools=16, maxsize=size, block=False, retries=False)


class Transport:
    """Sends calls; safe to use from many threads or greenlets at once."""

    def __init__(
        self,
        pool: urllib3.PoolManager | None = None,
        retries: RetryPolicy | None = None,
        sleep: Callable[[float], None] = time.sleep,
        watch: Watch | None = None,
    ) -> None:
        self.pool = pool or new_pool()
        self.retries = retries or RetryPolicy()
        self._sleep = sleep
        self._watch = watch or _unwatched

    def send(self, call: Call) -> Reply:
        """Return the answer to a call.

        Raises ProblemError for an answer that is no success, UnreachableError when none came,
        UnexpectedAnswerError for one that is not JSON.
        """
        attempt = 0
        while True:
            attempt += 1
            try:
                response = self._once(call)
            except NewConnectionError as err:
                failure: Exception = UnreachableError(call.url, _reason(err))
                wait = self.retries.wait(attempt)
            except HTTPError as err:
                failure = UnreachableError(call.url, _reason(err))
                wait = self.retries.wait(attempt) if may_repeat(call.idempotent, None, None) else None
            else:
                if _is_answered(call, response.status):
                    return Reply(response.status, response.headers, _decoded(call, response))
                failure, wait = self._refusal(call, response, attempt)
            if wait is None or not call.can_be_repeated:
                raise failure
            self._sleep(wait)

    def _once(self, call: Call) -> urllib3.BaseHTTPResponse:
        headers = {
            "Accept": call.accept,
            "User-Agent": USER_AGENT,
            "X-Request-Id": uuid4().hex,
            **call.headers,
        }
        content = _content(call.body)
        if content is not None:
            headers.setdefault("Content-Type", content.media_type)
        first_timeout = CONNECT_TIMEOUT_SECONDS if content is None else content.write_timeout_seconds
        with self._watch(call.method, call.url, headers) as answered:
            response = self.pool.request(
                call.method,
                call.url,
                body=content.data if content is not None else None,
                headers=headers,
                timeout=urllib3.Timeout(connect=first_timeout, read=call.timeout_seconds),
                redirect=False,
                preload_content=not call.streamed,
            )
            answered(response.status)
        if call.streamed and not _is_answered(call, response.status):
            response.read(cache_content=True)
        return response

    def _refusal(
        self, call: Call, response: urllib3.BaseHTTPResponse, attempt: int
    ) -> tuple[Exception, float | None]:
        retry_after = seconds_of(response.headers.get("Retry-After"))
        problem = problem_of(response.status, _json_or_none(response.data), response.headers)
        if not may_repeat(call.idempotent, response.status, retry_after):
            return problem, None
        return problem, self.retries.wait(attempt, retry_after)


def _unwatched(
    _method: str, _url: str, _headers: dict[str, str]
) -> AbstractContextManager[Callable[[int], None]]:
    return nullcontext(lambda _status: None)


def encoded(body: object) -> bytes:
    """Return a body as JSON; text that is no valid Unicode is escaped, so that the platform can refuse it."""
    return json.dumps(body, ensure_ascii=True, allow_nan=False, default=str).encode()


def _content(body: object | None) -> Content | None:
    if body is None or isinstance(body, Content):
        return body
    return Content(encoded(body), JSON)


def _is_answered(call: Call, status: int) -> bool:
    return 200 <= status < 300 or (call.takes_redirect and 300 <= status < 400)


def _decoded(call: Call, response: urllib3.BaseHTTPResponse) -> Any:
    if call.streamed:
        return _pieces(call, response)
    if call.accept != JSON and not call.accept.endswith("+json"):
        return response.data
    if not response.data:
        return None
    try:
        return json.loads(response.data)
    except (ValueError, RecursionError) as err:
        kind = response.headers.get("Content-Type", "something unnamed")
        raise UnexpectedAnswerError(call.url, f"expected JSON, got {kind}") from err


def _pieces(call: Call, response: urllib3.BaseHTTPResponse) -> Iterator[bytes]:
    try:
        yield from response.stream(PIECE_BYTES)
    except HTTPError as err:
        raise UnreachableError(call.url, _reason(err)) from err
    finally:
        response.close()


def _json_or_none(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _reason(error: HTTPError) -> str:
    if isinstance(error, NewConnectionError):
        return "connection refused" if "refused" in str(error).lower() else "no connection"
    if isinstance(error, urllib3.exceptions.TimeoutError):
        return "no answer in time"
    if isinstance(error, urllib3.exceptions.SSLError):
        inner = error.args[-1] if error.args else error
        return f"no TLS with it: {getattr(inner, 'verify_message', None) or inner}"
    return f"the connection broke ({type(error).__name__})"

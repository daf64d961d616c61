"""The common base of the area clients: addresses of services, credentials, and results from answers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import quote, urlencode
from uuid import uuid4

from dynabench_api.base import Item, Value
from pydantic import ValidationError

from dynabench_client.credentials import Credential, FixedCredential
from dynabench_client.errors import NO_TYPE, ProblemError, UnexpectedAnswerError
from dynabench_client.results.base import Empty, Result, whole
from dynabench_client.transport import (
    ANYTHING,
    JSON,
    NDJSON,
    READ_TIMEOUT_SECONDS,
    Call,
    Content,
    Reply,
    Transport,
)

AnyResult = TypeVar("AnyResult", bound=Result)
Lines = bytes | Iterable[bytes]
Values = Mapping[str, Value]
"""Values of a task's fields by name."""
UPLOAD_TIMEOUT_SECONDS = 300.0
NO_NAMES = frozenset({"", ".", ".."})
STALE_TOKEN = frozenset({"token-expired", "token-invalid"})


@dataclass(frozen=True)
class Addresses:
    """The origin of the platform, and addresses of single services where those are reached directly."""

    origin: str
    of_service: Mapping[str, str] = field(default_factory=dict)

    def base(self, service: str) -> str:
        """Return where a service's interface begins."""
        origin = self.of_service.get(service, self.origin).rstrip("/")
        return f"{origin}/api/{service}/v1"


@dataclass(frozen=True)
class Connection:
    """Cheap to make: the transport with its connection pool is shared."""

    transport: Transport
    addresses: Addresses
    credential: Credential = field(default_factory=FixedCredential)
    request_id: str | None = None

    def send(
        self,
        service: str,
        method: str,
        path: str,
        *,
        body: object | None = None,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        idempotent: bool | None = None,
        timeout_seconds: float = READ_TIMEOUT_SECONDS,
        accept: str = JSON,
        signed: bool = True,
        streamed: bool = False,
        takes_redirect: bool = False,
    ) -> Reply:
        """Send one call to a service, as the caller unless `signed` is false.

        An access token that the platform calls stale is renewed once. Raises ProblemError, UnreachableError.
        """
        token = self.credential.access_token() if signed else None

        def call(token: str | None) -> Call:
            return Call(
                method,
                self.addresses.base(service) + path + _query(query),
                body=body,
                headers={**self._own_headers(token), **(headers or {})},
                idempotent=method != "POST" if idempotent is None else idempotent,
                timeout_seconds=timeout_seconds,
                accept=accept,
                streamed=streamed,
                takes_redirect=takes_redirect,
            )

        first = call(token)
        try:
            return self.transport.send(first)
        except ProblemError as err:
            is_stale = token is not None and err.slug in STALE_TOKEN and self.credential.replace(token)
            if not is_stale or not first.can_be_repeated:
                raise
        return self.transport.send(call(self.credential.access_token()))

    def _own_headers(self, token: str | None) -> dict[str, str]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if self.request_id:
            headers["X-Request-Id"] = self.request_id
        return headers


class Area:
    """Base of the client of one service."""

    service: str

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _get(self, path: str, result: type[AnyResult], /, **query: object) -> AnyResult:
        return self._result(self._connection.send(self.service, "GET", path, query=query), result)

    def _list(self, path: str, item: type[Item], /, **query: object) -> tuple[Item, ...]:
        """GET a list without pages."""
        return self._get(path, whole(item), **query).items

    def _put(self, path: str, body: object, result: type[AnyResult]) -> AnyResult:
        return self._result(self._connection.send(self.service, "PUT", path, body=body), result)

    def _delete(self, path: str, result: type[AnyResult]) -> AnyResult:
        return self._result(self._connection.send(self.service, "DELETE", path), result)

    def _document(self, path: str, accept: str = JSON) -> dict[str, Any]:
        """GET an object that is a document of its own, such as a schema."""
        document = self._connection.send(self.service, "GET", path, accept=accept).data
        if not isinstance(document, dict):
            raise UnexpectedAnswerError(self._address, "the document is not an object")
        return document

    def _pieces(self, path: str, **query: object) -> Iterator[bytes]:
        """GET a file piece by piece; a refusal is raised at once, a loss of the rest while reading."""
        reply = self._connection.send(self.service, "GET", path, query=query, accept=ANYTHING, streamed=True)
        pieces: Iterator[bytes] = reply.data
        return pieces

    def _post(
        self,
        path: str,
        body: object,
        result: type[AnyResult],
        *,
        idempotent: bool = False,
        timeout_seconds: float = READ_TIMEOUT_SECONDS,
    ) -> AnyResult:
        reply = self._connection.send(
            self.service, "POST", path, body=body, idempotent=idempotent, timeout_seconds=timeout_seconds
        )
        return self._result(reply, result)

    def _post_lines(
        self,
        path: str,
        content: Lines,
        result: type[AnyResult],
        *,
        idempotent: bool = False,
        **query: object,
    ) -> AnyResult:
        """POST JSON lines, streamed if they are an iterable."""
        reply = self._connection.send(
            self.service,
            "POST",
            path,
            body=Content(content, NDJSON),
            query=query,
            idempotent=idempotent,
            timeout_seconds=UPLOAD_TIMEOUT_SECONDS,
        )
        return self._result(reply, result)

    def _write_once(
        self, path: str, body: object, result: type[AnyResult], idempotency_key: str | None
    ) -> AnyResult:
        """POST with an Idempotency-Key, so that it may be repeated and still happens once."""
        headers = {"Idempotency-Key": idempotency_key or uuid4().hex}
        reply = self._connection.send(self.service, "POST", path, body=body, headers=headers, idempotent=True)
        made = self._result(reply, result)
        if reply.headers.get("Idempotency-Replayed") == "true" and "replayed" in result.model_fields:
            return made.model_copy(update={"replayed": True})
        return made

    def _result(self, reply: Reply, result: type[AnyResult]) -> AnyResult:
        if result is Empty:
            return result()
        try:
            return result.model_validate(reply.data)
        except ValidationError as err:
            where = ".".join(str(part) for part in err.errors()[0]["loc"]) or "the answer"
            raise UnexpectedAnswerError(self._address, f"{where}: {err.errors()[0]['msg']}") from err

    @property
    def _address(self) -> str:
        return self._connection.addresses.base(self.service)


def segment(value: object) -> str:
    """Return a value as one segment of a path, so that no id can lead elsewhere.

    Raises ProblemError for what can name nothing: on the way "." and ".." are taken for other folders, encoded or not.
    """
    text = str(value)
    if text in NO_NAMES:
        raise ProblemError(
            404, NO_TYPE, "Nothing has this name", f"{text!r} names nothing.", remedy="Check the id."
        )
    return quote(text, safe="")


def given(**values: Any) -> dict[str, Any]:
    """Return the fields that have a value; for the platform a missing field and null differ."""
    return {name: value for name, value in values.items() if value is not None}


def _query(values: Mapping[str, object] | None) -> str:
    chosen = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in given(**(values or {})).items()
    }
    return "?" + urlencode(chosen, doseq=True) if chosen else ""

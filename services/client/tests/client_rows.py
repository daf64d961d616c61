"""A method of the SDK, the request that it must send, the answer, and what must hold of its result."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from dynabench_client import Dynabench
from dynabench_client.results.base import Result

from services.client.tests.conftest import StubPlatform

Row = tuple[Callable[[Dynabench], Any], str, Any, Any, Callable[[Any], Any]]


def addresses(rows: Iterable[Row]) -> list[str]:
    return [row[1] for row in rows]


def check(stub: StubPlatform, row: Row) -> None:
    """Call the method once; what is sent is JSON, or bytes as they are. Each field of the answer has an attribute."""
    method, address, answer, sent, holds = row
    verb, _, place = address.partition(" ")
    path, _, query = place.partition("?")
    stub.tell(verb, path, answer)
    result = method(Dynabench(stub.url))
    assert holds(result)
    assert list(unnamed(result)) == []
    (request,) = stub.requests
    assert (request.data if isinstance(sent, bytes) else request.body) == sent
    assert request.query == query


def unnamed(result: Any) -> Iterator[str]:
    """Yield every field that an answer has and its result has no attribute for."""
    if isinstance(result, tuple):
        for item in result:
            yield from unnamed(item)
    elif isinstance(result, Result):
        yield from (f"{type(result).__name__}.{name}" for name in result.model_extra or ())
        for name in type(result).model_fields:
            yield from unnamed(getattr(result, name))

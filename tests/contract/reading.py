"""Every request that the methods of the SDK send, and the result type of each answer."""

import inspect
import types
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from dynabench_client import Dynabench, UnreachableError
from dynabench_client.areas.accounts import COOKIE
from dynabench_client.connection import Area, Connection
from dynabench_client.results.base import Result
from dynabench_client.retries import NO_RETRIES
from dynabench_client.transport import Content, Reply, encoded
from dynabench_common.http.contracts import Asked
from urllib3 import HTTPHeaderDict

NOWHERE = "http://127.0.0.1:1"
AREAS = (
    "accounts",
    "annotation",
    "validation",
    "leaderboard",
    "datasets",
    "evaluations",
    "registry",
    "gateway",
    "crowd",
)
SAMPLES: dict[str, Any] = {
    "str": "x",
    "int": 1,
    "float": 1.0,
    "bool": True,
    "Lines": b"",
    "bytes": b"",
    "Value": "x",
    "date": date(2026, 1, 8),
    "datetime": datetime(2026, 1, 8, tzinfo=UTC),
}


@dataclass(frozen=True)
class Reading:
    """A request, and the result that a method of the SDK makes of its answer; None for files and the like."""

    caller: str
    service: str
    method: str
    path: str
    asked: Asked
    result: type[Result] | None


class _Read(Exception):
    """The answer was read: the rest of the method is skipped."""


class _Recorder:
    def __init__(self) -> None:
        self.sent: tuple[str, str, str, Asked] | None = None
        self.result: type[Result] | None = None

    def send(
        self,
        service: str,
        method: str,
        path: str,
        *,
        body: object = None,
        query: Mapping[str, object] | None = None,
        **_more: Any,
    ) -> Reply:
        values = {name: value for name, value in (query or {}).items() if value is not None}
        asked = Asked(
            {name: _texts(value) for name, value in values.items()},
            b"" if body is None or isinstance(body, Content) else encoded(body),
        )
        self.sent = (service, method, f"/api/{service}/v1{path}", asked)
        return Reply(200, HTTPHeaderDict({"Set-Cookie": f"{COOKIE}=x", "Location": NOWHERE}), {})

    def read(self, result: type[Result]) -> Any:
        self.result = result
        raise _Read


def readings() -> Iterator[Reading]:
    """Yield the request and the result of every method of every area."""
    platform = Dynabench(NOWHERE, retries=NO_RETRIES)
    for name in AREAS:
        area = getattr(platform, name)
        for method, function in inspect.getmembers(type(area), inspect.isfunction):
            if not method.startswith("_"):
                for arguments in _arguments(function):
                    yield _reading(area, method, arguments)


def _reading(area: Area, method: str, arguments: dict[str, Any]) -> Reading:
    recorder = _Recorder()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "send", lambda _self, *args, **named: recorder.send(*args, **named))
        patch.setattr(Area, "_result", lambda _self, _reply, result: recorder.read(result))
        with suppress(_Read, AttributeError, UnreachableError):
            answer = getattr(area, method)(**arguments)
            next(iter(answer), None) if isinstance(answer, Iterator) else None
    assert recorder.sent is not None, f"{type(area).__name__}.{method} asks nothing"
    return Reading(f"{type(area).__name__}.{method}", *recorder.sent, recorder.result)


def _arguments(function: Any) -> Iterator[dict[str, Any]]:
    """Yield the required arguments of a method; these with every switch turned on; and all arguments."""
    parameters = list(_parameters(function))
    needed = {each.name: _sample(each) for each in parameters if each.default is inspect.Parameter.empty}
    yield needed
    switches = {each.name: True for each in parameters if each.default is False}
    if switches:
        yield {**needed, **switches}
    yield {each.name: _sample(each) for each in parameters}


def _parameters(function: Any) -> Iterator[inspect.Parameter]:
    """Yield the parameters of a method, and the keys of the typed dictionary that it unpacks."""
    for each in inspect.signature(function).parameters.values():
        if each.kind is inspect.Parameter.VAR_KEYWORD:
            (keys,) = get_args(each.annotation)
            for name, annotation in get_type_hints(keys).items():
                default = each.empty if name in keys.__required_keys__ else None
                yield inspect.Parameter(name, each.KEYWORD_ONLY, annotation=annotation, default=default)
        elif each.name != "self":
            yield each


def _sample(parameter: inspect.Parameter) -> Any:
    annotation = parameter.annotation
    if get_origin(annotation) in (types.UnionType, Union):
        annotation = next(each for each in get_args(annotation) if each is not type(None))
    kind = str(getattr(annotation, "__name__", annotation))
    if kind in SAMPLES:
        return SAMPLES[kind]
    return {} if kind in ("Mapping", "Values") or "Mapping" in str(annotation) else ()


def _texts(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]

"""Requests and answers as JSON, the same for every task type.

A request is `{"instances": [...], "parameters": {...}}`. An instance that cannot be answered gets an error
entry in its place; only a request without a usable list of instances is refused as a whole.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

MAX_INSTANCES = 256
MAX_CHARACTERS = 20_000


class RequestError(Exception):
    """The whole request is unusable; answered with status 400."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


class InstanceError(RequestError):
    """One instance is unusable; its neighbours are answered."""


@dataclass(frozen=True)
class Request:
    """A parsed request; its instances are still unchecked."""

    instances: list[Any]
    parameters: dict[str, Any] = field(default_factory=dict)


def parse_request(row: dict[str, Any], max_instances: int = MAX_INSTANCES) -> Request:
    """Read one row of a TorchServe batch, whose body may be parsed JSON, bytes or missing."""
    body = _decoded(row.get("body", row.get("data")))
    if not isinstance(body, dict) or not isinstance(body.get("instances"), list):
        raise RequestError("invalid_request", 'the body must be a JSON object with a list "instances"')
    instances, parameters = body["instances"], body.get("parameters") or {}
    if not 1 <= len(instances) <= max_instances:
        raise RequestError("invalid_request", f'"instances" must hold 1 to {max_instances} entries')
    if not isinstance(parameters, dict):
        raise RequestError("invalid_request", '"parameters" must be a JSON object')
    return Request(instances, parameters)


def text_fields(instance: Any, names: Sequence[str]) -> tuple[str, ...]:
    """The strings `names` of an instance; blank and overlong texts are errors of that instance."""
    return tuple(_text_field(instance, name) for name in names)


def error_entry(error: RequestError) -> dict[str, Any]:
    """The error as it stands in an answer."""
    return {"error": {"type": error.kind, "detail": error.detail}}


def encode(answer: dict[str, Any]) -> str:
    """ASCII JSON: lone surrogates in a quoted slice survive, and NaN is refused rather than sent."""
    return json.dumps(answer, allow_nan=False, separators=(",", ":"))


def _decoded(body: Any) -> Any:
    if not isinstance(body, (bytes, bytearray, str)):
        return body
    try:
        return json.loads(body)
    except ValueError as error:
        raise RequestError("invalid_request", "the body is not JSON in UTF-8") from error


def _text_field(instance: Any, name: str) -> str:
    if not isinstance(instance, dict) or not isinstance(instance.get(name), str):
        raise InstanceError("invalid_instance", f'an instance must be a JSON object with a string "{name}"')
    text: str = instance[name]
    if not text.strip():
        raise InstanceError("empty_text", f'"{name}" is blank')
    if len(text) > MAX_CHARACTERS:
        raise InstanceError("text_too_long", f'"{name}" has {len(text)} characters; at most {MAX_CHARACTERS}')
    return text

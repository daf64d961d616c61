"""Answers of which a test states only what it is about; the rest is as the published schema has it, but empty."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from tests.contract.shapes import options_of, resolved
from tests.published import contracts, document_of

NEUTRAL: Mapping[str, Any] = {
    "string": "",
    "integer": 0,
    "number": 0.0,
    "boolean": False,
    "array": [],
    "object": {},
}
BY_FORMAT = {
    "uuid": "00000000-0000-7000-8000-000000000000",
    "date-time": "2026-01-05T12:00:00Z",
    "date": "2026-01-05",
}


def filled_answer(method: str, path: str, stated: Any) -> Any:
    """Return an answer of an operation: the stated fields, and values for the other required ones."""
    service = path.split("/")[2]
    operation = contracts()[service].operation(method, path) if service in contracts() else None
    return stated if operation is None else _filled(_answers(service, method.lower(), operation.path), stated)


@cache
def _answers(service: str, method: str, path: str) -> Mapping[str, Any]:
    declared = document_of(service)["paths"][path][method]["responses"]
    contents = (answer.get("content", {}) for status, answer in declared.items() if status[0] == "2")
    found = [content["application/json"]["schema"] for content in contents if "application/json" in content]
    return {"anyOf": [resolved(schema, document_of(service)) for schema in found]}


def _filled(schema: Mapping[str, Any], stated: Any) -> Any:
    options = options_of(schema)
    if isinstance(stated, list):
        items = [option["items"] for option in options if option.get("type") == "array" and "items" in option]
        return [_filled({"anyOf": items}, each) for each in stated]
    records = [option for option in options if "properties" in option]
    if not isinstance(stated, dict):
        return stated
    if not records:
        found = [option.get("additionalProperties") for option in options]
        others = [each for each in found if isinstance(each, dict)]
        return {name: _filled({"anyOf": others}, value) for name, value in stated.items()}
    record = max(records, key=lambda each: len(set(each["properties"]) & set(stated)))
    missing = {
        name: _neutral(record["properties"][name])
        for name in record.get("required", ())
        if name not in stated
    }
    given = {name: _filled(record["properties"].get(name, {}), value) for name, value in stated.items()}
    return {**missing, **given}


def _neutral(schema: Mapping[str, Any]) -> Any:
    options = options_of(schema)
    if not options or any(option.get("type") == "null" for option in options):
        return None
    first = options[0]
    if "properties" in first:
        return {name: _neutral(first["properties"][name]) for name in first.get("required", ())}
    if "enum" in first or "const" in first:
        return first.get("const", first.get("enum", [None])[0])
    return BY_FORMAT.get(first.get("format", ""), NEUTRAL[first["type"]])

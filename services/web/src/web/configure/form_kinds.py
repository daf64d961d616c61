"""Choice of the form's control for each part of a configuration, from its JSON Schema and its value."""

from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import quote, unquote

from dynabench_tasks.configuration.reader import configuration_schema

Schema = Mapping[str, Any]
ROOT = "at"
"""Prefix of the names of the form's controls."""
LONG = 200
"""Texts with a higher maximum length get several lines."""


@cache
def task_schema() -> Schema:
    """Return the JSON Schema of task configurations."""
    return configuration_schema("")


def control_name(parent: str, step: str | int) -> str:
    """Return the unambiguous name of a part's control, made from the steps to it."""
    return f"{parent}/{quote(str(step), safe='')}"


def steps_of(name: str) -> list[str]:
    """Return the steps in a control's name."""
    return [unquote(step) for step in name.split("/")[1:]]


KINDS = {"boolean": "flag", "integer": "number", "number": "number"}


def kind_of(schema: Schema) -> str:
    """Return the kind of control for a schema."""
    if "oneOf" in schema:
        return "typed" if all("type" in each.get("properties", {}) for each in schema["oneOf"]) else "variant"
    kind = "enum" if "enum" in schema else str(schema.get("type"))
    if kind == "array":
        return _kind_of_list(schema["items"])
    if kind == "object":
        free = "pairs" if "additionalProperties" in schema else "values"
        return "group" if "properties" in schema else free
    long = "long" if schema.get("maxLength", 0) > LONG else "text"
    return {**KINDS, "enum": "choice", "string": long}.get(kind, "value")


def _kind_of_list(items: Schema) -> str:
    if "enum" in items:
        return "ticks"
    return "lines" if items.get("type") == "string" else "entries"


def fits(schema: Schema, value: object) -> bool:
    """Return whether the control of a schema can show a value; None means a missing value."""
    kind = kind_of(schema)
    if value is None:
        found = True
    elif kind in ("typed", "group", "pairs", "values"):
        found = isinstance(value, dict) and all(isinstance(key, str) for key in value)
    elif kind == "variant":
        found = isinstance(value, str) or (isinstance(value, dict) and _names_one(schema, value))
    elif kind in ("lines", "ticks"):
        found = isinstance(value, list) and all(isinstance(each, str) and _is_line(each) for each in value)
    elif kind == "number":
        found = isinstance(value, str | int | float) and not isinstance(value, bool)
    else:
        found = isinstance(value, {"entries": list, "flag": bool}.get(kind, str))
    return found


def _names_one(schema: Schema, value: Mapping[str, Any]) -> bool:
    return len(value) == 1 and next(iter(value)) in variants(schema)


def _is_line(text: str) -> bool:
    return len(text.splitlines()) == 1


def variants(schema: Schema) -> dict[str, Schema | None]:
    """Return the choices for a word or a one-key mapping: the schema below each key, None for words."""
    found: dict[str, Schema | None] = {}
    for each in schema["oneOf"]:
        found |= dict.fromkeys(each.get("enum", ()))
        found |= each.get("properties", {})
    return found


def types(schema: Schema) -> dict[str, Schema]:
    """Return the schema of an entry by its type."""
    return {each["properties"]["type"]["enum"][0]: each for each in schema["oneOf"]}


def properties(schema: Schema, chosen: object) -> dict[str, Schema]:
    """Return the further keys for an entry's type; for an unknown type, the keys that all types have."""
    known = types(schema) if kind_of(schema) == "typed" else {}
    if chosen in known:
        schema = known[str(chosen)]
    elif known:
        shared = set.intersection(*(set(each["properties"]) for each in known.values()))
        first = next(iter(known.values()))
        schema = {
            "properties": {key: first["properties"][key] for key in first["properties"] if key in shared}
        }
    return {key: each for key, each in schema["properties"].items() if not (known and key == "type")}


def is_empty(value: object) -> bool:
    """Return whether a value means the same as a missing one."""
    return value is None or value is False or value in ("", [], {})


def blank(schema: Schema) -> Any:
    """Return the smallest value that the schema of a new part permits."""
    if "default" in schema:
        return schema["default"]
    kind = kind_of(schema)
    if kind == "typed":
        return {"name": "", "type": "string" if "string" in types(schema) else next(iter(types(schema)))}
    if kind == "group":
        required = schema.get("required", ())
        return {key: blank(each) for key, each in schema["properties"].items() if key in required}
    if kind == "number":
        return schema.get("minimum")
    if kind == "choice":
        return schema["enum"][0]
    return {"values": {}, "pairs": {}, "lines": [], "ticks": [], "entries": []}.get(kind, "")

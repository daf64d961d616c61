"""Schemas of OpenAPI documents, with their references replaced."""

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]


def resolved(schema: Any, document: Schema, *, keep_titles: bool = False) -> Any:
    """Return a schema with every reference replaced by its target."""
    if isinstance(schema, list):
        return [resolved(each, document, keep_titles=keep_titles) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        found: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return resolved(found, document, keep_titles=keep_titles)
    dropped = ("$defs", "description", *(() if keep_titles else ("title",)))
    kept = {name: value for name, value in schema.items() if name not in dropped}
    if isinstance(schema.get("properties"), dict):
        kept["properties"] = schema["properties"]
        named = {
            name: resolved(value, document, keep_titles=keep_titles)
            for name, value in schema["properties"].items()
        }
        return {**{name: value for name, value in kept.items() if name != "properties"}, "properties": named}
    return {name: resolved(value, document, keep_titles=keep_titles) for name, value in kept.items()}


def options_of(schema: Schema) -> list[Schema]:
    """Return the options of a resolved schema that is a union, null included."""
    if "anyOf" in schema:
        return [option for each in schema["anyOf"] for option in options_of(each)]
    return [schema] if schema else []

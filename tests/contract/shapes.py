"""Where a result of the SDK is not what the schemas say of all the answers that it is read from."""

import types
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Union, get_args, get_origin

from dynabench_client.results.base import Result
from dynabench_tasks.values import Value
from pydantic.fields import FieldInfo

Schema = Mapping[str, Any]
PLAIN: dict[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    datetime: "date-time",
    date: "date",
}
TIMES = ("date-time", "date")
TYPES_OF_VALUES = {"string", "array", "object"}


class Shapes:
    """The records that each result is read from, gathered over all operations."""

    def __init__(self) -> None:
        self._records: dict[type[Result], list[Schema]] = defaultdict(list)

    @property
    def results(self) -> list[type[Result]]:
        """Return what is read from anything."""
        return list(self._records)

    def add(self, result: type[Result], record: Schema) -> None:
        """Say that a result is read from such records, and its fields from theirs."""
        known = self._records[result]
        if record in known:
            return
        known.append(record)
        for name, field in fields_of(result).items():
            for option in options_of(record.get("properties", {}).get(name, {})):
                self._add_within(field.annotation, option)

    def differences(self, result: type[Result]) -> list[str]:
        """Name every field that is missing, extra, of another type, or null or left out on one side only."""
        return [f"{result.__name__}.{found}" for found in self._differences(result)]

    def _add_within(self, annotation: Any, option: Schema) -> None:
        for kind in alternatives(annotation):
            if isinstance(kind, type) and issubclass(kind, Result):
                if option.get("type") != "null":
                    self.add(kind, option)
            elif get_origin(kind) is tuple:
                for item in options_of(option.get("items", {})):
                    self._add_within(get_args(kind)[0], item)
            elif get_origin(kind) is dict and isinstance(option.get("additionalProperties"), Mapping):
                for item in options_of(option["additionalProperties"]):
                    self._add_within(get_args(kind)[1], item)

    def _differences(self, result: type[Result]) -> Iterator[str]:
        records, fields = self._records[result], fields_of(result)
        if any("properties" not in record for record in records):
            yield "whole: is read from what is no record"
            return
        stated = {name for record in records for name in record["properties"]}
        yield from (f"{name}: is missing in the SDK" for name in sorted(stated - set(fields)))
        yield from (f"{name}: is in the SDK alone" for name in sorted(set(fields) - stated))
        for name in sorted(stated & set(fields)):
            holding = [record for record in records if name in record["properties"]]
            is_sure = len(holding) == len(records) and all(
                name in each.get("required", ()) for each in holding
            )
            options = [option for each in holding for option in options_of(each["properties"][name])]
            yield from (f"{name}: {flaw}" for flaw in _flaws(fields[name], options, is_sure=is_sure))


def fields_of(result: type[Result]) -> dict[str, FieldInfo]:
    """Return the fields that are read from an answer's body, by their names there."""
    return {field.alias or name: field for name, field in result.model_fields.items() if not field.exclude}


def alternatives(annotation: Any) -> tuple[Any, ...]:
    """Return what a type is a union of; itself if it is none."""
    if get_origin(annotation) in (Union, types.UnionType):
        return tuple(each for part in get_args(annotation) for each in alternatives(part))
    return (annotation,)


def resolved(schema: Any, document: Schema) -> Any:
    """Return a schema with every reference replaced by what it leads to."""
    if isinstance(schema, list):
        return [resolved(each, document) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        found: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return resolved(found, document)
    kept = {name: value for name, value in schema.items() if name not in ("$defs", "description", "title")}
    if isinstance(schema.get("properties"), dict):
        kept["properties"] = schema["properties"]
        named = {name: resolved(value, document) for name, value in schema["properties"].items()}
        return {**{name: value for name, value in kept.items() if name != "properties"}, "properties": named}
    return {name: resolved(value, document) for name, value in kept.items()}


def options_of(schema: Schema) -> list[Schema]:
    """Return what a resolved schema is a union of, null included."""
    if "anyOf" in schema:
        return [option for each in schema["anyOf"] for option in options_of(each)]
    return [schema] if schema else []


def _flaws(field: FieldInfo, options: Sequence[Schema], *, is_sure: bool) -> Iterator[str]:
    if is_sure and not field.is_required():
        yield "has a default in the SDK, but is always there"
    if not is_sure and field.is_required():
        yield "has no default in the SDK, but may be left out"
    yield from _type_flaws(field.annotation, options, is_sure=is_sure)


def _type_flaws(annotation: Any, options: Sequence[Schema], *, is_sure: bool = True) -> Iterator[str]:
    kinds = [each for each in alternatives(annotation) if each is not type(None)]
    takes_null = len(kinds) < len(alternatives(annotation))
    may_be_null = any(option.get("type") == "null" for option in options)
    if kinds == [Any]:
        return
    if may_be_null and not takes_null:
        yield "may be null, but not in the SDK"
    if takes_null and not may_be_null and is_sure:
        yield "is never null, but may be in the SDK"
    given = [option for option in options if option.get("type") != "null"]
    if set(kinds) == set(get_args(Value)):
        if not {option.get("type") for option in given} <= TYPES_OF_VALUES:
            yield "is no value of a field"
    elif not kinds and given:
        yield "is always null in the SDK alone"
    elif len(kinds) > 1:
        yield f"has several types in the SDK: {kinds}"
    else:
        yield from (flaw for option in given for flaw in _mismatches(kinds[0], option))


def _mismatches(kind: Any, option: Schema) -> Iterator[str]:
    origin, arguments, stated = get_origin(kind), get_args(kind), option.get("type")
    if isinstance(kind, type) and issubclass(kind, Result):
        if stated != "object":
            yield f"{stated} is read as {kind.__name__}"
    elif origin is tuple and stated == "array":
        yield from (f"[] {flaw}" for flaw in _type_flaws(arguments[0], options_of(option["items"])))
    elif origin is dict and stated == "object" and "properties" not in option:
        others = option.get("additionalProperties", True)
        if isinstance(others, Mapping):
            yield from (f"* {flaw}" for flaw in _type_flaws(arguments[1], options_of(others)))
        elif arguments[1] is not Any:
            yield f"holds anything, in the SDK {arguments[1]}"
    else:
        exact = option.get("format") if option.get("format") in TIMES else stated
        if PLAIN.get(kind) != exact:
            yield f"{exact} is read as {kind}"

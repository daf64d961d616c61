"""Validation of requests to a model. Unusable input is named here and never reaches a worker.

The checks are written by hand, without a schema library. They run for every prediction, and their whole cost is a few
microseconds.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from gateway.domain.errors import RequestRefused

MAX_INSTANCES = 64

Instance = Mapping[str, Any]


def prediction_instances(body: object, fields: Sequence[str], max_characters: int) -> list[Instance]:
    """Return the checked instances of a `:predict` body. Raises RequestRefused."""
    members = request_members(body, ("instances",), fields)
    return checked_instances(members, fields, max_characters, MAX_INSTANCES)


def request_members(body: object, known: Sequence[str], fields: Sequence[str]) -> dict[str, Any]:
    """Return the body as an object with only known members. Raises RequestRefused."""
    if not isinstance(body, dict):
        remedy = f'Send {{"instances": [{_example(fields)}]}}.'
        _refuse("body-invalid", "body", "it must be a JSON object", remedy)
    for name in body:
        if name not in known:
            field = printable(name)
            _refuse("field-unknown", field, "there is no such field here", f"Send only {', '.join(known)}.")
    return body


def checked_instances(
    members: Mapping[str, Any],
    fields: Sequence[str],
    max_characters: int,
    max_instances: int,
    optional: Sequence[str] = (),
) -> list[Instance]:
    """Return the instances, each an object with exactly the model's texts. Raises RequestRefused.

    Members named in `optional` are allowed too, and not checked.
    """
    instances = members.get("instances")
    if not isinstance(instances, list) or not instances:
        _refuse(
            "instances-missing",
            "instances",
            "it must be a list with at least one instance",
            "Send an instance.",
        )
    if len(instances) > max_instances:
        _refuse(
            "instances-too-many",
            "instances",
            f"it holds {len(instances)} instances; at most {max_instances} are answered at once",
            "Split the request.",
        )
    for position, instance in enumerate(instances):
        _check_instance(instance, f"instances[{position}]", fields, max_characters, optional)
    return instances


def printable(name: object) -> str:
    """Return a member's name as it can stand in an answer: short, and valid Unicode."""
    return str(name)[:60].encode("utf-8", "replace").decode() or '""'


def _check_instance(
    instance: object, where: str, fields: Sequence[str], max_characters: int, optional: Sequence[str]
) -> None:
    if not isinstance(instance, dict) or not instance:
        remedy = f"Send {_example(fields)}."
        _refuse("instance-invalid", where, "it must be a JSON object with texts", remedy)
    for name in instance:
        if name not in fields and name not in optional:
            _refuse(
                "field-unknown",
                f"{where}.{printable(name)}",
                "the model takes no such field",
                f"Send only {', '.join((*fields, *optional))}.",
            )
    characters = 0
    for name in fields:
        if name not in instance:
            _refuse("text-missing", f"{where}.{name}", "it is missing", f'Add "{name}".')
        text = instance[name]
        _check_text(text, f"{where}.{name}")
        characters += len(text)
        if characters > max_characters:
            _refuse(
                "text-too-long",
                f"{where}.{name}",
                f"it has {len(text)} characters; the model reads at most {max_characters} in an instance",
                "Shorten it.",
            )


def _example(fields: Sequence[str]) -> str:
    return json.dumps(dict.fromkeys(fields, "..."))


def _check_text(text: object, where: str) -> None:
    if not isinstance(text, str):
        _refuse("text-invalid", where, "it must be a string", "Send text.")
    if not text or text.isspace():
        _refuse("text-blank", where, "it is blank", "Write something.")
    if "\x00" in text:
        _refuse("text-unusable", where, "it holds the NUL character", "Remove it.")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            _refuse("text-unusable", where, "it holds half of a surrogate pair", "Send whole characters.")


def _refuse(slug: str, field: str, reason: str, remedy: str) -> NoReturn:
    raise RequestRefused(slug, field, reason, remedy)

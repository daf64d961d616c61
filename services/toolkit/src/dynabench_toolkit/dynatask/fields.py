"""Annotation objects as fields."""

import re
from collections.abc import Mapping
from typing import Any

from dynabench_toolkit.dynatask.source import DynataskError, Losses, mapping

Field = dict[str, Any]
LONGEST_LABEL = 200
LONGEST_NAME = 40
READ_KEYS = frozenset(
    {
        "name",
        "type",
        "display_name",
        "placeholder",
        "labels",
        "reference_name",
        "single_select",
        "constructor_args",
        "model_wrong_condition",
        "validated_label_condition",
        "label_condition",
    }
)
TYPES = {
    "string": "string",
    "context_string_selection": "span",
    "multiclass": "multiclass",
    "target_label": "multiclass",
    "multilabel": "multilabel",
    "multiclass_probs": "probabilities",
    "prob": "probabilities",
    "image": "image",
}
DROPPED = {"conf": "answers here carry their confidence anyway, so the field was left out"}


def new_name(name: object) -> str:
    """Return a name as fields here are named: lower-case letters, digits and underscores."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", "_", str(name)).strip("_").lower()
    if not words or not words.isascii():
        raise DynataskError(f"The name {name!r} has no letters to make a field's name of.", "Rename it.")
    return (words if words[0].isalpha() else f"field_{words}")[:LONGEST_NAME]


def flattened(value: object, path: str) -> Mapping[str, Any]:
    """Return an object with its older `constructor_args` merged into it. Raises DynataskError."""
    given = mapping(value, path)
    if "name" not in given:
        raise DynataskError(f"{path}.name is missing.", "Give every object a name.")
    return {**mapping(given.get("constructor_args") or {}, f"{path}.constructor_args"), **given}


def convert_field(given: Mapping[str, Any], path: str, losses: Losses) -> Field | None:
    """Return the field for a flattened object, or None if its type has no counterpart."""
    losses.add_unread(f"{path}.", given, READ_KEYS)
    kind = str(given.get("type"))
    if kind not in TYPES:
        losses.add(f"{path}.type", DROPPED.get(kind, f"{kind!r} has no counterpart; the field was left out"))
        return None
    name = new_name(given["name"])
    if name != given["name"]:
        losses.add(f"{path}.name", f"{given['name']!r} became {name!r}")
    field: Field = {"name": name, "type": _type(kind, given), "label": _label(given)}
    if field["type"] in ("multiclass", "multilabel"):
        field["labels"] = [str(label) for label in given.get("labels") or ()]
    if field["type"] in ("span", "probabilities") and given.get("reference_name"):
        field["of"] = new_name(given["reference_name"])
    return field


def _type(kind: str, given: Mapping[str, Any]) -> str:
    return "multiclass" if kind == "multilabel" and given.get("single_select") else TYPES[kind]


def _label(given: Mapping[str, Any]) -> str:
    parts = [str(given[key]).strip(" .…") for key in ("display_name", "placeholder") if given.get(key)]
    text = ": ".join(part for part in parts if part) or str(given["name"]).replace("_", " ")
    return (text[0].upper() + text[1:])[:LONGEST_LABEL]

"""Metadata objects with their conditions. The original platform makes none of them answer, so all are optional."""

from collections.abc import Mapping
from typing import Any

from dynabench_tasks.fields import FIELD_TYPES

from dynabench_toolkit.dynatask.fields import Field, convert_field, flattened
from dynabench_toolkit.dynatask.source import Losses, mapping, sequence

VOTES = {"correct": "correct", "incorrect": "incorrect", "flagged": "flag"}
LISTS = ("create", "validate")


def convert_metadata(value: object, claimed: Field, losses: Losses) -> dict[str, list[Field]]:
    """Return the metadata fields of both lists."""
    given = mapping(value or {}, "metadata")
    losses.add_unread("metadata.", given, LISTS)
    converted = {}
    for key in LISTS:
        path = f"metadata.{key}"
        entries = enumerate(sequence(given.get(key), path))
        fields = [_convert(entry, f"{path}[{position}]", key, claimed, losses) for position, entry in entries]
        converted[key] = [field for field in fields if field is not None]
    return converted


def _convert(value: object, path: str, key: str, claimed: Field, losses: Losses) -> Field | None:
    given = flattened(value, path)
    field = convert_field(given, path, losses)
    if field is not None and not FIELD_TYPES[field["type"]].can_be_asked:
        losses.add(path, f"{field['type']} can't be asked for as metadata; the field was left out")
        return None
    if field is None:
        return None
    read = _when_created if key == "create" else _when_validated
    when = read(given, path, claimed, losses)
    return {**field, "optional": True, **({"when": when} if when else {})}


def _when_created(
    given: Mapping[str, Any], path: str, claimed: Field, losses: Losses
) -> dict[str, list[str]]:
    when: dict[str, list[str]] = {}
    fooled = given.get("model_wrong_condition")
    if fooled is not None:
        when["verdict"] = ["fooled"] if fooled else ["not_fooled"]
    label = given.get("label_condition")
    if label in claimed.get("labels", ()):
        when["claimed"] = [str(label)]
    elif label is not None:
        losses.add(
            f"{path}.label_condition", f"{label!r} is no label of {claimed['name']}; it is always asked"
        )
    if given.get("validated_label_condition") is not None:
        losses.add(f"{path}.validated_label_condition", "nobody has voted yet; it is always asked")
    return when


def _when_validated(
    given: Mapping[str, Any],
    path: str,
    claimed: Field,  # noqa: ARG001
    losses: Losses,
) -> dict[str, list[str]]:
    when: dict[str, list[str]] = {}
    for key in ("validated_label_condition", "label_condition"):
        vote = given.get(key)
        if vote in VOTES:
            when["vote"] = [VOTES[vote]]
        elif vote is not None:
            losses.add(f"{path}.{key}", f"{vote!r} is no vote of this task; it is always asked")
    if given.get("model_wrong_condition") is not None:
        losses.add(f"{path}.model_wrong_condition", "validators don't see the verdict; it is always asked")
    return when

"""What a version of a task's configuration says about datasets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.gold import GoldPolicy

from scoring.dataset.rows import Field

NO_CLAIM = Field("label", "string")


class UnusableConfiguration(ValueError):
    """A configuration that no dataset can be made by; the message names the key."""


@dataclass(frozen=True, slots=True)
class TaskRules:
    """The parts of a configuration that datasets depend on.

    `label` is the field that stands in input and output: the claim. `input` holds the other input fields. `metadata`
    is what authors say beside the input.
    """

    context: tuple[Field, ...] = ()
    input: tuple[Field, ...] = ()
    metadata: tuple[Field, ...] = ()
    label: Field = NO_CLAIM
    labels: tuple[str, ...] = ()
    gold: GoldPolicy = GoldPolicy.AUTHOR_CONFIRMED
    validates_all: bool = False


DEFAULT_RULES = TaskRules()


def read_rules(configuration: Mapping[str, Any]) -> TaskRules:
    """Read the rules out of a whole configuration. Raises UnusableConfiguration."""
    validation = configuration.get("validation") or {}
    if not isinstance(validation, Mapping):
        raise UnusableConfiguration("validation: must be a block of keys")
    try:
        gold = GoldPolicy(validation.get("gold", GoldPolicy.AUTHOR_CONFIRMED))
    except ValueError as err:
        raise UnusableConfiguration(f"validation.gold: {err}") from err
    inputs = _fields(configuration, "input")
    outputs = {field["name"] for field in _fields(configuration, "output")}
    claimed = next((field for field in inputs if field["name"] in outputs), None)
    return TaskRules(
        context=tuple(map(_field, _fields(configuration, "context"))),
        input=tuple(_field(field) for field in inputs if field is not claimed),
        metadata=_metadata(configuration),
        label=NO_CLAIM if claimed is None else _field(claimed),
        labels=() if claimed is None else tuple(map(str, claimed.get("labels") or ())),
        gold=gold,
        validates_all=validation.get("validate") == "all",
    )


def _metadata(configuration: Mapping[str, Any]) -> tuple[Field, ...]:
    stated = configuration.get("metadata") or {}
    if not isinstance(stated, Mapping):
        raise UnusableConfiguration("metadata: must be a block of keys")
    return tuple(map(_field, _fields(stated, "create", "metadata.create")))


def _field(stated: Mapping[str, Any]) -> Field:
    return Field(str(stated["name"]), str(stated.get("type", "string")))


def _fields(configuration: Mapping[str, Any], key: str, place: str = "") -> Sequence[Mapping[str, Any]]:
    fields = configuration.get(key) or ()
    if not isinstance(fields, Sequence) or not all(
        isinstance(field, Mapping) and "name" in field for field in fields
    ):
        raise UnusableConfiguration(f"{place or key}: must be a list of named fields")
    return fields

"""The kinds of field that a task can have. Each module here registers one; adding a kind is adding a module.

A field knows how to read itself from a configuration, to write itself back, and to check what a person gave.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from annotation.domain.configuration.section import ConfigurationError, Section
from annotation.domain.registry import Registry, import_modules_of


@dataclass(eq=False)
class InputRefused(Exception):
    """Something a person sent can't be taken: `field` names it, as in `input.text`."""

    field: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.field} {self.reason}."


class Field(Protocol):
    """One named field of a context, an input or an output."""

    @property
    def name(self) -> str:
        """Return the name by which documents carry the field."""

    def check(self, value: object, path: str) -> str:
        """Return `value` unchanged if it can be taken. Raises InputRefused."""

    def document(self) -> Mapping[str, object]:
        """Return the field as its configuration says it, defaults filled in."""


class FieldType(Protocol):
    """Reads fields of one kind from a configuration."""

    def read(self, section: Section, name: str, label: str) -> Field:
        """Return the field. Raises ConfigurationError."""


FIELD_TYPES: Registry[FieldType] = Registry()


def read_field(section: Section) -> Field:
    """Return the field that a section describes. Raises ConfigurationError."""
    name = section.text("name", 40)
    if not name.isascii() or not name.isidentifier() or name != name.lower():
        raise ConfigurationError(
            section.at("name"),
            f"is {name!r}",
            "Use lower-case letters, digits and underscores, starting with a letter.",
        )
    kind = FIELD_TYPES[section.choice("type", FIELD_TYPES.names)]
    return section.finish(kind.read(section, name, section.text("label", 200, default=name)))


def check_values(fields: tuple[Field, ...], values: Mapping[str, object], path: str) -> dict[str, str]:
    """Return the values of all `fields`, in their order, each checked.

    Raises InputRefused for the first that is missing, unusable or not asked for.
    """
    names = [field.name for field in fields]
    for name in values:
        if name not in names:
            raise InputRefused(
                f"{path}.{name}", "is not a field of this task", "Send only: " + ", ".join(names) + "."
            )
    checked = {}
    for field in fields:
        if values.get(field.name) is None:
            raise InputRefused(f"{path}.{field.name}", "is missing", "Fill in this field.")
        checked[field.name] = field.check(values[field.name], f"{path}.{field.name}")
    return checked


import_modules_of(__name__, __path__)

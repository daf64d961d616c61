"""Shapes of lists and mappings: allowed contents, defaults, and alternatives for one place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum, auto
from functools import cached_property
from typing import Any, Final, TypeGuard

from dynabench_tasks.configuration.problems import INVALID, Place, Reading
from dynabench_tasks.configuration.shapes import Schema, Shape

MOST_COMPARED = 50


@dataclass(frozen=True)
class ListOf(Shape):
    """A list of `low` to `high` entries. One that can't be used is INVALID among the others."""

    item: Shape
    low: int
    high: int
    wanted: str = "a list"

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the entries."""
        if not isinstance(value, list):
            return reading.wrong_type(value, place, self.wanted)
        if not self.low <= len(value) <= self.high:
            remedy = f"Give between {self.low} and {self.high}."
            return reading.refuse(place, f"has {len(value)} entries", remedy)
        return [self.item.read(each, (*place, number), reading) for number, each in enumerate(value)]

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        least = {"minItems": self.low} if self.low else {}
        return {"type": "array", "items": self.item.schema(), **least, "maxItems": self.high}


@dataclass(frozen=True)
class Texts(ListOf):
    """A list of different texts or words, of use only as a whole."""

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the texts."""
        before = len(reading.problems)
        texts = super().read(value, place, reading)
        if texts is INVALID:
            return INVALID
        reading.refuse_twice(texts, place)
        return INVALID if len(reading.problems) > before else tuple(texts)

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {**super().schema(), "uniqueItems": True}


class Presence(Enum):
    """The marker of a key without a default."""

    REQUIRED = auto()


REQUIRED: Final = Presence.REQUIRED


@dataclass(frozen=True)
class Key:
    """A key of a mapping: its content, and its default.

    `attribute` is the key's name in code, if it differs.
    """

    shape: Shape
    default: object = REQUIRED
    description: str = ""
    attribute: str = ""

    @property
    def is_required(self) -> bool:
        """Return whether the key must be there."""
        return self.default is REQUIRED

    def schema(self) -> Schema:
        """Return the JSON Schema of the key's value."""
        found = self.shape.schema()
        if isinstance(self.default, str | int | float) and self.default != "":
            found["default"] = self.default
        if self.description:
            found["description"] = self.description
        return found


@dataclass(frozen=True)
class Keys(Shape):
    """A mapping with these keys and no others.

    `kind` names the keys' kind if ignoring an unknown one would change the document's meaning.
    """

    keys: Mapping[str, Key]
    kind: str = ""
    wanted: str = "a mapping of names to values"

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the values by key; a block that was left out holds its keys' defaults."""
        if not isinstance(value, dict):
            return reading.wrong_type(value, place, self.wanted)
        found, left = self._defaults.copy(), []
        for name, each in value.items():
            key = self.keys.get(name)
            if key is not None:
                found[name] = key.shape.read(each, (*place, name), reading)
            elif isinstance(name, str):
                left.append(name)
            else:
                return reading.wrong_type(value, place, self.wanted)
        for name in self._required:
            if name not in value:
                found[name] = self._missing(name, place, left, reading)
        for name in left:
            if self.kind:
                reading.refuse_kind(name, (*place, name), self.keys, self.kind)
            elif not reading.passes_over((*place, name)):
                reading.refuse_key((*place, name), self.keys)
                # The key's intended meaning is unknown, so nothing is checked against its default.
                found |= dict.fromkeys(_near(name, [key for key in self.keys if key not in value]), INVALID)
        return found

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        return {
            name: key.shape.read(key.default, (), Reading())
            if isinstance(key.shape, Keys) and key.default is not None and not key.is_required
            else key.default
            for name, key in self.keys.items()
        }

    @cached_property
    def _required(self) -> tuple[str, ...]:
        return tuple(name for name, key in self.keys.items() if key.is_required)

    def _missing(self, name: str, place: Place, left: list[str], reading: Reading) -> Any:
        near = _near(name, left[:MOST_COMPARED])
        remedy = f"Add `{name}` with {self.keys[name].shape.wanted}."
        if near:
            # The misspelt key is reported here, so it is no problem of its own.
            left.remove(near[0])
            remedy = f"Did you write `{near[0]}` for it?"
        return reading.refuse((*place, name), "is missing", remedy)

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {
            "type": "object",
            "properties": {name: key.schema() for name, key in self.keys.items()},
            "additionalProperties": False,
            **({"required": list(self._required)} if self._required else {}),
        }


@dataclass(frozen=True)
class MapOf(Shape):
    """A mapping of any names to one shape."""

    item: Shape | None = None
    low: int = 0
    wanted: str = "a mapping of names to values"

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the values by name."""
        if not is_mapping(value):
            return reading.wrong_type(value, place, self.wanted)
        if len(value) < self.low:
            return reading.refuse(place, "is empty", "Name at least one.")
        if self.item is None:
            return value
        return {name: self.item.read(each, (*place, name), reading) for name, each in value.items()}

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        least = {"minProperties": self.low} if self.low else {}
        return {
            "type": "object",
            **({} if self.item is None else {"additionalProperties": self.item.schema()}),
            **least,
        }


@dataclass(frozen=True)
class AnyValue(Shape):
    """A value of any kind, checked elsewhere; only null is refused."""

    wanted: str = "a value"

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the value as it is."""
        return reading.wrong_type(value, place, self.wanted) if value is None else value

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"not": {"type": "null"}}


@dataclass(frozen=True)
class OneOf(Shape):
    """A word, or a mapping whose only key says which of several kinds its value is.

    Reads as the name and its value, None for a word. `kind` is the kind of names. `when_empty` is the reading of an
    empty mapping, if that is allowed.
    """

    words: Sequence[str]
    kinds: Mapping[str, Shape]
    kind: str
    wanted: str = "a mapping with one name"
    when_empty: object = None

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the name and its value."""
        if isinstance(value, str):
            return (value, None) if value in self.words else self._unknown(value, place, reading)
        if not is_mapping(value):
            return reading.wrong_type(value, place, self.wanted)
        if not value and self.when_empty is not None:
            return self.when_empty
        if len(value) == 1:
            [(name, inner)] = value.items()
            return self._read_kind(name, inner, place, reading)
        names = ", ".join([*self.words, *self.kinds])
        reason = f"names {_counted(len(value), self.kind)}"
        return reading.refuse(place, reason, f"Name exactly one: {names}.")

    def _read_kind(self, name: str, inner: object, place: Place, reading: Reading) -> Any:
        if name in self.kinds:
            return name, self.kinds[name].read(inner, (*place, name), reading)
        # Where there is one name only, one that is near it is that name misspelt.
        if len(self.kinds) == 1 and _near(name, [*self.kinds]):
            return reading.refuse((*place, *self.kinds), "is missing", f"Did you write `{name}` for it?")
        return self._unknown(name, (*place, name), reading)

    def _unknown(self, name: str, place: Place, reading: Reading) -> Any:
        return reading.refuse_kind(name, place, [*self.words, *self.kinds], self.kind)

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        kinds = [name for name in self.kinds if name not in self.words]
        mappings = [Keys({name: Key(self.kinds[name])}).schema() for name in kinds]
        return {"oneOf": [{"enum": list(self.words)}, *mappings] if self.words else mappings}


def _counted(number: int, kind: str) -> str:
    noun = kind.rsplit(maxsplit=1)[-1]
    if number == 0:
        return f"no {noun}"
    several = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"two {several}" if number == 2 else f"{number} {several}"


def _near(name: str, names: list[str]) -> list[str]:
    return get_close_matches(name, names, n=1, cutoff=0.6)


def is_mapping(value: object) -> TypeGuard[dict[str, Any]]:
    """Return whether a value is a mapping of names."""
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)

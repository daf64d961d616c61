"""What may stand in a configuration: said once, read with every problem told, and published as JSON Schema.

A shape reads a value as it came from YAML or JSON. What can't be used becomes `UNREAD` and a problem; everything
beside it is read on. What only the whole document can tell is checked once all shapes have been read.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum, auto
from functools import cached_property
from typing import Any, Final, TypeGuard

from dynabench_tasks.configuration.problems import UNREAD, Place, Reading
from dynabench_tasks.text import find_flaw

Schema = dict[str, Any]
MOST_COMPARED = 50


class Shape:
    """What a value may be."""

    @property
    def wanted(self) -> str:
        """Return what completes "Give ..."."""
        raise NotImplementedError

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the value, or UNREAD once `reading` holds what is wrong with it."""
        raise NotImplementedError

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        raise NotImplementedError


@dataclass(frozen=True)
class Text(Shape):
    """A text of at most so many code points that shows something, unless it may be blank.

    `pattern` is what the whole text must look like, and `remedy` says so in words.
    """

    most: int
    may_be_blank: bool = False
    pattern: re.Pattern[str] | None = None
    remedy: str = ""
    wanted: str = "a text"

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the text as it is."""
        if not isinstance(value, str):
            return reading.wrong_type(value, place, self.wanted)
        flaw = find_flaw(value, self.most, self.may_be_blank)
        if flaw is not None:
            return reading.refuse(place, flaw.reason, flaw.remedy)
        if self.pattern is not None and self.pattern.fullmatch(value) is None:
            return reading.refuse(place, f"is {value!r}", self.remedy)
        return value

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        found: Schema = {"type": "string", "maxLength": self.most}
        if not self.may_be_blank:
            found["minLength"] = 1
        if self.pattern is not None:
            found["pattern"] = f"^{self.pattern.pattern}$"
        return found


@dataclass(frozen=True)
class Number(Shape):
    """A finite number in [low, high]."""

    low: float
    high: float

    @property
    def wanted(self) -> str:
        """Return what completes "Give ..."."""
        return f"a number from {self.low:g} to {self.high:g}"

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the number with a fraction."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return reading.wrong_type(value, place, self.wanted)
        if isinstance(value, float) and math.isnan(value):
            return reading.wrong_type(value, place, self.wanted)
        if not self.low <= value <= self.high:
            return reading.refuse(place, _size(value), f"Give {self.wanted}.")
        return float(value)

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": "number", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Whole(Shape):
    """A whole number in [low, high]."""

    low: int
    high: int

    @property
    def wanted(self) -> str:
        """Return what completes "Give ..."."""
        return f"a whole number from {self.low} to {self.high}"

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the number."""
        if isinstance(value, bool) or not isinstance(value, int):
            return reading.wrong_type(value, place, self.wanted)
        if not self.low <= value <= self.high:
            return reading.refuse(place, _size(value), f"Give a number from {self.low} to {self.high}.")
        return value

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


def _size(value: float) -> str:
    if isinstance(value, int):
        # Python refuses to print very long numbers.
        return f"is {value}" if value.bit_length() <= 64 else "is far out of range"
    return f"is {value:g}"


@dataclass(frozen=True)
class Flag(Shape):
    """True or false."""

    wanted: str = "true or false"

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the truth."""
        return value if isinstance(value, bool) else reading.wrong_type(value, place, self.wanted)

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Word(Shape):
    """One of the words that are known; `kind` is what they name.

    A word that only some readers need is kept where a later version may have written it (`is_kept`).
    """

    words: Sequence[str]
    kind: str
    is_kept: bool = False

    @property
    def wanted(self) -> str:
        """Return what completes "Give ..."."""
        return "one of: " + ", ".join(self.words)

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the word."""
        if isinstance(value, str) and (value in self.words or (self.is_kept and reading.is_lenient)):
            return value
        return reading.refuse_kind(value, place, self.words, self.kind)

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class ListOf(Shape):
    """A list of `low` to `high` entries. One that can't be used is UNREAD among the others."""

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
        if texts is UNREAD:
            return UNREAD
        reading.refuse_twice(texts, place)
        return UNREAD if len(reading.problems) > before else tuple(texts)

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {**super().schema(), "uniqueItems": True}


class Presence(Enum):
    """Stands where a key has no default."""

    REQUIRED = auto()


REQUIRED: Final = Presence.REQUIRED


@dataclass(frozen=True)
class Key:
    """A key of a mapping: what it holds, and what stands for it where it is left out.

    `attribute` is what the key is called in code, if not by its own name.
    """

    shape: Shape
    default: object = REQUIRED
    description: str = ""
    attribute: str = ""

    @property
    def is_required(self) -> bool:
        """Tell whether the key must be there."""
        return self.default is REQUIRED

    def schema(self) -> Schema:
        """Return the JSON Schema of what stands under the key."""
        found = self.shape.schema()
        if isinstance(self.default, str | int | float) and self.default != "":
            found["default"] = self.default
        if self.description:
            found["description"] = self.description
        return found


@dataclass(frozen=True)
class Keys(Shape):
    """A mapping with these keys and no others.

    `kind` says what the keys name where passing over an unknown one would change what the document means.
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
                # What the key was meant to say is not known, so nothing else is judged by its default.
                found |= dict.fromkeys(_near(name, [key for key in self.keys if key not in value]), UNREAD)
        return found

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        return {
            name: key.shape.read(key.default, (), Reading())
            if isinstance(key.shape, Keys) and not key.is_required
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
            # The misspelt key is told here, so it is no problem of its own.
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
    """A mapping of any names to one shape, or to whatever is checked elsewhere."""

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
class OneOf(Shape):
    """A word, or a mapping whose only key says which of several kinds its value is.

    Reads as the name and what stands under it, None for a word. `kind` is what the names name. `when_empty` is what
    an empty mapping reads as, where it is no mistake.
    """

    words: Sequence[str]
    kinds: Mapping[str, Shape]
    kind: str
    wanted: str = "a mapping with one name"
    when_empty: object = None

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the name and what stands under it."""
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
        said = f"names {_counted(len(value), self.kind)}"
        return reading.refuse(place, said, f"Name exactly one: {names}.")

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
    """Tell whether a value is a mapping of names."""
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)

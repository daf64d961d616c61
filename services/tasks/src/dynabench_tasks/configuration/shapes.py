"""Shapes of a configuration: declared once, read with every problem reported, and published as JSON Schema.

A shape reads a value from YAML or JSON. An unusable value becomes `INVALID` and a problem; the rest is read on. Rules
that need the whole document are checked once all shapes have been read.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.problems import Place, Reading
from dynabench_tasks.text import validate_text

Schema = dict[str, Any]


class Shape:
    """The allowed forms of a value."""

    @property
    def wanted(self) -> str:
        """Return what completes "Give ..."."""
        raise NotImplementedError

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the value, or INVALID after adding its problems to `reading`."""
        raise NotImplementedError

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        raise NotImplementedError


@dataclass(frozen=True)
class Text(Shape):
    """A text of at most so many code points that shows something, unless it may be blank.

    `pattern` must match the whole text, and `remedy` explains it.
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
        flaw = validate_text(value, self.most, self.may_be_blank)
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
    """One of the known words; `kind` is their kind.

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

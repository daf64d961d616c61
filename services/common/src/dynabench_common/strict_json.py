"""JSON as requests may have it: no NaN or Infinity, and no number that 64 bits can't hold.

PostgreSQL, protobuf and other readers of JSON hold no larger ones, so a larger number is refused where it comes in.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

LARGEST = 2**63 - 1
MOST_DIGITS = 19


class NumberTooLarge(ValueError):
    """A number that 64 bits can't hold, as an integer or a float: `number` is how it begins, `field` its place."""

    def __init__(self, number: str, field: str) -> None:
        super().__init__(f"the number {number} is too large for 64 bits")
        self.number = number
        self.field = field


@dataclass(frozen=True)
class _Large:
    digits: str


def read_json(text: str) -> Any:
    """Return what a text says. Raises NumberTooLarge, ValueError for what is no JSON, RecursionError."""
    found: list[_Large] = []

    def whole(digits: str) -> int | _Large:
        if len(digits) <= MOST_DIGITS + 1 and -LARGEST - 1 <= int(digits) <= LARGEST:
            return int(digits)
        found.append(_Large(digits))
        return found[-1]

    def fraction(written: str) -> float | _Large:
        number = float(written)
        if isfinite(number):
            return number
        found.append(_Large(written))
        return found[-1]

    document = json.loads(text, parse_constant=_refuse_constant, parse_int=whole, parse_float=fraction)
    if found:
        digits = found[0].digits
        shown = digits if len(digits) <= MOST_DIGITS + 1 else f"{digits[:MOST_DIGITS]}…"
        raise NumberTooLarge(shown, next(_places(document, ""), "body"))
    return document


def _places(value: Any, place: str) -> Iterator[str]:
    """Yield the places of large numbers."""
    if isinstance(value, _Large):
        yield place or "body"
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _places(part, f"{place}.{name}".removeprefix("."))
    elif isinstance(value, list):
        for position, part in enumerate(value):
            yield from _places(part, f"{place}[{position}]")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")

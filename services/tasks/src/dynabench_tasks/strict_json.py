"""JSON with one meaning for every reader: no key twice, no number beyond 64 bits, only storable text.

PostgreSQL, protobuf and other readers support no larger numbers, and no NaN or Infinity.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

LARGEST = 2**63 - 1
MOST_DIGITS = 19
LONGEST_SHOWN = 60
DEEPEST = 100
"""Levels of lists and objects; the readers after this one may have less of the stack left."""


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
    """Return the value of a JSON text.

    Raises ValueError for invalid JSON and for more than DEEPEST levels, also as JSONDecodeError and NumberTooLarge.
    """
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

    try:
        document = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_int=whole,
            parse_float=fraction,
        )
    except RecursionError as err:
        raise ValueError("it is nested too deep") from err
    if _is_deep(document):
        raise ValueError("it is nested too deep")
    if found:
        digits = found[0].digits
        shown = digits if len(digits) <= MOST_DIGITS + 1 else f"{digits[:MOST_DIGITS]}…"
        raise NumberTooLarge(shown, next(_places(document, ""), "body"))
    return document


def unkeepable(document: object, path: str = "") -> tuple[str, str] | None:
    """Return the path of the first text or key that no database can store, and its character; None if all can be.

    These are NUL and halves of surrogate pairs, which JSON can write as escapes.
    """
    for place, text in _texts(document, path):
        found = next((each for each in text if each == "\x00" or "\ud800" <= each <= "\udfff"), None)
        if found is not None:
            return place, f"U+{ord(found):04X}"
    return None


def _is_deep(document: object) -> bool:
    level = [document]
    for _ in range(DEEPEST):
        inner = [
            each.values() if isinstance(each, dict) else each
            for each in level
            if isinstance(each, dict | list)
        ]
        if not inner:
            return False
        level = [each for found in inner for each in found]
    return any(isinstance(each, dict | list) for each in level)


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


def _texts(document: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(document, str):
        yield path, document
    elif isinstance(document, list):
        for number, each in enumerate(document):
            yield from _texts(each, f"{path}[{number}]")
    elif isinstance(document, dict):
        for key, each in document.items():
            yield path or "line", key
            yield from _texts(each, f"{path}.{key}".lstrip("."))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {twice[:LONGEST_SHOWN]!r} stands twice in one object")
    return found

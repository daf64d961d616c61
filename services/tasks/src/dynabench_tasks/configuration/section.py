"""Reading one mapping of a task configuration, with errors that say where, why and what to do.

Every reading method takes its key off the list of unread ones; `finish` refuses what is left, naming the
nearest key that would have been understood.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar

from dynabench_tasks.text import find_flaw

Made = TypeVar("Made")
NAMES = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "a mapping"}


@dataclass(eq=False)
class ConfigurationError(Exception):
    """A task configuration that can't be used: `path` names the place, as in `input[1].labels`."""

    path: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path} {self.reason}. {self.remedy}"


class UnknownKey(ConfigurationError):
    """A key that is not understood where it stands."""


@dataclass(eq=False)
class UnknownKind(ConfigurationError):
    """A type, rule or policy that this version of the language does not know.

    `kind` is what it is, such as "field type" or "wrong-when rule", and `name` what the document calls it.
    """

    kind: str
    name: str


class Section:
    """A mapping in the document, together with its place."""

    def __init__(self, value: object, path: str) -> None:
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            raise wrong_kind(value, path, "a mapping of names to values")
        self.path = path
        self._values: Mapping[str, object] = value
        self._unread = dict.fromkeys(value)
        self._known: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._values

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys that the document gives."""
        return tuple(self._values)

    def at(self, key: str) -> str:
        """Return the path of a key."""
        return f"{self.path}.{key}" if self.path else key

    def take(self, key: str, default: object = None) -> object:
        """Return the raw value of a key, which now counts as read."""
        self._known.append(key)
        self._unread.pop(key, None)
        return self._values.get(key, default)

    def text(self, key: str, max_length: int, default: str | None = None) -> str:
        """Return a text; without `default` it must be there and show something."""
        value = self.take(key, default)
        if value is None:
            raise self._missing(key, f"Add `{key}` with a text.")
        return checked_text(value, self.at(key), max_length, may_be_blank=default is not None)

    def text_if_given(self, key: str, max_length: int) -> str | None:
        """Return a text that shows something, or None if the document doesn't give the key."""
        if key in self:
            return self.text(key, max_length)
        self.take(key)
        return None

    def texts(self, key: str, max_length: int, at_most: int) -> tuple[str, ...]:
        """Return a list of different texts, at least one."""
        values = self.entries(key, 1, at_most)
        path = self.at(key)
        texts = tuple(checked_text(value, f"{path}[{i}]", max_length) for i, value in enumerate(values))
        refuse_twice(texts, path)
        return texts

    def entries(self, key: str, at_least: int, at_most: int) -> Sequence[object]:
        """Return a list of allowed length."""
        value = self.take(key)
        if value is None:
            raise self._missing(key, f"Add `{key}` with a list.")
        if not isinstance(value, list):
            raise wrong_kind(value, self.at(key), "a list")
        if not at_least <= len(value) <= at_most:
            raise ConfigurationError(
                self.at(key),
                f"has {len(value)} entries",
                f"Give between {at_least} and {at_most}.",
            )
        return value

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number in [low, high]."""
        value = self.take(key, default)
        if value is None:
            raise self._missing(key, f"Give a number from {low} to {high}.")
        if isinstance(value, bool) or not isinstance(value, int):
            raise wrong_kind(value, self.at(key), f"a whole number from {low} to {high}")
        if not low <= value <= high:
            raise ConfigurationError(self.at(key), f"is {value}", f"Give a number from {low} to {high}.")
        return value

    def whole_if_given(self, key: str, low: int, high: int) -> int | None:
        """Return a whole number in [low, high], or None if the document doesn't give the key."""
        if key in self:
            return self.whole(key, low, high)
        self.take(key)
        return None

    def number(self, key: str, low: float, high: float, default: float | None = None) -> float:
        """Return a finite number in [low, high]."""
        value = self.take(key, default)
        if value is None:
            raise self._missing(key, f"Give a number from {low:g} to {high:g}.")
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise wrong_kind(value, self.at(key), f"a number from {low:g} to {high:g}")
        if not low <= value <= high:
            raise ConfigurationError(
                self.at(key), f"is {value:g}", f"Give a number from {low:g} to {high:g}."
            )
        return float(value)

    def flag(self, key: str, default: bool = False) -> bool:
        """Return true or false."""
        value = self.take(key, default)
        if not isinstance(value, bool):
            raise wrong_kind(value, self.at(key), "true or false")
        return value

    def choice(self, key: str, options: Iterable[str], default: str | None = None) -> str:
        """Return one of the known words."""
        return chosen(self.take(key, default), self.at(key), options)

    def mapping(self, key: str) -> Mapping[str, object]:
        """Return a mapping whose keys are read elsewhere, empty if it is not there."""
        return self.section(key)._values

    def section(self, key: str) -> "Section":
        """Return a mapping inside this one, empty if it is not there."""
        return Section(self.take(key, {}), self.at(key))

    def sections(self, key: str, at_least: int, at_most: int) -> tuple["Section", ...]:
        """Return a list of mappings."""
        values = self.entries(key, at_least, at_most)
        return tuple(Section(value, f"{self.at(key)}[{i}]") for i, value in enumerate(values))

    def _missing(self, key: str, remedy: str) -> ConfigurationError:
        near = get_close_matches(key, list(self._unread), n=1, cutoff=0.6)
        if near:
            remedy = f"Did you write `{near[0]}` for it?"
        return ConfigurationError(self.at(key), "is missing", remedy)

    def finish(self, made: Made) -> Made:
        """Return `made`, once no key of the document is left unread."""
        for key in self._unread:
            raise UnknownKey(
                *told(unknown(key, self._known, self.at(key), "is not a key that is understood here"))
            )
        return made


def checked_text(value: object, path: str, max_length: int, may_be_blank: bool = False) -> str:
    """Return `value` if it is a text that can be kept."""
    if not isinstance(value, str):
        raise wrong_kind(value, path, "text")
    flaw = find_flaw(value, max_length, may_be_blank)
    if flaw is not None:
        raise ConfigurationError(path, flaw.reason, flaw.remedy)
    return value


def chosen(value: object, path: str, options: Iterable[str]) -> str:
    """Return `value` if it is one of `options`; the error names the nearest."""
    known = tuple(options)
    if isinstance(value, str) and value in known:
        return value
    if not isinstance(value, str):
        raise wrong_kind(value, path, "one of: " + ", ".join(known))
    raise unknown(value, known, path, f"is {value[:50]!r}, which is not known")


def kind_of(value: object, path: str, options: Iterable[str], kind: str) -> str:
    """Return `value` if it is a known name of this kind. Raises UnknownKind for a word that is not."""
    try:
        return chosen(value, path, options)
    except ConfigurationError as err:
        if isinstance(value, str):
            raise UnknownKind(*told(err), kind, value) from err
        raise


def told(error: ConfigurationError) -> tuple[str, str, str]:
    """Return where, why and what to do."""
    return error.path, error.reason, error.remedy


def refuse_twice(names: Sequence[str], path: str) -> None:
    """Raise ConfigurationError if a name stands twice."""
    for position, name in enumerate(names):
        if name in names[:position]:
            raise ConfigurationError(
                f"{path}[{position}]", f"repeats {name!r}", "Remove it or give it another name."
            )


def unknown(given: str, known: Iterable[str], path: str, reason: str) -> ConfigurationError:
    """Return the error for a word that is not known, naming the nearest one that is."""
    options = sorted(set(known))
    near = get_close_matches(given, options, n=1, cutoff=0.6)
    remedy = f"Did you mean `{near[0]}`?" if near else "Known here: " + ", ".join(options) + "."
    return ConfigurationError(path, reason, remedy)


def wrong_kind(value: object, path: str, wanted: str) -> ConfigurationError:
    """Return the error for a value of another kind than wanted."""
    if value is None:
        return ConfigurationError(path or "configuration", "is missing or empty", f"Give {wanted}.")
    name = NAMES.get(type(value), type(value).__name__)
    remedy = f"Give {wanted}."
    if isinstance(value, bool):
        remedy += " YAML reads words such as yes, no, on and off as true and false: put them in quotes."
    return ConfigurationError(path or "configuration", f"is {name}", remedy)

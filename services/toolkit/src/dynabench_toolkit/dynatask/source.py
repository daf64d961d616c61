"""Input and report of a conversion: untrusted mappings, and the list of losses."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml


class DynataskError(Exception):
    """The source can't be converted: the problem and the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


@dataclass(frozen=True)
class Loss:
    """A key of the source that could not be carried over unchanged, with its treatment."""

    key: str
    reason: str


@dataclass
class Losses:
    """Collects the losses of a conversion."""

    found: list[Loss] = field(default_factory=list)

    def add(self, key: str, reason: str) -> None:
        """Note that a key could not be carried over."""
        self.found.append(Loss(key, reason))

    def add_unread(self, path: str, source: Mapping[str, Any], read: Iterable[str]) -> None:
        """Note every key of a mapping that the conversion does not read."""
        for key in source:
            if key not in read:
                self.add(f"{path}{key}", "has no counterpart here and was left out")


def read_document(text: str) -> Mapping[str, Any]:
    """Return the mapping that a YAML (or JSON) text describes. Raises DynataskError.

    Anchors and aliases are refused, since a few lines of them can expand to gigabytes.
    """
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
                raise DynataskError("Anchors and aliases are not read.", "Write out what they stand for.")
        document = yaml.safe_load(text)
    except yaml.MarkedYAMLError as err:
        mark = err.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}" if mark is not None else "some line"
        raise DynataskError(f"It is not YAML ({place}: {err.problem}).", "Correct it there.") from err
    except (yaml.YAMLError, ValueError, RecursionError) as err:
        raise DynataskError("It is not YAML.", "Is it the right file?") from err
    return mapping(document, "the configuration")


def mapping(value: object, path: str) -> Mapping[str, Any]:
    """Return `value` if it is a mapping with text keys. Raises DynataskError."""
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise DynataskError(f"{path} is no mapping of names to values.", "Is it a Dynatask configuration?")
    return value


def sequence(value: object, path: str) -> Sequence[Any]:
    """Return `value` if it is a list; None is an empty list. Raises DynataskError."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise DynataskError(f"{path} is no list.", "Is it a Dynatask configuration?")
    return value

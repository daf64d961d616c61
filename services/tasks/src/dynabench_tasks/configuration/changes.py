"""Differences between two versions of a configuration."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """One place that differs: `before` is None for an addition, `after` for a removal."""

    path: str
    before: object
    after: object


def changes_between(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[Change, ...]:
    """Return the differences, in the order of the later document, then the removals.

    Lists of named things are compared by name, so that a field put first is one change; other lists are compared
    whole.
    """
    old, new = _leaves(before, ""), _leaves(after, "")
    paths = [*new, *(path for path in old if path not in new)]
    return tuple(
        Change(path, old.get(path), new.get(path)) for path in paths if old.get(path) != new.get(path)
    )


def _leaves(value: object, path: str) -> dict[str, object]:
    if isinstance(value, Mapping):
        named = {str(key): each for key, each in value.items()}
    elif (
        isinstance(value, list)
        and value
        and all(isinstance(each, Mapping) and "name" in each for each in value)
    ):
        named = {str(each["name"]): each for each in value}
    else:
        return {path: value}
    if not named:
        return {}
    return {
        leaf: found
        for key, each in named.items()
        for leaf, found in _leaves(each, f"{path}.{key}" if path else key).items()
    }

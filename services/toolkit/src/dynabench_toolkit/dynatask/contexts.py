"""Contexts of the original platform, one JSON object a line, as contexts of this one."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dynabench_tasks.strict_json import read_json

from dynabench_toolkit.dynatask.source import Loss

WRAPPER = "context"
TAGS = ("tags", "tag")


@dataclass(frozen=True)
class LineError:
    """A line that can't be converted, with the reason and a remedy."""

    line: int
    reason: str
    remedy: str


@dataclass
class ConvertedContexts:
    """Contexts, the wrong lines, and the count of each omitted key."""

    contexts: list[Mapping[str, Any]] = field(default_factory=list)
    errors: list[LineError] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Return what could not be carried over, by key."""
        return tuple(
            Loss(f"contexts.{key}", f"was left out of {n} lines") for key, n in self.left_out.items()
        )

    def lines(self) -> str:
        """Return the contexts as JSON lines."""
        return "".join(json.dumps(context, ensure_ascii=False) + "\n" for context in self.contexts)


def convert_contexts(lines: Iterable[str], names: Mapping[str, str]) -> ConvertedContexts:
    """Return the contexts of some lines; `names` maps the old names of the context's fields to the new.

    The fields are at the top of a line or, in older files, in its `context`.
    """
    converted = ConvertedContexts()
    for number, line in enumerate(lines, 1):
        if line.strip():
            _convert(number, line, names, converted)
    return converted


def _convert(number: int, line: str, names: Mapping[str, str], converted: ConvertedContexts) -> None:
    try:
        given, reason = read_json(line), "is no JSON object"
    except ValueError as err:
        given, reason = None, f"is not JSON: {err}"
    if not isinstance(given, dict):
        converted.errors.append(LineError(number, reason, 'Write {"field": "…", "tag": "…"}.'))
        return
    fields = given[WRAPPER] if isinstance(given.get(WRAPPER), dict) else given
    missing = [name for name in names if fields.get(name) is None]
    if missing:
        converted.errors.append(LineError(number, f"lacks {', '.join(missing)}", "Give every context field."))
        return
    for key in {**given, **fields}:
        if key not in (*names, *TAGS, WRAPPER):
            converted.left_out[key] += 1
    context = {"fields": {new: fields[old] for old, new in names.items()}, "tags": _tags(given)}
    converted.contexts.append(context)


def _tags(given: Mapping[str, Any]) -> list[str]:
    value = given.get("tags") or given.get("tag") or []
    return [str(tag) for tag in value] if isinstance(value, list) else [str(value)]

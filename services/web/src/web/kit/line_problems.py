"""Problems in the lines of a refused file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from web.kit.language import ngettext
from web.kit.numbers import count
from web.kit.service_words import service_words


@dataclass(frozen=True)
class LineProblem:
    """Problem of one line."""

    line: str
    field: str
    reason: str
    remedy: str


@dataclass(frozen=True)
class LineProblems:
    """Problems of a file: the first ones, their number, and the number of those not shown."""

    lines: list[LineProblem]
    total: str
    more: str


def line_problems(document: Mapping[str, Any]) -> LineProblems | None:
    """Return what a refused file holds, from the problem's document; None if it was not about its lines."""
    errors = [error for error in document.get("errors") or () if isinstance(error, Mapping)]
    if not errors:
        return None
    total = int(document.get("error_count") or len(errors))
    return LineProblems(
        [
            LineProblem(
                str(error.get("line") or ""),
                str(error.get("field") or ""),
                service_words(str(error.get("reason") or "")),
                service_words(str(error.get("remedy") or "")),
            )
            for error in errors
        ],
        ngettext("%(shown)s\u00a0problem", "%(shown)s\u00a0problems", total, shown=count(total)),
        count(total - len(errors)) if total > len(errors) else "",
    )

"""View of configurations for owners: problems with their position, changes, and earlier versions."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from dynabench_client.results.annotation import (
    Change,
    ConfigurationChange,
    ConfigurationCheck,
    TaskVersion,
)

from web.kit.language import N_, _, ngettext
from web.kit.numbers import TimeView, count, moment
from web.kit.service_words import service_words

CONTEXT_LINES = 3
LONGEST_VALUE = 300
SIGNS = {"removed": "−", "added": "+", "same": " "}
IN_WORDS = {"removed": N_("removed"), "added": N_("added")}


@dataclass(frozen=True)
class ProblemLine:
    """Problem of a configuration; `line` and `column` are 0 if it concerns the whole."""

    path: str
    line: int
    column: int
    reason: str
    remedy: str

    @property
    def place(self) -> str:
        """Line and column in words."""
        if not self.line:
            return _("in the whole configuration")
        return _("line %(line)s, column %(column)s", line=self.line, column=self.column)


@dataclass(frozen=True)
class ChangeView:
    """A changed value; an empty text means a missing one."""

    path: str
    before: str
    after: str


@dataclass(frozen=True)
class CheckView:
    """Result of a check of a text. `status` is one sentence."""

    problems: list[ProblemLine]
    changes: list[ChangeView] | None
    version: int
    status: str


@dataclass(frozen=True)
class VersionView:
    """A version in the list."""

    number: int
    made: TimeView | None
    changes: list[ChangeView]


@dataclass(frozen=True)
class DiffLine:
    """A line of a comparison of two texts; a number is empty if the line is not in that text."""

    before: str
    after: str
    kind: str
    text: str

    @property
    def sign(self) -> str:
        """The sign for an added, removed or unchanged line."""
        return SIGNS[self.kind]

    @property
    def in_words(self) -> str:
        """The sign in words, for screen readers."""
        return _(IN_WORDS[self.kind]) if self.kind in IN_WORDS else ""


def check_view(check: ConfigurationCheck, change: ConfigurationChange | None) -> CheckView:
    """Return the view of a check; `change` has the changes to the task, if it exists."""
    problems = [
        ProblemLine(
            found.path,
            found.line or 0,
            found.column or 1,
            service_words(found.reason),
            service_words(found.remedy),
        )
        for found in check.problems
    ]
    changes = None if change is None else change_views(change.changes)
    version = change.configuration_version if change else 0
    return CheckView(problems, changes, version, _status(problems, changes, version))


def change_views(changes: Iterable[Change]) -> list[ChangeView]:
    """Return changes, formatted."""
    return [
        ChangeView(change.path, value_words(change.before), value_words(change.after)) for change in changes
    ]


def version_views(versions: Sequence[TaskVersion]) -> list[VersionView]:
    """Return versions for the list."""
    return [
        VersionView(version.configuration_version, moment(version.created_at), change_views(version.changes))
        for version in versions
    ]


def value_words(value: Any) -> str:
    """Return a value of a configuration, formatted and shortened; empty for none."""
    if value is None:
        return ""
    words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return words if len(words) <= LONGEST_VALUE else words[: LONGEST_VALUE - 1] + "…"


def diff_lines(before: str, after: str) -> list[list[DiffLine]]:
    """Return the differences of two texts as groups of lines, with a few unchanged lines around each."""
    old, new = before.splitlines(), after.splitlines()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        [line for step in group for line in _lines(step, old, new)]
        for group in matcher.get_grouped_opcodes(CONTEXT_LINES)
    ]


def _lines(step: tuple[str, int, int, int, int], old: list[str], new: list[str]) -> list[DiffLine]:
    kind, old_start, old_end, new_start, new_end = step
    if kind == "equal":
        return [
            DiffLine(str(old_start + passed + 1), str(new_start + passed + 1), "same", text)
            for passed, text in enumerate(old[old_start:old_end])
        ]
    removed = [DiffLine(str(number + 1), "", "removed", old[number]) for number in range(old_start, old_end)]
    added = [DiffLine("", str(number + 1), "added", new[number]) for number in range(new_start, new_end)]
    return removed + added


def _status(problems: list[ProblemLine], changes: list[ChangeView] | None, version: int) -> str:
    if problems:
        return ngettext(
            "%(shown)s\u00a0problem: %(place)s.",
            "%(shown)s\u00a0problems: %(place)s.",
            len(problems),
            shown=count(len(problems)),
            place=problems[0].place,
        )
    if changes is None:
        return _("No problem found.")
    if not changes:
        return _("No problem found, and nothing changes.")
    return ngettext(
        "No problem found. Version %(version)s changes %(shown)s\u00a0place.",
        "No problem found. Version %(version)s changes %(shown)s\u00a0places.",
        len(changes),
        version=version,
        shown=count(len(changes)),
    )

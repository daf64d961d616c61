"""Measured figures with their limits, printed as a table and written for comparison."""

import json
import operator
import os
import platform
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from dynabench_local.layout import checkout
from rich.console import Console
from rich.table import Table

RELATIONS = {"≤": operator.le, "≥": operator.ge, ">": operator.gt}


@dataclass(frozen=True)
class Figure:
    """One measured value and the limit it is held to by one of RELATIONS; without a relation there is no limit.

    `slowness` is how many times slower than the reference machine this one was while it was measured.
    """

    name: str
    value: float
    unit: str
    relation: str = ""
    limit: float = 0.0
    slowness: float = 1.0

    @property
    def bar(self) -> str:
        """Return the bar as people read it, with what the machine's speed makes of it."""
        if not self.relation:
            return ""
        factor = "×" if self.relation == "≤" else "/"
        scaled = f" {factor} {self.slowness:.2f}" if self._here != self.limit else ""
        return f"{self.relation} {self.limit:g}{scaled}"

    @property
    def holds(self) -> bool | None:
        """Return whether the value keeps the bar, None without one."""
        if not self.relation:
            return None
        return bool(RELATIONS[self.relation](self.value, self._here))

    def on_machine(self, slowness: float) -> "Figure":
        """Return the figure as one of a machine that is so many times slower than the reference machine."""
        return replace(self, slowness=slowness)

    @property
    def _here(self) -> float:
        """Return the limit on this machine: times may be longer, rates per second smaller, all else stays."""
        if self.relation == "≤" and self.unit in ("ms", "s"):
            return self.limit * self.slowness
        if self.relation == "≥" and self.unit.endswith("/s"):
            return self.limit / self.slowness
        return self.limit

    def document(self) -> dict[str, str | float | bool | None]:
        """Return what is written of it."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "bar": self.bar,
            "holds": self.holds,
            "slowness": round(self.slowness, 2),
        }


def at_most(name: str, value: float, unit: str, bar: float) -> Figure:
    """Return a figure that must not exceed its bar."""
    return Figure(name, round(value, 3), unit, "≤", bar)


def at_least(name: str, value: float, unit: str, bar: float) -> Figure:
    """Return a figure that must reach its bar."""
    return Figure(name, round(value, 3), unit, "≥", bar)


def more_than(name: str, value: float, unit: str, bar: float) -> Figure:
    """Return a figure that must exceed its bar."""
    return Figure(name, round(value, 3), unit, ">", bar)


def plain(name: str, value: float, unit: str) -> Figure:
    """Return a figure without a bar."""
    return Figure(name, round(value, 3), unit)


@dataclass
class Report:
    """The figures of one command: written after each part, so that an interrupted run keeps what it measured."""

    command: str
    path: Path
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    figures: list[Figure] = field(default_factory=list)

    def add(self, figures: Iterable[Figure]) -> None:
        """Add the figures of a part and write all figures so far."""
        self.figures += figures
        self.path.parent.mkdir(parents=True, exist_ok=True)
        document = {
            "command": self.command,
            "began": self.began.isoformat(timespec="seconds"),
            "commit": _commit(),
            "machine": _machine(),
            "figures": [figure.document() for figure in self.figures],
        }
        self.path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")

    def end(self) -> int:
        """Print all figures; return 1 if a bar is missed."""
        table = Table("figure", "value", "unit", "bar", "holds", title=self.command, title_justify="left")
        for figure in self.figures:
            holds = "" if figure.holds is None else ("yes" if figure.holds else "NO")
            table.add_row(figure.name, f"{figure.value:g}", figure.unit, figure.bar, holds)
        console = Console(width=120)
        console.print(table)
        console.print(f"on {_machine()}; written to {self.path}")
        return int(any(figure.holds is False for figure in self.figures))


def _machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB of memory"


def _commit() -> str:
    """Return the commit of the checkout, with a plus sign if files differ from it."""
    command = ["git", "describe", "--always", "--abbrev=12", "--dirty=+", "--exclude=*"]
    found = subprocess.run(command, cwd=checkout(), capture_output=True, text=True, check=False)
    return found.stdout.strip()

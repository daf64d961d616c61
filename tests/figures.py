"""Measured figures with their bars, printed as a table and written for comparison."""

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Figure:
    """One measured value; `bar` says what should hold, empty if nothing is asked."""

    name: str
    value: float
    unit: str
    bar: str = ""
    holds: bool | None = None


def at_most(name: str, value: float, unit: str, bar: float) -> Figure:
    """Return a figure that must not exceed its bar."""
    return Figure(name, round(value, 3), unit, f"≤ {bar:g}", value <= bar)


def at_least(name: str, value: float, unit: str, bar: float) -> Figure:
    """Return a figure that must reach its bar."""
    return Figure(name, round(value, 3), unit, f"≥ {bar:g}", value >= bar)


def plain(name: str, value: float, unit: str) -> Figure:
    """Return a figure without a bar."""
    return Figure(name, round(value, 3), unit)


def publish(figures: Sequence[Figure], path: Path, title: str) -> None:
    """Print the figures and write them as a JSON list."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([asdict(figure) for figure in figures], indent=1, ensure_ascii=False) + "\n")
    table = Table("figure", "value", "unit", "bar", "holds", title=title, title_justify="left")
    for figure in figures:
        holds = "" if figure.holds is None else ("yes" if figure.holds else "NO")
        table.add_row(figure.name, f"{figure.value:g}", figure.unit, figure.bar, holds)
    console = Console(width=120)
    console.print(table)
    console.print(f"on {platform.system()} {platform.machine()}, {os.cpu_count()} cores; written to {path}")

"""The shipped rules with every duration divided by one number, so that an outage of a minute stands for one of ten.

Divided are how long an expression has to hold (`for`), the windows and steps in brackets, and how often a group is
evaluated. Thresholds, names and labels stay, also of ages in seconds.
"""

import re
from typing import Any

UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
DURATION = re.compile(r"(?:\d+(?:ms|[smhd]))+")
PART = re.compile(r"(\d+)(ms|[smhd])")
WINDOW = re.compile(rf"\[({DURATION.pattern})(?::({DURATION.pattern}))?\]")
UNDIVIDED = re.compile(r"\[(?!\d+ms(?::\d+ms)?\])|\boffset\b")
"""Expressions that can't be shortened: a window in another notation, an offset."""
TIMES = ("interval", "scrape_interval", "evaluation_interval", "for")


def divided(duration: str, factor: int) -> str:
    """Return a duration of Prometheus divided, in milliseconds. Raises ValueError for what is none."""
    if DURATION.fullmatch(duration) is None:
        raise ValueError(f"not a duration of Prometheus: {duration}")
    milliseconds = sum(int(number) * UNITS[unit] for number, unit in PART.findall(duration))
    return f"{milliseconds // factor}ms"


def shortened(document: Any, factor: int) -> Any:
    """Return a file of rules, or Prometheus' own configuration, with its durations divided."""
    if isinstance(document, list):
        return [shortened(each, factor) for each in document]
    if not isinstance(document, dict):
        return document
    return {key: _entry(key, value, factor) for key, value in document.items()}


def _entry(key: str, value: Any, factor: int) -> Any:
    if key in TIMES:
        return divided(value, factor)
    if key == "expr":
        return expression(value, factor)
    return shortened(value, factor)


def expression(text: str, factor: int) -> str:
    """Return an expression with its windows divided. Raises ValueError where one would stay as it was."""
    made = WINDOW.sub(
        lambda found: "[" + ":".join(divided(each, factor) for each in found.groups() if each) + "]", text
    )
    if UNDIVIDED.search(made):
        raise ValueError(f"its windows can't be divided: {text}")
    return made

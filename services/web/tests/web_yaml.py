"""Configurations as people wrote them, for tests that change their texts."""

from difflib import unified_diff
from pathlib import Path
from typing import Any

from dynabench_tasks.configuration.yaml_text import parse_yaml

ROOT = Path(__file__).parents[3]
SHIPPED = sorted(
    [
        *ROOT.glob("examples/*.yaml"),
        *ROOT.glob("services/annotation/tasks/*.yaml"),
        *ROOT.glob("services/tasks/tests/golden/v*/*.yaml"),
        *ROOT.glob("services/web/src/web/configure/templates/*.yaml"),
    ]
)
COMMENTED = """\
# At the top.
slug: a  # behind the value

title: 'Quoted'
# Above the fields.
input:
  - name: first
    type: string # kind
  # Above the second.
  - {name: second, type: string}   # in one line
  - name: third
    type: string
quotas: {tries_per_context: 3}
# At the end.
"""


def changed_lines(before: str, after: str) -> list[str]:
    """Return the lines that differ, each with its sign."""
    lines = unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in lines if line[0] in "+-" and line[:3] not in ("+++", "---")]


def said(text: str) -> Any:
    """Return what a text says, as plain data."""
    return parse_yaml(text).document

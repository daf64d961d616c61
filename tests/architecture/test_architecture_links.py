"""Every link of a document leads to a file or heading of this repository; every step of a map is a file."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from dynabench_local.layout import checkout

MAPS = sorted((checkout() / "docs").glob("the-way-of-*.md"))
STEP = re.compile(r"^\| (\d+) \| `([^`]+)` \| (.+) \|$", re.MULTILINE)
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)#?([^)\s]*)\)")


@cache
def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"(?m)^#+ (.+)$", document.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_every_link_leads_somewhere() -> None:
    root = checkout()
    command = ["git", "ls-files", "*.md"]
    documents = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.split()
    dead = []
    for name in documents:
        text = re.sub(r"(?ms)^ *```.*?^ *```", "", (root / name).read_text(encoding="utf-8"))
        for path, anchor in LINK.findall(text):
            target = (root / name).parent / path if path else root / name
            if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
                dead.append(f"{name}: {path}#{anchor}")
    assert not dead


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_each_step_of_a_map_is_a_file_that_exists(path: Path) -> None:
    steps = STEP.findall(path.read_text())
    assert [int(number) for number, _, _ in steps] == list(range(1, len(steps) + 1))
    assert steps
    assert len({file for _, file, _ in steps}) == len(steps)
    assert [file for _, file, _ in steps if not (checkout() / file).is_file()] == []

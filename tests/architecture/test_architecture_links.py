"""Every link of a document to a file or heading of this repository has a target."""

import re
import subprocess
from functools import cache
from pathlib import Path

from dynabench_local.layout import checkout

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

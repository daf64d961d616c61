"""Check with buf that event schemas are well formed, and that no change breaks records that a log may already hold.

The schemas are compared with those of every commit that changed them, along the first parents of HEAD. The oldest is
the commit that first named the schemas that a log was kept with (it added `proto/baseline`, a file since removed). So
the last landed main is always among them, also in a fresh clone where HEAD is main. No file decides what is compared,
so no edit in the same change can silence the check: existing commits can't be edited. buf's own configuration is not
used either. Fields may only be added; a break needs a new package (`v2` next to `v1`).

The check can't see a change of this script, a rewritten history, or a schema that was published but never committed. A
field in a commit of an unlanded branch counts as landed: to take it back, squash the branch. A shallow clone is
refused, since it lacks the older commits. Without git, in an unpacked archive, only the form is checked.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
BUF = Path(sys.executable).with_name("buf")
SCHEMAS = "proto/dynabench"
FIRST_LOG = "proto/baseline"
RULES = json.dumps({"version": "v2", "modules": [{"path": "proto"}], "breaking": {"use": ["FILE"]}})


def main(root: Path = ROOT) -> int:
    """Run both checks; return 0 if the schemas pass them."""
    lint = subprocess.run([str(BUF), "lint"], cwd=root, check=False).returncode
    if not (root / ".git").exists():
        print("no git here: event schemas are not compared with earlier ones")
        return lint
    if _git(root, "rev-parse", "--is-shallow-repository").strip() == b"true":
        print("a shallow clone lacks the earlier event schemas: git fetch --unshallow")
        return 1
    breaks = [commit for commit in landed(root) if not agrees_with(root, commit)]
    for commit in breaks:
        print(f"the event schemas break those of {commit}: add fields, never change or remove them")
    return 1 if breaks else lint


def landed(root: Path) -> list[str]:
    """Return the commits whose schemas a log may hold, newest first, one for each state of the schemas."""
    named = _lines(root, "log", "--first-parent", "--diff-filter=A", "--format=%H", "--", FIRST_LOG)
    start = named[-1] if named else None
    since = [] if start is None else [f"{start}..HEAD"]
    commits = _lines(root, "log", "--first-parent", "--format=%H", *since, "--", SCHEMAS)
    by_state: dict[bytes, str] = {}
    for commit in [*commits, *([] if start is None else [start])]:
        found = _git(root, "ls-tree", commit, SCHEMAS)
        if found:
            by_state.setdefault(found, commit)
    return list(by_state.values())


def agrees_with(root: Path, commit: str) -> bool:
    """Return whether records of a commit's schemas can still be read; print the breaks."""
    with TemporaryDirectory() as folder:
        archive = _git(root, "archive", "--format=tar", commit, SCHEMAS)
        subprocess.run(["tar", "--extract", "--directory", folder], input=archive, check=True)
        command = [str(BUF), "breaking", ".", "--config", RULES]
        compared = subprocess.run(
            [*command, "--against", folder, "--against-config", RULES], cwd=root, check=False
        )
    return compared.returncode == 0


def _lines(root: Path, *arguments: str) -> list[str]:
    return _git(root, *arguments).decode().split()


def _git(root: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True).stdout


if __name__ == "__main__":
    sys.exit(min(main(*map(Path, sys.argv[1:2])), 1))

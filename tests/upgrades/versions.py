"""The two versions before this one, and what holds for the list of them."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

import yaml
from dynabench_local.layout import checkout

FILE = checkout() / "deploy" / "versions.yaml"
CHANGELOG = checkout() / "CHANGELOG.md"
KEPT = 2
"""From so many versions before one can upgrade."""
COMMIT = re.compile("[0-9a-f]{40}")
RELEASE = re.compile(r"(?m)^## v?(\d+\.\d+\.\d+)\b")


@dataclass(frozen=True)
class Version:
    """A version by its name and its commit."""

    name: str
    commit: str


def former_versions() -> list[Version]:
    """Return the versions before this one, the newest first."""
    return [Version(**entry) for entry in yaml.safe_load(FILE.read_text(encoding="utf-8"))]


def problems(versions: Sequence[Version], changelog: str) -> list[str]:
    """Return what is wrong with a list of versions beside a changelog, with the remedy; empty if nothing is."""
    found = [
        f"{version.name}: the commit {version.commit!r} is no whole id: write all 40 digits."
        for version in versions
        if not COMMIT.fullmatch(version.commit)
    ]
    if len(versions) != KEPT:
        found.append(f"{len(versions)} versions are listed: keep the {KEPT} before this one.")
    wanted = RELEASE.findall(changelog)[:KEPT]
    listed = [version.name for version in versions[: len(wanted)]]
    if listed != wanted:
        found.append(
            f"the changelog's newest releases are {', '.join(wanted)}, but {', '.join(listed) or 'nothing'} is "
            "listed first: put them in front, newest first, and take the last ones away."
        )
    return found


def is_here(commit: str) -> bool:
    """Tell whether this clone has a commit."""
    return git("cat-file", "-e", f"{commit}^{{commit}}")


def git(*arguments: str) -> bool:
    """Tell whether git says yes."""
    command = ["git", "-C", str(checkout()), *arguments]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0

"""The releases before this version: the tags `vX.Y.Z` that it descends from."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from dynabench_local.layout import checkout

KEPT = 2
"""Number of earlier releases with a supported upgrade."""


@dataclass(frozen=True)
class Version:
    """A release by its tag and its commit."""

    name: str
    commit: str


def former_versions(repository: Path = checkout()) -> list[Version]:  # noqa: B008 (the same for a process)
    """Return the releases before this version, the newest first; a clone without tags has none."""
    tags = _git(repository, "tag", "--merged", "HEAD", "--sort=-version:refname", "--list", "v[0-9]*").split()
    found = [Version(tag, _git(repository, "rev-list", "-n1", tag)) for tag in tags]
    return [version for version in found if version.commit != _git(repository, "rev-parse", "HEAD")][:KEPT]


def _git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

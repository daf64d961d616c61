"""Upgrades are tested from the earlier releases; all earlier answers must remain."""

import subprocess
from pathlib import Path

import pytest

from tests.upgrades.answers import differences
from tests.upgrades.versions import former_versions


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    return tmp_path


def git(repository: Path, *arguments: str) -> None:
    person = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(repository), *person, *arguments], check=True, capture_output=True)


def commit(repository: Path, tag: str | None = None) -> None:
    git(repository, "commit", "--quiet", "--allow-empty", "--message", "change")
    if tag:
        git(repository, "tag", tag)


def test_upgrades_are_tried_from_the_two_releases_before(repository: Path) -> None:
    commit(repository)
    assert former_versions(repository) == []
    for tag in ("v0.9.0", "v0.10.0", "internal", "v0.2.0"):
        commit(repository, tag)
    assert [version.name for version in former_versions(repository)] == ["v0.10.0", "v0.9.0"]
    commit(repository)
    git(repository, "checkout", "--quiet", "v0.10.0")
    assert [version.name for version in former_versions(repository)] == ["v0.9.0"]


@pytest.mark.parametrize(
    ("before", "after", "differing"),
    [
        ({"tries": 3}, {"tries": 3, "new": 1}, []),
        ({"tries": 3}, {"tries": 4}, ["/tries was 3, is 4"]),
        ({"tries": 3}, {}, ["/tries is missing"]),
        ({"items": [{"id": 1}]}, {"items": [{"id": 1, "more": 2}]}, []),
        ({"items": [{"id": 1}]}, {"items": [{"id": 2}]}, ["/items/0/id was 1, is 2"]),
        ({"items": [1]}, {"items": [1, 2]}, ["/items was [1], is [1, 2]"]),
        ({"rate": None}, {"rate": 0.0}, ["/rate was None, is 0.0"]),
    ],
)
def test_earlier_answers_must_remain(before: object, after: object, differing: list[str]) -> None:
    assert list(differences(before, after)) == differing

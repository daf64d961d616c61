"""The two versions from which one can upgrade are those before this one, and the list moves on at a release."""

from itertools import pairwise

import pytest

from tests.upgrades.told import differences
from tests.upgrades.versions import CHANGELOG, Version, former_versions, git, is_here, problems

FIRST, SECOND, THIRD = (Version(name, name[0] * 40) for name in ("1.0.0", "1.1.0", "2.0.0"))
LANDED, OLDER = Version("landed yesterday", "a" * 40), Version("landed before", "b" * 40)
UNRELEASED = "# Changelog\n\n## Unreleased\n\n### Added\n- Something.\n"
ONE = UNRELEASED + "\n## 1.0.0 (2027-01-05)\n"
THREE = UNRELEASED + "\n## 2.0.0\n\n## 1.1.0\n\n## 1.0.0\n"


def test_the_list_fits_the_changelog() -> None:
    assert problems(former_versions(), CHANGELOG.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("changelog", "listed"),
    [
        pytest.param(UNRELEASED, [LANDED, OLDER], id="before releases"),
        pytest.param(ONE, [FIRST, LANDED], id="one release"),
        pytest.param(THREE, [THIRD, SECOND], id="the newest two of three"),
    ],
)
def test_a_list_that_has_moved_on_is_taken(changelog: str, listed: list[Version]) -> None:
    assert problems(listed, changelog) == []


@pytest.mark.parametrize(
    ("changelog", "listed", "said"),
    [
        pytest.param(ONE, [LANDED, OLDER], "1.0.0", id="a release is not listed"),
        pytest.param(THREE, [SECOND, FIRST], "2.0.0, 1.1.0", id="it did not move on"),
        pytest.param(THREE, [SECOND, THIRD], "newest first", id="the wrong way round"),
        pytest.param(UNRELEASED, [LANDED], "keep the 2", id="too few"),
        pytest.param(UNRELEASED, [LANDED, Version("short", "abc")], "40 digits", id="no whole id"),
    ],
)
def test_a_list_that_has_not_is_refused(changelog: str, listed: list[Version], said: str) -> None:
    (found,) = problems(listed, changelog)
    assert said in found


def test_the_commits_come_one_after_another() -> None:
    listed = [version.commit for version in former_versions()]
    if missing := [commit for commit in listed if not is_here(commit)]:
        pytest.skip(f"this clone is shallow and lacks {', '.join(missing)}: git fetch --unshallow")
    for newer, older in pairwise(["HEAD", *listed]):
        assert git("merge-base", "--is-ancestor", older, newer), f"{older} does not come before {newer}"


@pytest.mark.parametrize(
    ("before", "after", "said"),
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
def test_what_was_told_before_must_be_told_after(before: object, after: object, said: list[str]) -> None:
    assert list(differences(before, after)) == said

"""The choice of a profile, and its file mode."""

import stat
import sys
from pathlib import Path

import pytest
from dynabench_client import profiles
from dynabench_client.profiles import Profile, ProfileError


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the virtual environment and the home folder under the test's own folder."""
    (tmp_path / "venv").mkdir()
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def test_a_profile_is_read_back_and_private(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "profile.json"
    path.parent.mkdir()
    path.write_text("old")
    path.chmod(0o644)
    profiles.write(path, Profile("http://127.0.0.1:8080", "dbt_x"))
    assert profiles.read(path) == Profile("http://127.0.0.1:8080", "dbt_x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["profile.json"]
    assert "dbt_x" not in repr(profiles.read(path))


def test_the_named_profile_comes_before_the_environments_and_that_before_the_homes(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="not signed in"):
        profiles.locate()
    profiles.use(tmp_path / "one.json")
    assert profiles.locate() == tmp_path / "one.json"
    (tmp_path / "venv" / "dynabench-profile").write_text(f"{tmp_path / 'two.json'}\n")
    assert profiles.locate() == tmp_path / "two.json"
    (tmp_path / "venv" / "dynabench-profile").unlink()
    assert profiles.locate() == tmp_path / "one.json"
    assert profiles.locate(tmp_path / "three.json") == tmp_path / "three.json"


def test_without_a_home_folder_the_environment_alone_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config").write_text("a file where a folder should be")
    profiles.use(tmp_path / "one.json")
    assert profiles.locate() == tmp_path / "one.json"
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    with pytest.raises(ProfileError, match="can't be written"):
        profiles.use(tmp_path / "one.json")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"url": "x"}', "null"])
def test_a_file_that_is_no_profile_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "profile.json"
    path.write_text(content)
    with pytest.raises(ProfileError, match="is not a profile"):
        profiles.read(path)


def test_a_missing_profile_is_named_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match=r"missing\.json") as caught:
        profiles.read(tmp_path / "missing.json")
    assert "dynabench login" in caught.value.remedy

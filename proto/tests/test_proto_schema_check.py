"""The check of event schemas refuses a break, whatever else the same change edits."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCHEMA = "proto/dynabench/dataset/v1/dataset.proto"
FIELD = "  string licence = 10;\n"


class Checkout:
    """A repository with the schemas alone, whose first commit is the first that a log was kept with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "proto/dynabench", folder / "proto/dynabench")
        shutil.copy(ROOT / "buf.yaml", folder)
        (folder / "proto/baseline").write_text("1\n")
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("first")

    def git(self, *arguments: str) -> None:
        author = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *author, *arguments], cwd=self.folder, check=True, capture_output=True)

    def commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def edit(self, old: str, new: str) -> None:
        path = self.folder / SCHEMA
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def passes(self, folder: Path | None = None) -> bool:
        script = [sys.executable, str(ROOT / "scripts/check_events.py"), str(folder or self.folder)]
        return subprocess.run(script, check=False, capture_output=True).returncode == 0


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Checkout]:
    folder = tmp_path / "checkout"
    folder.mkdir()
    yield Checkout(folder)


def test_schemas_as_they_were_and_an_added_field_pass(checkout: Checkout) -> None:
    assert checkout.passes()
    checkout.edit(FIELD, FIELD + "  // Where to cite it.\n  string citation = 13;\n")
    assert checkout.passes()
    checkout.commit("add a field")
    assert checkout.passes()


@pytest.mark.parametrize("committed", [False, True])
def test_a_removed_field_is_refused_whatever_else_is_edited(checkout: Checkout, committed: bool) -> None:
    checkout.edit(FIELD, "  reserved 10;\n")
    (checkout.folder / "proto/baseline").write_text("2\n")
    (checkout.folder / "buf.yaml").write_text(
        "version: v2\nmodules:\n  - path: proto\nlint:\n  use: [MINIMAL]\n"
    )
    if committed:
        checkout.commit("remove a field and say that the log begins here")
    assert not checkout.passes()


def test_a_field_landed_later_counts_too(checkout: Checkout) -> None:
    checkout.edit(FIELD, FIELD + "  // Where to cite it.\n  string citation = 13;\n")
    checkout.commit("add a field")
    checkout.edit("string citation = 13", "uint32 citation = 13")
    (checkout.folder / "proto/baseline").unlink()
    checkout.commit("change its type, remove what named the first log")
    (checkout.folder / "unrelated").write_text("x")
    checkout.commit("land something else")
    assert not checkout.passes()


def test_a_fresh_clone_compares_as_well_and_a_shallow_one_says_that_it_can_t(
    checkout: Checkout, tmp_path: Path
) -> None:
    whole, shallow = tmp_path / "whole", tmp_path / "shallow"
    checkout.git("rm", "--quiet", "proto/baseline")
    checkout.commit("second")
    checkout.git("clone", "--quiet", str(checkout.folder), str(whole))
    checkout.git("clone", "--quiet", "--depth=1", checkout.folder.as_uri(), str(shallow))
    assert checkout.passes(whole)
    assert not checkout.passes(shallow)
    checkout.edit(FIELD, "")
    checkout.commit("remove a field")
    subprocess.run(["git", "-C", str(whole), "pull", "--quiet"], check=True, capture_output=True)
    assert not checkout.passes(whole)

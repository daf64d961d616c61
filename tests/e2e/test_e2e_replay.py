"""Published collections, imported from the command line, give their published numbers.

The collections lie in the folder that DYNABENCH_DATA names, with the numbers in `oracle.json`; without it these tests
are skipped.
"""

import contextlib
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until
from dynabench_local.layout import checkout

DATA = os.environ.get("DYNABENCH_DATA", "")
pytestmark = [
    pytest.mark.skipif(not DATA, reason="DYNABENCH_DATA names no folder with the collections"),
    pytest.mark.slow,
]
MEASURES = {"raw", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1"}


class CommandLine:
    """The `dynabench` command, signed in as the demo's administrator."""

    def __init__(self, platform: Any, home: Path) -> None:
        self._command = platform.stack.layout.scripts / "dynabench"
        self._environment = {**os.environ, "DYNABENCH_PROFILE": str(home / "profile.json")}
        password = platform.sign_ins()["admin"]["password"]
        self.run("login", platform.url, "--user-name", "admin", "--password", password)

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [str(self._command), *arguments],
            env=self._environment,
            check=False,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json(self, *arguments: str) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.run(*arguments, "--json"))
        return document


@pytest.fixture(scope="module")
def command_line(platform: Any, tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return CommandLine(platform, tmp_path_factory.mktemp("profile"))


@pytest.fixture(scope="module")
def tasks(owner: Dynabench, command_line: CommandLine) -> None:
    known = {task.slug for task in owner.annotation.tasks(limit=200).items}
    for slug in {"dynasent", "anli"} - known:
        command_line.run("tasks", "create", str(checkout() / "examples" / f"{slug}.yaml"))


@dataclass(frozen=True)
class Collection:
    """A published file, and its name in the oracle."""

    name: str
    task: str

    @property
    def oracle(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((Path(DATA) / "oracle.json").read_text())[self.name]
        return found

    @property
    def path(self) -> Path:
        return Path(DATA) / f"replay_{self.name}.jsonl.gz"

    def imported(self, command_line: CommandLine) -> str:
        """Import it, twice with the same effect, and return the round's id."""
        arguments = ("rounds", "import", "--task", self.task, "--format", self.task, str(self.path))
        first, second = command_line.json(*arguments), command_line.json(*arguments)
        assert first["round_id"] == second["round_id"]
        assert second["stored"] == 0
        assert second["repeated"] == self.oracle["n"]
        return str(first["round_id"])


def shown(command_line: CommandLine, round_id: str, expected: dict[str, int]) -> dict[str, Any]:
    """Return the round's figures once all events have been processed."""
    found: dict[str, Any] = {}

    def is_settled() -> bool:
        found.update(command_line.json("rounds", "show", round_id))
        return all(found[name] == value for name, value in expected.items())

    with contextlib.suppress(AssertionError):
        wait_until(is_settled, timeout_seconds=120)
    assert {name: found[name] for name in expected} == expected
    return found


@pytest.mark.parametrize("name", ["dynasent_r1_dev", "dynasent_r2_dev"])
def test_dynasent_gives_its_numbers(name: str, command_line: CommandLine, tasks: None) -> None:
    collection = Collection(name, "dynasent")
    oracle, round_id = collection.oracle, collection.imported(command_line)
    expected = {
        "tries": oracle["n"],
        "votes": oracle["votes"],
        "resolved": oracle["n"],
        "validated_errors": oracle["model_wrong"],
        "pending": 0,
    }
    figures = shown(command_line, round_id, expected)
    assert figures["state"] == "closed"
    assert figures["fooled"] == 0
    for rate in ("mer", "vmer", "vmer_projected", "validity"):
        assert figures[rate]["value"] is None
        assert figures[rate]["reason"]
    assert set(figures["agreement"]) >= MEASURES
    agreement = command_line.json("rounds", "agreement", round_id)
    assert round(agreement["fleiss_kappa"]["value"], 3) == oracle["fleiss_kappa"]
    assert figures["agreement"]["fleiss_kappa"]["value"] == agreement["fleiss_kappa"]["value"]
    assert agreement["vote_histogram"] == oracle["max_vote"]
    assert agreement["votes_equal_gold"] == oracle["votes_equal_gold"]
    assert agreement["gold"] == oracle["gold"]
    assert agreement["voters"] == oracle["validators"]
    if "authors" in oracle:
        standing = json.loads(command_line.run("api", "GET", f"leaderboard/rounds/{round_id}/standing"))
        assert standing["authors"]["people"] == oracle["authors"]


def test_anli_gives_its_numbers(command_line: CommandLine, tasks: None) -> None:
    collection = Collection("anli_r1_dev", "anli")
    oracle, round_id = collection.oracle, collection.imported(command_line)
    expected = {
        "tries": oracle["n"],
        "votes": oracle["votes"],
        "resolved": oracle["n"],
        "fooled": oracle["n"],
        "validated_errors": oracle["model_wrong"],
    }
    figures = shown(command_line, round_id, expected)
    assert figures["mer"]["value"] == figures["vmer"]["value"] == figures["validity"]["value"] == 1
    assert figures["vmer"]["low"] is None
    assert "unknown" in figures["vmer"]["reason"]
    agreement = command_line.json("rounds", "agreement", round_id)
    assert agreement["basis"] == "first_two_votes"
    assert agreement["votes_equal_gold"] == oracle["votes_equal_gold"]


def test_an_exported_round_moves_to_another_installation(
    command_line: CommandLine, tasks: None, tmp_path: Path
) -> None:
    """The import stands for the other installation: it gives the figures of the round that was exported."""
    collection = Collection("anli_r1_dev", "anli")
    round_id = collection.imported(command_line)
    same = ("tries", "votes", "resolved", "fooled", "validated_errors", "pending")
    oracle = {"tries": collection.oracle["n"], "votes": collection.oracle["votes"]}
    before = shown(command_line, round_id, {**oracle, "resolved": collection.oracle["n"]})
    exported = tmp_path / "moved.jsonl"
    command_line.run("export", round_id, "-o", str(exported))
    moved = command_line.json("rounds", "import", "--task", "anli", "--format", "export", str(exported))
    after = shown(command_line, moved["round_id"], {name: before[name] for name in same})
    assert {name: after[name] for name in ("mer", "vmer", "validity")} == {
        name: before[name] for name in ("mer", "vmer", "validity")
    }

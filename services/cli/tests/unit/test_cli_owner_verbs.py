"""Owners' work on the command line: moving rounds on, deciding, releasing, and downloading data."""

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from services.cli.tests.cli_answers import ROUND, tell_everything
from services.cli.tests.cli_owner_answers import (
    AGREEMENT,
    EXPORTED,
    IMPORT,
    PREVIEW,
    RELEASE,
    RELEASE_PREVIEW,
)
from services.cli.tests.cli_terminal import Terminal
from services.client.tests.stub_platform import StubPlatform, Told

STATE = "/annotation/v1/rounds/r1/state"
RELEASES = "/scoring/v1/rounds/r1/releases"
EXPORT = "/scoring/v1/rounds/r1/export"
Run = Callable[..., Result]


def bodies(stub: StubPlatform, method: str, path: str) -> list[Any]:
    return [request.body for request in stub.seen(method, path)]


@pytest.mark.parametrize(("verb", "state"), [("open", "open"), ("pause", "paused"), ("close", "closed")])
def test_in_a_pipe_a_round_moves_without_a_question(
    run: Run, stub: StubPlatform, verb: str, state: str
) -> None:
    tell_everything(stub)
    assert run("rounds", verb, "r1", "--reason", "It is time.").exit_code == 0
    assert run("rounds", verb, "r1").exit_code == 0
    assert bodies(stub, "PUT", STATE) == [{"state": state, "reason": "It is time."}, {"state": state}]
    assert stub.seen("GET", f"{STATE}/preview") == []


@pytest.mark.parametrize(
    ("typed", "options", "exit_code", "moves", "asks"),
    [
        ("y\n", [], 0, 1, True),
        ("n\n", [], 1, 0, True),
        ("", ["--yes"], 0, 1, False),
    ],
)
def test_at_a_terminal_one_sees_what_would_happen_and_is_asked(
    run: Run,
    stub: StubPlatform,
    tmp_path: Path,
    typed: str,
    options: list[str],
    exit_code: int,
    moves: int,
    asks: bool,
) -> None:
    tell_everything(stub)
    terminal = Terminal(tmp_path / "profile.json", "rounds", "close", "r1", *options, typed=typed)
    ended, shown = terminal.finish()
    assert ended == exit_code
    assert len(stub.seen("PUT", STATE)) == moves
    assert ("- Unused contexts. (3)" in shown) is asks
    assert ("Make this round closed?" in shown) is asks


def test_at_a_terminal_what_stands_in_the_way_is_said_with_its_remedy(
    run: Run, stub: StubPlatform, tmp_path: Path
) -> None:
    tell_everything(stub)
    blocker = {"text": "The round is closed already.", "remedy": "There is nothing to do."}
    stub.tell("GET", f"{STATE}/preview", {**PREVIEW, "allowed": False, "blockers": [blocker]})
    ended, shown = Terminal(tmp_path / "profile.json", "rounds", "close", "r1").finish()
    assert ended == 1
    assert shown.index("The round is closed already.") < shown.index("There is nothing to do.")
    assert stub.seen("PUT", STATE) == []


def test_an_interrupted_import_says_that_the_same_command_goes_on(
    run: Run, stub: StubPlatform, told: type[Told], tmp_path: Path
) -> None:
    tell_everything(stub)
    file = tmp_path / "input.jsonl"
    file.write_text('{"id": "a"}\n')
    running: list[Terminal] = []

    def interrupt(_: Any) -> Any:
        running[0].process.send_signal(signal.SIGINT)
        return told(status=0)

    stub.tell("PUT", "/annotation/v1/tasks/sentiment/imports/input", IMPORT)
    stub.tell("POST", "/annotation/v1/rounds/r9/records", interrupt)
    running.append(Terminal(tmp_path / "profile.json", "rounds", "import", str(file), "--task", "sentiment"))
    ended, shown = running[0].finish()
    assert ended != 0
    assert "Round r9 stays a draft" in shown
    assert stub.seen("PUT", "/annotation/v1/rounds/r9/state") == []


def test_the_next_round_is_drafted_with_the_same_targets(run: Run, stub: StubPlatform) -> None:
    tell_everything(stub)
    document = json.loads(run("rounds", "next", "r1", "--open", "--title", "Winter", "--json").stdout)
    assert (document["advice"], document["drafted"]["state"]) == ("now", "draft")
    drafts = bodies(stub, "POST", "/annotation/v1/tasks/sentiment/rounds")
    assert drafts == [{"targets": ROUND["targets"], "title": "Winter"}]


def test_agreement_is_printed_as_the_service_says_it_or_part_by_part(run: Run, stub: StubPlatform) -> None:
    tell_everything(stub)
    assert json.loads(run("rounds", "agreement", "r1", "--json").stdout).items() >= AGREEMENT.items()
    lines = dict(line.split("\t") for line in run("rounds", "agreement", "r1").stdout.splitlines())
    assert (lines["Fleiss' kappa"], lines["Gwet's AC1"]) == ("0.616", "undefined: one option used")
    group = {**AGREEMENT, "name": "irony"}
    stub.tell("GET", "/validation/v1/rounds/r1/agreement", {**AGREEMENT, "groups": [group]})
    parts = run("rounds", "agreement", "r1", "--by", "tag").stdout
    assert parts == "irony\t3600\t18000\t1280\t0.800\t0.616\t0.616\tundefined: one option used\n"
    assert stub.requests[-1].query == "by=tag"


@pytest.mark.parametrize(
    "arguments",
    [
        ["export"],
        ["export", "r1", "--own"],
        ["export", "r1", "--json"],
        ["export", "--own", "--format", "parquet"],
    ],
)
def test_what_is_missing_or_too_much_is_said_before_anything_is_sent(
    run: Run, stub: StubPlatform, arguments: list[str]
) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 2
    assert stub.requests == []


def test_a_release_is_followed_to_its_end(run: Run, stub: StubPlatform) -> None:
    tell_everything(stub)
    done = {**RELEASE, "state": "done", "step": "storing", "progress": 1.0, "dataset_id": "d1"}
    stub.tell(
        "GET", "/scoring/v1/releases/x1", RELEASE, {**RELEASE, "step": "storing", "progress": 0.5}, done
    )
    sizes = ["--dev", "100", "--test", "0.2", "--seed", "7", "--licence", "CC0-1.0", "--accept-unresolved"]
    result = run("rounds", "release", "r1", *sizes, "--follow")
    assert result.exit_code == 0
    assert "dataset\td1" in result.stdout.splitlines()
    assert result.stderr.splitlines() == ["splitting: 0 %", "storing: 50 %"]
    assert bodies(stub, "POST", RELEASES) == [
        {"dev": 100, "test": 0.2, "seed": 7, "licence": "CC0-1.0", "accept_unresolved": True}
    ]


def test_a_release_that_failed_says_why(run: Run, stub: StubPlatform) -> None:
    tell_everything(stub)
    error = {"kind": "gave-up", "detail": "The work failed.", "remedy": "Ask again."}
    stub.tell("GET", "/scoring/v1/releases/x1", {**RELEASE, "state": "failed", "error": error})
    result = run("rounds", "release", "r1", "--follow", "--json")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["state"] == "failed"
    assert result.stderr.splitlines() == ["dynabench: The work failed.", "Ask again."]


def test_a_release_is_shown_beforehand(run: Run, stub: StubPlatform) -> None:
    tell_everything(stub)
    lines = dict(line.split("\t") for line in run("rounds", "release", "r1", "--dry-run").stdout.splitlines())
    assert lines["train"] == "70 examples by 8 authors"
    assert lines["blockers"] == "10 examples wait. Accept them."
    assert json.loads(run("rounds", "release", "r1", "--dry-run", "--json").stdout)["unresolved"] == 10
    assert stub.seen("POST", RELEASES) == []


@pytest.mark.parametrize(("options", "exit_code"), [([], 1), (["--accept-unresolved"], 0)])
def test_at_a_terminal_a_release_is_asked_about_unless_something_is_in_its_way(
    run: Run, stub: StubPlatform, tmp_path: Path, options: list[str], exit_code: int
) -> None:
    tell_everything(stub)
    preview = "/scoring/v1/rounds/r1/release/preview"
    stub.tell("GET", preview, {**RELEASE_PREVIEW, "blockers": []} if options else RELEASE_PREVIEW)
    terminal = Terminal(tmp_path / "profile.json", "rounds", "release", "r1", *options, typed="y\n")
    ended, shown = terminal.finish()
    assert ended == exit_code
    assert ("Release this round for good?" in shown) is (exit_code == 0)
    assert stub.seen("GET", preview)[0].query == ("accept_unresolved=true" if options else "")
    assert len(stub.seen("POST", RELEASES)) == 1 - exit_code


@pytest.mark.parametrize(
    ("arguments", "path", "query"),
    [
        (["r1"], EXPORT, "format=jsonl"),
        (["r1", "--format", "parquet"], EXPORT, "format=parquet"),
        (["r1", "--explanations"], EXPORT, "format=jsonl&explanations=true"),
        (["--own"], "/scoring/v1/people/me/export", ""),
    ],
)
def test_an_export_goes_to_standard_output_as_it_is(
    run: Run, stub: StubPlatform, arguments: list[str], path: str, query: str
) -> None:
    tell_everything(stub)
    assert run("export", *arguments).stdout_bytes == EXPORTED
    (asked,) = stub.seen("GET", path)
    assert asked.query == query


def test_an_export_is_a_whole_file(run: Run, stub: StubPlatform, tmp_path: Path) -> None:
    tell_everything(stub)
    file = tmp_path / "out.jsonl"
    file.write_text("older")
    document = json.loads(run("export", "r1", "-o", str(file), "--json").stdout)
    assert document == {"file": str(file), "bytes": len(EXPORTED)}
    assert file.read_bytes() == EXPORTED


def test_an_export_that_breaks_off_leaves_the_older_file(
    run: Run, stub: StubPlatform, told: type[Told], tmp_path: Path
) -> None:
    stub.tell("GET", EXPORT, told(EXPORTED, 200, {"Content-Length": "9999", "Connection": "close"}))
    folder = tmp_path / "exports"
    folder.mkdir()
    (folder / "out.jsonl").write_text("older")
    result = run("export", "r1", "-o", str(folder / "out.jsonl"))
    assert (result.exit_code, result.stdout) == (3, "")
    assert [path.read_text() for path in folder.iterdir()] == ["older"]


def test_an_export_that_can_not_be_written_says_so(run: Run, stub: StubPlatform, tmp_path: Path) -> None:
    tell_everything(stub)
    result = run("export", "r1", "-o", str(tmp_path / "no-such-folder" / "out.jsonl"))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "can't be written: No such file or directory" in result.stderr

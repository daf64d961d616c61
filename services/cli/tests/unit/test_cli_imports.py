"""`dynabench rounds import` and `harvest`: what is sent in which order, and what is said when it does not work out."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dynabench_cli.follow import Patience, follow
from typer.testing import Result

from services.cli.tests.cli_owner_answers import FINISHED, IMPORT
from services.client.tests.stub_platform import StubPlatform, Told

START = "/annotation/v1/tasks/sentiment/imports/collected.v2"
RECORDS = "/annotation/v1/rounds/r9/records"
CHECK = "/annotation/v1/tasks/sentiment/records/check"
HARVEST = "/annotation/v1/rounds/r9/harvest"
STATE = "/annotation/v1/rounds/r9/state"
COUNTS = "/validation/v1/rounds/r9/counts"
COUNT = 2_500
LINES = [{"id": f"e{n}", "input": {"text": f"Straße {n}"}, "targets": {"a": "x"}} for n in range(COUNT)]
UNUSABLE = {"line": 1_004, "field": "label", "reason": "is missing", "remedy": "Add it."}
Run = Callable[..., Result]


def as_file(lines: list[Any]) -> bytes:
    return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "collected.v2.jsonl.gz"
    path.write_bytes(gzip.compress(as_file(LINES)))
    return path


@pytest.fixture
def verb(file: Path) -> list[str]:
    return ["rounds", "import", str(file), "--task", "sentiment"]


def tell(stub: StubPlatform, *answers: Any) -> None:
    """Make the platform take an import in; `answers` are those to its batches of records."""
    stub.tell("PUT", START, IMPORT, {**FINISHED, "records": COUNT})
    stub.tell("POST", RECORDS, *(answers or [taken(1_000), taken(1_000), taken(500)]))
    stub.tell("PUT", STATE, {"round_id": "r9", "state": "closed"})
    stub.tell("GET", COUNTS, {"examples": COUNT})


def taken(stored: int, repeated: int = 0) -> dict[str, int]:
    return {"stored": stored, "repeated": repeated, "votes": stored * 2}


def writes(stub: StubPlatform) -> list[tuple[str, str]]:
    sent = [each for each in stub.requests if each.method in ("PUT", "POST")]
    return [(seen.method, seen.query) for seen in sent][1:]


def test_a_collection_is_sent_in_batches_then_its_round_is_closed(
    run: Run, stub: StubPlatform, verb: list[str]
) -> None:
    tell(stub)
    result = run(*verb, "--title", "Elsewhere", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout) == {
        "round_id": "r9",
        "source": "input",
        "stored": COUNT,
        "repeated": 0,
        "votes": 2 * COUNT,
        "records": COUNT,
        "state": "closed",
    }
    assert writes(stub) == [
        ("PUT", ""),
        ("POST", "first_line=1"),
        ("POST", "first_line=1001"),
        ("POST", "first_line=2001"),
        ("PUT", ""),
        ("PUT", ""),
    ]
    assert stub.seen("PUT", START)[0].body == {"targets": ["a"], "origin": "imported", "title": "Elsewhere"}
    sent = b"".join(request.data for request in stub.seen("POST", RECORDS))
    assert [json.loads(line) for line in sent.splitlines()] == LINES
    assert stub.seen("PUT", STATE)[0].body == {"state": "closed"}


def test_a_finished_import_stores_nothing_and_is_not_closed_again(
    run: Run, stub: StubPlatform, verb: list[str]
) -> None:
    tell(stub, taken(0, 1_000), taken(0, 1_000), taken(0, 500))
    stub.tell("PUT", START, {**FINISHED, "records": COUNT})
    document = json.loads(run(*verb, "--json").stdout)
    assert (document["stored"], document["repeated"], document["state"]) == (0, COUNT, "closed")
    assert stub.seen("PUT", STATE) == []


def test_the_command_waits_until_validation_has_every_example(
    run: Run, stub: StubPlatform, verb: list[str]
) -> None:
    tell(stub)
    stub.tell("GET", COUNTS, {"examples": 1_200}, {"examples": COUNT})
    result = run(*verb)
    assert result.exit_code == 0
    assert "votes counted, examples: 2,500 of 2,500" in result.stderr
    assert len(stub.seen("GET", COUNTS)) == 2


def test_without_waiting_validation_is_not_asked(run: Run, stub: StubPlatform, verb: list[str]) -> None:
    tell(stub)
    assert run(*verb, "--no-wait").exit_code == 0
    assert stub.seen("GET", COUNTS) == []


def test_validation_that_has_not_heard_of_the_round_is_waited_for(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], verb: list[str]
) -> None:
    tell(stub)
    stub.tell("GET", COUNTS, tell_problem(404, "round-not-found"), {"examples": COUNT})
    assert run(*verb).exit_code == 0


def test_in_a_pipe_progress_is_lines_on_standard_error(run: Run, stub: StubPlatform, verb: list[str]) -> None:
    tell(stub)
    result = run(*verb)
    assert result.stdout.splitlines()[0] == "round_id\tr9"
    assert result.stderr.splitlines()[:3] == [
        "lines: 1,000 of 2,500",
        "lines: 2,000 of 2,500",
        "lines: 2,500 of 2,500",
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            as_file(LINES[:2]) + b'{"id": "b"\n',
            ":3: line is not JSON at column 11: Expecting ',' delimiter. ",
        ),
        (as_file(LINES[:2]) + b'{"id": "e0"}\n', ":3: id is that of line 1, which has other content. "),
    ],
)
def test_of_a_file_that_can_not_be_read_nothing_is_sent(
    run: Run, stub: StubPlatform, tmp_path: Path, content: bytes, said: str
) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_bytes(content)
    result = run("rounds", "import", str(file), "--task", "sentiment", "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    named, what, remedy = result.stderr.splitlines()
    assert named.startswith(f"{file}{said}")
    assert what == f"dynabench: {file} has 1 line that can't be used. Nothing was stored."
    assert remedy
    assert stub.requests == []


def test_lines_that_the_platform_can_not_use_are_named_and_the_draft_stays(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], file: Path, verb: list[str]
) -> None:
    refusal = tell_problem(422, "records-unusable", errors=[UNUSABLE], error_count=3)
    tell(stub, taken(1_000), refusal)
    result = run(*verb, "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    named, what, remedy, kept = result.stderr.splitlines()
    assert named == f"{file}:1004: label is missing. Add it."
    assert what == (
        f"dynabench: {file} has 3 records that can't be used, of which the first 1 are named. "
        "Nothing of the lines 1,001 to 2,000 was stored."
    )
    assert "--dry-run" in remedy
    assert kept.startswith("Round r9 stays a draft")
    assert stub.seen("PUT", STATE) == []


@pytest.mark.parametrize(
    ("verb", "step"),
    [(["import"], RECORDS), (["harvest", "--target", "m"], HARVEST)],
    ids=["import", "harvest"],
)
def test_a_collection_whose_first_lines_are_refused_is_not_said_to_stay(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], file: Path, verb: list[str], step: str
) -> None:
    stub.tell("PUT", START, IMPORT)
    stub.tell("POST", step, tell_problem(422, "records-unusable", errors=[UNUSABLE], error_count=1))
    result = run("rounds", *verb, str(file), "--task", "sentiment")
    assert result.exit_code == 1
    assert "was stored." in result.stderr
    assert "stays a draft" not in result.stderr
    assert stub.seen("PUT", STATE) == []


@pytest.mark.parametrize(("status", "exit_code"), [(409, 1), (500, 3), (0, 3)])
def test_whatever_breaks_an_import_off_says_that_the_same_command_goes_on(
    run: Run,
    stub: StubPlatform,
    told: type[Told],
    tell_problem: Callable[..., Told],
    verb: list[str],
    status: int,
    exit_code: int,
) -> None:
    broken = tell_problem(status, "broken") if status else told(status=0)
    tell(stub, taken(1_000), broken)
    result = run(*verb)
    assert result.exit_code == exit_code
    assert "Round r9 stays a draft with the lines stored so far; the same command goes on" in result.stderr
    assert stub.seen("PUT", STATE) == []


def test_a_file_that_changes_while_it_is_sent_ends_the_import(
    run: Run, stub: StubPlatform, told: type[Told], tmp_path: Path
) -> None:
    file = tmp_path / "collected.v2.jsonl"
    file.write_bytes(as_file(LINES))

    def overwrite(_: Any) -> Any:
        file.write_bytes(b"x\n" * file.stat().st_size)
        return told(taken(1_000))

    tell(stub, overwrite)
    result = run("rounds", "import", str(file), "--task", "sentiment", "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"{file} was changed while it was read" in result.stderr
    assert "Round r9 stays a draft" in result.stderr
    assert stub.seen("PUT", STATE) == []


def test_a_batch_that_is_refused_for_now_is_sent_whole_again(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], verb: list[str]
) -> None:
    tell(stub, tell_problem(429, "too-many", {"Retry-After": "0"}), taken(1_000), taken(1_000), taken(500))
    assert run(*verb).exit_code == 0
    first, again, *_ = stub.seen("POST", RECORDS)
    assert first.data == again.data


def test_a_dry_run_checks_every_batch_and_stores_nothing(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], file: Path, verb: list[str]
) -> None:
    stub.tell("POST", CHECK, taken(1_000), taken(1_000), taken(500))
    document = json.loads(run(*verb, "--dry-run", "--json").stdout)
    assert document == {
        "source": "collected.v2",
        "targets": ["a"],
        "stored": COUNT,
        "repeated": 0,
        "votes": 2 * COUNT,
        "dry_run": True,
    }
    assert {seen.path for seen in stub.requests[1:]} == {f"/api{CHECK}"}
    assert stub.requests[-1].query == "target=a&first_line=2001"
    refusal = tell_problem(422, "records-unusable", errors=[UNUSABLE], error_count=1)
    stub.tell("POST", CHECK, taken(1_000), refusal, refusal)
    result = run(*verb, "--dry-run")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-2] == (
        f"dynabench: {file} has 2 records that can't be used. Nothing was stored."
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-", "--task", "sentiment"], "the collection is read twice"),
        (["no-such-file.jsonl", "--task", "sentiment"], "does not exist"),
        (["FILE", "--task", "sentiment", "--format", "csv"], "there are anli, dynasent, export, records"),
        (["FILE"], "--task"),
    ],
)
def test_wrong_usage_says_why(run: Run, file: Path, arguments: list[str], said: str) -> None:
    result = run("rounds", "import", *(str(file) if one == "FILE" else one for one in arguments))
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("│", " ").split())


def test_a_harvest_runs_targets_over_text_and_adds_up_what_they_made_of_it(
    run: Run, stub: StubPlatform, file: Path
) -> None:
    kept = {"seen": 200, "stored": 30, "repeated": 1, "wrong": 20, "unsure": 10}
    harvested = {**IMPORT, "origin": "harvested"}
    stub.tell("PUT", START, harvested, {**harvested, "state": "closed", "records": 390})
    stub.tell("POST", HARVEST, kept)
    stub.tell("PUT", STATE, {"round_id": "r9", "state": "closed"})
    verb = ["rounds", "harvest", str(file), "--task", "sentiment", "--target", "m", "--margin-below", "0.2"]
    document = json.loads(run(*verb, "--json").stdout)
    assert {name: document[name] for name in kept} == {name: 13 * count for name, count in kept.items()}
    assert (document["records"], document["state"]) == (390, "closed")
    assert stub.seen("PUT", START)[0].body == {"targets": ["m"], "origin": "harvested"}
    sent = stub.seen("POST", HARVEST)
    assert [len(request.data.splitlines()) for request in sent] == [200] * 12 + [100]
    assert sent[1].query == "margin_below=0.2&first_line=201"


def test_texts_that_can_not_be_used_are_named_too(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], file: Path
) -> None:
    stub.tell("PUT", START, {**IMPORT, "origin": "harvested"})
    stub.tell("POST", HARVEST, tell_problem(422, "records-unusable", errors=[UNUSABLE], error_count=1))
    result = run("rounds", "harvest", str(file), "--task", "sentiment", "--target", "m", "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Correct these lines and run the same command again." in result.stderr.splitlines()


def test_a_finished_harvest_asks_no_target_again(run: Run, stub: StubPlatform, file: Path) -> None:
    stub.tell("PUT", START, {**FINISHED, "origin": "harvested"})
    result = run("rounds", "harvest", str(file), "--task", "sentiment", "--target", "m", "--json")
    assert json.loads(result.stdout)["seen"] == 0
    assert stub.seen("POST", HARVEST) == stub.seen("PUT", STATE) == []


@pytest.mark.parametrize(
    ("states", "ends_with", "seen"),
    [
        ([3], 3, [3]),
        ([1, 1, 2, 3, 4], 3, [1, 2, 3]),
        ([1, 2, 2, 2, 2, 2, 2, 3], 2, [1, 2]),
    ],
)
def test_work_is_followed_until_it_is_finished_or_stands_still(
    states: list[int], ends_with: int, seen: list[int]
) -> None:
    clock, left, told = [0.0], iter(states), list[int]()

    def sleep(seconds: float) -> None:
        clock[0] += seconds

    patience = Patience(pause_seconds=1.0, stall_seconds=4.0, sleep=sleep, now=lambda: clock[0])
    assert follow(lambda: next(left), lambda state: state >= 3, told.append, patience) == ends_with
    assert told == seen

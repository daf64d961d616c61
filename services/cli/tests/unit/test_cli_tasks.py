"""`dynabench tasks`: checking, changing and comparing configurations, and trying models out."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from services.cli.tests.cli_answers import CHANGE, CHECKED, TASK
from services.client.tests.stub_platform import StubPlatform, Told

CHECKS = "/annotation/v1/configuration-checks"
CONFIGURATION = "/annotation/v1/tasks/sentiment/configuration"
PROBLEMS = [
    {
        "path": "input[0].lables",
        "line": 7,
        "column": 3,
        "reason": "is not known",
        "remedy": "Did you mean `labels`?",
    },
    {"path": "ensemble", "reason": "is 9", "remedy": "Give at most 8."},
]
Run = Callable[..., Result]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "task.yaml"
    path.write_text("\ufeffslug: sentiment\n", encoding="utf-8")
    return path


def test_a_check_names_line_column_reason_and_remedy_of_every_problem(
    run: Run, stub: StubPlatform, file: Path
) -> None:
    stub.tell("POST", CHECKS, {"valid": False, "problems": PROBLEMS, "configuration": None})
    result = run("tasks", "check", str(file))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "7\t3\tinput[0].lables\tis not known\tDid you mean `labels`?",
        "–\t–\tensemble\tis 9\tGive at most 8.",
    ]
    as_json = run("tasks", "check", str(file), "--json")
    assert as_json.exit_code == 1
    assert [problem["line"] for problem in json.loads(as_json.stdout)["problems"]] == [7, None]
    assert stub.requests[-1].body == {"configuration": "slug: sentiment\n"}


@pytest.mark.parametrize("verb", ["check", "create", "update", "import-dynatask"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        ("slug: a".encode("utf-16"), "not UTF-8 text, but UTF-16"),
        (b"title: caf\xe9", "not UTF-8"),
        (b"title: " + b"a" * 10_000_000, "has 10.0 MB"),
    ],
)
def test_a_file_that_is_no_configuration_is_not_sent(
    run: Run, stub: StubPlatform, file: Path, verb: str, content: bytes, said: str
) -> None:
    file.write_bytes(content)
    result = run("tasks", verb, str(file))
    assert (result.exit_code, result.stdout) == (1, "")
    assert said in result.stderr
    assert stub.seen("POST", CHECKS) == stub.seen("POST", "/annotation/v1/tasks") == []


def test_what_the_platform_refuses_is_said_as_it_says_it(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], file: Path
) -> None:
    file.write_text("a: &a [1]\nb: *a\n")
    refusal = tell_problem(422, "configuration-unusable", field="configuration", remedy="Write it out.")
    stub.tell("POST", "/annotation/v1/tasks", refusal)
    result = run("tasks", "create", str(file))
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == "Write it out."


def sent(stub: StubPlatform) -> list[bool]:
    return [request.body.get("dry_run", False) for request in stub.seen("PUT", CONFIGURATION)]


@pytest.mark.parametrize(
    ("options", "answer", "exit_code", "dry_runs"),
    [
        (["--yes"], None, 0, [True, False]),
        (["--yes", "--json"], None, 0, [True, False]),
        (["--dry-run"], None, 0, [True]),
        (["--dry-run", "--yes", "--json"], None, 0, [True]),
        ([], "y\n", 0, [True, False]),
        ([], "n\n", 1, [True]),
        ([], "", 1, [True]),
        (["--json"], None, 1, []),
    ],
)
def test_an_update_shows_its_changes_and_asks_before_it_makes_them(
    run: Run,
    stub: StubPlatform,
    file: Path,
    options: list[str],
    answer: str | None,
    exit_code: int,
    dry_runs: list[bool],
) -> None:
    stub.tell("POST", CHECKS, CHECKED)
    stub.tell("PUT", CONFIGURATION, CHANGE, TASK)
    result = run("tasks", "update", str(file), *options, input=answer)
    assert result.exit_code == exit_code
    assert sent(stub) == dry_runs
    if exit_code == 0 and "--json" in options:
        document = json.loads(result.stdout)
        assert document["changes"] == CHANGE["changes"]
        assert document["applied"] is (False in dry_runs)
    elif dry_runs:
        assert result.stdout.splitlines()[0] == "title\tFeelings\tSentiment"


def test_an_update_that_changes_nothing_makes_no_version(run: Run, stub: StubPlatform, file: Path) -> None:
    stub.tell("POST", CHECKS, CHECKED)
    stub.tell("PUT", CONFIGURATION, {"configuration_version": 2, "changes": []})
    assert run("tasks", "update", str(file), "--yes").exit_code == 0
    assert sent(stub) == [True]


def test_an_update_with_problems_names_them_all(run: Run, stub: StubPlatform, file: Path) -> None:
    stub.tell("POST", CHECKS, {"valid": False, "problems": PROBLEMS})
    result = run("tasks", "update", str(file), "--yes")
    assert (result.exit_code, len(result.stdout.splitlines())) == (1, 2)
    assert sent(stub) == []

"""Error messages and exit statuses of the command line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from dynabench_cli.app import app
from dynabench_client import profiles
from dynabench_client.profiles import Profile
from typer.testing import CliRunner, Result

from services.client.tests.stub_platform import StubPlatform, Told

Run = Callable[..., Result]


@pytest.mark.parametrize(
    ("status", "exit_code"), [(400, 1), (401, 1), (403, 1), (404, 1), (409, 1), (422, 1), (500, 3), (501, 3)]
)
def test_a_problem_is_two_lines_and_tells_whose_it_is(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], status: int, exit_code: int
) -> None:
    refusal = tell_problem(status, "round-closed", field="round_id", remedy="Choose an open round.")
    stub.tell("GET", "/annotation/v1/rounds/r1", refusal)
    result = run("rounds", "show", "r1", "--json")
    assert (result.exit_code, result.stdout) == (exit_code, "")
    assert result.stderr.splitlines() == [
        "dynabench: round_id: It is round-closed. (request r-1)",
        "Choose an open round.",
    ]


def test_who_may_not_is_told_how_to_sign_in_as_somebody_who_may(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told]
) -> None:
    stub.tell("GET", "/annotation/v1/rounds/r1", tell_problem(403, "not-allowed", remedy="Ask the owner."))
    result = run("rounds", "show", "r1", "--json")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[1] == (
        f"Ask the owner. Or sign in as somebody who may: dynabench login {stub.url} --user-name admin"
    )


def test_no_answer_is_exit_code_3(run: Run, tmp_path: Path) -> None:
    profile = tmp_path / "other.json"
    profiles.write(profile, Profile("http://127.0.0.1:9", "dbt_x"))
    result = run("whoami", profile=profile)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "connection refused" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["rounds", "show"],
        ["whoami", "--nonsense"],
        ["tasks", "create", "no-such-file.yaml"],
        ["contexts", "upload", "r1", "no-such-file.jsonl"],
        ["tasks"],
    ],
)
def test_wrong_usage_is_exit_code_2(run: Run, arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_without_a_profile_one_is_told_how_to_sign_in(run: Run, tmp_path: Path) -> None:
    result = run("whoami", profile=tmp_path / "missing.json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "dynabench login" in result.stderr


def test_a_refused_credential_is_not_stored(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], tmp_path: Path
) -> None:
    stub.tell("POST", "/accounts/v1/tokens/exchange", tell_problem(401, "api-token-refused"))
    profile = tmp_path / "fresh.json"
    assert run("login", stub.url, "--token", "dbt_bad", profile=profile).exit_code == 1
    assert run("login", stub.url, profile=profile).exit_code == 1
    assert not profile.exists()


def test_completion_is_there() -> None:
    result = CliRunner().invoke(app, ["--help"])
    assert "--install-completion" in result.stdout

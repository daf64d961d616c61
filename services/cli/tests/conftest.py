"""The command, run in this process and signed in to the stub platform."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dynabench_cli.app import app
from dynabench_client import profiles
from dynabench_client.profiles import Profile
from typer.testing import CliRunner, Result

from services.client.tests.stub_platform import StubPlatform, stub, tell_problem, told

__all__ = ["run", "stub", "tell_problem", "told"]


@pytest.fixture
def run(stub: StubPlatform, tmp_path: Path) -> Iterator[Callable[..., Result]]:
    """Run the command, signed in to the stub platform."""
    access = {"access_token": "a1", "expires_in": 900, "person": {"person_id": "p1", "user_name": "ada"}}
    stub.tell("POST", "/accounts/v1/tokens/exchange", access)
    profile = tmp_path / "profile.json"
    profiles.write(profile, Profile(stub.url, "dbt_x"))

    def invoke(*arguments: str, input: str | None = None, profile: Path = profile) -> Result:
        return CliRunner().invoke(app, ["--profile", str(profile), *arguments], input=input)

    yield invoke

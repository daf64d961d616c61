"""A browser and people who use it, tasks of a test's own, and the commands of services."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from dynabench_client import Dynabench, profiles
from dynabench_common.testing import wait_until
from dynabench_local import postgres
from dynabench_local.layout import checkout
from playwright.sync_api import Browser, Page
from rich.console import Console

from tests.scenarios import PASSWORD, NewAnnotator, OwnTask, own_task, sign_up

sys.path.insert(0, str(checkout() / "scripts"))
import demo
from demo_people import Outcome


class Member:
    """An annotator with the SDK and a page in the browser."""

    def __init__(self, url: str, page: Page, person: NewAnnotator) -> None:
        self.url = url
        self.page = page
        self.user_name = person.user_name
        self.person_id = person.person_id
        self.client = person.client

    def sign_in(self) -> None:
        self.page.goto(f"{self.url}/sign-in")
        self.page.fill("input[name=user_name]", self.user_name)
        self.page.fill("input[name=password]", PASSWORD)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(f"{self.url}/")

    def open(self, path: str) -> Page:
        """Return the page at an address; skip the task's practice if it comes first."""
        self.page.goto(self.url + path)
        skip = self.page.get_by_role("link", name="Skip the practice")
        if path.endswith("/create") and skip.count():
            skip.click()
            self.page.wait_for_url(self.url + path)
        return self.page


class CommandLine:
    """The `dynabench` command, signed in by a profile."""

    def __init__(self, platform: Any, profile: Path) -> None:
        self._program = str(platform.stack.layout.scripts / "dynabench")
        self._environment = {**os.environ, "DYNABENCH_PROFILE": str(profile)}

    def __call__(self, *arguments: str) -> Any:
        command = [self._program, *arguments, *(() if arguments[0] == "api" else ("--json",))]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def new_member(browser: Browser, platform: Any) -> Iterator[Callable[..., Member]]:
    """Makes members; `person` may be an already registered one."""
    contexts = []

    def make(
        width: int = 1280, height: int = 900, javascript: bool = True, person: NewAnnotator | None = None
    ) -> Member:
        context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=javascript
        )
        contexts.append(context)
        return Member(platform.url, context.new_page(), person or sign_up(platform.url))

    yield make
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def new_annotator(platform: Any) -> Callable[[], Dynabench]:
    """Makes freshly registered annotators."""
    return lambda: sign_up(platform.url).client


@pytest.fixture(scope="session")
def owner(platform: Any) -> Dynabench:
    olga = platform.sign_ins()["olga"]
    return Dynabench(platform.url, user_name="olga", password=olga["password"])


@pytest.fixture(scope="session")
def admin(platform: Any) -> Dynabench:
    person = platform.sign_ins()["admin"]
    return Dynabench(platform.url, user_name="admin", password=person["password"])


@pytest.fixture
def dynabench(platform: Any, admin: Dynabench, tmp_path: Path) -> CommandLine:
    """The command line, signed in as the demo's administrator."""
    token = admin.accounts.create_token("a test").token
    profiles.write(tmp_path / "profile.json", profiles.Profile(platform.url, token))
    return CommandLine(platform, tmp_path / "profile.json")


@pytest.fixture(scope="session")
def new_task(platform: Any, admin: Dynabench) -> Callable[..., OwnTask]:
    """Makes tasks of a test's own."""
    return lambda **validation: own_task(platform.url, admin, **validation)


@pytest.fixture
def round_id(owner: Dynabench) -> str:
    """A round of one's own, so that tests don't see each other's examples."""
    made = owner.annotation.create_round(
        "sentiment", ["sentiment-minilm"], f"Round of a test {uuid4().hex[:6]}"
    )
    contexts = [
        {"fields": {"prompt": f"Prompt {number}: the soup came quickly."}, "tags": []} for number in range(8)
    ]
    owner.annotation.add_contexts(made.round_id, contexts)
    owner.annotation.set_round_state(made.round_id, "open")
    return made.round_id


@pytest.fixture(scope="session")
def played(platform: Any, owner: Dynabench) -> Outcome:
    """The demo, played once for all tests."""
    return demo.play(platform.url, owner, seed=7, console=Console(quiet=True))


@pytest.fixture(scope="session")
def service_command(platform: Any) -> Callable[..., str]:
    """Runs a command of a service with its settings, and returns its output."""

    def run(service: str, *arguments: str) -> str:
        command = [str(platform.stack.layout.scripts / service), *arguments]
        environment = {**os.environ, **platform.environment(service)}
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture(scope="session")
def check_boards(platform: Any, service_command: Callable[..., str], admin: Dynabench) -> Callable[[], None]:
    """Checks that rebuilt boards equal the live ones."""
    layout, secrets = platform.stack.layout, platform.stack.secrets
    postgres.ensure_database(postgres.admin_url(layout, secrets), "rebuilt", "rebuilt", "rebuilt")
    url = postgres.owner_url(layout, {**secrets, "rebuilt": "rebuilt"}, "rebuilt")

    def snapshot(*arguments: str) -> Any:
        return json.loads(service_command("leaderboard", "snapshot", *arguments, "--json"))

    def nothing_is_evaluated() -> bool:
        open_states = ("queued", "running", "finishing")
        return not any(admin.evaluations.evaluations(state=state).items for state in open_states)

    def check() -> None:
        wait_until(nothing_is_evaluated, 120, "models to be evaluated, whose scores stand on boards too")
        service_command("leaderboard", "rebuild", "--database-url", url)
        rebuilt = snapshot("--database-url", url)
        with contextlib.suppress(AssertionError):
            wait_until(lambda: snapshot() == rebuilt)
        assert snapshot() == rebuilt

    return check

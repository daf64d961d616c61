"""A sign-in and tries to their verdicts, on a platform in containers of any kind."""

import secrets
import subprocess
import time
from collections.abc import Callable
from typing import Protocol, TypeVar

from dynabench_client import Dynabench, ProblemError, UnreachableError
from dynabench_local.layout import checkout

MODEL = "sentiment-cnn"
PATIENCE_SECONDS = 400
ADMIN = "admin"
TASKS = checkout() / "services" / "annotation" / "tasks"
TRIES = ("Lovely, another hour on hold with that charming music of theirs.", "The bread was wonderful.")
Answer = TypeVar("Answer")


class PlatformInContainers(Protocol):
    """A platform in containers on which a try is played."""

    @property
    def url(self) -> str:
        """Return the address of the edge."""

    def accounts(self, *arguments: str, given: str) -> None:
        """Run a command in the container of accounts, with standard input. Raises CalledProcessError."""


def say(line: str) -> None:
    print(line, flush=True)


def patiently(what: str, ask: Callable[[], Answer | None]) -> Answer:
    """Poll until there is an answer. Raises TimeoutError."""
    began = time.monotonic()
    last: object = None
    while time.monotonic() - began < PATIENCE_SECONDS:
        try:
            answer = ask()
            if answer is not None:
                say(f"{what} after {time.monotonic() - began:.0f} s")
                return answer
        except (ProblemError, UnreachableError) as err:
            last = err
        time.sleep(1)
    raise TimeoutError(f"{what}: not within {PATIENCE_SECONDS} s ({last})")


def administrator(platform: PlatformInContainers) -> str:
    """Make an administrator; return the password."""
    password = secrets.token_urlsafe(12)
    roles = ["--role", "annotator", "--role", "admin", "--role", "owner:sentiment"]
    who = ["--user-name", ADMIN, "--email", "admin@demo.invalid", "--cohort", "volunteer"]

    def made() -> bool | None:
        try:
            platform.accounts("accounts", "ensure-person", *who, *roles, given=password)
        except subprocess.CalledProcessError:
            return None
        return True

    patiently("the administrator is made", made)
    return password


def signed_in(url: str, password: str) -> Dynabench:
    """Return a client of the administrator."""

    def client() -> Dynabench | None:
        found = Dynabench(url, user_name=ADMIN, password=password)
        return found if found.accounts.me() else None

    return patiently("signed in", client)


def make_task(admin: Dynabench) -> None:
    """Make the task sentiment."""
    admin.annotation.create_task((TASKS / "sentiment.yaml").read_text(encoding="utf-8"))


def opened_round(admin: Dynabench) -> str:
    """Open a round of the task sentiment against MODEL, once that answers; return the round's id."""
    patiently("the model answers", lambda: admin.gateway.model(MODEL).ready or None)
    area = admin.annotation
    found = area.create_round("sentiment", [MODEL], "In containers")
    area.upload_contexts(found.round_id, (TASKS / "sentiment-contexts.jsonl").read_bytes())
    area.set_round_state(found.round_id, "open")
    return found.round_id


def submit(admin: Dynabench, round_id: str) -> None:
    """Submit the tries; each must have a verdict."""
    for text in TRIES:
        context = admin.annotation.assign(round_id).context
        example = admin.annotation.create_example(
            round_id, context.context_id, {"text": text, "label": "negative"}
        )
        say(f"a try: {text!r} is {example.verdict} for who calls it negative")


def play(admin: Dynabench, round_id: str) -> None:
    """Submit the tries of a fresh round; the board must count them all, and no service may have failed events."""
    submit(admin, round_id)
    patiently(
        "the board counts them",
        lambda: True if admin.leaderboard.round(round_id).tries == len(TRIES) else None,
    )
    for area in admin.event_services:
        found = patiently(f"{area.service} reports its failed events", area.set_aside)
        assert not found.items, f"{area.service}: {found.items}"

"""Set up what a fresh platform needs to be tried: people, the shipped task, an open round, a profile.

Everything goes through the public interfaces, and everything that is there already is left alone, so that
`make up` can run it at every start.
"""

import argparse
import json
import os
import secrets
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from dynabench_client import Dynabench, ProblemError, UnreachableError, profiles
from dynabench_local.layout import Layout, from_environment
from dynabench_local.stack import Stack

TASK = "sentiment"
TARGETS = ("sentiment-minilm",)
PEOPLE: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("administrator", "admin", ("annotator", "admin", f"owner:{TASK}")),
    ("task owner", "olga", ("annotator", f"owner:{TASK}")),
    ("annotator", "ada", ("annotator",)),
    ("annotator", "ben", ("annotator",)),
    ("annotator", "cleo", ("annotator",)),
)


def sign_ins(layout: Layout) -> list[dict[str, str]]:
    """Return the demo's people with their passwords, made once per data folder."""
    path = layout.home / "demo-sign-ins.json"
    if not path.exists():
        people = [
            {"name": name, "user_name": user_name, "password": secrets.token_urlsafe(9), "role": roles[-1]}
            for name, user_name, roles in PEOPLE
        ]
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(people, file, indent=1)
    loaded: list[dict[str, str]] = json.loads(path.read_text())
    return loaded


def ensure_people(stack: Stack, people: list[dict[str, str]]) -> None:
    """Register the demo's people; the first administrator can't come from the public interface."""
    environment = {**os.environ, **stack.environment("accounts")}
    for (_, user_name, roles), person in zip(PEOPLE, people, strict=True):
        command = [str(stack.layout.scripts / "accounts"), "ensure-person", "--user-name", user_name]
        command += ["--email", f"{user_name}@demo.invalid", "--cohort", "volunteer"]
        for role in roles:
            command += ["--role", role]
        subprocess.run(
            command,
            input=person["password"],
            text=True,
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )


def ensure_task(owner: Dynabench, admin: Dynabench, folder: Path) -> None:
    """Create the shipped task unless it exists."""
    if TASK not in {task.slug for task in owner.annotation.tasks(limit=200).items}:
        admin.annotation.create_task((folder / f"{TASK}.yaml").read_text(encoding="utf-8"))


def ensure_round(owner: Dynabench, folder: Path) -> str:
    """Draft, fill and open a first round unless the task has one; return the newest round's id."""
    rounds = owner.annotation.rounds(TASK, limit=200).items
    newest = max(rounds, key=lambda found: found.number, default=None)
    if newest is None:
        newest = owner.annotation.create_round(TASK, TARGETS, "First round")
    if newest.state == "draft":
        if not owner.annotation.contexts(newest.round_id, limit=1).items:
            lines = (folder / f"{TASK}-contexts.jsonl").read_text(encoding="utf-8").splitlines()
            owner.annotation.add_contexts(newest.round_id, [json.loads(line) for line in lines])
        owner.annotation.set_round_state(newest.round_id, "open")
    return newest.round_id


def ensure_profile(layout: Layout, owner: Dynabench, use: bool) -> None:
    """Leave a profile of the owner in the data folder; with `use`, point the command line to it."""
    path = layout.home / "profile.json"
    if not _works(path, layout.public_url):
        token = owner.accounts.create_token("local platform").token
        profiles.write(path, profiles.Profile(layout.public_url, token))
    if use:
        profiles.use(path)


def _works(path: Path, url: str) -> bool:
    try:
        profile = profiles.read(path)
        return profile.url == url and bool(Dynabench(url, token=profile.api_token).accounts.me())
    except (profiles.ProfileError, ProblemError):
        return False


def wait_until_signed_in(layout: Layout, person: dict[str, str]) -> Dynabench:
    """Return a client signed in as the person, waiting while services settle."""
    for attempt in range(20):
        client = Dynabench(layout.public_url, user_name=person["user_name"], password=person["password"])
        try:
            client.accounts.me()
            return client
        except (UnreachableError, ProblemError) as err:
            if attempt == 19 or (isinstance(err, ProblemError) and err.status < 500):
                raise
            time.sleep(0.5)
    raise RuntimeError("unreachable")


def main(arguments: list[str] | None = None) -> int:
    """Set everything up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--use-profile", action="store_true", help="point the dynabench command to this platform"
    )
    options: Any = parser.parse_args(arguments)
    layout = from_environment()
    stack = Stack(layout)
    people = sign_ins(layout)
    ensure_people(stack, people)
    clients = {person["user_name"]: wait_until_signed_in(layout, person) for person in people[:2]}
    folder = layout.checkout / "services" / "annotation" / "tasks"
    ensure_task(clients["olga"], clients["admin"], folder)
    ensure_round(clients["olga"], folder)
    ensure_profile(layout, clients["olga"], options.use_profile)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Set up what a fresh platform needs for a trial: people, the shipped tasks with a round and items to score models on.

Everything goes through the public interfaces, and everything that is there already is left alone, also a task whose
configuration is another version than the shipped one, so that `make up` can run it at every start.
"""

import argparse
import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dynabench_client import Dynabench, ProblemError, UnreachableError, profiles
from dynabench_client.results.annotation import Round
from dynabench_client.results.base import LARGEST_PAGE, every
from dynabench_local.layout import Layout, from_environment
from dynabench_local.stack import Stack

TARGETS: Mapping[str, tuple[str, ...]] = {
    "sentiment": ("sentiment-minilm", "sentiment-cnn"),
    "nli": ("nli-minilm", "nli-attention"),
    "qa": ("qa-minilm",),
    "hate-speech": ("hate-speech-minilm",),
}
EXAMPLES = ("anli", "dynasent", "topics", "visual-questions")
"""The tasks of the folder `examples`, which the documents create with the owner's profile."""
OWNER_ROLES = tuple(f"owner:{task}" for task in (*TARGETS, *EXAMPLES))
PEOPLE: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("administrator", "admin", ("annotator", "admin", *OWNER_ROLES)),
    ("task owner", "olga", ("annotator", *OWNER_ROLES)),
    ("annotator", "ada", ("annotator",)),
    ("annotator", "ben", ("annotator",)),
    ("annotator", "cleo", ("annotator",)),
)

CHALLENGE_LICENCE = "Apache-2.0"
PATIENCE_SECONDS = 20.0


def sign_ins(layout: Layout) -> list[dict[str, str]]:
    """Return the demo's people with their passwords, made once per data folder."""
    return kept(layout.home / "demo-sign-ins.json", [(name, user_name) for name, user_name, _ in PEOPLE])


def kept(path: Path, people: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """Return the people of a file; without it, make it whole with `people` and new passwords."""
    if not path.exists():
        made = [
            {"name": name, "user_name": user_name, "password": secrets.token_urlsafe(9)}
            for name, user_name in people
        ]
        new = path.with_suffix(".new")
        new.unlink(missing_ok=True)
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(made, file, indent=1)
        new.replace(path)
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


def ensure_tasks(admin: Dynabench, folder: Path) -> None:
    """Create the shipped tasks that don't exist."""
    existing = {task.slug for task in admin.annotation.tasks(limit=200).items}
    for task in TARGETS:
        if task not in existing:
            admin.annotation.create_task((folder / f"{task}.yaml").read_text(encoding="utf-8"))
            _say(f"{task}: the task is made")


def ensure_round(owner: Dynabench, task: str, folder: Path) -> None:
    """Draft, fill and open a first round unless the task has one.

    The round stays a draft, with a message, while one of its targets isn't served; the next run opens it.
    """
    rounds = owner.annotation.rounds(task, limit=200).items
    newest = max(rounds, key=lambda found: found.number, default=None)
    if newest is None:
        newest = owner.annotation.create_round(task, TARGETS[task], "First round")
    if newest.state != "draft":
        return
    if not owner.annotation.contexts(newest.round_id, limit=1).items:
        owner.annotation.upload_contexts(newest.round_id, (folder / f"{task}-contexts.jsonl").read_bytes())
    if waiting_for := _unserved(owner, newest):
        names = ", ".join(waiting_for)
        _say(f"{task}: the round stays a draft, as no model is served as {names}")
        return
    owner.annotation.set_round_state(newest.round_id, "open")
    _say(f"{task}: round {newest.number} is open")


def ensure_challenge_set(
    owner: Dynabench, task: str, folder: Path, patience_seconds: float = PATIENCE_SECONDS
) -> None:
    """Upload the task's challenge set, on which the evaluator then scores every served model.

    Nothing is uploaded if the task has a dataset of this name, whatever its version. A task whose fields or labels
    people have changed refuses the items and stays without.
    """
    name = f"{task}-challenge"
    datasets = every(
        lambda cursor: owner.evaluations.scored_datasets(task, limit=LARGEST_PAGE, cursor=cursor)
    )
    if name in {dataset.name for dataset in datasets}:
        return
    title = f"Challenge set: {owner.annotation.task(task).title}"
    items = (folder / f"{task}.jsonl").read_bytes()
    deadline = time.monotonic() + patience_seconds
    while True:
        try:
            owner.evaluations.add_dataset(
                task, name, items, title=title, access="open", licence=CHALLENGE_LICENCE
            )
            _say(f"{task}: models are being scored on its challenge set")
            return
        except ProblemError as err:
            if err.status not in (404, 409, 422):
                raise
            if err.status != 404 or time.monotonic() > deadline:
                _say(f"{task}: its challenge set is left out: {err}")
                return
            time.sleep(0.2)  # an event tells scoring of a new task


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _unserved(owner: Dynabench, found: Round) -> list[str]:
    served = {model.name for model in owner.gateway.models()}
    return [target for target in found.targets if target not in served]


def ensure_profile(layout: Layout, owner: Dynabench, use: bool) -> None:
    """Leave a profile of the owner in the data folder; with `use`, point the command line to it."""
    path = layout.home / "profile.json"
    if not _works(path, layout.url("edge")):
        token = owner.accounts.create_token("local platform").token
        profiles.write(path, profiles.Profile(layout.url("edge"), token))
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
        client = Dynabench(layout.url("edge"), user_name=person["user_name"], password=person["password"])
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
    parser.add_argument(
        "--challenge-sets", action="store_true", help="upload items of each task to score models on"
    )
    options: Any = parser.parse_args(arguments)
    layout = from_environment()
    stack = Stack(layout)
    people = sign_ins(layout)
    ensure_people(stack, people)
    clients = {person["user_name"]: wait_until_signed_in(layout, person) for person in people[:2]}
    folder = layout.checkout / "services" / "annotation" / "tasks"
    ensure_tasks(clients["admin"], folder)
    for task in TARGETS:
        ensure_round(clients["olga"], task, folder)
    ensure_profile(layout, clients["olga"], options.use_profile)
    if options.challenge_sets:
        for task in TARGETS:
            ensure_challenge_set(
                clients["olga"], task, layout.checkout / "services/evaluation/challenge_sets"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())

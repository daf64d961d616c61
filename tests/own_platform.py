"""A platform of one's own for measurements: fresh data, free ports, removed afterwards."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
import yaml
from dynabench_client import Dynabench, ProblemError
from dynabench_client.retries import NO_RETRIES, RetryPolicy
from dynabench_local import seaweedfs
from dynabench_local.stack import Stack
from dynabench_local.temporary import temporary_stack
from rich.console import Console

from tests.scenarios import SHIPPED_TASKS, let_votes_count_at_once

console = Console(highlight=False, markup=False, soft_wrap=True)


class OwnPlatform:
    """A running stack with its demo people."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.url = stack.layout.public_url
        self.people = {
            person["user_name"]: person
            for person in json.loads((stack.layout.home / "demo-sign-ins.json").read_text())
        }
        self.owner = self.client("olga")
        let_votes_count_at_once(self.owner, SHIPPED_TASKS)
        self.administrator = self.client("admin")
        self.round_id = self.owner.annotation.rounds("sentiment").items[0].round_id

    def client(self, user_name: str, retry: bool = True) -> Dynabench:
        """Return a client signed in as one of the demo's people."""
        person = self.people[user_name]
        policy = RetryPolicy() if retry else NO_RETRIES
        return Dynabench(self.url, user_name=user_name, password=person["password"], retries=policy)

    def access_token(self, user_name: str) -> str:
        """Return a fresh access token."""
        return (
            Dynabench(self.url).accounts.sign_in(user_name, self.people[user_name]["password"]).access_token
        )

    def pending(self, round_id: str) -> int:
        """Return how many examples of a round wait for votes, as far as validation knows it."""
        try:
            return self.administrator.validation.counts(round_id).pending
        except ProblemError:
            return 0

    def new_annotator(self, user_name: str, retry: bool = True) -> Dynabench:
        """Sign a new annotator up."""
        password = "a-long-password-of-the-tests"
        Dynabench(self.url).accounts.sign_up(user_name, f"{user_name}@demo.invalid", password)
        self.people[user_name] = {"user_name": user_name, "password": password}
        return self.client(user_name, retry)


def s3_client(platform: OwnPlatform) -> Any:
    """Return boto3's client of the platform's object store."""
    keys = seaweedfs.credentials(platform.stack.secrets)
    return boto3.client(
        "s3",
        endpoint_url=seaweedfs.endpoint_url(platform.stack.layout),
        region_name="us-east-1",
        aws_access_key_id=keys["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=keys["AWS_SECRET_ACCESS_KEY"],
    )


@contextmanager
def own_platform(models: list[dict[str, object]] | None = None) -> Iterator[OwnPlatform]:
    """Start a platform in a temporary folder, with `models` and the shipped ones; remove it at the end."""
    began = time.monotonic()

    def say(line: str) -> None:
        console.print(f"[{time.monotonic() - began:5.1f} s] {line}")

    with temporary_stack(say) as empty:
        shipped = yaml.safe_load(empty.layout.models_file.read_text())
        served = yaml.safe_dump({"models": [*shipped["models"], *(models or [])]})
        (empty.layout.home / "models.yaml").write_text(served)
        stack = Stack(empty.layout, say)
        stack.up()
        stack.wait_for_targets()
        stack.seed()
        yield OwnPlatform(stack)

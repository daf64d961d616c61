"""The drill: a backup taken under load is restored elsewhere, and its data is consistent.

Writes acknowledged before the backup exist, later ones do not, the boards equal a rebuild from the
restored log, each event is in that log once, and the next try goes to its verdict.
"""

import json
import os
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg2
import pytest
import yaml
from dynabench_client import Dynabench
from dynabench_common.events.brokers import connection
from dynabench_common.testing import wait_until
from dynabench_local import postgres
from dynabench_local.kafka import admin_address
from dynabench_local.stack import INFRASTRUCTURE, Stack
from dynabench_local.temporary import temporary_stack
from kafka import KafkaConsumer, TopicPartition

from tests.scenarios import (
    PASSWORD,
    PRAISE,
    TARGET,
    NewAnnotator,
    OwnTask,
    board,
    own_task,
    sign_up,
    vote,
    write,
)

EXAMPLES = "dynabench.example.v1"
BEFORE = 6
"""Tries before the backup is taken."""
NEEDED = (
    *(*INFRASTRUCTURE, "torchserve", "torchserve-agent", "edge", "gateway-http"),
    *(f"{name}-{face}" for name in postgres.OWNERS for face in ("http", "worker")),
)
"""The parts of the restored platform: all but the pages and the evaluator, which store nothing."""


def operate(stack: Stack, *arguments: str, status: int = 0) -> str:
    done = subprocess.run(
        [str(stack.layout.scripts / "dynabench-operate"), *arguments],
        env=stack.client_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == status, done.stderr
    return done.stdout.strip() if status == 0 else done.stderr


def rows(stack: Stack, service: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    url = stack.environment(service)["DATABASE_URL"].replace("+psycopg2", "")
    opened = psycopg2.connect(url)
    try:
        with opened, opened.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall() if cursor.description else []
    finally:
        opened.close()


def events_about(stack: Stack, examples: set[str]) -> Counter[str]:
    """Return how often each event about these examples is in the log of a stack."""
    found: Counter[str] = Counter()
    consumer = KafkaConsumer(**connection(admin_address(stack.layout, stack.secrets)))
    try:
        places = [
            TopicPartition(EXAMPLES, number) for number in sorted(consumer.partitions_for_topic(EXAMPLES))
        ]
        consumer.assign(places)
        consumer.seek_to_beginning()
        ends = consumer.end_offsets(places)
        while any(consumer.position(place) < end for place, end in ends.items()):
            for records in consumer.poll(timeout_ms=500).values():
                about = [record for record in records if (record.key or b"").decode() in examples]
                found.update(dict(record.headers)["ce_id"].decode() for record in about)
    finally:
        consumer.close()
    return found


class Players:
    """People who write and vote until they are stopped; acknowledged writes are kept for comparison."""

    def __init__(self, task: OwnTask, round_id: str, url: str) -> None:
        self.round_id = round_id
        self.author, self.voter = sign_up(url), sign_up(url)
        self.acknowledged: list[str] = []
        self.votes = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play)

    def play(self) -> str:
        text = PRAISE.format(f"dish {len(self.acknowledged)} of {self.round_id[-6:]}")
        made = write(self.author.client, self.round_id, text, "negative")
        self.acknowledged.append(made.example_id)
        return made.example_id

    def vote(self) -> None:
        labels = dict.fromkeys(self.acknowledged, "negative")
        vote(self.voter.client, self.round_id, labels)
        self.votes += 1

    def _play(self) -> None:
        while not self._stop.wait(0.05):
            self.play()
            if self.votes < BEFORE:
                self.vote()

    @contextmanager
    def meanwhile(self) -> Iterator[None]:
        self._thread.start()
        try:
            yield
        finally:
            self._stop.set()
            self._thread.join(60)


@contextmanager
def stopped(stack: Stack, part: str) -> Iterator[None]:
    stack.supervisor.stop_part(part)
    try:
        yield
    finally:
        stack.up([part])


@pytest.fixture(scope="module")
def players(platform: Any) -> Players:
    admin = Dynabench(platform.url, user_name="admin", password=platform.sign_ins()["admin"]["password"])
    task = own_task(platform.url, admin)
    return Players(task, task.open_round(), platform.url)


@contextmanager
def elsewhere() -> Iterator[Stack]:
    """Give a second stack with one model and nothing started."""
    with temporary_stack() as empty:
        shipped = yaml.safe_load(empty.layout.models_file.read_text())["models"]
        served = [model for model in shipped if model["name"] == TARGET]
        (empty.layout.home / "models.yaml").write_text(yaml.safe_dump({"models": served}))
        yield Stack(empty.layout)


def in_doubt(stack: Stack, example_id: str) -> str:
    """Make an event look as if the relay had ended between sending and marking it; return its id."""
    statement = (
        "UPDATE outbox SET sent_at = NULL WHERE aggregate_id = %s AND type LIKE %s RETURNING event_id::text"
    )
    ((event_id,),) = rows(stack, "annotation", statement, example_id, "%%ExampleCreated")
    return str(event_id)


def rebuilt_equals_live(stack: Stack) -> None:
    environment = {**os.environ, **stack.environment("leaderboard")}
    secrets = {**stack.secrets, "rebuilt": "rebuilt"}
    postgres.ensure_database(postgres.admin_url(stack.layout, secrets), "rebuilt", "rebuilt", "rebuilt")
    url = postgres.owner_url(stack.layout, secrets, "rebuilt")

    def leaderboard(*arguments: str) -> str:
        command = [str(stack.layout.scripts / "leaderboard"), *arguments]
        done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    leaderboard("rebuild", "--database-url", url)
    rebuilt = json.loads(leaderboard("snapshot", "--database-url", url, "--json"))
    live = json.loads(leaderboard("snapshot", "--json"))
    assert live == rebuilt
    assert live["example"]


def signed_in(stack: Stack, person: NewAnnotator) -> Dynabench:
    return Dynabench(stack.layout.public_url, user_name=person.user_name, password=PASSWORD)


def test_a_backup_restored_elsewhere_is_a_platform_of_one_moment(
    platform: Any, players: Players, tmp_path: Path
) -> None:
    before = [players.play() for _ in range(BEFORE)]
    players.vote()
    wait_until(
        lambda: board(players.author.client, players.round_id).tries == BEFORE,
        what="the board to count the tries",
    )
    with stopped(platform.stack, "annotation-worker"):
        doubtful = in_doubt(platform.stack, before[0])
        unsent = players.play()
        with players.meanwhile():
            folder = Path(operate(platform.stack, "backup", "--local", str(tmp_path)))
    after = players.play()
    with elsewhere() as stack:
        stack.up(INFRASTRUCTURE)
        operate(stack, "restore", "--local", str(folder))
        assert "the target is not empty" in operate(stack, "restore", "--local", str(folder), status=2)
        operate(stack, "restore", "--local", "--overwrite", str(folder))
        assert events_about(stack, set(before))[doubtful] == 0
        stack.up(NEEDED)
        stack.wait_for_targets()
        _check(stack, players, {*before, unsent}, after)
        assert events_about(stack, set(before))[doubtful] == 1
        assert "make down first" in operate(stack, "restore", "--local", str(folder), status=2)


def _check(stack: Stack, players: Players, needed: set[str], after: str) -> None:
    author = signed_in(stack, players.author)
    statement = "SELECT example_id::text FROM example WHERE round_id = %s"
    kept = {row[0] for row in rows(stack, "annotation", statement, players.round_id)}
    assert needed <= kept
    assert kept <= set(players.acknowledged)
    assert after not in kept
    wait_until(
        lambda: board(author, players.round_id).tries == len(kept),
        what="the board to count what was not sent",
    )
    of_round = "SELECT count(*) FROM vote JOIN example_validation USING (example_id) WHERE round_id = %s"
    assert (
        board(author, players.round_id).votes == rows(stack, "validation", of_round, players.round_id)[0][0]
    )
    assert set(events_about(stack, kept).values()) == {1}
    written = write(author, players.round_id, PRAISE.format("last dish"), "negative")
    assert written.verdict == "fooled"
    wait_until(
        lambda: board(author, players.round_id).tries == len(kept) + 1, what="the board to count the new try"
    )
    rebuilt_equals_live(stack)

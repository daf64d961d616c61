"""Events per second of one consumer and of three: the leaderboard's worker on its own topics."""

import os
import random
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

import psycopg2
from dynabench.example.v1.example_pb2 import VERDICT_FOOLED, VERDICT_NOT_FOOLED, ExampleCreated, TargetAnswer
from dynabench.task.v1.task_pb2 import RoundCreated
from dynabench.validation.v1.validation_pb2 import (
    RESOLUTION_CORRECT,
    VOTE_KIND_LABEL,
    ExampleResolved,
    VoteCast,
)
from dynabench_common.events.brokers import connection
from dynabench_common.events.cloud_events import headers_for
from dynabench_common.identifiers import new_id
from dynabench_local import kafka, postgres, topics
from google.protobuf.message import Message
from kafka import KafkaProducer

from tests.figures import Figure, at_least, plain
from tests.own_platform import OwnPlatform, console

EXAMPLES = 4_000
SHARED_EXAMPLES = 12_000
"""Number of events for several workers: all workers join before half of them are applied."""


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Publish examples, votes and resolutions, then let one worker catch up with them, and three with as many more."""
    rate, _ = _taken_in(platform, "bench", EXAMPLES, 1)
    yield at_least("consumer throughput, one worker", rate, "events/s", 1000)
    _, one = _taken_in(platform, "bench1", SHARED_EXAMPLES, 1)
    _, three = _taken_in(platform, "bench3", SHARED_EXAMPLES, 3)
    console.print(f"events: second half by one worker {one:.0f} per second, by three {three:.0f}")
    yield plain("consumer throughput of three workers over one, second half", three / one, "×")


def _taken_in(platform: OwnPlatform, name: str, examples: int, workers: int) -> tuple[float, float]:
    """Return events per second from the first processed one to the last, and of the second half alone.

    By then all workers have joined. Topics and database, of this name, are empty before.
    """
    prefix = f"{name}."
    brokers = kafka.admin_address(platform.stack.layout, platform.stack.secrets)
    settings = {
        **platform.stack.environment("leaderboard"),
        "KAFKA_BOOTSTRAP_SERVERS": brokers,
        "KAFKA_TOPIC_PREFIX": prefix,
    }
    topics.ensure_topics(brokers, prefix)
    published = _publish(brokers, prefix, examples)
    secrets = {**platform.stack.secrets, name: name}
    admin = postgres.admin_url(platform.stack.layout, secrets)
    postgres.ensure_database(admin, name, name, name)
    settings["DATABASE_URL"] = postgres.owner_url(platform.stack.layout, secrets, name)
    command = str(platform.stack.layout.scripts / "leaderboard")
    environment = {**os.environ, **settings}
    subprocess.run([command, "migrate"], env=environment, check=True)
    running = [
        subprocess.Popen([command, "worker"], env=environment, stderr=subprocess.DEVNULL)
        for _ in range(workers)
    ]
    try:
        rate, later = _rates(settings["DATABASE_URL"], published)
    finally:
        for worker in running:
            worker.terminate()
        for worker in running:
            worker.wait(30)
    console.print(f"events: {published} published, {rate:.0f} per second taken in by {workers}")
    return rate, later


def _rates(database_url: str, total: int) -> tuple[float, float]:
    url = database_url.replace("postgresql+psycopg2", "postgresql")
    connection = psycopg2.connect(url)
    connection.autocommit = True
    looks: list[tuple[float, int]] = []
    deadline = time.monotonic() + 300
    with connection.cursor() as cursor:
        while time.monotonic() < deadline:
            cursor.execute("SELECT count(*) FROM inbox")
            row = cursor.fetchone()
            count = int(row[0]) if row else 0
            if count:
                looks.append((time.monotonic(), count))
            if count >= total:
                half = next(look for look in looks if look[1] >= total / 2)
                return _between(looks[0], looks[-1]), _between(half, looks[-1])
            time.sleep(0.05)
    raise TimeoutError(f"the workers took in {count} of {total} events within 300 s")


def _between(first: tuple[float, int], last: tuple[float, int]) -> float:
    return (last[1] - first[1]) / max(last[0] - first[0], 1e-9)


def _publish(bootstrap_servers: str, prefix: str, examples: int) -> int:
    chance = random.Random(1)
    producer = KafkaProducer(**connection(bootstrap_servers), linger_ms=20, acks="all")
    now = datetime.now(UTC)
    published = 0

    def send(topic: str, message: Message, aggregate: UUID, version: int) -> None:
        nonlocal published
        headers = headers_for(
            event_id=new_id(),
            type_name=message.DESCRIPTOR.full_name,
            source="/bench",
            time=now,
            aggregate_version=version,
            traceparent=None,
        )
        producer.send(
            prefix + topic, key=str(aggregate).encode(), value=message.SerializeToString(), headers=headers
        )
        published += 1

    round_id, task_id = new_id(), new_id()
    authors = [str(new_id()) for _ in range(50)]
    opened = RoundCreated(round_id=str(round_id), task_id=str(task_id), number=1)
    opened.created_at.FromDatetime(now)
    send("dynabench.task.v1", opened, round_id, 1)
    for _ in range(examples):
        example_id = new_id()
        fooled = chance.random() < 0.4
        created = _example(example_id, round_id, task_id, chance.choice(authors), fooled)
        created.created_at.FromDatetime(now)
        send("dynabench.example.v1", created, example_id, 1)
        if fooled:
            for version in (1, 2):
                send(
                    "dynabench.validation.v1",
                    _vote(example_id, round_id, chance.choice(authors)),
                    example_id,
                    version,
                )
            send("dynabench.validation.v1", _resolution(example_id, round_id), example_id, 3)
    producer.flush()
    producer.close()
    return published


def _example(example_id: UUID, round_id: UUID, task_id: UUID, author: str, fooled: bool) -> ExampleCreated:
    answer = TargetAnswer(
        target="t", value="positive" if fooled else "negative", wrong=fooled, model_digest="sha256:a"
    )
    return ExampleCreated(
        example_id=str(example_id),
        round_id=str(round_id),
        task_id=str(task_id),
        task_slug="sentiment",
        segment_id=str(round_id),
        context_id=str(round_id),
        claimed="negative",
        answers=[answer],
        verdict=VERDICT_FOOLED if fooled else VERDICT_NOT_FOOLED,
        author_id=author,
        cohort="volunteer",
        attempt=1,
        configuration_version=1,
    )


def _vote(example_id: UUID, round_id: UUID, voter: str) -> VoteCast:
    vote = VoteCast(example_id=str(example_id), round_id=str(round_id), voter_id=voter, vote_id=str(new_id()))
    vote.kind, vote.option, vote.counted = VOTE_KIND_LABEL, "negative", True
    vote.cast_at.GetCurrentTime()
    return vote


def _resolution(example_id: UUID, round_id: UUID) -> ExampleResolved:
    resolved = ExampleResolved(example_id=str(example_id), round_id=str(round_id), agreed_option="negative")
    resolved.resolution, resolved.agreed_is_task_label, resolved.votes_counted = RESOLUTION_CORRECT, True, 2
    resolved.resolved_at.GetCurrentTime()
    return resolved

"""One process of the joins' drill: two members of consumer groups that join, read, work, leave and join again.

Prints one JSON line per membership: the time to the first record, the longest silence afterwards, and whether the
client gave up. Every topic gets a record into each partition ten times a second, so a member without records for
seconds is deaf.
"""

import json
import random
import sys
import threading
import time
from dataclasses import asdict, dataclass
from typing import Any

from dynabench_common.events.brokers import connection
from dynabench_common.events.consumer import SETTINGS
from kafka import KafkaConsumer
from kafka.errors import KafkaError

GIVEN_UP_SECONDS = 30.0
MEMBERSHIP_SECONDS = (1.0, 5.0)
WORK_SECONDS = 0.03


@dataclass
class Membership:
    """One membership; its start and end are by the wall clock."""

    group: str
    began_at: float
    ended_at: float = 0.0
    joined_after: float | None = None
    longest_silence: float = 0.0
    oldest_heartbeat: float = 0.0
    given_up: bool = False
    error: str = ""


def main(servers: str, groups: str, seed: str, memberships: str, asks_first: str) -> None:
    """Run one thread per group, each for so many memberships."""
    threads = [
        threading.Thread(
            target=_member,
            args=(servers, group, random.Random(f"{seed}{group}"), int(memberships), asks_first == "1"),
        )
        for group in groups.split(",")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _member(servers: str, group: str, chance: random.Random, memberships: int, asks_first: bool) -> None:
    for _ in range(memberships):
        membership = Membership(group, time.time())
        began = time.monotonic()
        try:
            _take_part(servers, membership, began, chance.uniform(*MEMBERSHIP_SECONDS), asks_first)
        except (KafkaError, OSError) as err:
            membership.error = f"{type(err).__name__}: {err}"
            _note_silence(membership, time.monotonic() - began)
            time.sleep(1.0)
        membership.ended_at = max(time.time(), membership.began_at)
        # One write: the other thread writes lines too.
        sys.stdout.write(json.dumps(asdict(membership)) + "\n")
        sys.stdout.flush()


def _take_part(servers: str, membership: Membership, began: float, seconds: float, asks_first: bool) -> None:
    known = {name: value for name, value in SETTINGS.items() if name in KafkaConsumer.DEFAULT_CONFIG}
    consumer = KafkaConsumer(membership.group, **connection(servers), group_id=membership.group, **known)
    try:
        if asks_first:
            consumer.partitions_for_topic(membership.group)
        _read(consumer, membership, began, seconds)
    finally:
        consumer.close(autocommit=False, timeout_ms=2_000)


def _read(consumer: Any, membership: Membership, began: float, seconds: float) -> None:
    heard = began
    leaves_at = float("inf")
    while time.monotonic() < leaves_at:
        polled = consumer.poll(timeout_ms=200)
        now = time.monotonic()
        if polled:
            if membership.joined_after is None:
                membership.joined_after = now - began
                leaves_at = now + seconds
            else:
                _note_silence(membership, now - heard)
            heard = now
            _work()
            consumer.commit()
        elif now - heard > GIVEN_UP_SECONDS:
            membership.given_up = True
            _note_silence(membership, now - heard)
            return
        if membership.joined_after is not None:
            _note_silence(membership, time.monotonic() - heard)
            metrics = (consumer.metrics() or {}).get("consumer-coordinator-metrics", {})
            age = metrics.get("last-heartbeat-seconds-ago", 0.0)
            if age != float("inf"):
                membership.oldest_heartbeat = max(membership.oldest_heartbeat, age)


def _note_silence(membership: Membership, seconds: float) -> None:
    membership.longest_silence = max(membership.longest_silence, seconds)


def _work() -> None:
    until = time.monotonic() + WORK_SECONDS
    while time.monotonic() < until:
        pass


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Events per second of every service with a full database, while the other services apply the same events."""

import time
from collections.abc import Callable, Iterator

from dynabench_common.events.brokers import connection
from dynabench_local import kafka
from kafka import KafkaConsumer
from kafka.admin import KafkaAdminClient

from tests.figures import Figure, at_least, plain
from tests.own_platform import OwnPlatform

LEAST_PER_SECOND = 300
"""Minimum of events a second for each service while all of them share two processors."""
FEWEST_EVENTS = 10_000
"""Minimum of events for a rate: a group with fewer waits for other services."""
QUIET_SECONDS = 3.0
LONGEST_SECONDS = 900.0


def while_filled(platform: OwnPlatform, fill: Callable[[], object]) -> Iterator[Figure]:
    """Let `fill` publish events; return each consumer group's events a second until it has processed all."""
    brokers = connection(kafka.admin_address(platform.stack.layout, platform.stack.secrets))
    admin, reader = KafkaAdminClient(**brokers), KafkaConsumer(**brokers)
    try:
        before, _ = _positions(admin, reader)
        began = time.monotonic()
        fill()
        published = time.monotonic() - began
        after, last_move = before, dict.fromkeys(before, began)
        while True:
            now = time.monotonic()
            positions, behind = _positions(admin, reader)
            last_move = {
                group: now if positions[group] != after[group] else last_move[group] for group in before
            }
            after = positions
            if not behind and now - max(last_move.values()) > QUIET_SECONDS:
                break
            if now - began > LONGEST_SECONDS:
                raise TimeoutError(f"{behind} events are not taken in after {LONGEST_SECONDS:.0f} s")
            time.sleep(0.25)
    finally:
        admin.close()
        reader.close()
    yield plain("a full database: time to publish more", published, "s")
    for group in sorted(before):
        if taken_in := after[group] - before[group]:
            rate = taken_in / (last_move[group] - began)
            name = f"a full database: {group}, {taken_in:,} events"
            if taken_in < FEWEST_EVENTS:
                yield plain(name, rate, "events/s")
            else:
                yield at_least(name, rate, "events/s", LEAST_PER_SECOND)


def _positions(admin: KafkaAdminClient, reader: KafkaConsumer) -> tuple[dict[str, int], int]:
    """Return the numbers of processed and of unprocessed events, by group."""
    taken_in, behind = {}, 0
    for group, _ in admin.list_consumer_groups():
        committed = admin.list_consumer_group_offsets(group)
        taken_in[group] = sum(each.offset for each in committed.values())
        behind += sum(reader.end_offsets(list(committed)).values()) - taken_in[group]
    return taken_in, behind

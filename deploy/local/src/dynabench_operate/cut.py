"""Cut of a backup: one moment in all databases and in the log.

Every event is first a row of an outbox. While each outbox is locked against new rows, no service can make an event. So
no consumer can have an event that its producer's database lacks. In that time a snapshot of every database is taken,
and the end of every partition is noted: the mark. The locks last some milliseconds if no command is long. Commands that
make events wait meanwhile. 0002-order-of-a-backup.md gives the reasons.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from dynabench_common.events.replay import LogReader
from dynabench_local import topics
from psycopg2 import errors
from psycopg2.extensions import ISOLATION_LEVEL_REPEATABLE_READ

from dynabench_operate import groups
from dynabench_operate.stores import SERVICES, Refused, Stores

LOCK_TIMEOUT = "2s"
ATTEMPTS = 15
PAUSE_SECONDS = 1.0
Places = Mapping[str, list[int]]
"""Positions by topic, without the prefix, and in the order of partitions."""


@dataclass
class Cut:
    """State at the moment of the cut. `unsent` are the ids of events that were in an outbox and not marked as sent."""

    snapshots: dict[str, str] = field(default_factory=dict)
    revisions: dict[str, str] = field(default_factory=dict)
    server_versions: dict[str, int] = field(default_factory=dict)
    unsent: dict[str, set[str]] = field(default_factory=dict)
    beginnings: Places = field(default_factory=dict)
    ends: Places = field(default_factory=dict)
    groups: dict[str, dict[str, int]] = field(default_factory=dict)
    held_seconds: float = 0.0


def topic_names() -> list[str]:
    """Return every topic and its dead letters, without a prefix."""
    return [name for document in topics.documents() for name in (document["topic"], document["dead_letter"])]


@contextmanager
def cut(stores: Stores) -> Iterator[Cut]:
    """Give the cut; its snapshots stay readable until the block ends.

    Raises Refused if commands hold the outboxes for half a minute, or a database was never migrated.
    """
    found = Cut(groups=groups.positions(stores))
    with (
        ExitStack() as open_ones,
        LogReader(topic_names(), stores.kafka_address, stores.topic_prefix) as reader,
    ):
        readers = {service: open_ones.enter_context(_closing(stores, service)) for service in SERVICES}
        for connection in readers.values():
            connection.set_session(isolation_level=ISOLATION_LEVEL_REPEATABLE_READ, readonly=True)
            # Dumps may take hours, in which this session only keeps the snapshot; no snapshot is taken by this.
            connection.cursor().execute("SET idle_in_transaction_session_timeout = 0")
        found.beginnings = _by_topic(stores, reader.positions())
        with _outboxes_locked(stores) as locked_at:
            for service, connection in readers.items():
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_export_snapshot()")
                    found.snapshots[service] = _one(cursor)
            found.ends = _by_topic(stores, reader.ends())
        found.held_seconds = round(time.monotonic() - locked_at[0], 3)
        for service, connection in readers.items():
            _describe(found, service, connection)
        yield found


def _describe(found: Cut, service: str, connection: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT event_id::text FROM outbox WHERE sent_at IS NULL")
        found.unsent[service] = {row[0] for row in cursor.fetchall()}
        cursor.execute("SELECT version_num FROM alembic_version")
        found.revisions[service] = _one(cursor)
        found.server_versions[service] = connection.server_version // 10_000


def _one(cursor: Any) -> Any:
    return cursor.fetchone()[0]


@contextmanager
def _closing(stores: Stores, service: str) -> Iterator[Any]:
    connection = stores.connect(service)
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def _outboxes_locked(stores: Stores) -> Iterator[list[float]]:
    """Lock all outboxes; give the time of the first lock, in a list of one. Raises Refused."""
    with ExitStack() as open_ones:
        gates = {service: open_ones.enter_context(_closing(stores, service)) for service in SERVICES}
        for attempt in range(ATTEMPTS):
            began = time.monotonic()
            busy = _lock(gates)
            if busy is None:
                yield [began]
                return
            for gate in gates.values():
                gate.rollback()
            if attempt + 1 < ATTEMPTS:
                time.sleep(PAUSE_SECONDS)
    raise Refused(
        f"a transaction holds the outbox of {busy} for longer than {LOCK_TIMEOUT}, at each of {ATTEMPTS} attempts: "
        "wait until what runs there (an import, a release) is done, then take the backup again."
    )


def _lock(gates: Mapping[str, Any]) -> str | None:
    """Lock every outbox; return the services whose outbox is busy. Raises Refused for a database without one."""
    for service, gate in gates.items():
        cursor = gate.cursor()
        try:
            cursor.execute("SET LOCAL lock_timeout = %s", [LOCK_TIMEOUT])
            cursor.execute("LOCK TABLE outbox IN SHARE MODE")
        except errors.LockNotAvailable:
            return service
        except errors.UndefinedTable as err:
            raise Refused(
                f"the database of {service} holds no outbox: bring it up with `{service} migrate` first."
            ) from err
    return None


def _by_topic(stores: Stores, positions: Mapping[Any, int]) -> Places:
    found: dict[str, dict[int, int]] = {}
    for place, position in positions.items():
        found.setdefault(place.topic.removeprefix(stores.topic_prefix), {})[place.partition] = position
    missing = sorted(set(topic_names()) - set(found))
    if missing:
        raise Refused(f"no broker knows {', '.join(missing)}: make the topics first (prepare stores).")
    return {topic: [of[number] for number in sorted(of)] for topic, of in found.items()}

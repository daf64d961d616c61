"""Events per second of a relay: of many aggregates, and of one that dominates in bursts."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import psycopg2
from dynabench_common.database.connections import create_database_engine
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.relay import Relay
from dynabench_local import kafka, postgres, topics
from dynabench_local.layout import checkout

from tests.figures import Figure, at_least
from tests.own_platform import OwnPlatform, console

EVENTS = 30_000
PREFIX = "bench-relay."
PATIENCE_SECONDS = 300
MANY = "gen_random_uuid()"
ONE_DOMINATES = "CASE WHEN number % 1000 < 900 THEN uuid_nil() ELSE gen_random_uuid() END"
WRITE = """
INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_version, payload, occurred_at)
SELECT gen_random_uuid(), 'dynabench.example.v1', 'bench', {aggregate}, number,
    convert_to(repeat('x', 1200), 'UTF8'), now()
FROM generate_series(1, {events}) AS number
"""


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Write events of about the size of an example's, then let a relay send them."""
    brokers = kafka.admin_address(platform.stack.layout, platform.stack.secrets)
    secrets = {**platform.stack.secrets, "bench_relay": "bench"}
    admin = postgres.admin_url(platform.stack.layout, secrets)
    postgres.ensure_database(admin, "bench_relay", "bench_relay", "bench")
    url = postgres.owner_url(platform.stack.layout, secrets, "bench_relay")
    yield from measure(url, brokers, str(platform.stack.layout.scripts / "leaderboard"))


def measure(url: str, servers: str, command: str) -> Iterator[Figure]:
    """Measure on an empty database."""
    topics.ensure_topics(servers, PREFIX)
    subprocess.run([command, "migrate"], env={"DATABASE_URL": url}, check=True)
    for name, aggregate in (("many aggregates", MANY), ("one aggregate with nine of ten", ONE_DOMINATES)):
        rate = _rate(url, servers, aggregate)
        console.print(f"relay, {name}: {rate:.0f} events per second")
        yield at_least(f"relay, {name}", rate, "events/s", 3000)


def _rate(url: str, servers: str, aggregate: str) -> float:
    connection = psycopg2.connect(url.replace("+psycopg2", ""))
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(
            WRITE.format(aggregate=aggregate.replace("uuid_nil()", f"'{0:032x}'::uuid"), events=EVENTS)
        )
        process = subprocess.Popen([sys.executable, "-m", "tests.bench.relay", url, servers], cwd=checkout())
        try:
            return _until_sent(cursor)
        finally:
            process.kill()
            process.wait()
            connection.close()


def _until_sent(cursor: psycopg2.extensions.cursor) -> float:
    """Return the rate from the first sent events to the last."""
    first: tuple[float, int] | None = None
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        cursor.execute("SELECT count(*) FROM outbox WHERE sent_at IS NULL")
        row = cursor.fetchone()
        unsent, now = int(row[0]) if row else 0, time.monotonic()
        if unsent < EVENTS and first is None:
            first = (now, unsent)
        if unsent == 0 and first is not None:
            return first[1] / max(now - first[0], 1e-9)
        time.sleep(0.05)
    raise TimeoutError(f"{unsent} of {EVENTS} events were not sent within {PATIENCE_SECONDS} s")


if __name__ == "__main__":
    engine = create_database_engine(sys.argv[1], "bench-relay")
    Relay(engine, producer_factory(sys.argv[2], "bench-relay"), "/bench", PREFIX).run(threading.Event())

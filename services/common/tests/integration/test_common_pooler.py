"""Connections through PgBouncer in transaction mode: settings, locks and listeners."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from dynabench_common.database.connections import service_engine
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.relay import Relay
from dynabench_common.settings import DatabaseSettings
from dynabench_common.testing import wait_until
from dynabench_local.preflight import free_port_base
from sqlalchemy import Engine, make_url, text
from sqlalchemy.exc import OperationalError

from .conftest import Harness

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
CONFIGURATION = """
[databases]
* = host={host} port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen}
auth_type = scram-sha-256
auth_file = {users}
pool_mode = transaction
default_pool_size = 2
"""
LOCK = text("SELECT pg_try_advisory_lock(4711)")
SET = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "timezone")


@pytest.fixture
def pooled(harness: Harness) -> Iterator[DatabaseSettings]:
    """The settings of a service whose database is behind a pooler of two connections."""
    if PROGRAM is None:
        pytest.skip("pgbouncer is not there: apt-get install pgbouncer")
    direct = harness.engine.url
    user = "nobody" if os.getuid() == 0 else None
    folder, port = Path(tempfile.mkdtemp()), free_port_base(1)
    users, file = folder / "users.txt", folder / "pgbouncer.ini"
    users.write_text(f'"{direct.username}" "{direct.password}"\n')
    file.write_text(CONFIGURATION.format(host=direct.host, port=direct.port, listen=port, users=users))
    if user:
        for path in (folder, users, file):
            shutil.chown(path, user)
    with subprocess.Popen([PROGRAM, "-q", str(file)], user=user, cwd="/") as process:
        settings = DatabaseSettings(
            database_url=direct.set(port=port).render_as_string(hide_password=False),
            database_direct_url=direct.render_as_string(hide_password=False),
        )
        try:
            wait_until(lambda: answers(service_engine(settings, "test", "http")), 30, "the pooler")
            yield settings
        finally:
            process.terminate()
            shutil.rmtree(folder)


def answers(engine: Engine) -> bool:
    """Return whether a database can be reached."""
    try:
        with engine.begin() as connection:
            return bool(connection.execute(text("SELECT 1")).scalar_one())
    except OperationalError:
        return False


def in_force(engine: Engine) -> list[str]:
    """Return the settings in force in a transaction."""
    with engine.begin() as connection:
        return [str(connection.execute(text(f"SHOW {name}")).scalar_one()) for name in SET]


def test_times_are_limited_in_each_transaction_and_nothing_is_left_to_others(
    pooled: DatabaseSettings,
) -> None:
    through, past = service_engine(pooled, "test", "http"), service_engine(pooled, "test", "worker")
    assert make_url(pooled.database_url).port == through.url.port != past.url.port
    assert in_force(through) == in_force(past) == ["15s", "5s", "1min", "UTC"]
    with through.connect().execution_options(isolation_level="AUTOCOMMIT") as stranger:
        assert stranger.execute(text("SHOW lock_timeout")).scalar_one() == "0"


def test_one_holds_a_lock_of_a_session_past_the_pooler_and_several_would_through_it(
    pooled: DatabaseSettings,
) -> None:
    def holders(process: str) -> int:
        engines = [service_engine(pooled, "test", process) for _ in range(3)]
        connections = [engine.connect().execution_options(isolation_level="AUTOCOMMIT") for engine in engines]
        held = sum(bool(connection.execute(LOCK).scalar_one()) for connection in connections)
        for connection in connections:
            connection.invalidate()
        return held

    assert holders("worker") == 1
    assert holders("http") > 1


def test_events_written_through_the_pooler_are_sent_once_in_order(
    harness: Harness, pooled: DatabaseSettings
) -> None:
    harness.engine = service_engine(pooled, "test", "http")
    make_producer = producer_factory(harness.bootstrap, "test")
    for _ in range(3):
        harness.start(Relay(service_engine(pooled, "test", "worker"), make_producer, "/test", harness.prefix))
    aggregates = [uuid4() for _ in range(4)]

    def write(aggregate: UUID) -> None:
        for version in range(1, 26):
            harness.write(aggregate, [version])

    with ThreadPoolExecutor(len(aggregates)) as pool:
        list(pool.map(write, aggregates))
    wait_until(
        lambda: harness.rows("SELECT 1 FROM outbox WHERE sent_at IS NULL LIMIT 1") == [], what="all sent"
    )
    sent = harness.sent()
    assert len(sent) == 100
    for aggregate in aggregates:
        assert [version for key, version in sent if key == str(aggregate)] == list(range(1, 26))

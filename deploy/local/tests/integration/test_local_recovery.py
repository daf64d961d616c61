"""Parts and the supervisor are killed; the stored data survives."""

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg2
import pytest
from dynabench_local import launch, postgres
from dynabench_local.stack import INFRASTRUCTURE, Stack, StackError
from dynabench_local.temporary import FOREIGN_SETTINGS, temporary_stack

from tests.ports_open import probe_access


def await_true(claim: Callable[[], bool], seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def admin(stack: Stack) -> "psycopg2.extensions.connection":
    url = postgres.admin_url(stack.layout, stack.secrets).replace("+psycopg2", "")
    connection = psycopg2.connect(url)
    connection.autocommit = True
    return connection


def processes_of(stack: Stack) -> list[int]:
    marker = f"\0{launch.MARKER}={stack.layout.home}|".encode()
    found = []
    for process in psutil.process_iter():
        try:
            if marker in b"\0" + Path(f"/proc/{process.pid}/environ").read_bytes():
                found.append(process.pid)
        except OSError:
            continue
    return found


@pytest.fixture
def own_stack(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stack]:
    for setting in FOREIGN_SETTINGS:
        monkeypatch.delenv(setting, raising=False)
    with temporary_stack() as stack:
        yield stack


@pytest.mark.long
@pytest.mark.parametrize("name", INFRASTRUCTURE)
def test_a_killed_part_returns(infrastructure: object, stack: Stack, name: str) -> None:
    before = stack.supervisor.states()[name]["pid"]
    os.kill(before, signal.SIGKILL)
    await_true(lambda: stack.supervisor.states()[name]["pid"] not in (0, before))
    await_true(stack.parts[name].is_ready)


@pytest.mark.long
def test_data_survive_a_killed_supervisor_a_second_start_and_a_stop(own_stack: Stack) -> None:
    own_stack.up(["postgres"])
    with admin(own_stack).cursor() as cursor:
        cursor.execute("CREATE TABLE kept AS SELECT 42 AS value")
    supervisor = own_stack.supervisor.call("getPID")
    os.kill(supervisor, signal.SIGKILL)
    await_true(lambda: not own_stack.supervisor.is_running())
    own_stack.up(["postgres"])
    own_stack.up(["postgres"])
    with admin(own_stack).cursor() as cursor:
        cursor.execute("SELECT value FROM kept")
        assert cursor.fetchone() == (42,)
    assert own_stack.down()
    assert processes_of(own_stack) == []
    assert not own_stack.down()


@pytest.mark.long
def test_a_part_that_can_not_start_shows_its_log_and_the_remedy(own_stack: Stack) -> None:
    own_stack.up(["postgres"])
    own_stack.supervisor.stop_part("postgres")
    settings = own_stack.layout.home / "postgres" / "data" / "postgresql.conf"
    settings.write_text(settings.read_text() + "shared_buffers = 'nonsense'\n")
    with pytest.raises(StackError) as caught:
        own_stack.up(["postgres"])
    assert "nonsense" in str(caught.value)
    assert "remedy" in str(caught.value)


@pytest.mark.long
@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_data_of_an_earlier_version_are_taken_from_nobody(own_stack: Stack) -> None:
    own_stack.up(["postgres"])
    assert probe_access(own_stack.layout) == {"files": "refused", "processes": "refused"}
    with admin(own_stack).cursor() as cursor:
        cursor.execute("CREATE TABLE kept AS SELECT 42 AS value")
    own_stack.down()
    data = own_stack.layout.home / "postgres" / "data"
    for path in (data, *data.rglob("*")):
        shutil.chown(path, "nobody", "nogroup")
    (own_stack.layout.home / "secrets.json").chmod(0o644)
    own_stack.up(["postgres"])
    with admin(own_stack).cursor() as cursor:
        cursor.execute("SELECT value FROM kept")
        assert cursor.fetchone() == (42,)
    assert probe_access(own_stack.layout) == {"files": "refused", "processes": "refused"}

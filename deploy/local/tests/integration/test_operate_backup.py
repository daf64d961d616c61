"""A backup of real stores, and its restore elsewhere. People and services are in tests/drill."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg2
import pytest
from dynabench_common.database.migrations import upgrade
from dynabench_common.events.brokers import connection
from dynabench_common.events.replay import LogReader
from dynabench_local.layout import checkout
from dynabench_operate import backup, groups, manifest, restore
from dynabench_operate.cut import topic_names
from dynabench_operate.events import FILLER
from dynabench_operate.stores import SERVICES, Refused, Stores, plain
from kafka import KafkaProducer, TopicPartition
from kafka.admin import KafkaAdminClient

pytestmark = pytest.mark.long

TASKS, EXAMPLES = "dynabench.task.v1", "dynabench.example.v1"
ARCHIVE = b"an archive" * 1000


def silent(_line: str) -> None:
    pass


def execute(stores: Stores, service: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    opened = psycopg2.connect(plain(stores.databases[service]))
    try:
        with opened, opened.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall() if cursor.description else []
    finally:
        opened.close()


def log_of(stores: Stores, topic: str) -> list[tuple[int, bytes | None, list[tuple[str, bytes]]]]:
    """Return position, value and headers of the records in partition 0 of a topic."""
    with LogReader([topic], stores.kafka_address, stores.topic_prefix) as reader:
        found = [record for records in reader.read_until(reader.ends()) for record in records]
    return [(record.offset, record.value, record.headers) for record in found if record.partition == 0]


@pytest.fixture
def unsent() -> str:
    """The id of an event that was sent, but is not marked as sent in its outbox."""
    return str(uuid4())


@pytest.fixture
def filled(stores: Stores, unsent: str) -> Stores:
    """Stores with content, and a log whose beginning was removed."""
    for service, url in stores.databases.items():
        upgrade(url, checkout() / "services" / service / "migrations")
    columns = "event_id, topic, type, aggregate_id, aggregate_version, payload, occurred_at"
    values = (unsent, EXAMPLES, "a.type", str(uuid4()), 1, b"second")
    execute(
        stores,
        "annotation",
        f"INSERT INTO outbox ({columns}) VALUES (%s, %s, %s, %s, %s, %s, now())",
        *values,
    )
    producer = KafkaProducer(**connection(stores.kafka_address))
    admin = KafkaAdminClient(**connection(stores.kafka_address))
    try:
        for topic, event_id, value in (
            *((TASKS, str(uuid4()), f"task {number}".encode()) for number in range(3)),
            *(
                (EXAMPLES, str(uuid4()), b"first"),
                (EXAMPLES, unsent, b"second"),
                (EXAMPLES, str(uuid4()), b"third"),
            ),
        ):
            headers = [("ce_id", event_id.encode())]
            producer.send(stores.topic_prefix + topic, value=value, headers=headers, partition=0).get(
                timeout=20
            )
        admin.delete_records({TopicPartition(stores.topic_prefix + TASKS, 0): 1})
    finally:
        producer.close()
        admin.close()
    groups.set_positions(stores, {"validation": {f"{EXAMPLES}:0": 2}})
    key = f"{stores.objects.key_prefix}archives/ä b.mar"
    stores.objects.client().put_object(
        Bucket=stores.objects.bucket, Key=key, Body=ARCHIVE, ContentType="application/zip"
    )
    return stores


def test_what_is_restored_is_what_was_there_at_the_mark(
    filled: Stores, make_stores: Callable[[], Stores], unsent: str, tmp_path: Path
) -> None:
    found = backup.take(filled, tmp_path / "one", silent)
    assert found.unsent_events == {**dict.fromkeys(SERVICES, 0), "annotation": 1}
    assert found.events[EXAMPLES] == found.events[TASKS] == 2
    target = make_stores()
    restore.restore(target, tmp_path / "one", silent)
    assert [(at, value) for at, value, _ in log_of(target, TASKS)] == [
        (0, b""),
        (1, b"task 1"),
        (2, b"task 2"),
    ]
    examples = log_of(target, EXAMPLES)
    assert [(at, value) for at, value, _ in examples] == [(0, b"first"), (1, b""), (2, b"third")]
    assert examples[1][2] == FILLER
    assert groups.positions(target) == {"validation": {f"{EXAMPLES}:0": 2}}
    waiting = execute(target, "annotation", "SELECT event_id::text FROM outbox WHERE sent_at IS NULL")
    assert waiting == [(unsent,)]
    answer = target.objects.client().get_object(
        Bucket=target.objects.bucket, Key=f"{target.objects.key_prefix}archives/ä b.mar"
    )
    assert answer["Body"].read() == ARCHIVE
    assert answer["ContentType"] == "application/zip"


def test_processes_find_their_rights_again_and_no_others(
    filled: Stores, make_stores: Callable[[], Stores], tmp_path: Path
) -> None:
    execute(filled, "leaderboard", "CREATE SCHEMA board_9_1 CREATE TABLE board_9_1.tally (id integer)")
    backup.take(filled, tmp_path / "one", silent)
    target = make_stores()
    for overwrite in (False, True):
        restore.restore(target, tmp_path / "one", silent, overwrite=overwrite)
        running = replace(target, databases=target.running)
        for service in SERVICES:
            assert execute(running, service, "SELECT count(*) FROM outbox")
            with pytest.raises(psycopg2.errors.InsufficientPrivilege):
                execute(running, service, "DROP TABLE outbox")
        execute(running, "leaderboard", "DROP SCHEMA board_9_1 CASCADE")


def test_a_second_backup_links_the_objects_of_the_first(filled: Stores, tmp_path: Path) -> None:
    backup.take(filled, tmp_path / "one", silent)
    backup.take(filled, tmp_path / "two", silent, tmp_path / "one")
    (content,) = [path for path in (tmp_path / "two" / "objects" / "content").rglob("*") if path.is_file()]
    assert content.stat().st_nlink == 2
    content.write_bytes(b"what a failing disk gives")
    backup.take(filled, tmp_path / "three", silent, tmp_path / "two")
    restore.verify(tmp_path / "three")


def test_occupied_stores_are_refused_unless_overwrite_is_set(filled: Stores, tmp_path: Path) -> None:
    folder = tmp_path / "one"
    backup.take(filled, folder, silent)
    with pytest.raises(Refused, match="the target is not empty") as refused:
        restore.restore(filled, folder, silent)
    assert "the bucket" in str(refused.value)
    execute(filled, "scoring", "CREATE SCHEMA later CREATE TABLE later.things (id integer)")
    restore.restore(filled, folder, silent, overwrite=True)
    assert execute(filled, "scoring", "SELECT to_regclass('later.things')") == [(None,)]
    assert [value for _, value, _ in log_of(filled, EXAMPLES)] == [b"first", b"", b"third"]


def test_services_that_run_are_refused(filled: Stores, tmp_path: Path) -> None:
    backup.take(filled, tmp_path / "one", silent)
    running = filled.connect("registry")
    try:
        with pytest.raises(Refused, match=r"connections: registry \(1\)"):
            restore.restore(filled, tmp_path / "one", silent, overwrite=True)
    finally:
        running.close()


def test_a_backup_of_a_newer_version_is_refused_before_anything_changes(
    filled: Stores, make_stores: Callable[[], Stores], tmp_path: Path
) -> None:
    found = backup.take(filled, tmp_path / "one", silent)
    found.revisions["accounts"] = "9999"
    found.write(tmp_path / "one")
    target = make_stores()
    with pytest.raises(Refused, match=r"accounts \(9999\)"):
        restore.restore(target, tmp_path / "one", silent)
    assert execute(target, "accounts", "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]


def test_nothing_is_written_of_stores_that_are_no_installation(stores: Stores, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="bring it up with `accounts migrate`"):
        backup.take(stores, tmp_path / "one", silent)
    elsewhere = replace(stores, topic_prefix="nowhere.")
    with pytest.raises(Refused, match=f"no broker knows {topic_names()[0]}"):
        backup.take(elsewhere, tmp_path / "one", silent)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_never_written_twice(filled: Stores, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    with pytest.raises(Refused, match="is there already"):
        backup.take(filled, tmp_path / "one", silent)
    assert not list((tmp_path / "one").glob(manifest.NAME))

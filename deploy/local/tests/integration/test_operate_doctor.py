"""The operator's checks on real stores: first sound, then each broken in its way."""

import re
from dataclasses import replace
from uuid import uuid4

import psycopg2
from dynabench_common.database.migrations import upgrade
from dynabench_common.events.brokers import connection
from dynabench_local.layout import checkout
from dynabench_operate import groups
from dynabench_operate.doctor import examination
from dynabench_operate.doctor.finding import Finding, State
from dynabench_operate.stores import SERVICES, ObjectStore, Stores, plain
from kafka import KafkaProducer, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient, NewPartitions

TASKS = "dynabench.task.v1"


def troubles(stores: Stores) -> list[Finding]:
    return [found for found in examination.examine(stores) if found.state is not State.OK]


def execute(stores: Stores, service: str, statement: str) -> None:
    opened = psycopg2.connect(plain(stores.databases[service]))
    try:
        with opened, opened.cursor() as cursor:
            cursor.execute(statement)
    finally:
        opened.close()


def test_empty_stores_are_fine_before_an_installation(stores: Stores) -> None:
    assert troubles(stores) == []


def test_each_fault_of_a_database_is_named(stores: Stores) -> None:
    upgrade(stores.databases["annotation"], checkout() / "services" / "annotation" / "migrations")
    execute(stores, "annotation", "UPDATE alembic_version SET version_num = '9999'")
    execute(stores, "validation", "CREATE TABLE somebody (id integer)")
    found = {each.check: each for each in troubles(stores)}
    assert set(found) == {"database annotation: migrations", "database validation: migrations"}
    assert "does not know" in found["database annotation: migrations"].found
    assert all(each.state is State.FAILED for each in found.values())


def test_processes_that_run_as_the_owner_are_warned_of(stores: Stores) -> None:
    upgrade(stores.databases["annotation"], checkout() / "services" / "annotation" / "migrations")
    found = {each.check: each for each in troubles(replace(stores, running={}))}
    assert set(found) == {f"database {service}: running role" for service in SERVICES}
    assert {each.state for each in found.values()} == {State.WARNING}
    assert re.search(r"owns \d+ tables", found["database annotation: running role"].found)
    assert "may make tables" in found["database accounts: running role"].found


def test_a_running_role_that_is_not_there_is_named_with_what_makes_it(stores: Stores) -> None:
    nobody = stores.running["scoring"].replace("_app:", "_nobody:")
    (found,) = troubles(replace(stores, running={**stores.running, "scoring": nobody}))
    assert (found.check, found.state) == ("database scoring: running role", State.FAILED)
    assert "CREATE ROLE" in found.remedy


def test_each_fault_of_the_log_is_named(stores: Stores) -> None:
    topic, gone = stores.topic_prefix + TASKS, stores.topic_prefix + "dynabench.score.v1"
    admin = KafkaAdminClient(**connection(stores.kafka_address))
    producer = KafkaProducer(**connection(stores.kafka_address))
    try:
        for _ in range(5):
            producer.send(topic, value=b"x", partition=0)
        producer.flush()
        groups.set_positions(stores, {"validation": {f"{TASKS}:0": 2}})
        admin.delete_records({TopicPartition(topic, 0): 4})
        admin.create_partitions({topic: NewPartitions(7)})
        admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, {"retention.ms": "604800000"})])
        admin.delete_topics([gone])
    finally:
        producer.close()
        admin.close()
    found = {each.check: each for each in troubles(stores)}
    assert "2 records were removed" in found["group validation"].found
    assert "4 records were removed" in found[f"topic {topic}: beginning"].found
    assert "7, not 6" in found[f"topic {topic}: partitions"].found
    assert "retention.ms is 604800000" in found[f"topic {topic}: retention"].found
    assert "is not there" in found[f"topic {gone}"].found
    assert len(found) == 5


def test_a_bucket_that_is_not_there_is_named(stores: Stores) -> None:
    elsewhere = ObjectStore(
        f"none-{uuid4().hex[:8]}",
        stores.objects.endpoint_url,
        access_key_id=stores.objects.access_key_id,
        secret_access_key=stores.objects.secret_access_key,
    )
    (found,) = troubles(replace(stores, objects=elsewhere))
    assert found.check == f"bucket {elsewhere.bucket}"
    assert found.state is State.FAILED

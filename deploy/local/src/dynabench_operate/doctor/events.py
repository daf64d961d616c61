"""Checks of Kafka: topics match proto/topics, and no consumer group has lost events."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from dynabench_common.events.brokers import connection
from dynabench_local import topics
from kafka import KafkaConsumer, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient
from kafka.errors import KafkaError

from dynabench_operate import groups
from dynabench_operate.doctor.finding import Finding, failed, guarded, ok, warning
from dynabench_operate.stores import Stores

PREPARE = "Make it: python -m dynabench_local.prepare stores, with KAFKA_ADMIN_ADDRESS."
UNREACHABLE = (
    "See whether the brokers run, whether their address, user and password are right, and whether a firewall or "
    "network policy lets this pod through."
)
BEHIND = 10_000
"""Limits in records; a worker processes 1,000 a second."""
UNLIMITED = {"retention.ms": "-1", "retention.bytes": "-1", "cleanup.policy": "delete"}


def findings(stores: Stores) -> Iterator[Finding]:
    """Yield the findings on topics and groups: as administrator, or as each service's user for its own."""
    if stores.kafka_address:
        yield from _as(stores, "kafka", stores.kafka_address, None)
        return
    for service, address in stores.brokers.items():
        yield from _as(stores, f"kafka as {service}", address, service)


def _as(stores: Stores, name: str, address: str, service: str | None) -> Iterator[Finding]:
    """Yield the findings of one user; `service` narrows the topics to those that it reads or writes."""
    wanted = {
        document["topic"]: document
        for document in topics.documents()
        if service is None or service in (*document["producers"], *document["consumers"])
    }
    errors = (KafkaError, OSError, ValueError)
    yield from guarded(name, partial(_topics, stores, name, address, wanted), errors, UNREACHABLE)


def _topics(stores: Stores, name: str, address: str, wanted: Mapping[str, Any]) -> Iterator[Finding]:
    consumer = KafkaConsumer(**connection(address), enable_auto_commit=False)
    try:
        known = consumer.topics()
        yield ok(name, f"answers, with {len(known)} topics to see")
        there = []
        for topic, document in wanted.items():
            full = stores.topic_prefix + topic
            if full not in known:
                yield failed(f"topic {full}", "is not there, or not to be seen by this user", PREPARE)
                continue
            there.append(full)
            yield _partitions(full, len(consumer.partitions_for_topic(full) or ()), document["partitions"])
        places = [
            TopicPartition(topic, number)
            for topic in there
            for number in consumer.partitions_for_topic(topic)
        ]
        beginnings, ends = consumer.beginning_offsets(places), consumer.end_offsets(places)
    finally:
        consumer.close()
    yield from _beginnings(beginnings)
    admin = KafkaAdminClient(**connection(address), api_version_auto_timeout_ms=10_000)
    try:
        yield from _retention(admin, there)
        yield from _groups(stores, admin, beginnings, ends)
    finally:
        admin.close()


def _partitions(topic: str, found: int, wanted: int) -> Finding:
    check = f"topic {topic}: partitions"
    if found == wanted:
        return ok(check, f"{found}")
    return failed(
        check,
        f"{found}, not {wanted}: events of one aggregate would lie in two of them and lose their order",
        f"Before anything was sent: remove the topic and make it with {wanted}. Later: restore a backup into new ones.",
    )


def _beginnings(beginnings: Mapping[TopicPartition, int]) -> Iterator[Finding]:
    for topic in sorted({place.topic for place in beginnings if beginnings[place]}):
        gone = sum(at for place, at in beginnings.items() if place.topic == topic)
        yield warning(
            f"topic {topic}: beginning",
            f"{gone} records were removed: boards built anew would lack them",
            "Let topics keep everything (retention.ms=-1), and restore the log from a backup if you need a rebuild.",
        )


def _retention(admin: Any, names: list[str]) -> Iterator[Finding]:
    if not names:
        return
    asked = [ConfigResource(ConfigResourceType.TOPIC, name) for name in names]
    try:
        found = configurations(admin.describe_configs(asked))
    except KafkaError as err:
        found, reason = {}, type(err).__name__
    else:
        reason = "this user may not read them"
    if unseen := [name for name in names if name not in found]:
        yield warning(
            f"retention of {len(unseen)} topics",
            f"can't be seen: {reason} ({unseen[0]}, …)",
            "Give KAFKA_ADMIN_ADDRESS to have it checked.",
        )
    for name in (name for name in names if name in found):
        check = f"topic {name}: retention"
        wrong = [
            f"{key} is {found[name].get(key)}"
            for key, value in UNLIMITED.items()
            if found[name].get(key) != value
        ]
        if wrong:
            yield failed(
                check,
                f"{', '.join(wrong)}: records would be removed, and boards could not be built anew",
                f"kafka-configs.sh --alter --topic {name} --add-config "
                + ",".join(f"{key}={value}" for key, value in UNLIMITED.items()),
            )
        else:
            yield ok(check, "without limit")


def configurations(answers: Any) -> dict[str, dict[str, str]]:
    """Return settings by topic; topics without permission to read them are left out."""
    found: dict[str, dict[str, str]] = {}
    for answer in answers if isinstance(answers, list) else [answers]:
        for error, _, _, name, entries in (resource[:5] for resource in answer.resources):
            if error == 0:
                found[name] = {entry[0]: entry[1] for entry in entries}
    return found


def _groups(
    stores: Stores, admin: Any, beginnings: Mapping[TopicPartition, int], ends: Mapping[TopicPartition, int]
) -> Iterator[Finding]:
    for group, positions in groups.positions_as(stores, admin).items():
        committed = {groups.place(stores, text): at for text, at in positions.items()}
        yield judged(group, {place: at for place, at in committed.items() if place in ends}, beginnings, ends)


def judged(
    group: str,
    committed: Mapping[TopicPartition, int],
    beginnings: Mapping[TopicPartition, int],
    ends: Mapping[TopicPartition, int],
) -> Finding:
    """Return the finding on a group: lost records, a foreign log, or lag."""
    check = f"group {group}"
    lost = sum(max(0, beginnings[place] - at) for place, at in committed.items())
    if lost:
        return failed(
            check,
            f"{lost} records were removed before the group had read them",
            "What it makes of them is incomplete: restore from a backup. For boards alone, `leaderboard rebuild` from "
            "a log that has them. Let topics keep everything (retention.ms=-1).",
        )
    beyond = [place for place, at in committed.items() if at > ends[place]]
    if beyond:
        return failed(
            check,
            f"has read further than {beyond[0].topic}, partition {beyond[0].partition} goes: the topic was made anew",
            "Databases and log are not of one moment: restore both from one backup.",
        )
    behind = sum(ends[place] - at for place, at in committed.items())
    if behind >= BEHIND:
        return warning(
            check,
            f"{behind} records behind",
            "See whether its worker runs (runbook ConsumerBehind), and wait for it.",
        )
    return ok(check, f"{behind} records behind")

"""Offsets of consumer groups, by group and `topic:partition`, without the prefix."""

from collections.abc import Mapping
from typing import Any

from dynabench_common.events.brokers import connection
from kafka import KafkaConsumer, TopicPartition
from kafka.admin import KafkaAdminClient
from kafka.structs import OffsetAndMetadata

from dynabench_operate.stores import Refused, Stores

COMMIT_MILLISECONDS = 15_000


def administrator(stores: Stores) -> Any:
    """Return a client with all permissions. Raises KafkaError, and Refused if no administrator's address is set."""
    if not stores.kafka_address:
        raise Refused(
            "KAFKA_ADMIN_ADDRESS is not set: it must sign in a user who may read every topic and group."
        )
    return KafkaAdminClient(**connection(stores.kafka_address), api_version_auto_timeout_ms=10_000)


def positions(stores: Stores) -> dict[str, dict[str, int]]:
    """Return the committed offsets of each group of this installation."""
    admin = administrator(stores)
    try:
        return positions_as(stores, admin)
    finally:
        admin.close()


def positions_as(stores: Stores, admin: Any) -> dict[str, dict[str, int]]:
    """Return the committed offsets of each group that is visible to the client's user."""
    found = {}
    for name, _ in sorted(admin.list_consumer_groups()):
        committed = {
            f"{at.topic.removeprefix(stores.topic_prefix)}:{at.partition}": position.offset
            for at, position in admin.list_consumer_group_offsets(name).items()
            if at.topic.startswith(f"{stores.topic_prefix}dynabench.") and position.offset >= 0
        }
        if name.startswith(stores.topic_prefix) and committed:
            found[name.removeprefix(stores.topic_prefix)] = committed
    return found


def set_positions(stores: Stores, wanted: Mapping[str, Mapping[str, int]]) -> None:
    """Set the offsets of each group. Raises KafkaError."""
    for name, of_group in wanted.items():
        group = KafkaConsumer(
            **connection(stores.kafka_address),
            group_id=stores.topic_prefix + name,
            enable_auto_commit=False,
        )
        try:
            places = {place(stores, text): OffsetAndMetadata(at, "", -1) for text, at in of_group.items()}
            group.assign(list(places))
            group.commit(places, timeout_ms=COMMIT_MILLISECONDS)
        finally:
            group.close(autocommit=False)


def place(stores: Stores, text: str) -> TopicPartition:
    """Return the partition that `topic:number` names."""
    topic, _, number = text.rpartition(":")
    return TopicPartition(stores.topic_prefix + topic, int(number))

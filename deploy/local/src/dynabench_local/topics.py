"""Kafka's topics, made explicitly from the files in proto/topics."""

import contextlib
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

import yaml
from dynabench_common.events.brokers import connection
from kafka.admin import KafkaAdminClient, NewTopic
from kafka.errors import KafkaError, TopicAlreadyExistsError

from dynabench_local.layout import checkout


def documents(folder: Path | None = None) -> list[dict[str, Any]]:
    """Return the topic files."""
    folder = folder or checkout() / "proto" / "topics"
    return [yaml.safe_load(path.read_text()) for path in sorted(folder.glob("*.yaml"))]


def answers(bootstrap_servers: str) -> bool:
    """Return whether the brokers accept requests."""
    try:
        admin = KafkaAdminClient(**connection(bootstrap_servers), api_version_auto_timeout_ms=2_000)
        try:
            admin.list_topics()
        finally:
            admin.close()
    except (KafkaError, OSError):
        return False
    return True


def ensure_topics(
    bootstrap_servers: str,
    prefix: str = "",
    patience_seconds: float = 20,
    replicas: int = 1,
    only: Collection[str] = (),
) -> None:
    """Make each topic and its dead letters unless they exist, and wait until all have leaders.

    `only` names the topics to make, without the prefix; without it, all. No event is ever deleted by age.
    Raises TimeoutError if a topic has no leader in time.
    """
    admin = KafkaAdminClient(**connection(bootstrap_servers), api_version_auto_timeout_ms=10_000)
    try:
        chosen = [document for document in documents() if not only or document["topic"] in only]
        wanted = {topic.name: topic for document in chosen for topic in _topics(document, prefix, replicas)}
        missing = wanted.keys() - set(admin.list_topics())
        # Another process may create them between the two calls, which is fine.
        with contextlib.suppress(TopicAlreadyExistsError):
            if missing:
                admin.create_topics([wanted[name] for name in sorted(missing)])
        deadline = time.monotonic() + patience_seconds
        while waiting := _without_leader(admin, sorted(wanted)):
            if time.monotonic() > deadline:
                raise TimeoutError(f"no broker leads {', '.join(waiting)}")
            time.sleep(0.1)
    finally:
        admin.close()


def _topics(document: dict[str, Any], prefix: str, replicas: int) -> list[NewTopic]:
    config = {"retention.ms": str(document["retention_ms"]), "retention.bytes": "-1"}
    return [
        NewTopic(prefix + document["topic"], document["partitions"], replicas, topic_configs=config),
        NewTopic(prefix + document["dead_letter"], 1, replicas, topic_configs=config),
    ]


def _without_leader(admin: KafkaAdminClient, names: list[str]) -> list[str]:
    led = {
        topic["topic"]
        for topic in admin.describe_topics(names)
        if topic["error_code"] == 0 and all(partition["leader"] >= 0 for partition in topic["partitions"])
    }
    return [name for name in names if name not in led]

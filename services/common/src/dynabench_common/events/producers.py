"""Kafka producers, with the settings that the relay relies on."""

from collections.abc import Callable
from typing import Any

from kafka import KafkaProducer

from dynabench_common.events.brokers import connection

SETTINGS: dict[str, Any] = {
    "acks": "all",
    "enable_idempotence": True,
    "delivery_timeout_ms": 10_000,
    "request_timeout_ms": 5_000,
    "max_block_ms": 5_000,
    "api_version_auto_timeout_ms": 5_000,
    "reconnect_backoff_max_ms": 1_000,
    "linger_ms": 2,
    "batch_size": 131_072,
}


def producer_factory(bootstrap_servers: str, client_id: str) -> Callable[[], KafkaProducer]:
    """Return a maker of idempotent producers that give up on a send after 10 s."""

    def make() -> KafkaProducer:
        return KafkaProducer(**connection(bootstrap_servers), client_id=client_id, **SETTINGS)

    return make

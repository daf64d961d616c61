"""Kafka brokers: their addresses with credentials, as one URL like a database address, and producers for them.

broker:9092,other:9092                     no sign-in
scram://accounts:secret@broker:9092        SCRAM-SHA-256
scram512://accounts:secret@broker:9092     SCRAM-SHA-512
scram-tls://accounts:secret@broker:9092    encrypted; scram512-tls and plain-tls likewise
plain://admin:secret@broker:9092           the password itself

An encrypted address may end in `?authorities=FILE`: PEM certificates of the authorities that may sign for the brokers.
Without it, the system's authorities are trusted.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from kafka import KafkaProducer

MECHANISMS = {"scram": "SCRAM-SHA-256", "scram512": "SCRAM-SHA-512", "plain": "PLAIN"}
ENCRYPTED = "-tls"
AUTHORITIES = "?authorities="
SIGN_IN = (
    "bootstrap_servers",
    "security_protocol",
    "sasl_mechanism",
    "sasl_plain_username",
    "sasl_plain_password",
    "ssl_cafile",
)
"""The settings for a client's address and credentials."""
PRODUCER_SETTINGS: dict[str, Any] = {
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
"""The settings that the relay relies on."""


def connection(address: str) -> dict[str, Any]:
    """Return the settings of kafka-python for an address. Raises ValueError for one that can't be read."""
    address, _, authorities = address.partition(AUTHORITIES)
    scheme, has_scheme, rest = address.rpartition("://")
    credentials, has_credentials, servers = rest.rpartition("@")
    settings: dict[str, Any] = {"bootstrap_servers": servers.split(",")}
    if not has_scheme and not has_credentials:
        return settings
    mechanism = MECHANISMS.get(scheme.removesuffix(ENCRYPTED))
    user_name, _, password = credentials.partition(":")
    if mechanism is None or not user_name or not password:
        raise ValueError("KAFKA_BOOTSTRAP_SERVERS must read scram://USER:PASSWORD@BROKER:PORT")
    if authorities:
        settings["ssl_cafile"] = authorities
    return {
        **settings,
        "security_protocol": "SASL_SSL" if scheme.endswith(ENCRYPTED) else "SASL_PLAINTEXT",
        "sasl_mechanism": mechanism,
        "sasl_plain_username": unquote(user_name),
        "sasl_plain_password": unquote(password),
    }


def connection_of(client_settings: dict[str, Any]) -> dict[str, Any]:
    """Return the connection settings of a running client, for another client."""
    return {name: client_settings[name] for name in SIGN_IN if client_settings.get(name) is not None}


def producer_factory(bootstrap_servers: str, client_id: str) -> Callable[[], KafkaProducer]:
    """Return a maker of idempotent producers that give up on a send after 10 s."""

    def make() -> KafkaProducer:
        return KafkaProducer(**connection(bootstrap_servers), client_id=client_id, **PRODUCER_SETTINGS)

    return make

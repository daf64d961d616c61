"""Where Kafka's brokers are, and how to sign in to them: one text, as a database's address is.

broker:9092,other:9092                     nobody signs in
scram://accounts:secret@broker:9092        with SCRAM-SHA-256
scram-tls://accounts:secret@broker:9092    the same, encrypted
plain://admin:secret@broker:9092           with the password itself
"""

from typing import Any
from urllib.parse import unquote

MECHANISMS = {"scram": "SCRAM-SHA-256", "plain": "PLAIN"}
ENCRYPTED = "-tls"
SIGN_IN = (
    "bootstrap_servers",
    "security_protocol",
    "sasl_mechanism",
    "sasl_plain_username",
    "sasl_plain_password",
)
"""The settings of a client that say where and as whom it connects."""


def connection(address: str) -> dict[str, Any]:
    """Return the settings of kafka-python for an address. Raises ValueError for one that can't be read."""
    scheme, has_scheme, rest = address.rpartition("://")
    credentials, has_credentials, servers = rest.rpartition("@")
    settings: dict[str, Any] = {"bootstrap_servers": servers.split(",")}
    if not has_scheme and not has_credentials:
        return settings
    mechanism = MECHANISMS.get(scheme.removesuffix(ENCRYPTED))
    user_name, _, password = credentials.partition(":")
    if mechanism is None or not user_name or not password:
        raise ValueError("KAFKA_BOOTSTRAP_SERVERS must read scram://USER:PASSWORD@BROKER:PORT")
    return {
        **settings,
        "security_protocol": "SASL_SSL" if scheme.endswith(ENCRYPTED) else "SASL_PLAINTEXT",
        "sasl_mechanism": mechanism,
        "sasl_plain_username": unquote(user_name),
        "sasl_plain_password": unquote(password),
    }


def connection_of(client_settings: dict[str, Any]) -> dict[str, Any]:
    """Return, of the settings of a client that runs, those that another one needs to connect as it does."""
    return {name: client_settings[name] for name in SIGN_IN if client_settings.get(name) is not None}

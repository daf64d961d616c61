"""Preparation of a platform in containers, before its services start: `python -m dynabench_local.prepare WHAT`.

`stores` makes each service's database with its owner, the topics, Kafka's users with their permissions, and the bucket.
Where ACCOUNTS_DATABASE_APP_PASSWORD and so on give a password, it also makes the role that processes run as. Every step
keeps existing objects, so it may run again at each upgrade.

`edge FILE` writes Caddy's configuration from the route table.

`signing-key SOURCE TARGET` writes the key of accounts as a JWK that only its owner may read. The source is a JWK, the
PEM file that `openssl genpkey -algorithm ed25519` makes, or the 32 bytes in hexadecimal.
"""

import base64
import json
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import boto3
import psycopg2
import yaml
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from kafka.errors import KafkaError

from dynabench_local import broker_users, edge, postgres, seaweedfs, topics
from dynabench_local.layout import checkout, origin_of

PATIENCE_SECONDS = 120
PAUSE_SECONDS = 1.0
AWAY = (psycopg2.OperationalError, KafkaError, BotoCoreError, ClientError, OSError)
SERVICE_PORT = 8000
USAGE = "usage: python -m dynabench_local.prepare stores | edge FILE | signing-key SOURCE TARGET"


class SettingMissing(Exception):
    """The environment lacks something; the message names it."""


def main(arguments: list[str]) -> int:
    """Run the step that the first argument names; return the exit status: 2 for a mistake of the caller."""
    try:
        match arguments:
            case ["stores"]:
                prepare_stores()
            case ["edge", file]:
                Path(file).write_text(json.dumps(edge_configuration(), indent=1))
            case ["signing-key", source, target]:
                write_signing_key(Path(source), Path(target))
            case _:
                raise SettingMissing(USAGE)
    except SettingMissing as err:
        sys.stderr.write(f"prepare: {err}\n")
        return 2
    return 0


def prepare_stores() -> None:
    """Create the services' objects in PostgreSQL, Kafka and S3, for each store with an administrator's address.

    Raises SettingMissing, or the store's error if it is not ready within two minutes.
    """
    steps = {
        "POSTGRES_ADMIN_URL": ("databases and roles", _databases),
        "KAFKA_ADMIN_ADDRESS": ("topics and users", _events),
        "S3_ENDPOINT_URL": ("the bucket", _bucket),
    }
    for name, (what, step) in steps.items():
        if os.environ.get(name):
            _patiently(step)
            sys.stdout.write(f"prepared: {what}\n")
        else:
            sys.stdout.write(f"left alone: {what}, since {name} is not set\n")


def _patiently(step: Callable[[], None]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            step()
            return
        except AWAY:
            if time.monotonic() > deadline:
                raise
            time.sleep(PAUSE_SECONDS)


def _databases() -> None:
    passwords = {service: _needed(f"{service.upper()}_DATABASE_PASSWORD") for service in postgres.OWNERS}
    for service in postgres.OWNERS:
        if given := os.environ.get(f"{service.upper()}_DATABASE_APP_PASSWORD"):
            passwords[postgres.running_role(service)] = given
    postgres.ensure_databases(_needed("POSTGRES_ADMIN_URL"), passwords)


def _events() -> None:
    address = _needed("KAFKA_ADMIN_ADDRESS")
    topics.ensure_topics(address, replicas=int(os.environ.get("KAFKA_REPLICAS", "1")))
    passwords = {service: _needed(f"{service.upper()}_KAFKA_PASSWORD") for service in postgres.OWNERS}
    broker_users.ensure_users(address, passwords)


def _bucket() -> None:
    client = boto3.client(
        "s3",
        endpoint_url=_needed("S3_ENDPOINT_URL"),
        region_name=os.environ.get("S3_REGION", "us-east-1"),
        config=Config(connect_timeout=2, read_timeout=5, retries={"total_max_attempts": 1}),
    )
    further = os.environ.get("PUBLIC_ORIGINS", "").replace(",", " ").split()
    origins = [origin_of(_needed("PUBLIC_URL")), *further]
    seaweedfs.ensure_bucket(client, origins, os.environ.get("S3_BUCKET") or seaweedfs.BUCKET)


def _needed(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise SettingMissing(f"{name} is not set")
    return value


def edge_configuration() -> dict[str, object]:
    """Return Caddy's configuration where each service is a host of its name, or of EDGE_UPSTREAM with {service}.

    EDGE_AUTHORITIES_FILE, as Caddy finds it, makes services speak HTTPS and names the trusted authorities.
    """
    authorities = os.environ.get("EDGE_AUTHORITIES_FILE", "")
    upstream = os.environ.get("EDGE_UPSTREAM") or f"{{service}}:{SERVICE_PORT}"
    table = yaml.safe_load((checkout() / "deploy" / "routes.yaml").read_text())
    path = urlsplit(os.environ.get("PUBLIC_URL", "")).path.rstrip("/")
    return edge.configuration(
        ":8080", lambda service: upstream.format(service=service), table, authorities, path
    )


def write_signing_key(source: Path, target: Path) -> None:
    """Write the key in `source` to `target` as a JWK, with mode 0600. Raises SettingMissing if it is no Ed25519 key."""
    content = source.read_bytes()
    if not content.lstrip().startswith(b"{"):
        key = _private_key(source, content)
        parts = {"x": key.public_key().public_bytes_raw(), "d": key.private_bytes_raw()}
        document = {name: base64.urlsafe_b64encode(raw).rstrip(b"=").decode() for name, raw in parts.items()}
        content = json.dumps({"kty": "OKP", "crv": "Ed25519", **document}).encode()
    target.unlink(missing_ok=True)
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


def _private_key(source: Path, content: bytes) -> Ed25519PrivateKey:
    if re.fullmatch(rb"[0-9a-f]{64}\s*", content):
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(content.decode()))
    try:
        key = load_pem_private_key(content, password=None)
    except ValueError as err:
        raise SettingMissing(f"{source} holds neither a JWK nor a key in PEM or hexadecimal") from err
    if not isinstance(key, Ed25519PrivateKey):
        raise SettingMissing(f"{source} must hold an Ed25519 key: openssl genpkey -algorithm ed25519")
    return key


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

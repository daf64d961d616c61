"""Stores of an installation: databases, Kafka's topics, a bucket, and on one machine a folder."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
import psycopg2
from botocore.config import Config
from dynabench_common.command_errors import CommandRefused
from dynabench_local import postgres, seaweedfs

SERVICES = postgres.OWNERS
LOCAL_FILES = ("demo-sign-ins.json", "models.yaml", "accounts/signing-key.json")
"""Files of the one-machine stack outside its stores that can't be created again."""
HEALTH_KEY = "health"
"""The object by which the one-machine stack sees that its store works."""


class Refused(CommandRefused):
    """A problem for the operator; the message names it and the remedy."""


@dataclass(frozen=True)
class ObjectStore:
    """A bucket of any S3; without keys, the machine's role is used."""

    bucket: str
    endpoint_url: str | None = None
    region: str = "us-east-1"
    key_prefix: str = ""
    access_key_id: str | None = field(default=None, repr=False)
    secret_access_key: str | None = field(default=None, repr=False)

    def client(self) -> Any:
        """Return a client of the store."""
        return boto3.client(
            "s3",
            endpoint_url=self.endpoint_url,
            region_name=self.region,
            aws_access_key_id=self.access_key_id,
            aws_secret_access_key=self.secret_access_key,
            config=Config(
                s3={"addressing_style": "path" if self.endpoint_url else "auto"},
                connect_timeout=5,
                read_timeout=60,
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        )


@dataclass(frozen=True)
class Stores:
    """All stores of one installation. `databases`, `running` and `brokers` hold passwords and are never printed.

    `databases` are the owners' addresses, `running` those of the processes if they differ. `brokers` is the address of
    each service's user if no administrator's is set.
    """

    databases: Mapping[str, str] = field(repr=False)
    objects: ObjectStore
    kafka_address: str = field(default="", repr=False)
    brokers: Mapping[str, str] = field(default_factory=dict, repr=False)
    topic_prefix: str = ""
    public_url: str = ""
    home: Path | None = None
    running: Mapping[str, str] = field(default_factory=dict, repr=False)

    def running_url(self, service: str) -> str:
        """Return the address of a database for processes of the service."""
        return self.running.get(service) or self.databases[service]

    def connect(self, service: str) -> "psycopg2.extensions.connection":
        """Open a connection to a service's database as its owner. Raises psycopg2.OperationalError."""
        return psycopg2.connect(plain(self.databases[service]), connect_timeout=5)


def plain(url: str) -> str:
    """Return a database's address in libpq's form."""
    return url.replace("postgresql+psycopg2://", "postgresql://", 1)


def from_environment(environment: Mapping[str, str] = os.environ) -> Stores:
    """Read the addresses of all stores, as deploy/local's README lists them.

    Raises Refused naming every one that is missing.
    """
    urls = {service: environment.get(f"{service.upper()}_DATABASE_URL", "") for service in SERVICES}
    owners = {service: environment.get(f"{service.upper()}_DATABASE_OWNER_URL", "") for service in SERVICES}
    brokers = {service: environment.get(f"{service.upper()}_KAFKA_ADDRESS", "") for service in SERVICES}
    administrator = environment.get("KAFKA_ADMIN_ADDRESS", "")
    missing = [f"{service.upper()}_DATABASE_URL" for service, url in urls.items() if not url]
    if not administrator and not all(brokers.values()):
        missing.append("KAFKA_ADMIN_ADDRESS")
    if missing:
        raise Refused(
            f"not set: {', '.join(missing)}. Set them, or say --local for the stack of this machine."
        )
    objects = ObjectStore(
        bucket=environment.get("S3_BUCKET") or seaweedfs.BUCKET,
        endpoint_url=environment.get("S3_ENDPOINT_URL") or None,
        region=environment.get("S3_REGION") or "us-east-1",
        key_prefix=environment.get("S3_KEY_PREFIX", ""),
        access_key_id=environment.get("AWS_ACCESS_KEY_ID"),
        secret_access_key=environment.get("AWS_SECRET_ACCESS_KEY"),
    )
    prefix, public_url = environment.get("KAFKA_TOPIC_PREFIX", ""), environment.get("PUBLIC_URL", "")
    databases = {service: owners[service] or urls[service] for service in SERVICES}
    return Stores(databases, objects, administrator, brokers, prefix, public_url, running=urls)

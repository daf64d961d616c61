"""Typed settings, read from the environment in one place per service.

A service's `settings.py` subclasses these and is the only module that reads the environment.
"""

import os
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from dynabench_common.command_errors import CommandRefused
from dynabench_common.service_tokens import SHORTEST_TOKEN, ServiceTokens

AnySettings = TypeVar("AnySettings", bound=BaseSettings)
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable with the folder of metric values; prometheus_client reads it once, when it is imported."""


class SettingsError(CommandRefused):
    """The environment lacks a setting or holds an unusable one; the message lists each with its reason."""


class ServiceSettings(BaseSettings):
    """Settings of every HTTP service."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True)

    http_bind: str = Field(default="127.0.0.1:8000", description="Address and port to listen on")
    http_threads: int = Field(default=16, ge=1, description="Threads per HTTP process")
    http_processes: int = Field(default=1, ge=1, description="HTTP processes")
    http_certificate_file: Path | None = Field(
        default=None, description="Certificate with its chain, PEM; with it HTTPS is spoken in place of HTTP"
    )
    http_private_key_file: Path | None = Field(
        default=None,
        validate_default=True,
        description="Private key of that certificate, PEM, without a password",
    )
    drain_seconds: int = Field(
        default=20, ge=1, description="Time for open requests to finish after the signal to stop, in seconds"
    )
    log_level: str = Field(default="INFO", description="Lowest level of log lines written")
    public_url: str = Field(default="http://127.0.0.1:8080", description="Origin that browsers use")
    service_token_digests: str = Field(
        default="",
        description="Services that may call: SERVICE=SHA-256 of its token, `;` between; several with `,`",
    )
    jwks_url: str = Field(description="Address of the accounts service's public keys")

    @field_validator("http_private_key_file")
    @classmethod
    def _goes_with_the_certificate(cls, key: Path | None, others: ValidationInfo) -> Path | None:
        if (key is None) != (others.data.get("http_certificate_file") is None):
            raise ValueError("it and HTTP_CERTIFICATE_FILE go together: give both, or none for HTTP")
        return key

    @field_validator("service_token_digests")
    @classmethod
    def _can_be_read(cls, text: str) -> str:
        ServiceTokens.read(text)
        return text

    @property
    def service_tokens(self) -> ServiceTokens:
        """Return the digests of other services' tokens."""
        return ServiceTokens.read(self.service_token_digests)


class CallingSettings(BaseSettings):
    """Settings of a service that calls others as itself."""

    service_token: str = Field(
        min_length=SHORTEST_TOKEN,
        description="The service's own token, of at least 32 characters; those it calls hold its digest",
    )


class TrustSettings(BaseSettings):
    """Trusted authorities of a process that calls others over HTTPS."""

    http_authorities_file: Path | None = Field(
        default=None, description="Certificates of authorities, PEM, that are trusted besides the public ones"
    )


class ReplicaSettings(BaseSettings):
    """Settings of a service whose limits hold for all of its replicas together."""

    http_replicas: int = Field(
        default=1, ge=1, description="Number of replicas of this service; they share its limits"
    )


class ProcessSettings(BaseSettings):
    """Settings of any worker that its supervisor may give."""

    worker_alive_file: Path | None = Field(
        default=None, description="File that a worker touches each second while all of its components run"
    )


class DatabaseSettings(BaseSettings):
    """Settings of a service with tables."""

    database_url: str = Field(description="SQLAlchemy address of the service's own database")
    database_pool_size: int = Field(default=20, ge=1, description="Connections kept per process")
    database_direct_url: str | None = Field(
        default=None,
        description="Its address past a pooler of transactions, where DATABASE_URL is one's",
    )

    @property
    def session_url(self) -> str:
        """Return the address for a lasting connection, for LISTEN or a session lock: never through a pooler."""
        return self.database_direct_url or self.database_url


class OwnerSettings(DatabaseSettings):
    """Settings of a command that changes the tables of a service."""

    database_owner_url: str | None = Field(
        default=None,
        description="Its address as its owner, for `migrate` alone; without it, the one that processes use",
    )

    @property
    def owner_url(self) -> str:
        """Return the address of the tables' owner, never through a pooler."""
        return self.database_owner_url or self.session_url


class EventSettings(BaseSettings):
    """Settings of a service that sends or receives events over Kafka."""

    kafka_bootstrap_servers: str = Field(
        description="Comma-separated brokers; scram://USER:PASSWORD@BROKER:PORT signs in"
    )
    kafka_topic_prefix: str = Field(default="", description="Put before each topic's name, to share a broker")


class ObjectSettings(BaseSettings):
    """Settings of a service that stores files in S3."""

    s3_endpoint_url: str | None = Field(default=None, description="Address of S3; without it, the one of AWS")
    s3_public_endpoint_url: str | None = Field(
        default=None,
        description="Address by which browsers and readers reach S3; without it, S3_ENDPOINT_URL",
    )
    s3_region: str = Field(default="us-east-1", description="Region that requests are signed for")
    s3_bucket: str = Field(default="dynabench", description="Bucket, which must exist")
    s3_key_prefix: str = Field(default="", description="Put before each key, to share a bucket")
    aws_access_key_id: str | None = Field(
        default=None, description="Key of S3; without it, what the machine's role gives"
    )
    aws_secret_access_key: str | None = Field(default=None, description="Secret of that key")


def load(settings_class: type[AnySettings]) -> AnySettings:
    """Read `settings_class` from the environment.

    Raises SettingsError naming every missing or unusable variable.
    """
    try:
        return settings_class()
    except ValidationError as err:
        problems = "; ".join(f"{str(e['loc'][0]).upper()}: {e['msg']}" for e in err.errors() if e["loc"])
        raise SettingsError(f"unusable environment: {problems}") from err


def share_metrics_in(folder: str) -> None:
    """Let the metrics' library keep values in a shared folder; it reads the variable when it is imported."""
    os.environ[METRICS_FOLDER] = folder


def metrics_are_shared() -> bool:
    """Return whether this process keeps values of metrics together with others."""
    return METRICS_FOLDER in os.environ

"""A bucket of any S3-compatible store.

There are two clients, since readers may reach the store under another address than the services do. Addresses for
readers are signed for the public address. Signing makes no network call.
"""

from typing import Any

import boto3
from botocore.config import Config

from dynabench_common.settings import ObjectSettings

CONNECT_TIMEOUT_SECONDS = 2


class Bucket:
    """One bucket, each key behind the settings' prefix."""

    def __init__(self, settings: ObjectSettings, *, read_timeout_seconds: float, attempts: int) -> None:
        limits = {"read_timeout": read_timeout_seconds, "retries": {"total_max_attempts": attempts}}
        public_address = settings.s3_public_endpoint_url or settings.s3_endpoint_url
        self.client = _new_client(settings, settings.s3_endpoint_url, limits)
        self._public_client = _new_client(settings, public_address, limits)
        self.name = settings.s3_bucket
        self.prefix = settings.s3_key_prefix

    def at(self, key: str) -> dict[str, Any]:
        """Return what names an object in a call."""
        return {"Bucket": self.name, "Key": self.prefix + key}

    def signed_address(self, operation: str, key: str, seconds: int, **signed: Any) -> str:
        """Return where anybody may do just this for so many seconds."""
        address: str = self._public_client.generate_presigned_url(
            operation, Params={**self.at(key), **signed}, ExpiresIn=seconds
        )
        return address


def _new_client(settings: ObjectSettings, address: str | None, limits: dict[str, Any]) -> Any:
    return boto3.client(
        "s3",
        endpoint_url=address,
        region_name=settings.s3_region,
        aws_access_key_id=settings.aws_access_key_id,
        aws_secret_access_key=settings.aws_secret_access_key,
        config=Config(
            signature_version="s3v4",
            s3={"addressing_style": "path" if address else "auto"},
            connect_timeout=CONNECT_TIMEOUT_SECONDS,
            # A checksum in a signed address would be of no bytes at all: they are not known yet.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            **limits,
        ),
    )

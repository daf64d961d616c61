"""Bytes in S3.

Two clients, since browsers may know the store by another address than this service: an upload's address is signed
for the public one, with type and size, so that nothing else can be sent there. Signing asks nobody.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from dynabench_common.logging import get_logger

from annotation.service_layer.image_ports import ObjectMissing, ObjectsUnavailable
from annotation.settings import ObjectSettings

log = get_logger(__name__)
CONNECT_TIMEOUT_SECONDS = 2
READ_TIMEOUT_SECONDS = 10
ATTEMPTS = 2
CHUNK_BYTES = 65_536
RETRY_AFTER_SECONDS = 5
MISSING = {"NoSuchKey", "404", "NotFound"}


class S3ObjectStore:
    """Bytes under keys of one bucket, each key behind the settings' prefix."""

    def __init__(self, settings: ObjectSettings) -> None:
        self._client = _new_client(settings, settings.s3_endpoint_url)
        self._public_client = _new_client(
            settings, settings.s3_public_endpoint_url or settings.s3_endpoint_url
        )
        self._bucket = settings.s3_bucket
        self._prefix = settings.s3_key_prefix

    def upload_address(self, key: str, media_type: str, size: int, seconds: int) -> str:
        """Return where anybody may PUT exactly `size` bytes of this type for so many seconds."""
        signed = {**self._at(key), "ContentType": media_type, "ContentLength": size}
        with _outages():
            address: str = self._public_client.generate_presigned_url(
                "put_object", Params=signed, ExpiresIn=seconds
            )
        return address

    def read(self, key: str, most_bytes: int) -> bytes:
        """Return the bytes, cut after `most_bytes`. Raises ObjectMissing, ObjectsUnavailable."""
        with _outages():
            body = self._client.get_object(**self._at(key))["Body"]
            try:
                data: bytes = body.read(most_bytes)
            finally:
                body.close()
        return data

    def stream(self, key: str) -> Iterator[bytes]:
        """Return the bytes piece by piece. Raises ObjectMissing, ObjectsUnavailable."""
        with _outages():
            pieces: Iterator[bytes] = self._client.get_object(**self._at(key))["Body"].iter_chunks(
                CHUNK_BYTES
            )
        return pieces

    def write(self, key: str, data: bytes, media_type: str) -> None:
        """Store bytes, in place of what lies there. Raises ObjectsUnavailable."""
        with _outages():
            self._client.put_object(**self._at(key), Body=data, ContentType=media_type)

    def delete(self, key: str) -> None:
        """Remove an object; one that isn't there is no error. Raises ObjectsUnavailable."""
        with _outages():
            self._client.delete_object(**self._at(key))

    def delete_older(self, prefix: str, written_before: datetime) -> int:
        """Remove objects whose key begins so and that were written earlier; return how many.

        Raises ObjectsUnavailable.
        """
        removed = 0
        pages = self._client.get_paginator("list_objects_v2")
        with _outages():
            for page in pages.paginate(Bucket=self._bucket, Prefix=self._prefix + prefix):
                for found in page.get("Contents", []):
                    if found["LastModified"] < written_before:
                        self._client.delete_object(Bucket=self._bucket, Key=found["Key"])
                        removed += 1
        return removed

    def _at(self, key: str) -> dict[str, str]:
        return {"Bucket": self._bucket, "Key": self._prefix + key}


def _new_client(settings: ObjectSettings, address: str | None) -> Any:
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
            read_timeout=READ_TIMEOUT_SECONDS,
            retries={"total_max_attempts": ATTEMPTS},
            # A checksum in a signed address would be of no bytes at all: they are not known yet.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        ),
    )


@contextmanager
def _outages() -> Iterator[None]:
    try:
        yield
    except ClientError as err:
        if err.response["Error"]["Code"] in MISSING:
            raise ObjectMissing from err
        log.warning("object_store_failed", reason=str(err))
        raise ObjectsUnavailable(RETRY_AFTER_SECONDS) from err
    except BotoCoreError as err:
        log.warning("object_store_failed", reason=str(err))
        raise ObjectsUnavailable(RETRY_AFTER_SECONDS) from err

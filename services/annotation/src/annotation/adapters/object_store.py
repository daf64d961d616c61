"""Bytes in S3. An upload's address is signed with type and size, so that nothing else can be sent there."""

from collections.abc import Iterator
from datetime import datetime

from dynabench_common.object_store import Bucket, object_errors
from dynabench_common.settings import ObjectSettings

READ_TIMEOUT_SECONDS = 10
ATTEMPTS = 2
CHUNK_BYTES = 65_536


class S3ObjectStore:
    """Bytes under keys of one bucket, each key behind the settings' prefix."""

    def __init__(self, settings: ObjectSettings) -> None:
        self._bucket = Bucket(settings, read_timeout_seconds=READ_TIMEOUT_SECONDS, attempts=ATTEMPTS)
        self._client = self._bucket.client

    def upload_address(self, key: str, media_type: str, size: int, seconds: int) -> str:
        """Return where anybody may PUT exactly `size` bytes of this type for so many seconds."""
        with object_errors():
            return self._bucket.signed_address(
                "put_object", key, seconds, ContentType=media_type, ContentLength=size
            )

    def read(self, key: str, most_bytes: int) -> bytes:
        """Return the bytes, cut after `most_bytes`. Raises ObjectMissing, ObjectsUnavailable."""
        with object_errors():
            body = self._client.get_object(**self._bucket.at(key))["Body"]
            try:
                data: bytes = body.read(most_bytes)
            finally:
                body.close()
        return data

    def stream(self, key: str) -> Iterator[bytes]:
        """Return the bytes piece by piece. Raises ObjectMissing, ObjectsUnavailable."""
        with object_errors():
            pieces: Iterator[bytes] = self._client.get_object(**self._bucket.at(key))["Body"].iter_chunks(
                CHUNK_BYTES
            )
        return pieces

    def write(self, key: str, data: bytes, media_type: str) -> None:
        """Store bytes, replacing any existing object. Raises ObjectsUnavailable."""
        with object_errors():
            self._client.put_object(**self._bucket.at(key), Body=data, ContentType=media_type)

    def delete(self, key: str) -> None:
        """Remove an object; one that isn't there is no error. Raises ObjectsUnavailable."""
        with object_errors():
            self._client.delete_object(**self._bucket.at(key))

    def delete_older(self, prefix: str, written_before: datetime) -> int:
        """Remove objects whose key begins so and that were written earlier; return how many.

        Raises ObjectsUnavailable.
        """
        removed = 0
        pages = self._client.get_paginator("list_objects_v2")
        with object_errors():
            for page in pages.paginate(Bucket=self._bucket.name, Prefix=self._bucket.prefix + prefix):
                for found in page.get("Contents", []):
                    if found["LastModified"] < written_before:
                        self._client.delete_object(Bucket=self._bucket.name, Key=found["Key"])
                        removed += 1
        return removed

"""Archives in S3: fetched with their digest checked as they come, and put there once they are built."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from botocore.exceptions import BotoCoreError, ClientError
from dynabench_common.object_store import Bucket
from dynabench_common.settings import ObjectSettings
from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
READ_TIMEOUT_SECONDS = 30
ATTEMPTS = 3
PIECE_BYTES = 1 << 20
MISSING = {"NoSuchKey", "404", "NotFound"}
DIGEST = "sha256:"


class ObjectUnusable(Exception):
    """An object is missing or has the wrong content; the message names it and the reason."""


class ObjectsAway(Exception):
    """S3 does not answer, or broke off; worth trying again."""


class ArchiveObjects:
    """The bucket's operations on archives."""

    def __init__(self, settings: ObjectSettings) -> None:
        self._bucket = Bucket(settings, read_timeout_seconds=READ_TIMEOUT_SECONDS, attempts=ATTEMPTS)

    def fetch(
        self, key: str, digest: str, target: BinaryIO, most_bytes: int, report: Callable[[int], None]
    ) -> int:
        """Write an object's bytes to `target` and return how many they are; `report` gets the number of bytes so far.

        Raises ObjectUnusable if it is missing, longer than `most_bytes` or of another digest, ObjectsAway.
        """
        found = hashlib.sha256()
        size = 0
        try:
            body = self._bucket.client.get_object(**self._bucket.at(key))["Body"]
            try:
                for piece in body.iter_chunks(PIECE_BYTES):
                    size += len(piece)
                    if size > most_bytes:
                        raise ObjectUnusable(f"{key} in S3 is longer than {most_bytes:,} bytes")
                    found.update(piece)
                    target.write(piece)
                    report(size)
            finally:
                body.close()
        except ClientError as err:
            if err.response["Error"]["Code"] in MISSING:
                raise ObjectUnusable(f"S3 has no {key}") from err
            log.warning("archive_not_read", key=key, reason=str(err)[:300])
            raise ObjectsAway(
                f"our object store refuses the archive: {err.response['Error']['Code']}"
            ) from err
        except BotoCoreError as err:
            log.warning("archive_not_read", key=key, reason=str(err)[:300])
            raise ObjectsAway(f"our object store broke off at byte {size:,} of the archive") from err
        if DIGEST + found.hexdigest() != digest:
            raise ObjectUnusable(f"{key} in S3 has the digest {DIGEST}{found.hexdigest()}, not {digest}")
        return size

    def store(self, source: Path, key: str) -> None:
        """Store a file. Raises ObjectsAway."""
        try:
            self._bucket.client.upload_file(str(source), self._bucket.name, self._bucket.prefix + key)
        except Exception as err:
            # boto3 wraps what fails in an upload of several parts in classes of its own.
            log.warning("archive_not_stored", key=key, reason=str(err)[:300])
            raise ObjectsAway("our object store does not take what was built; it may be full") from err

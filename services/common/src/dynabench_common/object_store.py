"""A bucket of any S3-compatible store.

There are two clients, since readers may reach the store under another address than the services do. Addresses for
readers are signed for the public address. Signing makes no network call.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import boto3
from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from dynabench_common.settings import ObjectSettings
from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
CONNECT_TIMEOUT_SECONDS = 2
RETRY_AFTER_SECONDS = 5
READ_TIMEOUT_SECONDS = 30
ATTEMPTS = 3
IN_THIS_THREAD = TransferConfig(use_threads=False)
MISSING = {"NoSuchKey", "NoSuchUpload", "404", "NotFound"}


@dataclass(eq=False)
class ObjectsUnavailable(Exception):
    """The store does not answer, aborted, or accepts no writes."""

    retry_after_seconds: int = RETRY_AFTER_SECONDS

    def __str__(self) -> str:
        """Return it for a log."""
        return "the object store does not answer"


class ObjectMissing(ObjectsUnavailable):
    """There is no such object, or no such upload."""


@contextmanager
def object_errors() -> Iterator[None]:
    """Raise ObjectMissing or ObjectsUnavailable for what boto3 raises."""
    try:
        yield
    except ClientError as err:
        if err.response["Error"]["Code"] in MISSING:
            raise ObjectMissing from err
        log.warning("object_store_failed", reason=str(err)[:300])
        raise ObjectsUnavailable from err
    except (BotoCoreError, Boto3Error) as err:
        log.warning("object_store_failed", reason=str(err)[:300])
        raise ObjectsUnavailable from err


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
        """Return the parameters of a call that name an object."""
        return {"Bucket": self.name, "Key": self.prefix + key}

    def signed_address(self, operation: str, key: str, seconds: int, **signed: Any) -> str:
        """Return an address that allows anybody this operation for so many seconds."""
        address: str = self._public_client.generate_presigned_url(
            operation, Params={**self.at(key), **signed}, ExpiresIn=seconds
        )
        return address


class S3ObjectStore:
    """Files under keys of one bucket, copied from and to this machine."""

    def __init__(self, settings: ObjectSettings) -> None:
        self._bucket = Bucket(settings, read_timeout_seconds=READ_TIMEOUT_SECONDS, attempts=ATTEMPTS)
        self._client = self._bucket.client

    def store(self, key: str, path: Path, media_type: str) -> None:
        """Store a file, in place of what lies there. Raises ObjectsUnavailable."""
        with object_errors():
            self._client.upload_file(
                Filename=str(path),
                ExtraArgs={"ContentType": media_type},
                **self._bucket.at(key),
                Config=IN_THIS_THREAD,
            )

    def fetch(self, key: str, path: Path) -> None:
        """Copy a stored file to `path`. Raises ObjectsUnavailable."""
        with object_errors():
            self._client.download_file(Filename=str(path), **self._bucket.at(key), Config=IN_THIS_THREAD)

    @contextmanager
    def opened(self, key: str) -> Iterator[IO[bytes]]:
        """Open a stored file at its beginning; unread bytes are not transferred. Raises ObjectsUnavailable."""
        with object_errors(), closing(self._client.get_object(**self._bucket.at(key))["Body"]) as body:
            yield body

    def address(self, key: str, file_name: str, seconds: int) -> str:
        """Return where anybody may read the file for so many seconds. Asks nobody."""
        disposition = f'attachment; filename="{file_name}"'
        with object_errors():
            return self._bucket.signed_address(
                "get_object", key, seconds, ResponseContentDisposition=disposition
            )


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
            # A checksum in a signed address would be that of an empty body: the bytes are not known yet.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            **limits,
        ),
    )

"""Files in S3. Readers get them by addresses that are signed for S3's public name and end by themselves."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3
from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from dynabench_common.logging import get_logger

from scoring.domain.errors import ObjectsUnavailable
from scoring.settings import ObjectSettings

log = get_logger(__name__)
CONNECT_TIMEOUT_SECONDS = 2
READ_TIMEOUT_SECONDS = 30
ATTEMPTS = 3
RETRY_AFTER_SECONDS = 5
IN_THIS_THREAD = TransferConfig(use_threads=False)


class S3ObjectStore:
    """Files under keys of one bucket, each key behind the settings' prefix."""

    def __init__(self, settings: ObjectSettings) -> None:
        self._client = _new_client(settings, settings.s3_endpoint_url)
        self._public_client = _new_client(
            settings, settings.s3_public_endpoint_url or settings.s3_endpoint_url
        )
        self._bucket = settings.s3_bucket
        self._prefix = settings.s3_key_prefix

    def store(self, key: str, path: Path, media_type: str) -> None:
        """Store a file, in place of what lies there. Raises ObjectsUnavailable."""
        with _outages():
            self._client.upload_file(
                str(path),
                self._bucket,
                self._prefix + key,
                ExtraArgs={"ContentType": media_type},
                Config=IN_THIS_THREAD,
            )

    def fetch(self, key: str, path: Path) -> None:
        """Copy a stored file to `path`. Raises ObjectsUnavailable."""
        with _outages():
            self._client.download_file(self._bucket, self._prefix + key, str(path), Config=IN_THIS_THREAD)

    def address(self, key: str, file_name: str, seconds: int) -> str:
        """Return where anybody may read the file for so many seconds. Asks nobody."""
        signed = {
            "Bucket": self._bucket,
            "Key": self._prefix + key,
            "ResponseContentDisposition": f'attachment; filename="{file_name}"',
        }
        with _outages():
            address: str = self._public_client.generate_presigned_url(
                "get_object", Params=signed, ExpiresIn=seconds
            )
        return address


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
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        ),
    )


@contextmanager
def _outages() -> Iterator[None]:
    try:
        yield
    except (ClientError, BotoCoreError, Boto3Error) as err:
        log.warning("object_store_failed", reason=str(err))
        raise ObjectsUnavailable(RETRY_AFTER_SECONDS) from err

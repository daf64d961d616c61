"""Files in S3. Readers get them by addresses that are signed for S3's public name and end by themselves."""

from pathlib import Path

from boto3.s3.transfer import TransferConfig
from dynabench_common.object_store import Bucket, object_errors
from dynabench_common.settings import ObjectSettings

READ_TIMEOUT_SECONDS = 30
ATTEMPTS = 3
IN_THIS_THREAD = TransferConfig(use_threads=False)


class S3ObjectStore:
    """Files under keys of one bucket, each key behind the settings' prefix."""

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

    def address(self, key: str, file_name: str, seconds: int) -> str:
        """Return where anybody may read the file for so many seconds. Asks nobody."""
        disposition = f'attachment; filename="{file_name}"'
        with object_errors():
            return self._bucket.signed_address(
                "get_object", key, seconds, ResponseContentDisposition=disposition
            )

"""Archives in S3: sent in parts to signed addresses, read back by the checks."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from dynabench_common.object_store import Bucket, ObjectMissing, object_errors
from dynabench_common.settings import ObjectSettings

from registry.domain.submission import UploadedPart

READ_TIMEOUT_SECONDS = 30
ATTEMPTS = 3
PIECE_BYTES = 1 << 20


class ArchiveObjects:
    """Uploads and archives in one bucket."""

    def __init__(self, settings: ObjectSettings) -> None:
        self._bucket = Bucket(settings, read_timeout_seconds=READ_TIMEOUT_SECONDS, attempts=ATTEMPTS)
        self._client = self._bucket.client

    def begin(self, key: str) -> str:
        """Return the id of a new upload. Raises ObjectsUnavailable."""
        with object_errors():
            return str(self._client.create_multipart_upload(**self._bucket.at(key))["UploadId"])

    def held(self, key: str, upload_id: str) -> Sequence[UploadedPart] | None:
        """Return the parts that are there, None if there is no such upload any more. Raises ObjectsUnavailable."""
        found: list[UploadedPart] = []
        after = 0
        try:
            while True:
                with object_errors():
                    page = self._client.list_parts(
                        **self._bucket.at(key), UploadId=upload_id, PartNumberMarker=after, MaxParts=1000
                    )
                found += [_held_part(part) for part in page.get("Parts", [])]
                if not page.get("IsTruncated") or not page.get("Parts"):
                    return found
                after = found[-1].number
        except ObjectMissing:
            return None

    def sign(self, key: str, upload_id: str, number: int, seconds: int) -> str:
        """Return where anybody may PUT this part for so many seconds."""
        return self._bucket.signed_address("upload_part", key, seconds, UploadId=upload_id, PartNumber=number)

    def put_part(self, key: str, upload_id: str, number: int, content: bytes) -> None:
        """Store a part of an upload. Raises ObjectsUnavailable."""
        with object_errors():
            self._client.upload_part(
                **self._bucket.at(key), UploadId=upload_id, PartNumber=number, Body=content
            )

    def complete(self, key: str, upload_id: str, parts: Sequence[UploadedPart]) -> None:
        """Put the parts together. Raises ObjectsUnavailable."""
        listed = [{"PartNumber": part.number, "ETag": part.etag} for part in parts]
        with object_errors():
            self._client.complete_multipart_upload(
                **self._bucket.at(key), UploadId=upload_id, MultipartUpload={"Parts": listed}
            )

    def size(self, key: str) -> int | None:
        """Return the size of an archive in bytes, None if there is none. Raises ObjectsUnavailable."""
        try:
            with object_errors():
                return int(self._client.head_object(**self._bucket.at(key))["ContentLength"])
        except ObjectMissing:
            return None

    def abandon(self, key: str, upload_id: str) -> None:
        """Remove an upload with its parts, and the archive. Raises ObjectsUnavailable."""
        if upload_id:
            with suppress(ObjectMissing), object_errors():
                self._client.abort_multipart_upload(**self._bucket.at(key), UploadId=upload_id)
        with object_errors():
            self._client.delete_object(**self._bucket.at(key))

    def read(self, key: str) -> Iterator[bytes]:
        """Yield an archive piece by piece. Raises ObjectsUnavailable, also while it is read."""
        with object_errors():
            body = self._client.get_object(**self._bucket.at(key))["Body"]
            try:
                yield from body.iter_chunks(PIECE_BYTES)
            finally:
                body.close()


def _held_part(part: Any) -> UploadedPart:
    return UploadedPart(int(part["PartNumber"]), int(part["Size"]), str(part["ETag"]).strip('"'))

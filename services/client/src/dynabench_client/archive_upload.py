"""Resumable upload of an archive, in parts, directly to the object store.

The platform and its store know the parts that arrived; this program keeps no state. Another run, also on another
machine, asks for these parts, compares them with the file, and sends the rest.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import urllib3
from urllib3.exceptions import HTTPError

from dynabench_client.areas.submissions import SubmissionsClient
from dynabench_client.errors import UnreachableError
from dynabench_client.results.models import SignedPart, UploadedPart, WholeSubmission

PIECE_BYTES = 1 << 20
PARTS_AT_ONCE = 4
SIGNED_AT_ONCE = 20
ATTEMPTS = 6
LONGEST_PAUSE_SECONDS = 20.0
CONNECT_SECONDS, SEND_SECONDS = 10.0, 300.0
MD5_CHARACTERS = 32
Done = Callable[[int], None]


class FileChangedError(Exception):
    """The file is not the one whose digest was taken."""


class PartRefusedError(Exception):
    """The store does not take a part, however often it is sent."""


@dataclass(frozen=True)
class ArchiveFile:
    """A file to send, as it was when its digest was taken; `size` in bytes."""

    path: Path
    size: int
    digest: str
    changed_at: int

    @classmethod
    def read(cls, path: Path, done: Done) -> "ArchiveFile":
        """Return the file with its digest; `done` is called with the number of bytes read."""
        status = path.stat()
        digest = hashlib.sha256()
        with path.open("rb") as file:
            for piece in iter(lambda: file.read(PIECE_BYTES), b""):
                digest.update(piece)
                done(len(piece))
        return cls(path, status.st_size, f"sha256:{digest.hexdigest()}", status.st_mtime_ns)

    def check(self) -> None:
        """Raise FileChangedError if the file was written since."""
        status = self.path.stat()
        if (status.st_size, status.st_mtime_ns) != (self.size, self.changed_at):
            raise FileChangedError(f"{self.path} changed while it was sent")


class ArchiveUpload:
    """Sends what the store lacks of an archive, and completes the upload."""

    def __init__(
        self,
        area: SubmissionsClient,
        file: ArchiveFile,
        *,
        parts_at_once: int = PARTS_AT_ONCE,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._area = area
        self._file = file
        self._parts_at_once = parts_at_once
        self._sleep = sleep
        self._pool = urllib3.PoolManager(
            maxsize=parts_at_once,
            retries=False,
            timeout=urllib3.Timeout(connect=CONNECT_SECONDS, read=SEND_SECONDS),
        )
        self._failed = threading.Event()

    def send(self, submission: WholeSubmission, done: Done) -> WholeSubmission:
        """Return the submission once its whole archive is stored; `done` is called with the number of stored bytes.

        Raises FileChangedError, PartRefusedError, UnreachableError, ProblemError.
        """
        missing = self._missing(submission, done)
        with ThreadPoolExecutor(self._parts_at_once) as pool:
            running = [
                pool.submit(self._send_group, submission, group, done)
                for group in _groups(missing, self._parts_at_once)
            ]
            finished, _ = wait(running, return_when=FIRST_EXCEPTION)
            if any(each.exception() for each in finished):
                self._failed.set()
        for each in running:
            each.result()
        self._file.check()
        return self._area.complete_upload(submission.submission_id)

    def _missing(self, submission: WholeSubmission, done: Done) -> list[int]:
        """Return the parts that the store lacks, or holds otherwise than the file."""
        held = {part.number: part for part in self._area.upload_state(submission.submission_id).held}
        missing = []
        with self._file.path.open("rb") as file:
            for number in range(1, submission.upload.parts + 1):
                size = self._part_size(submission, number)
                if number in held and self._is_same(file, submission, held[number], size):
                    done(size)
                else:
                    missing.append(number)
        return missing

    def _is_same(self, file: BinaryIO, submission: WholeSubmission, held: UploadedPart, size: int) -> bool:
        if held.size != size:
            return False
        if len(held.etag) != MD5_CHARACTERS:
            return True  # this store's tags are no digests; the platform compares that of the whole
        return _md5(file, (held.number - 1) * submission.upload.part_bytes, size) == held.etag

    def _part_size(self, submission: WholeSubmission, number: int) -> int:
        part_bytes = submission.upload.part_bytes
        return min(part_bytes, self._file.size - (number - 1) * part_bytes)

    def _send_group(self, submission: WholeSubmission, numbers: Sequence[int], done: Done) -> None:
        signed: dict[int, SignedPart] = {}
        for place, number in enumerate(numbers):
            if self._failed.is_set():
                return
            if number not in signed:
                signed = self._sign(submission, numbers[place : place + SIGNED_AT_ONCE])
            self._send_part(submission, signed[number])
            done(self._part_size(submission, number))

    def _sign(self, submission: WholeSubmission, numbers: Sequence[int]) -> dict[int, SignedPart]:
        found = self._area.sign_parts(submission.submission_id, numbers)
        return {part.number: part for part in found.parts}

    def _send_part(self, submission: WholeSubmission, part: SignedPart) -> None:
        problem = ""
        for attempt in range(ATTEMPTS):
            if attempt:
                self._sleep(min(LONGEST_PAUSE_SECONDS, 0.5 * 2**attempt))
                part = self._sign(submission, [part.number])[part.number]
            if self._failed.is_set():
                return
            self._file.check()
            try:
                status = self._put(submission, part)
            except HTTPError as err:
                problem = type(err).__name__
                continue
            if status < 300:
                return
            problem = f"it answered {status}"
        if problem.startswith("it answered 4"):
            raise PartRefusedError(f"the object store does not take part {part.number}: {problem}")
        raise UnreachableError(part.url, f"part {part.number} was not taken: {problem}")

    def _put(self, submission: WholeSubmission, part: SignedPart) -> int:
        """Send the bytes of a part without holding it in memory; return the status of the answer."""
        start = (part.number - 1) * submission.upload.part_bytes
        with self._file.path.open("rb") as file:
            answer = self._pool.request(
                "PUT",
                part.url,
                body=_pieces(file, start, part.size),
                headers={"Content-Length": str(part.size)},
                redirect=False,
            )
        return int(answer.status)


def _pieces(file: BinaryIO, start: int, size: int) -> Iterator[bytes]:
    file.seek(start)
    left = size
    while left:
        piece = file.read(min(PIECE_BYTES, left))
        if not piece:
            raise FileChangedError(f"{file.name} became shorter while it was sent")
        left -= len(piece)
        yield piece


def _md5(file: BinaryIO, start: int, size: int) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    for piece in _pieces(file, start, size):
        digest.update(piece)
    return digest.hexdigest()


def _groups(numbers: Sequence[int], most: int) -> Iterator[Sequence[int]]:
    """Deal numbers out to so many senders, each in ascending order."""
    for first in range(min(most, len(numbers))):
        yield numbers[first::most]

"""The model store: archives stored there directly, and archives fetched from S3 by their digest.

A fetched archive is `<its sha256>.mar`. It appears under that name only when it is complete. Together they take no more
than the store's quota. The store removes idle archives, the least recently used first.
"""

import json
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dynabench_archives.model_servers import Archive
from dynabench_common.telemetry.logging import get_logger

from model_agent.errors import ArchiveOnItsWay
from model_agent.objects import DIGEST, ArchiveObjects

log = get_logger(__name__)
READABLE = 0o644
"""A sandbox runs as another user, and sees its own archive alone."""
FETCHED = re.compile(r"[0-9a-f]{64}\.mar")
PARTIAL = ".partial"
DISK_RESERVE_BYTES = 200_000_000
"""Left free on the disk: TorchServe unpacks archives, and others write there too."""
Stamp = tuple[int, int, int, int]


class ArchiveUnusable(Exception):
    """An archive can't be fetched into the store; the message gives the reason."""


class StoreFull(ArchiveUnusable):
    """The archive does not fit, even after the removal of all idle archives."""


class ArchiveInUse(Exception):
    """An archive can't be removed yet; the message gives the reason."""


def file_of(digest: str) -> str:
    """Return the name of a fetched archive."""
    return f"{digest.removeprefix(DIGEST)}.mar"


class ArchiveStore:
    """A folder of archives that model servers see. `in_use` tells which files of it are served now."""

    def __init__(
        self,
        folder: Path,
        objects: ArchiveObjects,
        quota_bytes: int,
        in_use: Callable[[], Set[str]],
    ) -> None:
        self.folder = folder
        self._objects = objects
        self._quota_bytes = quota_bytes
        self._in_use = in_use
        self._lock = threading.Lock()
        self._arriving: dict[str, Arriving] = {}
        self._reserved: dict[str, int] = {}
        self._notes: dict[str, tuple[Stamp, dict[str, Any]]] = {}
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for left in folder.glob(f"*{PARTIAL}"):
            if FETCHED.fullmatch(left.name.removesuffix(PARTIAL)):
                left.unlink(missing_ok=True)

    def bring(self, archive: Archive) -> None:
        """Make sure that the archive is there; one that S3 has is fetched in the background.

        Raises ArchiveOnItsWay until it is there, ArchiveUnusable once if it could not be brought; asking tries again.
        """
        path = self.folder / archive.file
        if archive.key is None:
            if not path.is_file():
                raise ArchiveUnusable(f"{archive.file} is not in the model store; build the archives")
            return
        if archive.file != file_of(archive.sha256) or not FETCHED.fullmatch(archive.file):
            raise ArchiveUnusable(f"{archive.file} is not the name of an archive of digest {archive.sha256}")
        with self._lock:
            arriving = self._arriving.get(archive.file)
            if arriving is None and path.is_file():
                os.utime(path)
                return
            if arriving is None:
                arriving = self._arriving[archive.file] = Arriving(archive.size)
                threading.Thread(
                    target=self._fetch, args=(archive, arriving), name="fetch", daemon=True
                ).start()
            elif arriving.failure is not None:
                del self._arriving[archive.file]
                raise ArchiveUnusable(arriving.failure)
        raise ArchiveOnItsWay(arriving.progress())

    def take_in(self, built: Path, digest: str) -> None:
        """Put a file that was built here into the store. Raises StoreFull."""
        target = self.folder / file_of(digest)
        if target.is_file():
            return
        with self._room(target.name, built.stat().st_size):
            partial = target.with_name(target.name + PARTIAL)
            shutil.copyfile(built, partial)
            partial.replace(target)

    def remove(self, file: str) -> None:
        """Remove an archive that was fetched or built here; one that is not there is no error. Raises ArchiveInUse."""
        if not FETCHED.fullmatch(file):
            raise ArchiveInUse(f"{file} belongs to the installation")
        with self._lock:
            arriving = self._arriving.get(file)
            if (arriving is not None and arriving.failure is None) or file in self._reserved:
                raise ArchiveInUse(f"{file} is on its way")
            if not (self.folder / file).is_file():
                return
            if file in self._in_use():
                raise ArchiveInUse(f"{file} is served")
            (self.folder / file).unlink(missing_ok=True)
        log.info("archive_removed", archive=file)

    def notes(self) -> Mapping[str, dict[str, Any]]:
        """Return size and note, or the reason why it can't be read, of each archive that was not fetched."""
        found = {}
        for path in self.folder.glob("*.mar"):
            if FETCHED.fullmatch(path.name):
                continue
            try:
                status = path.stat()
            except FileNotFoundError:
                continue
            found[path.name] = self._note(path, status)
        return found

    def _note(self, path: Path, status: os.stat_result) -> dict[str, Any]:
        note_path = path.with_name(f"{path.name}.json")
        try:
            written = note_path.stat()
            stamp = (status.st_mtime_ns, status.st_size, written.st_mtime_ns, written.st_size)
            remembered = self._notes.get(path.name)
            if remembered is not None and remembered[0] == stamp:
                return remembered[1]
            note = json.loads(note_path.read_text(encoding="utf-8"))
            if not isinstance(note, dict):
                raise ValueError("it is no object")
        except FileNotFoundError:
            return {"size": status.st_size, "note": f"there is no {note_path.name}"}
        except (OSError, ValueError) as err:
            return {"size": status.st_size, "note": f"{type(err).__name__}: {err}"}
        answer = {"size": status.st_size, "note": note}
        self._notes[path.name] = (stamp, answer)
        return answer

    def _fetch(self, archive: Archive, arriving: "Arriving") -> None:
        target = self.folder / archive.file
        partial = target.with_name(target.name + PARTIAL)
        try:
            with self._room(archive.file, archive.size):
                with partial.open("wb") as stream:
                    self._objects.fetch(str(archive.key), archive.sha256, stream, archive.size, arriving.came)
                partial.chmod(READABLE)
                partial.replace(target)
            log.info("archive_fetched", archive=archive.file, size=archive.size)
            with self._lock:
                del self._arriving[archive.file]
        except Exception as err:
            partial.unlink(missing_ok=True)
            log.error("archive_not_fetched", archive=archive.file, reason=f"{type(err).__name__}: {err}")
            said = f"its disk failed: {err.strerror}" if isinstance(err, OSError) else err
            arriving.failure = f"the archive can't be brought into the store: {said}"

    @contextmanager
    def _room(self, file: str, size: int) -> Iterator[None]:
        """Free the space for a file, and reserve it during the block. Raises StoreFull."""
        with self._lock:
            self._free(size)
            self._reserved[file] = size
        try:
            yield
        finally:
            with self._lock:
                del self._reserved[file]

    def _free(self, size: int) -> None:
        """Remove fetched archives that nobody serves until `size` bytes fit. Raises StoreFull."""
        held = {path: path.stat() for path in self.folder.glob("*.mar") if FETCHED.fullmatch(path.name)}
        arriving = sum(self._reserved.values())
        over_quota = sum(status.st_size for status in held.values()) + arriving + size - self._quota_bytes
        short_of_disk = size + arriving + DISK_RESERVE_BYTES - shutil.disk_usage(self.folder).free
        lacking = max(over_quota, short_of_disk)
        if lacking <= 0:
            return
        in_use = self._in_use()
        idle = [path for path in held if path.name not in in_use]
        for path in sorted(idle, key=lambda path: held[path].st_mtime_ns):
            log.info("archive_removed", archive=path.name, size=held[path].st_size)
            path.unlink(missing_ok=True)
            lacking -= held[path].st_size
            if lacking <= 0:
                return
        limit = "STORE_BYTES" if over_quota >= short_of_disk else "the disk"
        raise StoreFull(
            f"the model store is full: {size:,} bytes are needed, and {lacking:,} of them are lacking "
            f"although nothing idle is left in it; {limit} must give more"
        )


class Arriving:
    """Progress of an archive's fetch, or the reason of its failure."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._come = 0
        self.failure: str | None = None

    def came(self, size: int) -> None:
        """Store the number of bytes received."""
        self._come = size

    def progress(self) -> str:
        """Return the progress as a sentence."""
        return f"its archive is being fetched: {self._come / 1e6:.0f} of {self._size / 1e6:.0f} MB"

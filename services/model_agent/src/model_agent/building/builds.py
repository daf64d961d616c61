"""Builds of the archives that the platform serves, a few at a time, in the order of the requests.

The list of builds is in memory. A restart of the agent loses it, and clients ask again for the builds they need.
"""

import errno
import json
import queue
import shutil
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from dynabench_archives.model_servers import Archive, BuildOrder, BuildState, BuildStatus, Fault
from dynabench_archives.scanning import ScanKind, ScanLimits, extract_data, scan_archive
from dynabench_archives.scanning.report import ArchiveRefused
from dynabench_common.telemetry.logging import get_logger

from model_agent.building.packaging import NO_ROOM, RUN_AGAIN, BuildFailed, Packaging, Say
from model_agent.objects import ArchiveObjects, ObjectsAway, ObjectUnusable
from model_agent.store import ArchiveInUse, ArchiveStore, StoreFull, file_of

log = get_logger(__name__)
MOST_LINES = 500
MOST_REMEMBERED = 500
SCRATCH_PREFIX = "build-"
PACKAGE_AGAIN = "Package the model again with dynabench models package, and send that."
Extract = Callable[[Path, Path, Say], None]
"""Writes the data of a submitted archive into a folder; raises BuildFailed."""


@dataclass
class Build:
    """A build that was asked for, and how it stands."""

    order: BuildOrder
    status: BuildStatus = field(default_factory=lambda: BuildStatus(BuildState.RUNNING))
    cancelled: threading.Event = field(default_factory=threading.Event)

    def check(self) -> None:
        """Raise BuildFailed once the build is cancelled."""
        if self.cancelled.is_set():
            raise BuildFailed(Fault.OURS, "it was cancelled", RUN_AGAIN)

    def say(self, line: str) -> None:
        """Add a line to the log; of a log without end the first lines are kept. Raises BuildFailed once cancelled."""
        self.check()
        if len(self.status.log) < MOST_LINES:
            self.status = replace(self.status, log=(*self.status.log, line))


class Builds:
    """Takes orders and works through them, so many `at_once`. `scratch` is a folder of its own."""

    def __init__(
        self,
        objects: ArchiveObjects,
        store: ArchiveStore,
        packaging: Packaging,
        extract: Extract,
        scratch: Path,
        most_source_bytes: int,
        at_once: int = 1,
    ) -> None:
        self._objects = objects
        self._store = store
        self._packaging = packaging
        self._extract = extract
        self._scratch = scratch
        self._most_source_bytes = most_source_bytes
        self._lock = threading.Lock()
        self._builds: dict[UUID, Build] = {}
        self._waiting: queue.SimpleQueue[Build] = queue.SimpleQueue()
        scratch.mkdir(parents=True, exist_ok=True, mode=0o700)
        for left in scratch.glob(f"{SCRATCH_PREFIX}*"):
            shutil.rmtree(left, ignore_errors=True)
        for number in range(at_once):
            threading.Thread(target=self._work, name=f"builds {number}", daemon=True).start()

    def start(self, order: BuildOrder) -> None:
        """Have an archive built; the same again changes nothing unless the build failed."""
        with self._lock:
            known = self._builds.get(order.submission_id)
            if known is not None and (
                (known.status.state is BuildState.RUNNING and not known.cancelled.is_set())
                or (known.status.state is BuildState.DONE and known.order == order)
            ):
                return
            build = Build(order)
            before = sum(other.status.state is BuildState.RUNNING for other in self._builds.values())
            if before:
                build.say(f"waits for {before} other {'build' if before == 1 else 'builds'}")
            self._builds.pop(order.submission_id, None)
            self._builds[order.submission_id] = build
            self._forget()
        self._waiting.put(build)

    def status(self, submission_id: UUID) -> BuildStatus | None:
        """Return how a build stands; None if there is none."""
        with self._lock:
            build = self._builds.get(submission_id)
            return None if build is None else build.status

    def remove(self, submission_id: UUID) -> None:
        """Forget a build and its log. One that runs is cancelled, and raises ArchiveInUse until it has ended."""
        with self._lock:
            build = self._builds.get(submission_id)
            if build is not None and build.status.state is BuildState.RUNNING:
                build.cancelled.set()
                raise ArchiveInUse("its build is being ended")
            self._builds.pop(submission_id, None)

    def _forget(self) -> None:
        over = [key for key, build in self._builds.items() if build.status.state is not BuildState.RUNNING]
        for key in over[: max(0, len(over) - MOST_REMEMBERED)]:
            del self._builds[key]

    def _work(self) -> None:
        while True:
            self._make(self._waiting.get())

    def _make(self, build: Build) -> None:
        folder = Path(tempfile.mkdtemp(prefix=SCRATCH_PREFIX, dir=self._scratch))
        try:
            archive = self._built(build, folder)
            build.status = replace(build.status, state=BuildState.DONE, archive=archive)
        except BuildFailed as err:
            self._fail(build, err.fault, str(err), err.remedy)
        except StoreFull as err:
            self._fail(
                build, Fault.OURS, str(err), "Tell the administrators; nothing is wrong with the archive."
            )
        except OSError as err:
            log.error("build_broke", exc_info=err)
            is_full = err.errno == errno.ENOSPC
            self._fail(build, Fault.OURS, NO_ROOM if is_full else "the disk of builds failed", RUN_AGAIN)
        except (ObjectUnusable, ObjectsAway) as err:
            self._fail(build, Fault.OURS, str(err), RUN_AGAIN)
        except Exception as err:
            log.error("build_broke", exc_info=err)
            self._fail(build, Fault.OURS, f"the build broke off: {type(err).__name__}", RUN_AGAIN)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _fail(self, build: Build, fault: Fault, reason: str, remedy: str) -> None:
        log.warning("build_failed", submission_id=str(build.order.submission_id), fault=fault, reason=reason)
        build.status = replace(
            build.status, state=BuildState.FAILED, fault=fault, reason=reason, remedy=remedy
        )

    def _built(self, build: Build, folder: Path) -> Archive:
        build.check()
        order, source, data, out = build.order, folder / "sent.mar", folder / "data", folder / "built"
        with source.open("wb") as stream:
            size = self._objects.fetch(
                order.source_key, order.source_digest, stream, self._most_source_bytes, lambda _size: None
            )
        build.say(f"fetched {size:,} bytes, {order.source_digest}")
        data.mkdir()
        self._extract(source, data, build.say)
        source.unlink()
        build.say("building the archive from the data alone")
        try:
            self._packaging.package(data, out, folder, order, build.say, build.cancelled)
        finally:
            build.check()
        built = out / f"{order.name}.mar"
        note_path = out / f"{order.name}.mar.json"
        note = json.loads(note_path.read_text(encoding="utf-8"))
        _ensure_fits(note, order)
        archive = Archive(
            file=file_of(note["sha256"]),
            sha256=note["sha256"],
            model_digest=note["model_digest"],
            handler_digest=note["handler_digest"],
            size=int(note["size"]),
            key=f"served/{file_of(note['sha256'])}",
        )
        build.say("storing it")
        self._objects.store(built, str(archive.key))
        self._objects.store(note_path, f"{archive.key}.json")
        self._store.take_in(built, archive.sha256)
        build.say(f"built {archive.size:,} bytes, {archive.sha256}")
        return archive


def _ensure_fits(note: dict[str, Any], order: BuildOrder) -> None:
    """Raise BuildFailed where the archive is another one than was described."""
    for what, built, described in (
        ("labels", tuple(note["labels"]), order.labels),
        ("fields", tuple(note["fields"]), order.fields),
    ):
        if built != described:
            raise BuildFailed(
                Fault.YOURS,
                f"the model's own configuration says {what} {list(built)}, and dynabench.json says {list(described)}",
                "Package the model again, so that both say the same.",
            )


def unpack(source: Path, folder: Path, say: Say) -> None:
    """Write the data files of a declarative archive into a folder. Raises BuildFailed for any other archive.

    Scans it again: what was scanned earlier may have changed.
    """
    report = scan_archive(source, ScanLimits(), say)
    if report.kind is not ScanKind.DECLARATIVE:
        reason = next((finding.reason for finding in report.findings), "it holds more than data")
        raise BuildFailed(
            Fault.YOURS,
            f"the archive can't be built from data alone: {reason}",
            "Send an archive of data only.",
        )
    try:
        extract_data(source, report, folder)
    except ArchiveRefused as err:
        raise BuildFailed(Fault.YOURS, str(err), PACKAGE_AGAIN) from err

"""Isolation on one machine: bubblewrap around a whole TorchServe, with control groups; its sockets are in a folder.

One process at a time may use the folder.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import IO

from dynabench_archives.model_servers import Archive
from dynabench_common.telemetry.logging import get_logger

from model_agent.errors import ModelServerRefused
from model_agent.process_memory import largest_peak, pressure_seconds, processor_seconds
from model_agent.sandbox.backend import INFERENCE, MANAGEMENT
from model_agent.sandbox.control_groups import ControlGroup, NoControlGroups
from model_agent.sandbox.isolation import Isolation
from model_agent.sandbox.journal import Journal
from model_agent.sandbox.limits import SandboxLimits, SandboxPlaces
from model_agent.sandbox.mounts import environment, first_program, show_contents, write_contents
from model_agent.sandbox.output import last_lines
from model_agent.sandbox.system_calls import filter_program

log = get_logger(__name__)
LONGEST_SOCKET_PATH = 107
OTHERS = 0o004
BACKLOG = 64
FOLDER = re.compile(r"[0-9a-f]{12}")
BUSY = "this machine is busy: programs have waited for a processor for more than half of the time"


class ProcessRun:
    """One run of bubblewrap and all that is in it."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        group: ControlGroup,
        endpoints: tuple[Path, ...],
        processors: float,
    ) -> None:
        self.number = process.pid
        self._process = process
        self._group = group
        self._endpoints = endpoints
        self._processors = processors
        self._began, self._pressure = monotonic(), pressure_seconds()

    def look(self) -> str | None:
        """Return why it ended, or the limit that it ran against."""
        if self._process.poll() is not None:
            return self._group.excess() or f"it ended by itself with status {self._process.returncode}"
        return self._group.excess()

    def hint(self) -> str:
        """Return BUSY where others took the processors that it might have had, so that its slowness is not its own."""
        half = (monotonic() - self._began) / 2
        is_starved = processor_seconds(self._group.processes()) < self._processors * half
        return BUSY if is_starved and pressure_seconds() - self._pressure > half else ""

    def peak_bytes(self) -> int | None:
        """Return the most memory that the largest process in the group had at once."""
        return largest_peak(self._group.processes())

    def end(self) -> None:
        """End all processes, and remove the sockets."""
        self._process.kill()
        self._group.end()
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        for endpoint in self._endpoints:
            endpoint.unlink(missing_ok=True)


class Bubblewrap:
    """Sandboxes as processes in bubblewrap and control groups."""

    end_seconds: float | None = None

    def __init__(self, places: SandboxPlaces, limits: SandboxLimits = SandboxLimits()) -> None:  # noqa: B008 (frozen)
        """Take the folder over, and end what an earlier process left in it.

        Raises BlockingIOError while another process uses it, ValueError for a folder whose path is too long.
        """
        self.limits = limits
        self._folder = places.folder
        if len(os.fsencode(self.place("0" * 12, MANAGEMENT))) > LONGEST_SOCKET_PATH:
            raise ValueError(f"{self._folder}: the path is too long for sockets in it; choose a shorter one")
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder.chmod(0o700)
        self._lock = _locked(self._folder)
        name = hashlib.sha256(os.fsencode(self._folder.resolve())).hexdigest()[:12]
        self._isolation = Isolation(places, limits, name)
        self._clear()

    def problem(self) -> str | None:
        """Return why this machine can't isolate archives with code; None where it can."""
        return self._isolation.problem()

    def check(self, archive: Archive) -> None:
        """Raise ModelServerRefused for an archive that a sandbox could not read."""
        path = self._isolation.places.store / archive.file
        try:
            mode = path.stat().st_mode
        except OSError as err:
            raise ModelServerRefused(f"{archive.file} can't be read: {err.strerror}") from err
        if os.geteuid() == 0 and not mode & OTHERS:
            raise ModelServerRefused(f"{archive.file} can't be read by the sandbox's user; give it mode 644")

    def place(self, name: str, endpoint: str) -> Path:
        """Return the socket at which a sandbox listens."""
        return self._folder / name / f"{endpoint}.sock"

    def start(self, name: str, archive: Archive, position: int) -> ProcessRun:
        """Start bubblewrap. Raises OSError, NoControlGroups."""
        group = self._isolation.groups.make(name, self.limits)
        try:
            process = self._start(name, archive, position, group)
        except BaseException:
            group.end()
            raise
        endpoints = tuple(self.place(name, endpoint) for endpoint in (INFERENCE, MANAGEMENT))
        return ProcessRun(process, group, endpoints, self.limits.processors)

    def _start(
        self, name: str, archive: Archive, position: int, group: ControlGroup
    ) -> "subprocess.Popen[bytes]":
        folder = self._folder / name
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_contents(folder / "contents", self.limits)
        enclosure = self._isolation.enclosure(position)
        show_contents(enclosure, folder / "contents", self._isolation.places, archive)
        interpreter = self._isolation.interpreter
        with self._listening(name) as endpoints, _filter() as filter_descriptor:
            program, instructions = first_program(interpreter.executable, self.limits, endpoints)
            command = enclosure.command(
                [*program, json.dumps(instructions)],
                environment(interpreter.executable),
                group,
                filter_descriptor,
            )
            output, pipe = os.pipe()
            Journal(folder / "sandbox.log", self.limits.log_bytes).follow(output)
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=pipe,
                    stderr=pipe,
                    env={},
                    pass_fds=(*endpoints.values(), filter_descriptor),
                    start_new_session=True,
                )
            finally:
                os.close(pipe)
        return process

    def last_lines(self, name: str) -> tuple[str, ...]:
        """Return the last lines that the program printed."""
        places = self._isolation.places
        ours = (places.serving_python.parent.parent, places.java_home)
        return last_lines(self._folder / name, [place for place in ours if place.is_absolute()])

    def forget(self, name: str) -> Callable[[], tuple[str, ...]]:
        """Remove the folder of a sandbox; return what tells the last lines of its program."""
        words = self.last_lines(name)
        shutil.rmtree(self._folder / name, ignore_errors=True)
        return lambda: words

    def close(self) -> None:
        """Leave the folder to another process."""
        self._lock.close()

    def _clear(self) -> None:
        """End sandboxes of an earlier process, whose remains are in their control groups."""
        try:
            left = self._isolation.groups.end_all()
        except NoControlGroups:
            left = 0
        for path in self._folder.iterdir():
            if FOLDER.fullmatch(path.name):
                shutil.rmtree(path, ignore_errors=True)
        if left:
            log.warning("sandboxes_left_over", number=left)

    @contextmanager
    def _listening(self, name: str) -> Iterator[dict[str, int]]:
        """Give listening descriptors by name; once they are closed here, nobody listens but the sandbox."""
        endpoints: dict[str, socket.socket] = {}
        try:
            for endpoint in (INFERENCE, MANAGEMENT):
                path = self.place(name, endpoint)
                path.unlink(missing_ok=True)
                endpoints[endpoint] = socket.socket(socket.AF_UNIX)
                endpoints[endpoint].bind(str(path))
                path.chmod(0o600)
                endpoints[endpoint].listen(BACKLOG)
            yield {endpoint: each.fileno() for endpoint, each in endpoints.items()}
        finally:
            for each in endpoints.values():
                each.close()


def _locked(folder: Path) -> IO[str]:
    lock = (folder / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise
    return lock


@contextmanager
def _filter() -> Iterator[int]:
    descriptor = os.memfd_create("filter", os.MFD_CLOEXEC)
    try:
        os.write(descriptor, filter_program() or b"")
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)

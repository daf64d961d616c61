"""One sandbox: a thread that starts it, watches it, and starts it again when it has ended.

Whoever runs against a limit is ended as a whole: what is left of a program after one of its processes was killed, or
could not be started, answers at best by chance. The thread that starts bubblewrap must live as long as the sandbox,
because the kernel ends a program "with its parent" when its parent's thread ends.
"""

import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from dynabench_common.logging import get_logger

from registry.adapters.process_memory import largest_peak
from registry.domain.serving import READY, Archive, Registration, Worker
from registry.sandbox.asking import ask, printable
from registry.sandbox.contents import ARCHIVE, environment, first_program, show_contents, write_contents
from registry.sandbox.control_groups import ControlGroup, NoControlGroups
from registry.sandbox.isolation import Isolation
from registry.sandbox.journal import Journal
from registry.sandbox.system_calls import filter_program
from registry.service_layer.ports import ModelServerAway, ModelServerRefused

log = get_logger(__name__)
INFERENCE, MANAGEMENT = "inference", "management"
ENDED = "ENDED"
BACKLOG = 64
STARTING_LOOK_SECONDS, LOOK_SECONDS = 0.2, 1.0
QUESTION_SECONDS = 5.0
QUESTION_BYTES = 65_536
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 60.0
# Numbers of processes count anew in each sandbox; outside they must differ.
FIRST_INSIDE = 1 << 22


class Sandbox:
    """An archive's own TorchServe, kept running until `end`; `position` is its place among those that run at once."""

    def __init__(
        self, registration: Registration, archive: Archive, isolation: Isolation, folder: Path, position: int
    ) -> None:
        self.position = position
        self._registration = registration
        self._archive = archive
        self._isolation = isolation
        self._limits = isolation.limits
        self._folder = folder
        self._stop = threading.Event()
        self._group: ControlGroup | None = None
        self._workers: tuple[Worker, ...] = ()
        self._thread = threading.Thread(target=self._run, name=f"sandbox-{folder.name}", daemon=True)
        self._thread.start()

    @property
    def workers(self) -> tuple[Worker, ...]:
        """Return the workers as they were last seen."""
        return self._workers

    def end(self) -> None:
        """End it, all processes and files of it, and return when it is gone."""
        self._stop.set()
        group = self._group
        if group is not None:
            group.end()  # so that no question to it is waited for
        self._thread.join()

    def _run(self) -> None:
        pause = 0.0
        while not self._stop.wait(pause):
            began = time.monotonic()
            try:
                reason = self._live()
            except (OSError, NoControlGroups, ModelServerRefused) as err:
                reason = printable(err)
            if self._stop.is_set():
                break
            lasted = time.monotonic() - began
            pause = (
                FIRST_PAUSE_SECONDS
                if lasted > LONGEST_PAUSE_SECONDS
                else min(max(2 * pause, FIRST_PAUSE_SECONDS), LONGEST_PAUSE_SECONDS)
            )
            log.warning(
                "sandbox_ended", serving_name=self._registration.serving_name, reason=reason, again_in=pause
            )
        self._workers = ()

    def _live(self) -> str:
        """Start it and watch it; return why it ended."""
        group = self._group = self._isolation.groups.make(self._folder.name, self._limits)
        try:
            process = self._start(group)
            try:
                return self._watch(process, group)
            finally:
                process.kill()
                group.end()
                process.wait()
                if process.stdin is not None:
                    process.stdin.close()
                self._workers = (Worker(process.pid * FIRST_INSIDE, ENDED),)
        finally:
            group.end()
            for name in (INFERENCE, MANAGEMENT):
                door(self._folder, name).unlink(missing_ok=True)

    def _start(self, group: ControlGroup) -> "subprocess.Popen[bytes]":
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_contents(self._folder / "contents", self._limits)
        enclosure = self._isolation.enclosure(self.position)
        show_contents(enclosure, self._folder / "contents", self._isolation.places, self._archive)
        interpreter = self._isolation.interpreter
        with _listening(self._folder) as doors, _filter() as filter_descriptor:
            program, told = first_program(interpreter, self._limits, doors)
            command = enclosure.command(
                [*program, json.dumps(told)], environment(interpreter), group, filter_descriptor
            )
            output, pipe = os.pipe()
            Journal(self._folder / "sandbox.log", self._limits.log_bytes).follow(output)
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=pipe,
                    stderr=pipe,
                    env={},
                    pass_fds=(*doors.values(), filter_descriptor),
                    start_new_session=True,
                )
            finally:
                os.close(pipe)
        return process

    def _watch(self, process: "subprocess.Popen[bytes]", group: ControlGroup) -> str:
        began = answered = time.monotonic()
        is_registered = was_ready = False
        while not self._stop.wait(LOOK_SECONDS if was_ready else STARTING_LOOK_SECONDS):
            if process.poll() is not None:
                return group.excess() or f"it ended by itself with status {process.returncode}"
            if excess := group.excess():
                return excess
            now = time.monotonic()
            try:
                if not is_registered:
                    self._register(began + self._limits.start_seconds - now)
                    is_registered = True
                self._workers = self._seen(process.pid, group)
                answered = now
            except ModelServerAway:
                pass
            except ModelServerRefused as err:
                if err.status is not None:
                    return f"its TorchServe does not take the archive: {err}"
            if any(worker.status == READY for worker in self._workers):
                was_ready = True
            elif not was_ready and now - began > self._limits.start_seconds:
                return f"no worker was ready within {self._limits.start_seconds:g} s"
            if was_ready and now - answered > self._limits.silent_seconds:
                return f"its TorchServe did not answer for {self._limits.silent_seconds:g} s"
        return "it was to end"

    def _register(self, seconds: float) -> None:
        registration = self._registration
        options = {
            "url": ARCHIVE,
            "model_name": registration.serving_name,
            "batch_size": registration.batch_size,
            "max_batch_delay": registration.max_batch_delay_milliseconds,
            "response_timeout": registration.response_timeout_seconds,
            "initial_workers": 1,
            "synchronous": "false",
        }
        self._ask("POST", f"/models?{urlencode(options)}", max(seconds, QUESTION_SECONDS))

    def _seen(self, process_id: int, group: ControlGroup) -> tuple[Worker, ...]:
        """Return the workers that its TorchServe tells of: at most one, since more are not asked for.

        Memory is that of the largest process in the sandbox, as which one the worker is only the archive could tell.
        """
        described = self._ask(
            "GET", f"/models/{quote(self._registration.serving_name, safe='')}", QUESTION_SECONDS
        )
        try:
            worker = described[0]["workers"][0]
            inside, status = int(worker["pid"]), printable(worker["status"])
        except IndexError:
            return ()
        except (KeyError, TypeError, ValueError) as err:
            raise ModelServerRefused("what its TorchServe tells of its worker can't be read") from err
        pid = process_id * FIRST_INSIDE + inside if 0 < inside < FIRST_INSIDE else -1
        return (Worker(pid, status, largest_peak(group.processes())),)

    def _ask(self, method: str, path: str, seconds: float) -> Any:
        return ask(door(self._folder, MANAGEMENT), method, path, None, seconds, QUESTION_BYTES)


def door(folder: Path, name: str) -> Path:
    """Return the socket at which a sandbox with this folder listens."""
    return folder / f"{name}.sock"


@contextmanager
def _listening(folder: Path) -> Iterator[dict[str, int]]:
    """Give listening descriptors by name; once they are closed here, nobody listens but the sandbox."""
    doors: dict[str, socket.socket] = {}
    try:
        for name in (INFERENCE, MANAGEMENT):
            path = door(folder, name)
            path.unlink(missing_ok=True)
            doors[name] = socket.socket(socket.AF_UNIX)
            doors[name].bind(str(path))
            path.chmod(0o600)
            doors[name].listen(BACKLOG)
        yield {name: each.fileno() for name, each in doors.items()}
    finally:
        for each in doors.values():
            each.close()


@contextmanager
def _filter() -> Iterator[int]:
    descriptor = os.memfd_create("filter", os.MFD_CLOEXEC)
    try:
        os.write(descriptor, filter_program() or b"")
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)

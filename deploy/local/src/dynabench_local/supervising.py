"""Run the supervisor, also through a full disk: `python -m dynabench_local.supervising FILE FOLDER`.

FILE is the supervisor's configuration, FOLDER has the data of SeaweedFS.

The supervisor writes the output of parts into logs. If that fails, it writes to its own log and standard error, which
are on the same disk, and ends when that fails too. This module drops such output instead, and the parts keep running.

PostgreSQL and Kafka end when they can't write, and the supervisor starts them again. SeaweedFS keeps running, but its
index (goleveldb) repeats the first error of a write until it is opened anew. So this module ends SeaweedFS once its
disk was full and has space again; the supervisor then starts it.
"""

import contextlib
import shutil
import sys
import threading
import time
import xmlrpc.client
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from supervisor import loggers, supervisord

from dynabench_local.supervision import SOCKET, SupervisorAway, call

FULL_BYTES = 32 * 2**20
"""Twice the buffer of SeaweedFS' index, which it writes at once."""
SPACE_BYTES = 64 * 2**20
LOOK_SECONDS = 1.0


class LossyFile(loggers.RotatingFileHandler):  # type: ignore[misc]
    """A log that drops lines while the disk is full, and continues afterwards."""

    stream: Any

    def emit(self, record: Any) -> None:
        """Write a line, or drop it."""
        with contextlib.suppress(OSError, ValueError):
            if self.stream.closed:
                self.stream = open(self.baseFilename, "ab")  # noqa: PTH123, SIM115 (kept open)
            super().emit(record)


class FullDisk:
    """Restarts a part when its disk was full and has space again."""

    def __init__(self, restart: Callable[[], None]) -> None:
        """Take the function that restarts the part; if it raises, the next look calls it again."""
        self._restart = restart
        self._was_full = False

    def look(self, free_bytes: int) -> None:
        """Take the free space of now."""
        self._was_full = self._was_full or free_bytes < FULL_BYTES
        if self._was_full and free_bytes >= SPACE_BYTES:
            self._restart()
            self._was_full = False


def end_store(socket: Path) -> None:
    """End SeaweedFS, if it runs. Raises SupervisorAway."""
    with contextlib.suppress(xmlrpc.client.Fault):
        call(socket, "signalProcess", "seaweedfs", "TERM")


def _watch_store(folder: Path, socket: Path) -> None:
    disk = FullDisk(lambda: end_store(socket))
    while True:
        time.sleep(LOOK_SECONDS)
        with contextlib.suppress(OSError, SupervisorAway):
            disk.look(shutil.disk_usage(folder).free)


def main() -> None:
    """Run the supervisor until it gets a signal to stop; watch the disk of SeaweedFS meanwhile."""
    configuration, folder = map(Path, sys.argv[1:])
    loggers.Handler.handleError = lambda _handler: None
    loggers.RotatingFileHandler = LossyFile
    watch = partial(_watch_store, folder, configuration.with_name(SOCKET))
    threading.Thread(target=watch, daemon=True).start()
    supervisord.main(["-c", str(configuration)])


if __name__ == "__main__":
    main()

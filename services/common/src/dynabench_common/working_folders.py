"""Temporary folders, removed when their process ends, or by the next process after a kill.

A process locks each of its folders. The system releases the lock however the process ends. So a folder that can be
locked is abandoned.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
PREFIX = "dynabench-work-"


@contextmanager
def working_folder() -> Iterator[Path]:
    """Give an empty folder for the block."""
    folder, lock = locked_folder()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def remove_abandoned() -> int:
    """Remove the folders of processes that are gone; return how many."""
    removed = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
        except BlockingIOError:
            continue
        finally:
            os.close(lock)
    if removed:
        log.info("abandoned_folders_removed", folders=removed)
    return removed


def locked_folder() -> tuple[Path, int]:
    """Return a new folder and its lock; retry if another process removed it before it was locked."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        try:
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.exists():
            return folder, lock
        os.close(lock)

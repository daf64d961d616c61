"""The log of a sandbox: the last of what it prints, in two files that together never pass a size."""

import os
import threading
import time
from pathlib import Path

CHUNK_BYTES = 65_536
PAUSE_SECONDS = 0.05
"""Pause between two reads once a file is full: such a program waits, and costs almost no processor time here."""


class Journal:
    """Writes a pipe's output to files; each start, and each half of the size, begins a new file."""

    def __init__(self, file: Path, most_bytes: int) -> None:
        self._file = file
        self._half = most_bytes // 2

    def follow(self, pipe: int) -> threading.Thread:
        """Begin to read a pipe, which is closed at its end."""
        thread = threading.Thread(target=self._follow, args=(pipe,), name="sandbox-journal", daemon=True)
        thread.start()
        return thread

    def _follow(self, pipe: int) -> None:
        pause, data = 0.0, b""
        with os.fdopen(pipe, "rb", buffering=0) as source:
            while True:
                if self._file.exists():
                    self._file.replace(self._file.with_suffix(".previous.log"))
                left = self._half - len(data)
                with self._file.open("wb", buffering=0) as target:
                    target.write(data)
                    while data := source.read(min(CHUNK_BYTES, self._half)):
                        time.sleep(pause)
                        left -= len(data)
                        if left < 0:
                            break
                        target.write(data)
                if not data:
                    return
                pause = PAUSE_SECONDS

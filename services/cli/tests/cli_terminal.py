"""The command in a process of its own, at a terminal."""

import os
import pty
import subprocess
import sys
from pathlib import Path

COMMAND = "from dynabench_cli.app import main; main()"


class Terminal:
    """Runs one command with a terminal for all its streams; what is typed waits there for whoever reads it."""

    def __init__(self, profile: Path, *arguments: str, typed: str = "") -> None:
        self._ours, theirs = pty.openpty()
        os.write(self._ours, typed.encode())
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, "--profile", str(profile), *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "COLUMNS": "200", "TERM": "dumb"},
            start_new_session=True,
        )
        os.close(theirs)

    def finish(self) -> tuple[int, str]:
        """Return the exit code and all that the terminal showed."""
        shown = b""
        while piece := self._read():
            shown += piece
        os.close(self._ours)
        return self.process.wait(timeout=60), shown.decode()

    def _read(self) -> bytes:
        try:
            return os.read(self._ours, 65_536)
        except OSError:
            return b""

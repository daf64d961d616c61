"""Child processes: a reduced environment, an end in any case, and the output in a file."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from dynabench_toolkit.local_models.serving_environment import ServingEnvironment

LIFELINE = Path(__file__).with_name("lifeline.py")
MEMORY_BYTES = 2 << 30


def environment_of(serving: ServingEnvironment, folder: Path, **more: str) -> dict[str, str]:
    """Return the environment of a program: as in the platform's sandboxes, without the user's settings and secrets."""
    return {
        "PATH": os.pathsep.join((f"{serving.java_home}/bin", str(serving.python.parent), "/usr/bin", "/bin")),
        "JAVA_HOME": str(serving.java_home),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "TEMP": str(folder),
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **more,
    }


class LocalProcess:
    """A program in a process group of its own; `memory_bytes` is the most that each of its processes may take."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        log: Path,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(LIFELINE), str(memory_bytes), *command],
                cwd=folder,
                env=dict(environment),
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    @property
    def status(self) -> int | None:
        """Return its exit status, None while it runs."""
        return self._process.poll()

    def wait(self, seconds: float) -> int | None:
        """Return its exit status, None if it still runs after so long."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(seconds)
        return None

    def end(self) -> None:
        """End it and all that it started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()

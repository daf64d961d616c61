"""Runs the packaging of a checkpoint in the serving environment, with limits, and reads what it says."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from registry.agent.enclosure import Enclosure
from registry.domain.building import BuildOrder
from registry.domain.submission import Fault

REFUSED = 1
"""Exit status of the packaging where it can say why."""
KILLED_BY_CPU_LIMIT = {-signal.SIGXCPU, 128 + signal.SIGXCPU}
ERROR = "error: "
NO_MEMORY = ("MemoryError", "std::bad_alloc", "not enough memory", "Cannot allocate memory")
DISK_FULL = "No space left on device"
NO_ROOM = "there is no room for the build on our disk"
RUN_AGAIN = "Run the step again; if it fails again, tell the administrators."
LONGEST_LINE = 500
Say = Callable[[str], None]


class BuildFailed(Exception):
    """A build failed; says whose fault that is and what to do."""

    def __init__(self, fault: Fault, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.fault = fault
        self.remedy = remedy


@dataclass(frozen=True)
class BuildLimits:
    """What one build may take."""

    seconds: float
    memory_bytes: int
    file_bytes: int


class Packaging:
    """`python -m model_archives package` in the serving environment."""

    def __init__(
        self, python: Path, sources: Sequence[Path], enclosure: Enclosure, limits: BuildLimits
    ) -> None:
        self._python = python
        self._sources = sources
        self._enclosure = enclosure
        self._limits = limits

    def package(self, checkpoint: Path, built: Path, folder: Path, order: BuildOrder, say: Say) -> None:
        """Package a checkpoint into the folder `built`; both lie in `folder`. Raises BuildFailed."""
        lines: list[str] = []

        def heard(line: str) -> None:
            lines.append(line)
            say(line)

        status = self._run(self._command(checkpoint, built, order, folder), folder, heard)
        if status != 0:
            raise self._failure(status, lines)

    def _command(self, checkpoint: Path, built: Path, order: BuildOrder, folder: Path) -> list[str]:
        options = [
            f"--name={order.name}",
            f"--version={order.version}",
            f"--store={built}",
            f"--task-type={order.task_type}",
            *(f"--field={field}" for field in order.fields),
            *([] if order.max_tokens is None else [f"--max-tokens={order.max_tokens}"]),
        ]
        package = [str(self._python), "-m", "model_archives", "package", str(checkpoint), *options]
        limits = (self._limits.memory_bytes, int(self._limits.seconds), self._limits.file_bytes)
        limited = [sys.executable, "-m", "registry.agent.limited", *map(str, limits)]
        return [*limited, *self._enclosure.around(package, folder)]

    def _run(self, command: list[str], folder: Path, heard: Say) -> int:
        with subprocess.Popen(
            command,
            cwd=folder,
            env=self._environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            timer = threading.Timer(self._limits.seconds, _end, (process.pid,))
            timer.start()
            try:
                for line in process.stdout or ():
                    text = line.decode(errors="replace").strip().replace(f"{folder}/", "")
                    if text:
                        heard(text[:LONGEST_LINE])
                status = process.wait()
            finally:
                is_late = not timer.is_alive()
                timer.cancel()
                _end(process.pid)
        if is_late:
            raise self._too_long()
        return status

    def _environment(self, folder: Path) -> Mapping[str, str]:
        """Return settings of the process: none of the agent's own, which hold credentials."""
        return {
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": os.pathsep.join(map(str, self._sources)),
            "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "HF_HUB_OFFLINE": "1",
            "OMP_NUM_THREADS": "1",
            "NO_COLOR": "1",
            "TERM": "dumb",
            "LANG": "C.UTF-8",
        }

    def _failure(self, status: int, lines: list[str]) -> BuildFailed:
        if status in KILLED_BY_CPU_LIMIT:
            return self._too_long()
        if any(sign in line for line in lines[-20:] for sign in NO_MEMORY):
            gigabytes = self._limits.memory_bytes / 1e9
            return BuildFailed(
                Fault.YOURS,
                f"building the archive needs more than {gigabytes:.0f} GB of memory",
                "Send a smaller model.",
            )
        if any(DISK_FULL in line for line in lines[-20:]):
            return BuildFailed(Fault.OURS, NO_ROOM, RUN_AGAIN)
        said = next((line for line in reversed(lines) if line.startswith(ERROR)), None)
        if status == REFUSED and said is not None:
            return BuildFailed(
                Fault.YOURS, said.removeprefix(ERROR), "Change the model, package and send it again."
            )
        return BuildFailed(
            Fault.OURS,
            f"the packaging ended with status {status}: {lines[-1] if lines else 'it printed nothing'}",
            RUN_AGAIN,
        )

    def _too_long(self) -> BuildFailed:
        return BuildFailed(
            Fault.YOURS,
            f"building the archive was not over within {self._limits.seconds:.0f} s",
            "Send a smaller model, or run the step again when the platform is less busy.",
        )


def _end(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return

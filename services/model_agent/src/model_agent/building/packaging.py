"""Run the packaging of a checkpoint in the serving environment, with limits, and read its output."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dynabench_archives.model_servers import BuildOrder, Fault

from model_agent.building.enclosure import Enclosure

REFUSED = 1
"""Exit status of the packaging where it can say why."""
KILLED_BY_CPU_LIMIT = {-signal.SIGXCPU, 128 + signal.SIGXCPU}
ERROR = "error: "
NO_MEMORY = ("MemoryError", "std::bad_alloc", "not enough memory", "Cannot allocate memory")
DISK_FULL = "No space left on device"
NO_ROOM = "there is no room for the build on our disk"
RUN_AGAIN = "Run the step again; if it fails again, tell the administrators."
LONGEST_LINE = 500
WEIGHTS = "model.safetensors"
FIRST_MEMORY_BYTES, MEMORY_PER_BYTE = 6_000_000_000, 12
FIRST_SECONDS, SECONDS_PER_BYTE = 180.0, 2e-6
"""Most address space and processor time of a build: for the libraries alone, and for each byte of its weights.

Measured: 4.3 GB and 19 s for weights of 4 MB, 4.9 GB and 26 s for 91 MB."""
GUARD_SECONDS = 0.2
Say = Callable[[str], None]


class BuildFailed(Exception):
    """A build failed; names the party at fault and a remedy."""

    def __init__(self, fault: Fault, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.fault = fault
        self.remedy = remedy


@dataclass(frozen=True)
class BuildLimits:
    """Limits of one build: wall-clock time, address space, the largest file, and processor time."""

    seconds: float
    memory_bytes: int
    file_bytes: int
    processor_seconds: float = float("inf")

    def of(self, checkpoint: Path) -> "BuildLimits":
        """Return the limits for a build of these weights; small weights get less memory and processor time."""
        weights = checkpoint / WEIGHTS
        size = weights.stat().st_size if weights.is_file() else 0
        return replace(
            self,
            memory_bytes=min(self.memory_bytes, FIRST_MEMORY_BYTES + MEMORY_PER_BYTE * size),
            processor_seconds=min(
                self.seconds, self.processor_seconds, FIRST_SECONDS + SECONDS_PER_BYTE * size
            ),
        )


class Packaging:
    """`python -m model_archives package` in the serving environment."""

    def __init__(
        self, python: Path, sources: Sequence[Path], enclosure: Enclosure, limits: BuildLimits
    ) -> None:
        self._python = python
        self._sources = sources
        self._enclosure = enclosure
        self._limits = limits

    def package(
        self,
        checkpoint: Path,
        built: Path,
        folder: Path,
        order: BuildOrder,
        say: Say,
        cancelled: threading.Event | None = None,
    ) -> None:
        """Package a checkpoint into the folder `built`; both lie in `folder`. Raises BuildFailed.

        It ends, and all of its processes, once it is `cancelled`.
        """
        lines: list[str] = []
        limits = self._limits.of(checkpoint)

        def heard(line: str) -> None:
            lines.append(line)
            say(line)

        command = self._command(checkpoint, built, order, folder, limits)
        status = self._run(command, folder, heard, cancelled or threading.Event())
        if status != 0:
            raise self._failure(status, lines, limits)

    def _command(
        self, checkpoint: Path, built: Path, order: BuildOrder, folder: Path, limits: BuildLimits
    ) -> list[str]:
        options = [
            f"--name={order.name}",
            f"--version={order.version}",
            f"--store={built}",
            f"--task-type={order.task_type}",
            *(f"--field={field}" for field in order.fields),
            *([] if order.max_tokens is None else [f"--max-tokens={order.max_tokens}"]),
        ]
        package = [str(self._python), "-m", "model_archives", "package", str(checkpoint), *options]
        numbers = (limits.memory_bytes, int(limits.processor_seconds), limits.file_bytes)
        limited = [sys.executable, "-m", "model_agent.building.limited", *map(str, numbers)]
        return [*limited, *self._enclosure.around(package, folder)]

    def _run(self, command: list[str], folder: Path, heard: Say, cancelled: threading.Event) -> int:
        with subprocess.Popen(
            command,
            cwd=folder,
            env=self._environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            ended = threading.Event()
            late = time.monotonic() + self._limits.seconds
            guard = threading.Thread(target=_guard, args=(process.pid, late, ended, cancelled), daemon=True)
            guard.start()
            try:
                for line in process.stdout or ():
                    text = line.decode(errors="replace").strip().replace(f"{folder}/", "")
                    if text:
                        heard(text[:LONGEST_LINE])
                status = process.wait()
            finally:
                is_late = time.monotonic() >= late
                ended.set()
                guard.join()
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

    def _failure(self, status: int, lines: list[str], limits: BuildLimits) -> BuildFailed:
        if status in KILLED_BY_CPU_LIMIT and limits.processor_seconds >= limits.seconds:
            return self._too_long()
        if status in KILLED_BY_CPU_LIMIT:
            return BuildFailed(
                Fault.YOURS,
                f"building the archive took more than {limits.processor_seconds:.0f} processor seconds, the most for "
                "weights of this size",
                "Send a smaller model.",
            )
        if any(sign in line for line in lines[-20:] for sign in NO_MEMORY):
            gigabytes = limits.memory_bytes / 1e9
            return BuildFailed(
                Fault.YOURS,
                f"building the archive needs more than {gigabytes:.0f} GB of memory, the most for weights of this size",
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


def _guard(group: int, late: float, ended: threading.Event, cancelled: threading.Event) -> None:
    """End a group of processes when it is late or cancelled."""
    while not ended.wait(GUARD_SECONDS):
        if cancelled.is_set() or time.monotonic() >= late:
            _end(group)
            return

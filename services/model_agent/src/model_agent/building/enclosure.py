"""A place for the builds' processes: bubblewrap without network and without the rest of the disk, where it works."""

import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
TRIAL_SECONDS = 10
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
APART = ("--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")


class Enclosure:
    """Wraps commands that see only the system's programs, the serving environment and their own folder."""

    def __init__(self, serving_python: Path, sources: Sequence[Path]) -> None:
        self._readable = [*_folders_of(serving_python), *sources]
        self._bwrap = shutil.which("bwrap")
        self.is_closed = self._bwrap is not None and self._works()
        if not self.is_closed:
            log.warning("builds_not_enclosed", reason="bubblewrap is missing or may not make namespaces here")

    def around(self, command: Sequence[str], folder: Path) -> list[str]:
        """Return the command that runs `command` in here, writing to `folder` alone."""
        if not self.is_closed or self._bwrap is None:
            return list(command)
        place = ("--bind", str(folder), str(folder), "--chdir", str(folder))
        return [*self._closed(self._bwrap), *place, "--", *command]

    def _works(self) -> bool:
        try:
            trial = subprocess.run(
                [*self._closed(str(self._bwrap)), "--", "/usr/bin/true"],
                capture_output=True,
                timeout=TRIAL_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        return trial.returncode == 0

    def _closed(self, bwrap: str) -> list[str]:
        command = [bwrap, *APART, "--die-with-parent", "--new-session"]
        for folder in SYSTEM:
            command += ["--ro-bind-try", folder, folder]
        command += ["--proc", "/proc", "--dev", "/dev"]
        for readable in self._readable:
            command += ["--ro-bind", str(readable), str(readable)]
        return command


def _folders_of(python: Path) -> Iterable[Path]:
    """Return the folders of an interpreter: of its environment, and of the installation that this rests on."""
    yield python.parent.parent
    installation = python.resolve().parent.parent
    if not any(installation.is_relative_to(system) for system in SYSTEM):
        yield installation

"""Control groups, versions 1 and 2, which limit all processes of a sandbox together.

Limits of single processes (`ulimit`) do not suffice: each process that a handler forks gets the whole limit again.
"""

import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from model_agent.sandbox.limits import SandboxLimits

PERIOD_MICROSECONDS = 100_000
# All sandboxes together weigh a quarter of a single ordinary process (1024), or group (100).
V1_WEIGHT, V2_WEIGHT = "256", "25"
CONTROLLERS = ("memory", "cpu", "pids")
ROOT = Path("/sys/fs/cgroup")
OWN = "dynabench-sandboxes"
END_SECONDS = 10.0


class NoControlGroups(Exception):
    """Control groups can't be created; the message gives the reason and a remedy."""


@dataclass(frozen=True)
class ControlGroup:
    """The group of one sandbox: one folder (version 2) or one for each controller (version 1)."""

    folders: tuple[Path, ...]

    @property
    def entrances(self) -> tuple[Path, ...]:
        """Return the files that a process writes 0 into to join."""
        return tuple(folder / "cgroup.procs" for folder in self.folders)

    def processes(self) -> set[int]:
        """Return the ids of the processes in it."""
        found: set[int] = set()
        for entrance in self.entrances:
            with suppress(OSError):
                found.update(int(line) for line in entrance.read_text().split())
        return found

    def excess(self) -> str | None:
        """Return a sentence about the limit that was reached, or None."""
        if self._count("oom_kill", "memory.oom_control", "memory.events"):
            return "it ran out of memory"
        if self._count("max", "pids.events"):
            return "it started too many processes"
        return None

    def memory_bytes(self) -> int:
        """Return its peak memory; 0 if the kernel does not report it."""
        for folder in self.folders:
            for name in ("memory.max_usage_in_bytes", "memory.peak"):
                with suppress(OSError, ValueError):
                    return int((folder / name).read_text())
        return 0

    def end(self) -> bool:
        """Kill its processes and remove it; return whether it is gone."""
        until = time.monotonic() + END_SECONDS
        for folder in self.folders:
            if (folder / "cgroup.kill").exists():  # version 2 ends all at once
                with suppress(OSError):
                    (folder / "cgroup.kill").write_text("1")
        while self.processes() and time.monotonic() < until:
            for process in self.processes():
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.02)
        for folder in self.folders:
            _remove(folder, until)
        return not any(folder.exists() for folder in self.folders)

    def _count(self, key: str, *names: str) -> int:
        for folder in self.folders:
            for name in names:
                with suppress(OSError, ValueError):
                    lines = dict(line.split() for line in (folder / name).read_text().splitlines())
                    if key in lines:
                        return int(lines[key])
        return 0


def _remove(folder: Path, until: float) -> None:
    while folder.exists():
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:  # its last processes are still exiting
            if time.monotonic() > until:
                return
            time.sleep(0.02)


class ControlGroups:
    """Factory of groups below folders of its own; `name` distinguishes them from other agents' on this machine."""

    def __init__(self, name: str, control_group: Path | None = None, root: Path = ROOT) -> None:
        """Find a writable place. Raises NoControlGroups."""
        own = _own_paths()
        self._parents: tuple[Path, ...]
        self._is_unified = control_group is not None or (root / "cgroup.controllers").is_file()
        if self._is_unified:
            places = [control_group] if control_group else [root / own.get("", "").lstrip("/"), root]
            self._parents = (_first_unified_parent(places, name),)
        else:
            self._parents = tuple(
                _parent(root / each, own.get(each, "/").lstrip("/"), name) for each in CONTROLLERS
            )

        for parent in self._parents:
            _yield_to_others(parent)

    def make(self, name: str, limits: SandboxLimits) -> ControlGroup:
        """Return a fresh, empty group with the limits. Raises NoControlGroups."""
        group = ControlGroup(tuple(parent / name for parent in self._parents))
        group.end()
        try:
            for folder in group.folders:
                folder.mkdir()
            settings = _unified_settings(limits) if self._is_unified else _settings(limits)
            for file, value in settings.items():
                _write(group, file, value)
            # Some kernels do not count swap; where it is counted, the group gets none.
            for file, value in _swap_settings(limits, self._is_unified).items():
                with suppress(OSError):
                    _write(group, file, value)
        except OSError as err:
            group.end()
            raise NoControlGroups(f"{err.strerror}: {err.filename}") from err
        return group

    def end_all(self) -> int:
        """Kill what an earlier agent left in its groups; return how many groups there were."""
        names = {path.name for parent in self._parents for path in parent.iterdir() if path.is_dir()}
        for name in names:
            ControlGroup(tuple(parent / name for parent in self._parents)).end()
        return len(names)


def _yield_to_others(parent: Path) -> None:
    """Give other programs priority when processors are scarce."""
    for folder in (parent, parent.parent):
        for file, weight in (("cpu.shares", V1_WEIGHT), ("cpu.weight", V2_WEIGHT)):
            with suppress(OSError):
                if (folder / file).exists():
                    (folder / file).write_text(weight)


def _write(group: ControlGroup, file: str, value: str) -> None:
    for folder in group.folders:
        if len(group.folders) == 1 or (folder / file).exists():
            (folder / file).write_text(value)
            return
    raise FileNotFoundError(2, "no such control", file)


def _settings(limits: SandboxLimits) -> dict[str, str]:
    return {
        "memory.limit_in_bytes": str(limits.memory_bytes),
        "cpu.cfs_period_us": str(PERIOD_MICROSECONDS),
        "cpu.cfs_quota_us": str(round(limits.processors * PERIOD_MICROSECONDS)),
        "pids.max": str(limits.processes),
    }


def _unified_settings(limits: SandboxLimits) -> dict[str, str]:
    return {
        "memory.max": str(limits.memory_bytes),
        "memory.oom.group": "1",
        "cpu.max": f"{round(limits.processors * PERIOD_MICROSECONDS)} {PERIOD_MICROSECONDS}",
        "pids.max": str(limits.processes),
    }


def _swap_settings(limits: SandboxLimits, is_unified: bool) -> dict[str, str]:
    return (
        {"memory.swap.max": "0"} if is_unified else {"memory.memsw.limit_in_bytes": str(limits.memory_bytes)}
    )


def _own_paths() -> dict[str, str]:
    """Return this process's group by controller; "" is that of version 2."""
    found = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        found.update(dict.fromkeys(controllers.split(","), path))
    return found


def _parent(mounted: Path, own: str, name: str) -> Path:
    """Return a folder below this process's own group, or below the root group if that is not visible here."""
    place = mounted / own if (mounted / own).is_dir() else mounted
    parent = place / OWN / name
    try:
        parent.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise NoControlGroups(
            f"control groups can't be made in {place} ({err.strerror}); run the agent as root, or on a machine with "
            "control groups version 2 name a folder handed to it"
        ) from err
    return parent


def _first_unified_parent(places: Sequence[Path], name: str) -> Path:
    """Return a folder below the first usable place. Only the root group may contain processes."""
    for place in places[:-1]:
        with suppress(NoControlGroups):
            return _unified_parent(place, name)
    return _unified_parent(places[-1], name)


def _unified_parent(place: Path, name: str) -> Path:
    parent = place / OWN / name
    wanted = " ".join(f"+{each}" for each in CONTROLLERS)
    try:
        parent.mkdir(parents=True, exist_ok=True)
        for folder in (place, place / OWN, parent):
            control = folder / "cgroup.subtree_control"
            if set(CONTROLLERS) - set(control.read_text().split()):
                control.write_text(wanted)
    except OSError as err:
        raise NoControlGroups(
            f"control groups can't be made in {place} ({err.strerror}); name a folder of control groups version 2 "
            "that was handed to the agent's user and that no process is in"
        ) from err
    return parent

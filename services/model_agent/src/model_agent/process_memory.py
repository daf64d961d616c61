"""Memory and processor time of processes, as measured by this machine's kernel."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

PROCESSES = Path("/proc")
PEAK = "VmHWM:"
WORKER = b"model_service_worker"
"""Stands in the command line of each worker of TorchServe."""
MEBIBYTE = 1 << 20
PRESSURE = "pressure/cpu"


def peak_bytes(pid: int, processes: Path = PROCESSES) -> int | None:
    """Return the peak resident memory of a process, rounded up to whole MiB; None if it can't be read.

    It holds the pages that the process shares with others, such as libraries. Source: `VmHWM` of proc_pid_status(5).
    """
    if pid <= 0:
        return None
    try:
        lines = (processes / str(pid) / "status").read_text(encoding="utf-8", errors="replace").splitlines()
        kibibytes = next(int(line.split()[1]) for line in lines if line.startswith(PEAK))
    except (OSError, StopIteration, IndexError, ValueError):
        return None
    return -(-kibibytes * 1024 // MEBIBYTE) * MEBIBYTE


def processor_seconds(pids: Iterable[int], processes: Path = PROCESSES) -> float:
    """Return the processor time that processes have used; one that has ended counts nothing.

    Source: `utime` and `stime` of proc_pid_stat(5).
    """
    ticks = 0
    for pid in pids:
        with suppress(OSError, IndexError, ValueError):
            after_name = (processes / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
            ticks += int(after_name[11]) + int(after_name[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def pressure_seconds(processes: Path = PROCESSES) -> float:
    """Return the time that programs have waited for a processor since the machine's start; 0 if it can't be read.

    Source: `some` of Linux's pressure stall information, accounting/psi.
    """
    with suppress(OSError, IndexError, ValueError):
        return int((processes / PRESSURE).read_text().split("total=")[1].split()[0]) / 1e6
    return 0.0


def worker_peak_bytes(pid: int, processes: Path = PROCESSES) -> int | None:
    """Return the peak of a worker of TorchServe; None if this process is no worker.

    Outside TorchServe's container, the same number may belong to another process.
    """
    try:
        is_worker = pid > 0 and WORKER in (processes / str(pid) / "cmdline").read_bytes()
    except OSError:
        return None
    return peak_bytes(pid, processes) if is_worker else None


def largest_peak(pids: Iterable[int], processes: Path = PROCESSES) -> int | None:
    """Return the largest peak of several processes; None if none can be read."""
    return max((peak for pid in pids if (peak := peak_bytes(pid, processes)) is not None), default=None)

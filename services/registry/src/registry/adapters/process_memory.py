"""How much memory processes have needed at most, as the kernel of this machine tells it."""

from collections.abc import Iterable
from pathlib import Path

PROCESSES = Path("/proc")
PEAK = "VmHWM:"
WORKER = b"model_service_worker"
"""Stands in the command line of each worker of TorchServe."""
MEBIBYTE = 1 << 20


def peak_bytes(pid: int, processes: Path = PROCESSES) -> int | None:
    """Return the peak resident memory of a process, rounded up to whole MiB; None where nobody can tell.

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


def worker_peak_bytes(pid: int, processes: Path = PROCESSES) -> int | None:
    """Return the peak of a worker of TorchServe; None where that number is no worker's here.

    Who looks from another container than TorchServe's sees other processes under the same numbers.
    """
    try:
        is_worker = pid > 0 and WORKER in (processes / str(pid) / "cmdline").read_bytes()
    except OSError:
        return None
    return peak_bytes(pid, processes) if is_worker else None


def largest_peak(pids: Iterable[int], processes: Path = PROCESSES) -> int | None:
    """Return the largest peak of several processes; None where none can be told."""
    return max((peak for pid in pids if (peak := peak_bytes(pid, processes)) is not None), default=None)

"""Checks before the start; each failure is one line with the remedy.

The Makefile has already checked Python, since this module can't run without it.
"""

import os
import shutil
import socket
import stat
from pathlib import Path

import psutil

from dynabench_local.layout import Layout

DISK_GIB = 2
MEMORY_GIB = 5
REPLICA_GIB = 2
"""For each replica of the services beyond the first."""
SOCKET_PATH_BYTES = 107
GIB = 2**30


def problems(
    layout: Layout, *, disk_gib: int = DISK_GIB, memory_gib: int = MEMORY_GIB, whole: bool = True
) -> list[str]:
    """Return the problems that prevent a start; single parts need less memory than the whole."""
    replicas = (layout.replicas - 1) * REPLICA_GIB if whole else 0
    return [
        *_folder(layout),
        *_disk(layout.home, disk_gib),
        *_memory(memory_gib + replicas),
        *_ports(layout),
    ]


def _folder(layout: Layout) -> list[str]:
    found = []
    sockets = [layout.run / "supervisor.sock.0000000", layout.home / "torchserve" / "tmp" / ".ts.sock.00000"]
    if max(len(os.fsencode(path)) for path in sockets) > SOCKET_PATH_BYTES:
        found.append(f"{layout.home} is too long a path for sockets: set DYNABENCH_HOME to a shorter one.")
    closed = [path for path in layout.home.parents if not path.stat().st_mode & stat.S_IXOTH]
    if closed and os.getuid() == 0:
        found.append(
            f"{closed[-1]} is closed to other users, and PostgreSQL may not run as root: "
            "set DYNABENCH_HOME to a folder below /var/lib, for one."
        )
    return found


def _disk(home: Path, needed: int) -> list[str]:
    existing = next(path for path in [home, *home.parents] if path.exists())
    free = shutil.disk_usage(existing).free / GIB
    if free >= needed:
        return []
    return [
        f"{existing} has {free:.1f} GiB free, {needed} are needed: free some, or set DYNABENCH_HOME elsewhere."
    ]


def _memory(needed: int) -> list[str]:
    available = psutil.virtual_memory().available / GIB
    if available >= needed:
        return []
    return [f"{available:.1f} GiB of memory are available, {needed} are needed: end other programs."]


def _ports(layout: Layout) -> list[str]:
    taken = [f"{port} ({name})" for name, port in layout.ports.items() if not _is_free(port)]
    if not taken:
        return []
    return [f"ports {', '.join(taken)} are taken: end who holds them, or choose another PORT_BASE."]


def _is_free(port: int) -> bool:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port_base(span: int) -> int:
    """Return a base from which `span` ports are free, for tests and benchmarks.

    Processes search from different ports, so that two at once rarely choose the same.
    """
    bases = [20_000 + 100 * (offset % 120) for offset in range(os.getpid(), os.getpid() + 120)]
    for base in bases:
        if all(_is_free(port) for port in range(base, base + span)):
            return base
    raise RuntimeError("no free range of ports between 20000 and 32000")

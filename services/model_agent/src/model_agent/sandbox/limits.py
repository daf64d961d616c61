"""Resource limits of a sandbox, and the paths of its parts."""

from dataclasses import dataclass
from pathlib import Path

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class SandboxLimits:
    """Bounds of one sandbox, all of its processes together, and of how many there are."""

    most_at_once: int = 4
    """Sandboxes that run at the same time; more wait."""
    memory_bytes: int = 2048 * MEBIBYTE
    """Memory with the files in `disk_bytes`; swap counts too where the kernel can tell."""
    disk_bytes: int = 768 * MEBIBYTE
    """Size of its only writable folder, which lies in memory: unpacked archive, temporary files."""
    heap_bytes: int = 128 * MEBIBYTE
    """TorchServe's own heap."""
    processors: float = 1.0
    """Processor seconds in each second."""
    processes: int = 256
    """Processes and threads."""
    open_files: int = 1024
    """Open files of one process."""
    answer_bytes: int = MEBIBYTE
    """Longest answer of the handler."""
    log_bytes: int = 5 * MEBIBYTE
    """Size of its log, of which the oldest goes first."""
    start_seconds: float = 120.0
    """Longest time from the start until the worker is ready."""
    silent_seconds: float = 15.0
    """Longest time without an answer of its TorchServe before it is ended."""


@dataclass(frozen=True)
class SandboxPlaces:
    """Paths of sandboxes on this machine.

    `folder` is the sandboxes' own: only the user of this process, which is also the gateway's user, can enter it. If
    run as root, each sandbox has a user id of its own. The ids are counted from `first_user_id`, and nothing else may
    use them. `control_group` is a folder of control groups version 2 that this process was given; None looks for one.
    """

    store: Path
    folder: Path
    serving_python: Path
    java_home: Path
    control_group: Path | None = None
    first_user_id: int = 64_100
    bubblewrap: str = "bwrap"

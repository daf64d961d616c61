"""Runs a program that must not outlive its starter; run by the serving environment's Python, standard library alone.

The standard input is a lifeline: it ends with the starter, even a killed one, and then the whole process group ends.
Memory has the limit of the platform's sandboxes, but for each process, and only if the system supports it.
"""

import os
import resource
import signal
import subprocess
import sys
import threading
from contextlib import suppress

CHUNK_BYTES = 4096


def end_with_starter() -> None:
    """Wait for the end of the standard input, and end everything in this process group."""
    while os.read(0, CHUNK_BYTES):
        pass
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    memory = int(sys.argv[1])
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.Thread(target=end_with_starter, daemon=True).start()
    sys.exit(subprocess.call(sys.argv[2:], stdin=subprocess.DEVNULL))

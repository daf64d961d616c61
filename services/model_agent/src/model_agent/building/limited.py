"""Runs a command with limits: `python -m model_agent.building.limited MEMORY_BYTES CPU_SECONDS FILE_BYTES COMMAND …`.

The limits hold for the command and what it starts. It ends with the process that started it.
"""

import ctypes
import os
import resource
import signal
import sys

SET_SIGNAL_AT_PARENTS_END = 1
NICENESS = 10
MOST_FILES = 1_024


def main() -> None:
    """Set the limits and become the command."""
    memory, cpu, file_size = (int(value) for value in sys.argv[1:4])
    ctypes.CDLL(None).prctl(SET_SIGNAL_AT_PARENTS_END, signal.SIGKILL)
    for limit, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_NOFILE, MOST_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (value, value))
    os.nice(NICENESS)
    os.execv(sys.argv[4], sys.argv[4:])  # noqa: S606 - a shell is what this does without


if __name__ == "__main__":
    main()

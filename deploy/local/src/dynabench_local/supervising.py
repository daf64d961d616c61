"""Run the supervisor so that a full disk doesn't end it: `python -m dynabench_local.supervising -c FILE`.

The supervisor writes the output of parts into logs. If that fails, it writes to its own log and standard error, which
are on the same disk, and ends when that fails too. This module drops such output instead, and the parts keep running.
"""

import contextlib
from typing import Any

from supervisor import loggers, supervisord


class LossyFile(loggers.RotatingFileHandler):  # type: ignore[misc]
    """A log that drops lines while the disk is full, and continues afterwards."""

    stream: Any

    def emit(self, record: Any) -> None:
        """Write a line, or drop it."""
        with contextlib.suppress(OSError, ValueError):
            if self.stream.closed:
                self.stream = open(self.baseFilename, "ab")  # noqa: PTH123, SIM115 (kept open)
            super().emit(record)


def main() -> None:
    """Run the supervisor until it gets a signal to stop."""
    loggers.Handler.handleError = lambda _handler: None
    loggers.RotatingFileHandler = LossyFile
    supervisord.main()


if __name__ == "__main__":
    main()

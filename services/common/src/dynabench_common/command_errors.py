"""Errors that the caller of a command must correct."""

import sys
from collections.abc import Callable


class CommandRefused(Exception):
    """A command can't do what it was asked to; the text says why and what to do, in one line."""


def run_command(name: str, command: Callable[[], object]) -> None:
    """Run a command; what its caller must correct is one line on standard error and exit status 2."""
    try:
        command()
    except CommandRefused as err:
        sys.stderr.write(f"{name}: {err}\n")
        sys.exit(2)

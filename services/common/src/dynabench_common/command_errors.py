"""Errors that the caller of a command must correct."""


class CommandRefused(Exception):
    """A command can't do what it was asked to; the text says why and what to do, in one line."""

"""Refusals, as exceptions that callers can distinguish."""


class RoundNotFound(Exception):
    """No round of this id is known."""


class TaskNotFound(Exception):
    """No task of this name is known."""

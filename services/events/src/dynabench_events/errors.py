"""Errors of events that no retry can help."""


class PermanentEventError(Exception):
    """An event that can never be applied; the message says why."""


class FieldUnreadable(ValueError):
    """A field's value is not allowed by its type; the message gives the reason."""

"""The one error that this tool shows to people as a sentence instead of a traceback."""


class BuildError(Exception):
    """An input is missing or unusable; the message says which and what to do."""

"""The interface of a format's reader, and the formats by name."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

Document = dict[str, Any]


class UnusableLineError(Exception):
    """A line that its format can't read: the wrong part, the reason, and the remedy."""

    def __init__(self, field: str, reason: str, remedy: str) -> None:
        super().__init__(f"{field} {reason}")
        self.field = field
        self.reason = reason
        self.remedy = remedy


class Reader(Protocol):
    """Reads the lines of one format, each a JSON object; it keeps nothing from one line to the next."""

    def targets(self, document: Document) -> Iterable[str]:
        """Return the targets whose answers a line has."""

    def record(self, document: Document) -> Document | None:
        """Return the record of a line, None if the format omits it. Raises UnusableLineError.

        What the record's values may be is for the platform to judge, which knows the task.
        """


AnyReader = TypeVar("AnyReader", bound=type[Reader])
_readers: dict[str, type[Reader]] = {}


def register(name: str) -> Callable[[AnyReader], AnyReader]:
    """Return a decorator that enters a reader under the name of its format; a name is taken once."""

    def enter(reader: AnyReader) -> AnyReader:
        if name in _readers:
            raise ValueError(f"{name!r} is registered twice")
        _readers[name] = reader
        return reader

    return enter


def formats() -> tuple[str, ...]:
    """Return the names of all formats, in alphabetical order."""
    return tuple(sorted(_readers))


def reader_of(name: str) -> Reader:
    """Return a reader of a format. Raises KeyError."""
    return _readers[name]()


def text_of(document: Document, field: str) -> str:
    """Return a text that a line must have. Raises UnusableLineError."""
    value = document.get(field)
    if not isinstance(value, str):
        reason = "is missing" if value is None else "is not text"
        raise UnusableLineError(field, reason, "Is it a file of this format, as it was published?")
    return value

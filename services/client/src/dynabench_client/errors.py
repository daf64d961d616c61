"""Errors of a call: the platform refused, or there was no usable answer."""

import dataclasses
from collections.abc import Mapping
from typing import Any

NO_TYPE = "about:blank"


@dataclasses.dataclass(eq=False)
class ProblemError(Exception):
    """The platform answered with a problem (RFC 9457).

    `type` is stable and made for programs; `detail` and `remedy` are made for people; `field` names the part
    of the wrong input; `retry_after` is in seconds.
    """

    status: int
    type: str
    title: str
    detail: str
    field: str | None = None
    remedy: str | None = None
    request_id: str | None = None
    retry_after: float | None = None
    document: Mapping[str, Any] = dataclasses.field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        super().__init__(self.detail)

    def __str__(self) -> str:
        return self.detail or self.title

    @property
    def slug(self) -> str:
        """The last part of the type, such as `round-closed`."""
        return self.type.rpartition("/")[2]

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters of title, detail and remedy."""
        found = self.document.get("parameters")
        return found if isinstance(found, Mapping) else {}

    @property
    def is_ours(self) -> bool:
        """True if the platform is at fault, not the request."""
        return self.status >= 500


class UnreachableError(Exception):
    """No answer came, after the retries that were safe.

    `address` has no query, since the query of a stored file's address lets anybody read the file.
    """

    def __init__(self, address: str, reason: str) -> None:
        self.address = address.partition("?")[0]
        self.reason = reason
        super().__init__(f"{self.address} can't be reached: {reason}")


class UnexpectedAnswerError(UnreachableError):
    """Something answered, but not a Dynabench of a version that this client understands."""


def problem_of(status: int, document: object, headers: Mapping[str, str]) -> ProblemError:
    """Return the error for an unsuccessful answer, with any body."""
    fields: Mapping[str, Any] = document if isinstance(document, dict) else {}
    return ProblemError(
        status=status,
        type=_text(fields.get("type")) or NO_TYPE,
        title=_text(fields.get("title")) or f"Status {status}",
        detail=_text(fields.get("detail")) or f"The server answered with status {status}.",
        field=_text(fields.get("field")),
        remedy=_text(fields.get("remedy")),
        request_id=_text(fields.get("request_id")) or headers.get("X-Request-Id"),
        retry_after=seconds_of(headers.get("Retry-After")),
        document=fields,
    )


def seconds_of(header: str | None) -> float | None:
    """Return a Retry-After of whole seconds; a date or nonsense counts as none."""
    return float(header) if header is not None and header.strip().isdigit() else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None

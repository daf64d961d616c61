"""The request id, the W3C trace context and the asker of the work in hand, carried through calls and events."""

import secrets
from contextvars import ContextVar

request_id_variable: ContextVar[str | None] = ContextVar("request_id", default=None)
traceparent_variable: ContextVar[str | None] = ContextVar("traceparent", default=None)
asker_variable: ContextVar[str | None] = ContextVar("asker", default=None)


def new_traceparent() -> str:
    """Return a fresh W3C `traceparent` value (version 00, sampled)."""
    return f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"


def current_request_id() -> str | None:
    """Return the id of the request being served, if one is."""
    return request_id_variable.get()


def current_traceparent() -> str | None:
    """Return the trace context of the work in hand, if it has one."""
    return traceparent_variable.get()

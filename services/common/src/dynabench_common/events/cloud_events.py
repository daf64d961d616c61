"""Events on the wire: CloudEvents in Kafka's binary mode, with a protobuf message as value."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_events import PermanentEventError
from google.protobuf.message import DecodeError, Message

__all__ = ["CONTENT_TYPE", "SPECIFICATION", "Decoder", "Event", "PermanentEventError", "headers_for"]

SPECIFICATION = "1.0"
CONTENT_TYPE = "application/protobuf"


@dataclass(frozen=True)
class Event:
    """An event as a consumer sees it."""

    id: UUID
    type: str
    source: str
    time: datetime
    aggregate_id: UUID
    aggregate_version: int
    message: Message
    topic: str
    traceparent: str | None = None


def headers_for(
    *,
    event_id: UUID,
    type_name: str,
    source: str,
    time: datetime,
    aggregate_version: int,
    traceparent: str | None,
) -> list[tuple[str, bytes]]:
    """Return the Kafka headers of an event."""
    headers = {
        "ce_specversion": SPECIFICATION,
        "ce_id": str(event_id),
        "ce_type": type_name,
        "ce_source": source,
        "ce_time": time.isoformat(),
        "content-type": CONTENT_TYPE,
        "aggregate_version": str(aggregate_version),
    }
    if traceparent:
        headers["traceparent"] = traceparent
    return [(name, value.encode()) for name, value in headers.items()]


class Decoder:
    """Decodes the event types that a consumer accepts and skips all others."""

    def __init__(self, accepts: Iterable[type[Message]]) -> None:
        self._classes: Mapping[str, type[Message]] = {kind.DESCRIPTOR.full_name: kind for kind in accepts}

    def decode(
        self, topic: str, key: bytes | None, value: bytes | None, headers: Sequence[tuple[str, bytes]]
    ) -> Event | None:
        """Return the event, or None for a type that is not accepted.

        Raises PermanentEventError for a malformed event.
        """
        try:
            fields = {name: content.decode() for name, content in headers}
            message_class = self._classes.get(fields["ce_type"])
            if message_class is None:
                return None
            return Event(
                id=UUID(fields["ce_id"]),
                type=fields["ce_type"],
                source=fields["ce_source"],
                time=datetime.fromisoformat(fields["ce_time"]),
                aggregate_id=UUID((key or b"").decode()),
                aggregate_version=int(fields["aggregate_version"]),
                message=_parse(message_class, value),
                topic=topic,
                traceparent=fields.get("traceparent"),
            )
        except KeyError as err:
            raise PermanentEventError(f"header {err} is missing") from err
        except (ValueError, DecodeError, UnicodeDecodeError) as err:
            raise PermanentEventError(f"undecodable: {err}") from err


def _parse(message_class: type[Message], value: bytes | None) -> Message:
    if not value:
        raise ValueError("the value is empty")
    message: Any = message_class()
    message.ParseFromString(value)
    return message  # type: ignore[no-any-return]

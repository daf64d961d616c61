"""Replies stored under the client's Idempotency-Key, in the transaction of the effect itself.

A retry after a lost reply finds the first reply. Two requests at once race for one row; the loser rolls back and reads
the winner's reply.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, Column, Connection, DateTime, MetaData, Table, Text, Uuid, func, select
from sqlalchemy.dialects.postgresql import insert


class IdempotencyKeyReused(Exception):
    """The key was used with another request."""


class ConcurrentReplay(Exception):
    """Another transaction stored a reply under this key first: roll back and look again."""


def idempotency_table(metadata: MetaData) -> Table:
    """Declare the table of replies to requests that carried an Idempotency-Key."""
    return Table(
        "idempotency",
        metadata,
        Column("person_id", Uuid, primary_key=True),
        Column("scope", Text, primary_key=True),
        Column("key", Text, primary_key=True),
        Column("fingerprint", Text, nullable=False),
        Column("response", JSON, nullable=False),
        Column("created_at", DateTime(timezone=True), server_default=func.now(), nullable=False, index=True),
    )


def fingerprint(body: object) -> str:
    """Return a digest of a JSON-like body that does not depend on the order of keys."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class KeyedRequest:
    """A request that may come again: the same person, scope, key and body mean the same request."""

    person_id: UUID
    scope: str
    key: str | None
    fingerprint: str


class Replies:
    """Replies kept under their Idempotency-Key; a request without a key is never a repeat."""

    def __init__(self, connection: Connection, table: Table) -> None:
        self._connection = connection
        self._table = table

    def find(self, request: KeyedRequest) -> dict[str, Any] | None:
        """Return the reply stored under the key, or None.

        Raises IdempotencyKeyReused if it was stored for another body.
        """
        if request.key is None:
            return None
        stored = self._table.c
        statement = select(stored.fingerprint, stored.response).where(
            stored.person_id == request.person_id, stored.scope == request.scope, stored.key == request.key
        )
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            return None
        if row.fingerprint != request.fingerprint:
            raise IdempotencyKeyReused(request.key)
        return dict(row.response)

    def store(self, request: KeyedRequest, reply: Mapping[str, Any]) -> None:
        """Keep a reply under the key. Raises ConcurrentReplay if another transaction was first."""
        if request.key is None:
            return
        statement = insert(self._table).values(**vars(request), response=dict(reply))
        if self._connection.execute(statement.on_conflict_do_nothing()).rowcount == 0:
            raise ConcurrentReplay(request.key)

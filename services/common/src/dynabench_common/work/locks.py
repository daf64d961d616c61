"""Advisory locks of single things, for example of one person or one name; they end with the transaction.

The key is a hash of the purpose, one word, and the id. Two things with equal hashes take turns. Locks with a fixed key
are in `leader.LockKey`.
"""

from uuid import UUID

from sqlalchemy import Connection, text

WAIT = text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))")
TRY = text("SELECT pg_try_advisory_xact_lock(hashtextextended(:key, 0))")


def wait_for_lock(connection: Connection, purpose: str, of: UUID | str) -> None:
    """Lock the thing with the id `of` until the transaction ends; wait for others with the same purpose."""
    connection.execute(WAIT, {"key": f"{purpose} {of}"})


def try_lock(connection: Connection, purpose: str, of: UUID | str) -> bool:
    """Lock the thing like `wait_for_lock`, but never wait; return whether this transaction has the lock."""
    is_locked: bool = connection.execute(TRY, {"key": f"{purpose} {of}"}).scalar_one()
    return is_locked

"""What rebuilding a read model from the log needs, the same in every service.

A rebuild is one transaction: readers see the old rows until it commits. It holds the inbox in a mode that lets nobody
else write there, which every batch of a worker writes first; so a worker waits without holding anything that the
rebuild needs, and afterwards finds in the inbox what the rebuild took in.
"""

from collections.abc import Iterable

from sqlalchemy import Connection, Table, select, text

PREPARE = (
    "SET LOCAL statement_timeout = 0",
    "SET LOCAL idle_in_transaction_session_timeout = 0",
    "SET LOCAL lock_timeout = '60s'",
    "LOCK TABLE inbox IN EXCLUSIVE MODE",
)


class LogIsEmpty(Exception):
    """The log holds nothing though events were taken in: the wrong broker or topic prefix."""


def take_hold(connection: Connection) -> None:
    """Wait until no worker is in the middle of a batch, and keep them out until the transaction ends."""
    for statement in PREPARE:
        connection.execute(text(statement))


def holds_anything(connection: Connection, tables: Iterable[Table]) -> bool:
    """Tell whether there is a row in any of the tables; the inbox alone does not tell, since it is pruned."""
    return any(
        connection.execute(select(1).select_from(table).limit(1)).scalar_one_or_none() is not None
        for table in tables
    )


def ensure_log_held_something(applied: int, *, held_before: bool) -> None:
    """Raise LogIsEmpty if nothing was read in the place of rows that were there."""
    if held_before and not applied:
        raise LogIsEmpty("the log is empty, but events were taken in before")

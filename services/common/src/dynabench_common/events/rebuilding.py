"""Shared parts of rebuilding a service's copies of the log in place.

Such a rebuild is one transaction: readers see the old rows until it commits. It locks the inbox against writes by
others, and every batch of a worker writes the inbox first. So a waiting worker locks nothing that the rebuild needs.
The worker gives up after five seconds and retries for as long as it takes. Afterwards it finds in the inbox what the
rebuild processed.
"""

from collections.abc import Iterable

from sqlalchemy import Connection, Table, select, text
from sqlalchemy.exc import OperationalError

from dynabench_common.command_errors import CommandRefused

WITHOUT_TIMEOUTS = (
    "SET LOCAL statement_timeout = 0",
    "SET LOCAL idle_in_transaction_session_timeout = 0",
)
LOCK_NOT_AVAILABLE = "55P03"


class LogIsEmpty(CommandRefused):
    """The log is empty though events were processed: the wrong broker or topic prefix."""


class AnotherRebuildRuns(CommandRefused):
    """Another process rebuilds these copies."""


def take_hold(connection: Connection, patience_seconds: int = 60) -> None:
    """Lock the inbox: wait for running batches, and block workers until the transaction ends.

    Raises AnotherRebuildRuns if that takes longer than batches do.
    """
    try:
        for statement in WITHOUT_TIMEOUTS:
            connection.execute(text(statement))
        connection.execute(text(f"SET LOCAL lock_timeout = '{patience_seconds}s'"))
        connection.execute(text("LOCK TABLE inbox IN EXCLUSIVE MODE"))
    except OperationalError as err:
        if getattr(err.orig, "pgcode", None) != LOCK_NOT_AVAILABLE:
            raise
        raise AnotherRebuildRuns("another rebuild runs: wait for its end, then see if one is needed") from err


def holds_anything(connection: Connection, tables: Iterable[Table]) -> bool:
    """Return whether any of the tables has a row; the inbox alone is no evidence, since it is pruned."""
    return any(
        connection.execute(select(1).select_from(table).limit(1)).scalar_one_or_none() is not None
        for table in tables
    )


def ensure_log_has_events(applied: int, *, had_rows: bool) -> None:
    """Raise LogIsEmpty if no event was applied although the tables had rows before."""
    if had_rows and not applied:
        raise LogIsEmpty("the log is empty, but events were taken in before")

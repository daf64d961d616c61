"""The read model built anew from the log.

One transaction empties the tables and fills them again, so readers see the old boards until the new ones stand.
It holds the inbox in a mode that lets nobody else write there. Every batch of the live worker writes its inbox
first, so none can be half done: the worker waits, and afterwards finds in the inbox what the rebuild took in.
Rows are deleted, not truncated, since a truncation would lock readers out.
"""

from collections.abc import Callable

from dynabench_common.consumer import Projection
from sqlalchemy import Connection, Engine, func, select, text

from leaderboard.adapters.projection import BoardProjection
from leaderboard.adapters.tables import inbox, read_models

PREPARE = (
    "SET LOCAL statement_timeout = 0",
    "SET LOCAL idle_in_transaction_session_timeout = 0",
    "SET LOCAL lock_timeout = '60s'",
    "LOCK TABLE inbox IN EXCLUSIVE MODE",
)

ReplayLog = Callable[[Connection, Projection], int]


class LogIsEmpty(Exception):
    """The log holds nothing though events were taken in: the wrong broker or topic prefix."""


def rebuild(engine: Engine, replay_log: ReplayLog) -> int:
    """Replace every read model by what the log gives and return the number of events applied.

    Raises LogIsEmpty, and then changes nothing.
    """
    with engine.begin() as connection:
        for statement in PREPARE:
            connection.execute(text(statement))
        taken_in = connection.execute(select(func.count()).select_from(inbox)).scalar_one()
        for table in (*read_models, inbox):
            connection.execute(table.delete())
        applied = replay_log(connection, BoardProjection())
        if taken_in and not applied:
            raise LogIsEmpty(f"the log is empty, but {taken_in} events were taken in before")
        return applied

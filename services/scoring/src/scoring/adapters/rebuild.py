"""The facts read anew from the log; releases, datasets and their keys are scoring's own and stay.

It is one transaction: readers see the old facts until it commits and nothing is published. It holds the inbox first,
which every batch of the worker writes first, so the worker waits without holding anything that the rebuild needs.
"""

from collections.abc import Callable

from dynabench_common.consumer import Projection
from sqlalchemy import Connection, Engine, func, select, text

from scoring.adapters.projection import FactProjection
from scoring.adapters.tables import COPIES, inbox

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
    """Replace all facts by what the log gives and return the number of events applied.

    Raises LogIsEmpty, and then changes nothing.
    """
    with engine.begin() as connection:
        for statement in PREPARE:
            connection.execute(text(statement))
        taken_in = connection.execute(select(func.count()).select_from(inbox)).scalar_one()
        for table in (*COPIES, inbox):
            connection.execute(table.delete())
        applied = replay_log(connection, FactProjection())
        if taken_in and not applied:
            raise LogIsEmpty(f"the log is empty, but {taken_in} events were taken in before")
        return applied

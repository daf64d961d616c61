"""The facts read anew from the log; releases, datasets and their keys are scoring's own and stay.

It is one transaction: readers see the old facts until it commits and nothing is published.
"""

from collections.abc import Callable

from dynabench_common.consumer import Projection
from dynabench_common.rebuilding import ensure_log_held_something, holds_anything, take_hold
from sqlalchemy import Connection, Engine

from scoring.adapters.projection import FactProjection
from scoring.adapters.tables import COPIES, inbox

ReplayLog = Callable[[Connection, Projection], int]


def rebuild(engine: Engine, replay_log: ReplayLog) -> int:
    """Replace all facts by what the log gives and return the number of events applied.

    Raises LogIsEmpty or AnotherRebuildRuns, and then changes nothing.
    """
    with engine.begin() as connection:
        take_hold(connection)
        held_before = holds_anything(connection, (inbox, *COPIES))
        for table in (*COPIES, inbox):
            connection.execute(table.delete())
        applied = replay_log(connection, FactProjection())
        ensure_log_held_something(applied, held_before=held_before)
        return applied

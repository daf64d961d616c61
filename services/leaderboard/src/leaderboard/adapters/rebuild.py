"""The read model built anew from the log.

One transaction empties the tables and fills them again, so readers see the old boards until the new ones stand.
Rows are deleted, not truncated, since a truncation would lock readers out.

Rows made by an older version of the counting lack what the present one moves by differences, so a worker brings them
up to date before it takes events in.
"""

from collections.abc import Callable

from dynabench_common.consumer import Projection
from dynabench_common.rebuilding import ensure_log_held_something, holds_anything, take_hold
from sqlalchemy import Connection, Engine

from leaderboard.adapters import read_model_version
from leaderboard.adapters.projection import VERSION, BoardProjection, look_again
from leaderboard.adapters.tables import inbox, read_models

ReplayLog = Callable[[Connection, Projection], int]


def rebuild(engine: Engine, replay_log: ReplayLog) -> int:
    """Replace every read model by what the log gives and return the number of events applied.

    Raises LogIsEmpty, and then changes nothing.
    """
    with engine.begin() as connection:
        take_hold(connection)
        return _rebuild(connection, replay_log)


def bring_up_to_date(engine: Engine, replay_log: ReplayLog) -> int | None:
    """Rebuild if the rows were made by another version of the counting; return the number of events applied.

    None if nothing had to be done, as before the first event. Raises LogIsEmpty, or MadeByNewerVersion if the rows are
    those of a newer version, and then changes nothing: only `rebuild`, which somebody asks for, goes back.
    """
    with engine.begin() as connection:
        if _is_of_this_version(connection):
            look_again(connection)
            return None
    with engine.begin() as connection:
        take_hold(connection)
        # Another worker may have done it while this one waited.
        if _is_of_this_version(connection):
            return None
        if holds_anything(connection, (inbox, *read_models)):
            return _rebuild(connection, replay_log)
        read_model_version.state(connection, VERSION)
        return None


def _is_of_this_version(connection: Connection) -> bool:
    """Compare with the rows' version. Raises MadeByNewerVersion."""
    read_model_version.ensure_not_newer(connection, VERSION)
    return read_model_version.version_of(connection) == VERSION


def _rebuild(connection: Connection, replay_log: ReplayLog) -> int:
    held_before = holds_anything(connection, (inbox, *read_models))
    for table in (*read_models, inbox):
        connection.execute(table.delete())
    read_model_version.state(connection, VERSION)
    applied = replay_log(connection, BoardProjection())
    ensure_log_held_something(applied, held_before=held_before)
    return applied

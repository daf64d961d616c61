"""The read model built anew from the log.

One transaction empties the tables and fills them again, so readers see the old boards until the new ones stand.
It holds the inbox in a mode that lets nobody else write there. Every batch of the live worker writes its inbox
first, so none can be half done: the worker waits, and afterwards finds in the inbox what the rebuild took in.
Rows are deleted, not truncated, since a truncation would lock readers out.

Rows made by an older version of the counting lack what the present one moves by differences, so a worker brings them
up to date before it takes events in.
"""

from collections.abc import Callable

from dynabench_common.consumer import Projection
from sqlalchemy import Connection, Engine, select, text

from leaderboard.adapters import read_model_version
from leaderboard.adapters.projection import VERSION, BoardProjection
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
        _take_hold(connection)
        return _rebuild(connection, replay_log)


def bring_up_to_date(engine: Engine, replay_log: ReplayLog) -> int | None:
    """Rebuild if the rows were made by another version of the counting; return the number of events applied.

    None if nothing had to be done, as before the first event. Raises LogIsEmpty, or MadeByNewerVersion if the rows are
    those of a newer version, and then changes nothing: only `rebuild`, which somebody asks for, goes back.
    """
    with engine.begin() as connection:
        if _is_of_this_version(connection):
            return None
    with engine.begin() as connection:
        _take_hold(connection)
        # Another worker may have done it while this one waited.
        if _is_of_this_version(connection):
            return None
        if _holds_anything(connection):
            return _rebuild(connection, replay_log)
        read_model_version.state(connection, VERSION)
        return None


def _is_of_this_version(connection: Connection) -> bool:
    """Compare with the rows' version. Raises MadeByNewerVersion."""
    read_model_version.ensure_not_newer(connection, VERSION)
    return read_model_version.version_of(connection) == VERSION


def _take_hold(connection: Connection) -> None:
    for statement in PREPARE:
        connection.execute(text(statement))


def _rebuild(connection: Connection, replay_log: ReplayLog) -> int:
    holds_anything = _holds_anything(connection)
    for table in (*read_models, inbox):
        connection.execute(table.delete())
    read_model_version.state(connection, VERSION)
    applied = replay_log(connection, BoardProjection())
    if holds_anything and not applied:
        raise LogIsEmpty("the log is empty, but events were taken in before")
    return applied


def _holds_anything(connection: Connection) -> bool:
    """Tell whether events were taken in before; their inbox rows may be pruned by now."""
    return any(
        connection.execute(select(1).select_from(table).limit(1)).scalar_one_or_none() is not None
        for table in (inbox, *read_models)
    )

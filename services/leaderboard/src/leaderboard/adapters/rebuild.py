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
from sqlalchemy import Connection, Engine, func, select, text
from sqlalchemy.dialects.postgresql import insert

from leaderboard.adapters.projection import VERSION, BoardProjection
from leaderboard.adapters.tables import inbox, projection, read_models

NAME = "boards"

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

    None if nothing had to be done, as before the first event. Raises LogIsEmpty, and then changes nothing.
    """
    with engine.begin() as connection:
        if _version(connection) == VERSION:
            return None
    with engine.begin() as connection:
        _take_hold(connection)
        # Another worker may have done it while this one waited.
        if _version(connection) == VERSION:
            return None
        if _taken_in(connection):
            return _rebuild(connection, replay_log)
        _state_version(connection)
        return None


def _take_hold(connection: Connection) -> None:
    for statement in PREPARE:
        connection.execute(text(statement))


def _rebuild(connection: Connection, replay_log: ReplayLog) -> int:
    taken_in = _taken_in(connection)
    for table in (*read_models, inbox):
        connection.execute(table.delete())
    applied = replay_log(connection, BoardProjection())
    if taken_in and not applied:
        raise LogIsEmpty(f"the log is empty, but {taken_in} events were taken in before")
    _state_version(connection)
    return applied


def _taken_in(connection: Connection) -> int:
    return int(connection.execute(select(func.count()).select_from(inbox)).scalar_one())


def _version(connection: Connection) -> int | None:
    statement = select(projection.c.version).where(projection.c.name == NAME)
    version: int | None = connection.execute(statement).scalar_one_or_none()
    return version


def _state_version(connection: Connection) -> None:
    upsert = insert(projection).values(name=NAME, version=VERSION)
    connection.execute(
        upsert.on_conflict_do_update(index_elements=["name"], set_={"version": upsert.excluded.version})
    )

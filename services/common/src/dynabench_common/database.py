"""Connections to a service's own PostgreSQL database."""

import time
from typing import Any

from sqlalchemy import Engine, MetaData, create_engine, event
from sqlalchemy.exc import DisconnectionError

RESTED_SECONDS = 1.0
"""A connection that was used within this time is taken for alive: looking costs as much as a small statement."""

naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def new_metadata() -> MetaData:
    """Return metadata whose constraints have predictable names."""
    return MetaData(naming_convention=naming_convention)


def create_database_engine(
    url: str,
    application_name: str,
    pool_size: int = 20,
    statement_timeout_milliseconds: int = 15_000,
    search_path: str | None = None,
) -> Engine:
    """Return a pooled engine that notices dead connections and never waits for ever.

    A statement ends after `statement_timeout_milliseconds`, a wait for a lock after 5 s, a transaction that
    its process forgot after 60 s. `search_path` names, with commas, the schemas that tables are looked for in.
    """
    options = (
        f"-c statement_timeout={statement_timeout_milliseconds} -c lock_timeout=5000 "
        "-c idle_in_transaction_session_timeout=60000 -c timezone=UTC"
    )
    if search_path is not None:
        options += f" -c search_path={search_path}"
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=5,
        pool_timeout=5,
        connect_args={"application_name": application_name, "options": options, "connect_timeout": 10},
    )
    _look_at_rested_connections(engine)
    return engine


def _look_at_rested_connections(engine: Engine) -> None:
    """Try a connection that has not been used for a while before it is handed out; the pool replaces a dead one."""

    def given_back(_connection: Any, record: Any) -> None:
        record.info["used_at"] = time.monotonic()

    def handed_out(connection: Any, record: Any, _proxy: Any) -> None:
        if time.monotonic() - record.info.get("used_at", time.monotonic()) < RESTED_SECONDS:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as err:
            raise DisconnectionError from err

    event.listen(engine, "checkin", given_back)
    event.listen(engine, "checkout", handed_out)

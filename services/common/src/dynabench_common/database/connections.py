"""Connections to a service's own PostgreSQL database, directly or through a transaction pooler.

Behind such a pooler each transaction may get another server connection. Session settings, listeners and locks are then
lost or, worse, left to another client. Workers listen and take session locks, so they connect directly.
"""

import time
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, create_engine, event
from sqlalchemy.exc import DisconnectionError

from dynabench_common.settings import DatabaseSettings

RESTED_SECONDS = 1.0
"""A connection used within this time counts as alive: a check costs as much as a small statement."""

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


OF_TRANSACTIONS = frozenset({"http", "evaluator"})
"""The processes that need a connection for single transactions only."""


def service_engine(settings: DatabaseSettings, service: str, process: str) -> Engine:
    """Return a process's engine. It uses the pooler, if there is one, for processes that need only transactions."""
    is_pooled = settings.database_direct_url is not None and process in OF_TRANSACTIONS
    return create_database_engine(
        settings.database_url if is_pooled else settings.session_url,
        f"{service}-{process}",
        settings.database_pool_size,
        is_pooled=is_pooled,
    )


def create_database_engine(
    url: str,
    application_name: str,
    pool_size: int = 20,
    statement_timeout_milliseconds: int = 15_000,
    search_path: str | None = None,
    is_pooled: bool = False,
) -> Engine:
    """Return a pooled engine that replaces dead connections and has a limit on every wait.

    A statement ends after `statement_timeout_milliseconds`, a wait for a lock after 5 s, a transaction that
    its process forgot after 60 s. `search_path` names, with commas, the schemas that tables are looked for in. With
    `is_pooled` these are set in each transaction, which costs a round trip, since a pooler of transactions keeps none.
    """
    chosen = {
        "statement_timeout": str(statement_timeout_milliseconds),
        "lock_timeout": "5000",
        "idle_in_transaction_session_timeout": "60000",
        "timezone": "UTC",
    }
    if search_path is not None:
        chosen["search_path"] = search_path
    options = (
        {} if is_pooled else {"options": " ".join(f"-c {name}={value}" for name, value in chosen.items())}
    )
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=5,
        pool_timeout=5,
        connect_args={"application_name": application_name, "connect_timeout": 10, **options},
    )
    if is_pooled:
        _set_in_each_transaction(engine, chosen)
    _look_at_rested_connections(engine)
    return engine


def _set_in_each_transaction(engine: Engine, chosen: dict[str, str]) -> None:
    statement = "; ".join(f"SET LOCAL {name} = '{value}'" for name, value in chosen.items())

    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(statement)

    event.listen(engine, "begin", begun)


def _look_at_rested_connections(engine: Engine) -> None:
    """Check an idle connection at checkout; the pool replaces a dead one."""

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

"""The transaction of one command: its changes and its events are committed together or not at all."""

from collections.abc import Iterable
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine, Table

from dynabench_common.events import outbox


class SqlUnitOfWork:
    """A transaction with an outbox.

    Subclasses add repositories in `__enter__`. Leaving the block without `commit()` rolls back.
    """

    connection: Connection

    def __init__(self, engine: Engine, outbox_table: Table | None = None) -> None:
        self._engine = engine
        self._outbox_table = outbox_table

    def __enter__(self) -> Self:
        self.connection = self._engine.connect()
        self.connection.begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.connection.rollback()
        finally:
            self.connection.close()

    def record(self, messages: Iterable[outbox.OutboxMessage]) -> None:
        """Write events in the transaction of the state change that they describe."""
        if self._outbox_table is None:
            raise TypeError("this unit of work has no outbox table")
        outbox.append(self.connection, self._outbox_table, messages)

    def commit(self) -> None:
        """Make the changes and their events durable."""
        self.connection.commit()

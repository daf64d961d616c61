"""The inbox: an event counts as processed once its id is stored here, in the transaction of its effect."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Column, Connection, DateTime, MetaData, Table, Text, Uuid, func, text

from dynabench_common.database.bulk import as_ids


def inbox_table(metadata: MetaData) -> Table:
    """Declare the inbox."""
    return Table(
        "inbox",
        metadata,
        Column("consumer", Text, primary_key=True),
        Column("event_id", Uuid, primary_key=True),
        Column("taken_at", DateTime(timezone=True), server_default=func.now(), index=True),
    )


def take_in(connection: Connection, table: Table, consumer: str, event_ids: Sequence[UUID]) -> set[UUID]:
    """Write the ids and return those that were not there before."""
    statement = text(
        f"INSERT INTO {table.name} (consumer, event_id) SELECT :consumer, unnest(CAST(:ids AS uuid[])) "
        "ON CONFLICT DO NOTHING RETURNING event_id"
    )
    rows = connection.execute(statement, {"consumer": consumer, **as_ids(event_ids)})
    return {row.event_id for row in rows}

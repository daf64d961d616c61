"""Rebuild of annotation's copies from the log.

Votes and resolutions are validation's own and stay. The queue is derived again from the copies and the votes. It is one
transaction: readers see the old copies until it commits. Nothing is published, except imported votes that an older
version of this service ignored.
"""

from dynabench_common.events.rebuilding import ensure_log_has_events, holds_anything, take_hold
from dynabench_common.events.replay import Tell, replay
from sqlalchemy import Connection, Engine

from validation.adapters import tables
from validation.adapters.facts import TOPICS
from validation.adapters.projection import ValidationProjection, share_log

COPIES = (tables.example, tables.round_, tables.task_configuration)


def rebuild(
    engine: Engine,
    *,
    consumer: str,
    bootstrap_servers: str,
    topic_prefix: str = "",
    tell: Tell | None = None,
) -> int:
    """Drop the copies, read both topics from their beginning, and return how many events were applied.

    `tell`, or the log, receives the progress. Raises LogIsEmpty or AnotherRebuildRuns, and then changes nothing.
    """
    with engine.begin() as connection:
        take_hold(connection)
        share_log(connection, alone=True)
        had_rows = holds_anything(connection, (tables.inbox, *COPIES))
        _forget(connection, consumer)
        applied = replay(
            connection,
            tables.inbox,
            ValidationProjection(),
            consumer=consumer,
            topics=TOPICS,
            accepts=ValidationProjection.accepts,
            bootstrap_servers=bootstrap_servers,
            topic_prefix=topic_prefix,
            tell=tell,
        )
        ensure_log_has_events(applied, had_rows=had_rows)
        return applied


def _forget(connection: Connection, consumer: str) -> None:
    for table in COPIES:
        connection.execute(table.delete())
    connection.execute(tables.inbox.delete().where(tables.inbox.c.consumer == consumer))

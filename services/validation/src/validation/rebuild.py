"""Read annotation's copies anew from the log.

Votes and resolutions are validation's own and stay; the queue is derived again from the copies and the votes. It is
one transaction: readers see the old copies until it commits and nothing is published, except imported votes that an
older version of this service passed over. It holds the inbox first, which every batch of the worker writes first, so
the worker waits without holding anything that the rebuild needs.
"""

from dynabench_common.replay import replay
from sqlalchemy import Connection, Engine, text

from validation.adapters import tables
from validation.adapters.facts import TOPICS
from validation.adapters.projection import ValidationProjection, share_log

COPIES = (tables.example, tables.round_, tables.task_configuration)


def rebuild(engine: Engine, *, consumer: str, bootstrap_servers: str, topic_prefix: str = "") -> int:
    """Drop the copies, read both topics from their beginning, and return how many events were applied."""
    with engine.begin() as connection:
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        connection.execute(text("SET LOCAL lock_timeout = '60s'"))
        connection.execute(text("LOCK TABLE inbox IN EXCLUSIVE MODE"))
        share_log(connection, alone=True)
        _forget(connection, consumer)
        return replay(
            connection,
            tables.inbox,
            ValidationProjection(),
            consumer=consumer,
            topics=TOPICS,
            accepts=ValidationProjection.accepts,
            bootstrap_servers=bootstrap_servers,
            topic_prefix=topic_prefix,
        )


def _forget(connection: Connection, consumer: str) -> None:
    for table in COPIES:
        connection.execute(table.delete())
    connection.execute(tables.inbox.delete().where(tables.inbox.c.consumer == consumer))

"""Counts of a round's examples and votes, by the examples' state: reads, and compaction.

Triggers on `example_validation` append to `round_count` what each statement changed. The counts are
the sums of those rows, exact at any moment. The worker replaces many rows of a kind by one.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select

from validation.adapters.tables import round_count
from validation.domain.identifiers import RoundId

MOST_ROWS = 200
"""So many rows of a round are left as they are: reading them costs a millisecond."""

count = round_count.c
KIND = (count.round_id, count.resolution, count.retracted, count.priority, count.pending)
SUMS = (func.sum(count.examples).label("examples"), func.sum(count.votes).label("votes"))


def round_sums(connection: Connection, round_id: RoundId) -> Sequence[Any]:
    """Return `examples` and `votes` by `resolution` (empty while there is none), `retracted`, `priority`, `pending`."""
    statement = select(*KIND, *SUMS).where(count.round_id == round_id).group_by(*KIND)
    return connection.execute(statement).all()


def shorten(connection: Connection, most_rows: int = MOST_ROWS) -> bool:
    """Add up the rows of a round that has more than so many; tell whether there was one."""
    many = select(count.round_id).group_by(count.round_id).having(func.count() > most_rows).limit(1)
    round_id = connection.execute(many).scalar_one_or_none()
    if round_id is None:
        return False
    gone = delete(round_count).where(count.round_id == round_id).returning(*KIND, count.examples, count.votes)
    rows = gone.cte("gone")
    kind = [rows.c[column.name] for column in KIND]
    examples, votes = func.sum(rows.c.examples), func.sum(rows.c.votes)
    sums = select(*kind, examples, votes).group_by(*kind).having(or_(examples != 0, votes != 0))
    names = [column.name for column in (*KIND, count.examples, count.votes)]
    connection.execute(insert(round_count).from_select(names, sums))
    return True

"""The kept sums: differences added to what stands there, rows that become zero removed."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table, and_, tuple_

from leaderboard.adapters.bulk import as_arrays, insert_rows
from leaderboard.adapters.tables import history, tally
from leaderboard.domain.history import HistoryCounts, HistoryKey
from leaderboard.domain.tally import Tally, TallyKey


def add_to_tallies(connection: Connection, changes: Sequence[tuple[TallyKey, Tally]]) -> None:
    """Add differences to the tallies."""
    _add(connection, tally, TallyKey._fields, Tally._fields, changes)


def add_to_history(connection: Connection, changes: Sequence[tuple[HistoryKey, HistoryCounts]]) -> None:
    """Add differences to the courses of rounds.

    A resolution that is replaced leaves its old stretch, perhaps with nothing in it: a recount would not have
    that row, so it goes.
    """
    _add(connection, history, HistoryKey._fields, HistoryCounts._fields, changes)
    shrunk = [key for key, counts in changes if min(counts) < 0]
    if shrunk:
        empty = and_(*(history.c[name] == 0 for name in HistoryCounts._fields))
        stretch = tuple_(history.c.round_id, history.c.bucket_start)
        connection.execute(history.delete().where(stretch.in_(shrunk), empty))


def _add(
    connection: Connection,
    table: Table,
    key_names: Sequence[str],
    count_names: Sequence[str],
    changes: Sequence[tuple[tuple[Any, ...], tuple[int, ...]]],
) -> None:
    if not changes:
        return
    names = [*key_names, *count_names]
    statement = insert_rows(table)
    sums = {name: table.c[name] + statement.excluded[name] for name in count_names}
    connection.execute(
        statement.on_conflict_do_update(index_elements=list(key_names), set_=sums),
        as_arrays(table, [dict(zip(names, (*key, *counts), strict=True)) for key, counts in changes]),
    )

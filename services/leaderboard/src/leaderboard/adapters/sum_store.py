"""Stored sums: adds differences to the stored values, and removes rows that become zero."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from dynabench_common.database.bulk import as_document, insert_rows
from sqlalchemy import Connection, Table, and_, tuple_
from sqlalchemy.dialects.postgresql import Insert

Change = tuple[Any, Any]
"""A key and counts: named tuples whose fields are the table's columns."""


def add(connection: Connection, table: Table, changes: Sequence[Change]) -> None:
    """Add differences to the sums of a table.

    A row without counts is removed, since a recount would not produce it.
    """
    if not changes:
        return
    first_key, first_counts = changes[0]
    key_names, count_names = first_key._fields, first_counts._fields
    names = (*key_names, *count_names)
    rows = [dict(zip(names, (*key, *counts), strict=True)) for key, counts in changes]
    connection.execute(_adding(table, key_names, count_names), as_document(rows))
    shrunk = [key for key, counts in changes if min(counts) < 0]
    if shrunk:
        is_empty = and_(*(table.c[name] == 0 for name in count_names))
        keys = tuple_(*(table.c[name] for name in key_names))
        connection.execute(table.delete().where(keys.in_(shrunk), is_empty))


@cache
def _adding(table: Table, key_names: tuple[str, ...], count_names: tuple[str, ...]) -> Insert:
    statement = insert_rows(table)
    sums = {name: table.c[name] + statement.excluded[name] for name in count_names}
    return statement.on_conflict_do_update(index_elements=list(key_names), set_=sums)

"""Many rows in one statement: `INSERT … SELECT … FROM unnest(arrays)`.

The driver's executemany sends a statement per row; this sends one per batch, whose text is the same for any
number of rows.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ARRAY, Table, bindparam, column, func, select
from sqlalchemy.dialects.postgresql import Insert, insert


def insert_rows(table: Table) -> Insert:
    """Return an insert into all columns of `table`; run it with `as_arrays(table, rows)`."""
    arrays = [bindparam(given.name, type_=ARRAY(given.type, dimensions=1)) for given in table.c]
    rows = func.unnest(*arrays).table_valued(*(column(given.name, given.type) for given in table.c))
    return insert(table).from_select([given.name for given in table.c], select(*rows.render_derived().c))


def upsert_rows(table: Table) -> Insert:
    """Return an insert that replaces the rows whose keys are there already."""
    statement = insert_rows(table)
    columns = [given.name for given in table.c if not given.primary_key]
    return statement.on_conflict_do_update(
        index_elements=list(table.primary_key.columns),
        set_={name: statement.excluded[name] for name in columns},
    )


def as_arrays(table: Table, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return rows turned into one list per column."""
    return {given.name: [row[given.name] for row in rows] for given in table.c}

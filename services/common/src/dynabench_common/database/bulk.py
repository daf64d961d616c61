"""Many rows in one statement: `INSERT … SELECT … FROM json_to_recordset(document)`.

The driver's executemany sends one statement per row. With an array per column, PostgreSQL parses every value as an
expression. This module sends one document for all rows. The statement's text is the same for any number of rows.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    JSON,
    Column,
    ColumnClause,
    ColumnElement,
    FromClause,
    Table,
    Text,
    Uuid,
    any_,
    bindparam,
    cast,
    column,
    func,
    literal_column,
    select,
)
from sqlalchemy.dialects.postgresql import Insert, insert

DOCUMENT = cast(bindparam("rows", type_=Text), JSON)
IDS = any_(cast(bindparam("ids", type_=Text), ARRAY(Uuid)))


def given_rows(columns: Iterable[ColumnClause[Any]], name: str = "given") -> FromClause:
    """Return rows to select from, which are given with `as_document`."""
    named = (column(each.name, each.type) for each in columns)
    return func.json_to_recordset(DOCUMENT).table_valued(*named).render_derived(name=name, with_types=True)


@cache
def insert_rows(table: Table, names: tuple[str, ...] = ()) -> Insert:
    """Return an insert into the named columns, or all; run it with `as_document(rows)`."""
    values = given_values(table, names or table.c.keys())
    return insert(table).from_select(list(values), select(*values.values()))


def given_values(table: Table, names: Sequence[str]) -> dict[str, ColumnElement[Any]]:
    """Return the values for the named columns in rows that are given with `as_document`, by name."""
    given = given_rows(table.c[name] for name in names)
    return {name: _or_null(given.c[name], table.c[name].type) for name in names}


def _or_null(given: ColumnElement[Any], kind: Any) -> ColumnElement[Any]:
    """Return the value of a column: None is JSON's null if the column's type says so, else SQL's."""
    if isinstance(kind, JSON) and not kind.none_as_null:
        return func.coalesce(given, cast(literal_column("'null'"), kind))
    return given


def upsert_rows(table: Table) -> Insert:
    """Return an insert into all columns that replaces the rows whose keys are there already."""
    statement = insert_rows(table)
    columns = [each.name for each in table.c if not each.primary_key]
    return statement.on_conflict_do_update(
        index_elements=list(table.primary_key.columns),
        set_={name: statement.excluded[name] for name in columns},
    )


def as_document(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return rows as the parameter of the statements above. Raises ValueError for a number that is none."""
    return {"rows": json.dumps(rows, allow_nan=False, default=_plain)}


def is_among(given: Column[Any]) -> ColumnElement[bool]:
    """Match the rows whose column holds one of the ids that are given with `as_ids`."""
    return given == IDS


def as_ids(ids: Iterable[UUID]) -> dict[str, str]:
    """Return ids as the parameter of `is_among`, one text for all."""
    return {"ids": "{" + ",".join(map(str, ids)) + "}"}


def _plain(value: Any) -> str:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return f"\\x{value.hex()}"
    raise TypeError(f"a column can't hold {type(value).__name__}")

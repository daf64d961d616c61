"""Facts of the log as rows, for services that keep copies of what others published.

A fact is what the newest event of its kind says of one aggregate. It has columns of its own, among them the version of
that event, which names the kind. An event writes only over an older version of its fact. So facts commute: the rows are
the same for any order and any number of deliveries.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from dynabench_events import EventRecord, Recorded
from sqlalchemy import Column, ColumnElement, Connection, and_, or_, update
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.sql.dml import Update

from dynabench_common.database.bulk import as_document, given_values, insert_rows

Kind = Column[Any]
"""A kind of fact, as the column with the version that wrote it."""
Row = dict[str, Any]
Reader = Callable[[Any], Row | Sequence[Row]]
"""Returns key and columns of an event's fact; a list if its record says something of several aggregates.

The version is that of the event, unless the reader returns one."""
NewestFacts = Mapping[Kind, Sequence[Row]]


def values_of(record: EventRecord, *names: str) -> Row:
    """Return the fields of a record that columns are named after."""
    return {name: getattr(record, name) for name in names}


def copied(*names: str) -> Callable[[EventRecord], Row]:
    """Return a reader of facts whose columns are all fields of the record."""
    return lambda record: values_of(record, *names)


class Facts:
    """Facts that a service keeps: which events write them, of which kind, and the readers of their columns."""

    def __init__(self, *declared: tuple[type[EventRecord], Kind, Reader]) -> None:
        self._readers: Mapping[type[EventRecord], list[tuple[Kind, Reader]]] = defaultdict(list)
        for event_type, kind, reader in declared:
            self._readers[event_type].append((kind, reader))
        self._kinds = tuple(dict.fromkeys(kind for _, kind, _ in declared))
        self.event_types = tuple(self._readers)

    def newest(self, events: Iterable[Recorded[EventRecord]]) -> NewestFacts:
        """Return the newest fact of each kind and aggregate among the events. Raises what readers raise.

        Kinds are in the order of their declaration, and rows in that of their keys. So transactions that write them
        lock rows in one order.
        """
        newest: dict[Kind, dict[tuple[Any, ...], Row]] = defaultdict(dict)
        for event in events:
            for kind, row in self._read(event):
                key = tuple(row[column.name] for column in kind.table.primary_key)
                known = newest[kind].get(key)
                if known is None or known[kind.name] < row[kind.name]:
                    newest[kind][key] = row
        return {
            kind: [row for _, row in sorted(newest[kind].items())] for kind in self._kinds if kind in newest
        }

    def _read(self, event: Recorded[EventRecord]) -> Iterable[tuple[Kind, Row]]:
        for kind, reader in self._readers.get(type(event.record), ()):
            read = reader(event.record)
            for row in [read] if isinstance(read, dict) else read:
                yield kind, {kind.name: event.version, **row}


def write_facts(connection: Connection, facts: NewestFacts) -> None:
    """Write facts over older versions of themselves; all rows of a kind have the same columns."""
    for kind, rows in facts.items():
        connection.execute(_upsert(kind, _names(kind, rows)), as_document(rows))


def update_facts(connection: Connection, facts: NewestFacts) -> None:
    """Write facts over older versions of themselves, only into rows that are there."""
    for kind, rows in facts.items():
        connection.execute(_update(kind, _names(kind, rows)), as_document(rows))


def _names(kind: Kind, rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple(column.name for column in kind.table.c if column.name in rows[0])


@cache
def _upsert(kind: Kind, names: tuple[str, ...]) -> Insert:
    keys = kind.table.primary_key.columns
    statement = insert_rows(kind.table, names)
    return statement.on_conflict_do_update(
        index_elements=list(keys),
        set_={name: statement.excluded[name] for name in names if name not in keys},
        where=_is_older(kind, statement.excluded[kind.name]),
    )


@cache
def _update(kind: Kind, names: tuple[str, ...]) -> Update:
    keys = kind.table.primary_key.columns
    given = given_values(kind.table, names)
    return (
        update(kind.table)
        .values({name: given[name] for name in names if name not in keys})
        .where(and_(*(key == given[key.name] for key in keys)), _is_older(kind, given[kind.name]))
    )


def _is_older(kind: Kind, version: ColumnElement[Any]) -> ColumnElement[bool]:
    return or_(kind.is_(None), kind < version)

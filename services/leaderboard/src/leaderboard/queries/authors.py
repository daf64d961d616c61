"""Authors' sums by what they are of: the segments and subjects of a round, or the groups of a dimension."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy import Column, ColumnElement, Connection, Integer, Select, and_, column, select, values

from leaderboard.adapters.tables import group_author, tally
from leaderboard.domain.groups import AuthorSums
from leaderboard.domain.rates import AuthorCounts
from leaderboard.queries.packed import Rows, counts, numbered, packed, unpacked

OF_TALLY: tuple[ColumnElement[int], ...] = tuple(
    tally.c.stratum_fooled_errors + tally.c.stratum_not_fooled_errors if name == "errors" else tally.c[name]
    for name in AuthorSums._fields
)
"""Columns of each author for the intervals, in the order of AuthorSums."""


class AuthorTable:
    """Sums by number of their subject and by author; read once, then queried for any of the numbers."""

    def __init__(self, rows: Rows) -> None:
        authors, self._nobody = numbered(rows["author_id"])
        in_order = np.lexsort((authors, rows["number"]))
        self._numbers = rows["number"][in_order]
        self._authors = authors[in_order]
        self._sums = [counts(rows[name])[in_order] for name in AuthorSums._fields]
        self._size = int(authors.max()) + 1 if len(authors) else 0

    def of(self, numbers: Iterable[int]) -> AuthorCounts:
        """Return the authors' sums over these numbers, always in the same order of authors."""
        sums = np.zeros((len(self._sums), self._size), dtype=np.int64)
        for number in numbers:
            first, end = np.searchsorted(self._numbers, [number, number + 1])
            # An author has at most one row of a number, so no index comes twice.
            sums[:, self._authors[first:end]] += [column[first:end] for column in self._sums]
        are_known = self._nobody is None or int(sums[0][self._nobody]) == 0
        return AuthorCounts._make([*sums, are_known])


def of_tallies(connection: Connection, round_id: UUID, keys: Sequence[tuple[UUID, str]]) -> AuthorTable:
    """Return the authors' sums of a round; the numbers are the places of (segment, subject) in `keys`."""
    columns = (tally.c.segment_id, tally.c.subject)
    statement = _numbered(columns, keys, tally.c.author_id, OF_TALLY).where(tally.c.round_id == round_id)
    return _read(connection, statement)


def of_groups(connection: Connection, round_id: UUID, dimension: str, names: Sequence[str]) -> AuthorTable:
    """Return the authors' sums of a dimension; the numbers are the places of the groups in `names`."""
    columns = group_author.c
    sums = [columns[name] for name in AuthorSums._fields]
    statement = _numbered((columns.name,), [(name,) for name in names], columns.author_id, sums)
    return _read(connection, statement.where(columns.round_id == round_id, columns.dimension == dimension))


def _numbered(
    key: Sequence[Column[Any]],
    wanted: Sequence[tuple[Any, ...]],
    author_id: ColumnElement[UUID],
    sums: Sequence[ColumnElement[int]],
) -> Select[bytes]:
    numbers = values(
        *(column(part.name, part.type) for part in key), column("number", Integer), name="wanted"
    ).data([(*each, number) for number, each in enumerate(wanted)])
    same = and_(*(part == numbers.c[part.name] for part in key))
    return select(packed(numbers.c.number, author_id, *sums)).join_from(author_id.table, numbers, same)


def _read(connection: Connection, statement: Select[bytes]) -> AuthorTable:
    value = connection.execute(statement).scalar_one()
    return AuthorTable(unpacked(value, "number", "author_id", *AuthorSums._fields, ids=("author_id",)))

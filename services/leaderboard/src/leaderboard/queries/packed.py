"""Many rows of ids and counts as one value, which numpy reads without conversion.

Each number of an ordinary result is sent and parsed as text. For the hundred thousand rows of a large round's authors
that takes several times as long as the query. Here the rows come as one string of big-endian numbers, in no order.
"""

from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Integer, LargeBinary, Uuid, cast, func, literal

from leaderboard.domain.rates import Counts

Rows = np.ndarray[tuple[int], np.dtype[np.void]]


def packed(*columns: ColumnElement[Any]) -> ColumnElement[bytes]:
    """Return the aggregate that packs columns of type Uuid or counts; `unpacked` reads it."""
    sent = (
        func.uuid_send(column) if isinstance(column.type, Uuid) else func.int4send(cast(column, Integer))
        for column in columns
    )
    row: ColumnElement[bytes] = reduce(lambda left, right: left.op("||")(right), sent)
    return func.string_agg(row, literal(b"", LargeBinary))


def unpacked(value: bytes | None, *names: str, ids: tuple[str, ...] = ()) -> Rows:
    """Return the rows, a field for each name in the order in which they were packed; those in `ids` are ids."""
    fields = [(name, [("high", ">u8"), ("low", ">u8")] if name in ids else ">i4") for name in names]
    rows: Rows = np.frombuffer(value or b"", dtype=np.dtype(fields))
    return rows


def counts(column: NDArray[Any]) -> Counts:
    """Return a field of counts as numbers to calculate with."""
    return column.astype(np.int64)


def numbered(ids: NDArray[Any]) -> tuple[Counts, int | None]:
    """Return a number from 0 for each id, equal for equal ids, and that of the nil id, None if there is none.

    Ids are compared by their two halves mixed into one, since numbers sort far faster than pairs. Two of a
    million random ids collide once in ten million rounds. The order of the numbers follows from the ids alone.
    """
    high, low = ids["high"].astype(np.uint64), ids["low"].astype(np.uint64)
    _, numbers = np.unique(high ^ low, return_inverse=True)
    nil = numbers[(high == 0) & (low == 0)]
    return numbers.astype(np.int64), int(nil[0]) if len(nil) else None

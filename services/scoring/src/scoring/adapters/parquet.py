"""Rows as Parquet, with the columns of `dataset.columns`."""

from collections.abc import Mapping, Sequence
from typing import IO, Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from scoring.dataset.columns import BOOLEAN, INTEGER, MOMENT, NUMBER, TEXT, Column, Type, columns
from scoring.dataset.rows import ExampleRow, Fields

ROWS_PER_GROUP = 5_000
SCALARS: Mapping[str, pa.DataType] = {
    TEXT: pa.string(),
    BOOLEAN: pa.bool_(),
    INTEGER: pa.int32(),
    NUMBER: pa.float64(),
    MOMENT: pa.timestamp("us", tz="UTC"),
}


def arrow_type(data_type: Type) -> pa.DataType:
    """Return the type of a column."""
    if isinstance(data_type, str):
        return SCALARS[data_type]
    if isinstance(data_type, Mapping):
        return pa.struct([(name, arrow_type(part)) for name, part in data_type.items()])
    return pa.list_(arrow_type(data_type[0]))


def _array(data_type: Type, values: Sequence[Any]) -> Any:
    """Return a column of values.

    Structures are put together from one array for each part: there are many votes, and a dictionary for each would
    take longer than all the rest.
    """
    if isinstance(data_type, Mapping):
        parts = [
            _array(part, [None if value is None else value[position] for value in values])
            for position, part in enumerate(data_type.values())
        ]
        fields = [pa.field(name, arrow_type(part)) for name, part in data_type.items()]
        missing = pa.array([value is None for value in values], type=pa.bool_())
        return pa.StructArray.from_arrays(parts, fields=fields, mask=missing)
    if isinstance(data_type, str) or isinstance(data_type[0], str):
        return pa.array(values, type=arrow_type(data_type))
    items: list[Any] = []
    offsets = [0]
    for value in values:
        items.extend(value)
        offsets.append(len(items))
    structs = _array(data_type[0], items)
    return pa.ListArray.from_arrays(pa.array(offsets, type=pa.int32()), structs, type=arrow_type(data_type))


class ParquetRows:
    """Writes rows to a binary sink, a group of rows at a time; `close` completes the file."""

    def __init__(self, sink: IO[bytes], fields: Fields) -> None:
        self._columns: Sequence[Column] = list(columns(fields))
        self._schema = pa.schema([(each.name, arrow_type(each.data_type)) for each in self._columns])
        self._writer = pq.ParquetWriter(sink, self._schema, compression="zstd")
        self._held: list[ExampleRow] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, row: ExampleRow) -> None:
        """Add a row."""
        self._held.append(row)
        if len(self._held) == ROWS_PER_GROUP:
            self._flush()

    def close(self) -> None:
        """Write the buffered rows and the file's footer."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._held:
            arrays = [
                _array(each.data_type, [each.read(row) for row in self._held]) for each in self._columns
            ]
            self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=self._schema))
            self._held.clear()

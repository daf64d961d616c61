"""Rows as Parquet: a column for each field of context and input, lists and structs for the rest.

Values of context, input and labels stand as value texts, so a column has one type in every round of a task.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from typing import IO, Any, Self

import pyarrow as pa
import pyarrow.parquet as pq
from dynabench_common.values import Value, to_text

from scoring.dataset.rows import ExampleRow, Field, Fields

ROWS_PER_GROUP = 5_000
VOTE = pa.struct([("option", pa.string()), ("voter", pa.string())])
TARGET = pa.struct([("name", pa.string()), ("answer", pa.string()), ("wrong", pa.bool_())])
EXPLANATIONS = pa.struct([("label", pa.string()), ("model", pa.string())])

Read = Callable[[ExampleRow], Any]
PLAIN: Mapping[str, tuple[pa.DataType, Read]] = {
    "label": (pa.string(), lambda row: _text(row.label)),
    "golds": (pa.list_(pa.string()), lambda row: [to_text(gold) for gold in row.golds]),
    "claimed": (pa.string(), lambda row: _text(row.claimed)),
    "split": (pa.string(), lambda row: row.split),
    "verdict": (pa.string(), lambda row: row.verdict),
    "fooled": (pa.bool_(), lambda row: row.fooled),
    "targets": (
        pa.list_(TARGET),
        lambda row: [
            {"name": given.name, "answer": _text(given.answer), "wrong": given.wrong} for given in row.targets
        ],
    ),
    "resolution": (pa.string(), lambda row: row.resolution),
    "votes": (
        pa.list_(VOTE),
        lambda row: [{"option": vote.option, "voter": vote.voter} for vote in row.votes],
    ),
    "explanations": (
        EXPLANATIONS,
        lambda row: {"label": row.label_explanation, "model": row.model_explanation},
    ),
    "condition": (pa.string(), lambda row: row.condition),
    "cohort": (pa.string(), lambda row: row.cohort),
    "segment": (pa.int32(), lambda row: row.segment),
    "tags": (pa.list_(pa.string()), lambda row: list(row.tags)),
    "author": (pa.string(), lambda row: row.author),
    "created_at": (pa.timestamp("us", tz="UTC"), lambda row: row.created_at.astimezone(UTC)),
}


class ParquetRows:
    """Writes rows to a binary sink, a group of rows at a time; `close` completes the file."""

    def __init__(self, sink: IO[bytes], fields: Fields) -> None:
        self._columns: dict[str, tuple[pa.DataType, Read]] = {
            "id": (pa.string(), lambda row: row.example_id),
            **{f"context_{field.name}": (pa.string(), _context(field)) for field in fields.context},
            **{f"input_{field.name}": (pa.string(), _input(field)) for field in fields.input},
            **PLAIN,
        }
        self._schema = pa.schema([(name, data_type) for name, (data_type, _) in self._columns.items()])
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
        """Write what is held and the file's end."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._held:
            self._writer.write_batch(self._batch(self._held))
            self._held.clear()

    def _batch(self, rows: Sequence[ExampleRow]) -> pa.RecordBatch:
        arrays = [
            pa.array([read(row) for row in rows], type=data_type)
            for data_type, read in self._columns.values()
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=self._schema)


def _text(value: Value | None) -> str | None:
    return None if value is None else to_text(value)


def _context(field: Field) -> Read:
    return lambda row: _text(row.context.get(field.name))


def _input(field: Field) -> Read:
    return lambda row: _text(row.input.get(field.name))

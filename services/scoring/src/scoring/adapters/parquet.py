"""Rows as Parquet: a column for each field of context, input and metadata, lists and structs for the rest.

Values of context, input, metadata and labels stand as value texts, so a column has one type in every round of a task.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC
from typing import IO, Any, Self, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq
from dynabench_tasks.values import Value, to_text

from scoring.dataset.rows import ExampleRow, Field, Fields

ROWS_PER_GROUP = 5_000
TEXT = pa.string()
TEXTS = pa.list_(TEXT)
VOTE = pa.struct([("option", TEXT), ("voter", TEXT)])
TARGET = pa.struct([("name", TEXT), ("answer", TEXT), ("wrong", pa.bool_())])
STABLE = pa.struct([("name", TEXT), ("stable", pa.bool_()), ("repeated", pa.int32())])
EXPLANATIONS = pa.struct([("label", TEXT), ("model", TEXT)])

Make: TypeAlias = Callable[[Sequence[ExampleRow]], Any]
Column: TypeAlias = tuple[pa.DataType, Make]


def _each(data_type: pa.DataType, read: Callable[[ExampleRow], Any]) -> Column:
    """Return a column of one value of each row."""
    return data_type, lambda rows: pa.array([read(row) for row in rows], type=data_type)


def _lists(struct: pa.StructType, read: Callable[[ExampleRow], Iterable[Sequence[Any]]]) -> Column:
    """Return a column of a list of structs of each row, which `read` gives as sequences of their parts.

    It is put together from one array for each part: there are many votes, and a dictionary for each would take longer
    than all the rest.
    """
    data_type = pa.list_(struct)

    def make(rows: Sequence[ExampleRow]) -> Any:
        items: list[Sequence[Any]] = []
        offsets = [0]
        for row in rows:
            items.extend(read(row))
            offsets.append(len(items))
        parts = [
            pa.array([item[position] for item in items], type=part.type)
            for position, part in enumerate(struct)
        ]
        structs = pa.StructArray.from_arrays(parts, fields=list(struct))
        return pa.ListArray.from_arrays(pa.array(offsets, type=pa.int32()), structs, type=data_type)

    return data_type, make


PLAIN: Mapping[str, Column] = {
    "label": _each(TEXT, lambda row: _text(row.label)),
    "golds": _each(TEXTS, lambda row: [to_text(gold) for gold in row.golds]),
    "claimed": _each(TEXT, lambda row: _text(row.claimed)),
    "split": _each(TEXT, lambda row: row.split),
    "verdict": _each(TEXT, lambda row: row.verdict),
    "fooled": _each(pa.bool_(), lambda row: row.fooled),
    "targets": _lists(TARGET, lambda row: ((one.name, _text(one.answer), one.wrong) for one in row.targets)),
    "resolution": _each(TEXT, lambda row: row.resolution),
    "votes": _lists(VOTE, lambda row: row.votes),
    "condition": _each(TEXT, lambda row: row.condition),
    "cohort": _each(TEXT, lambda row: row.cohort),
    "segment": _each(pa.int32(), lambda row: row.segment),
    "tags": _each(TEXTS, lambda row: row.tags),
    "author": _each(TEXT, lambda row: row.author),
    "created_at": _each(pa.timestamp("us", tz="UTC"), lambda row: row.created_at.astimezone(UTC)),
    "duplicate_of": _each(TEXT, lambda row: row.duplicate_of),
}
EXPLAINED: Mapping[str, Column] = {
    "explanations": _each(
        EXPLANATIONS, lambda row: None if row.explanations is None else row.explanations._asdict()
    )
}
STABILITY: Mapping[str, Column] = {"stability": _lists(STABLE, lambda row: row.stability or ())}
TIERS: Mapping[str, Column] = {"targets_not_asked": _each(TEXTS, lambda row: row.targets_not_asked)}
RETRACTED: Mapping[str, Column] = {"retracted": _each(pa.bool_(), lambda row: row.retracted)}


class ParquetRows:
    """Writes rows to a binary sink, a group of rows at a time; `close` completes the file."""

    def __init__(self, sink: IO[bytes], fields: Fields) -> None:
        self._columns: dict[str, Column] = {
            "id": _each(TEXT, lambda row: row.example_id),
            **{f"context_{field.name}": _each(TEXT, _context(field)) for field in fields.context},
            **{f"input_{field.name}": _each(TEXT, _input(field)) for field in fields.input},
            **PLAIN,
            **{f"metadata_{field.name}": _each(TEXT, _metadata(field)) for field in fields.metadata},
            **(EXPLAINED if fields.has_free_text else {}),
            **(RETRACTED if fields.has_retracted else {}),
            **(TIERS if fields.has_tiers else {}),
            **(STABILITY if fields.has_stability else {}),
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
            arrays = [make(self._held) for _, make in self._columns.values()]
            self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=self._schema))
            self._held.clear()


def _text(value: Value | None) -> str | None:
    return None if value is None else to_text(value)


def _context(field: Field) -> Callable[[ExampleRow], str | None]:
    return lambda row: _text(row.context.get(field.name))


def _input(field: Field) -> Callable[[ExampleRow], str | None]:
    return lambda row: _text(row.input.get(field.name))


def _metadata(field: Field) -> Callable[[ExampleRow], str | None]:
    return lambda row: _text(row.metadata.get(field.name))

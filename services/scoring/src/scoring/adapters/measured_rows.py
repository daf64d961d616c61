"""Rows of a dataset's Parquet files as measurements need them: of a few columns, a thousand rows at a time."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from dynabench_tasks.fields import FIELD_TYPES, from_text
from dynabench_tasks.values import Value

from scoring.dataset.measurements.reading import is_free_text
from scoring.dataset.rows import Field, Fields, MeasuredRow

ROWS_AT_ONCE = 1_000
PLAIN = ("id", "label", "golds", "claimed", "author")


class MeasuredRows:
    """The rows of some Parquet files, read anew by each iteration."""

    def __init__(self, paths: Sequence[Path], fields: Fields) -> None:
        self._paths = paths
        self._context = [field.name for field in fields.context if is_free_text(field)]
        self._input = [field.name for field in fields.input if is_free_text(field)]
        self._label = fields.label

    def __iter__(self) -> Iterator[MeasuredRow]:
        for path in self._paths:
            with pq.ParquetFile(path) as file:
                yield from self._of(file)

    def _of(self, file: pq.ParquetFile) -> Iterator[MeasuredRow]:
        known = file.schema_arrow.names
        context = {name: f"context_{name}" for name in self._context if f"context_{name}" in known}
        written = {name: f"input_{name}" for name in self._input if f"input_{name}" in known}
        columns = [*PLAIN, *context.values(), *written.values()]
        for batch in file.iter_batches(ROWS_AT_ONCE, columns=columns, use_threads=False):
            numbers = pc.fill_null(pc.list_value_length(batch.column("golds")), 0).to_pylist()
            ids, labels, claims, authors = (
                batch.column(name).to_pylist() for name in ("id", "label", "claimed", "author")
            )
            golds = [(label or "",) * number for label, number in zip(labels, numbers, strict=True)]
            contexts, inputs = _texts(batch, context), _texts(batch, written)
            values = _values(labels, self._label), _values(claims, self._label)
            yield from map(MeasuredRow, ids, contexts, inputs, values[0], golds, values[1], authors)


def _texts(batch: pa.RecordBatch, columns: Mapping[str, str]) -> Sequence[Mapping[str, str]]:
    """Return the values of each row by the names of fields; missing fields are left out."""
    found: list[dict[str, str]] = [{} for _ in range(len(batch))]
    for name, column in columns.items():
        for texts, text in zip(found, batch.column(column).to_pylist(), strict=True):
            if text is not None:
                texts[name] = text
    return found


def _values(texts: Sequence[str | None], field: Field) -> Sequence[Value | None]:
    """Return values of a label field; those of a field that is its own value text are there already."""
    if FIELD_TYPES[field.type_name].is_text:
        return texts
    return [None if text is None else from_text(text, field.type_name) for text in texts]

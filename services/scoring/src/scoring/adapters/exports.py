"""Exports in pieces: a round in its current state for its owner, and a person's own work.

Each statement is its own transaction, so a slow reader blocks nobody. Changes made during an export may be in it or
not.
"""

import heapq
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import Column, ColumnElement, Connection, Engine, Row, Select, Table, select

from scoring.adapters.dataset_files import json_line
from scoring.adapters.fact_reader import CHUNK, FIRST, LIVE_VOTE, VERDICT, FactReader
from scoring.adapters.parquet import ROWS_PER_GROUP, ParquetRows
from scoring.adapters.sheets import csv_pieces, xlsx_pieces
from scoring.adapters.tables import example, known_item_answer, task_configuration, vote
from scoring.dataset.rows import ExampleRow, Fields
from scoring.domain.pseudonyms import Pseudonyms, new_key
from scoring.domain.row_maker import RowMaker


class ExportFormat(StrEnum):
    """Formats of a round's rows."""

    JSONL = "jsonl"
    PARQUET = "parquet"
    CSV = "csv"
    XLSX = "xlsx"


def round_in_progress(
    engine: Engine, round_id: UUID, written_as: ExportFormat, *, with_free_text: bool
) -> Iterator[bytes]:
    """Yield a round's tries, under pseudonyms whose key is thrown away afterwards.

    Raises RoundUnknown and ExportRefused, before the first piece.

    Retracted ones have no text; they stay in the denominator of rates.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        facts = FactReader(connection)
        found = facts.round(round_id)
        fields = replace(found.fields(with_free_text=with_free_text), has_retracted=True)
        maker = RowMaker(found, fields, Pseudonyms(new_key()))
        rows = map(maker.exported, facts.examples(round_id))
        yield from WRITERS[written_as](rows, fields)


def own_work(engine: Engine, person_id: UUID, hidden: frozenset[str]) -> Iterator[bytes]:
    """Yield a person's own examples and votes, a line of JSON each, `kind` first; votes in the order of their ids.

    Work in tasks that are `hidden` is left out: it contains texts of others.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        yield from _lines("example", _own_examples(connection, person_id, hidden))
        answered = _on_known_items(connection, person_id, hidden)
        votes = heapq.merge(
            _own_votes(connection, person_id, hidden), answered, key=lambda each: str(each["vote_id"])
        )
        yield from _lines("vote", votes)


def _json_lines(rows: Iterable[ExampleRow], fields: Fields) -> Iterator[bytes]:
    for row in rows:
        yield json_line(row, fields)


def parquet_pieces(rows: Iterable[ExampleRow], fields: Fields) -> Iterator[bytes]:
    """Yield rows as a Parquet file, a piece after each group of rows."""
    sink = io.BytesIO()
    writer = ParquetRows(sink, fields)
    for number, row in enumerate(rows, start=1):
        writer.write(row)
        if number % ROWS_PER_GROUP == 0:
            yield _taken(sink)
    writer.close()
    yield _taken(sink)


WRITERS: Mapping[ExportFormat, Callable[[Iterable[ExampleRow], Fields], Iterator[bytes]]] = {
    ExportFormat.JSONL: _json_lines,
    ExportFormat.PARQUET: parquet_pieces,
    ExportFormat.CSV: csv_pieces,
    ExportFormat.XLSX: xlsx_pieces,
}


def _taken(sink: io.BytesIO) -> bytes:
    """Return what was written since the last call; the writer counts its position itself."""
    written = sink.getvalue()
    sink.seek(0)
    sink.truncate()
    return written


def _lines(kind: str, records: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    for record in records:
        line = json.dumps({"kind": kind, **record}, ensure_ascii=False, allow_nan=False, default=_plain)
        yield line.encode() + b"\n"


def _plain(value: Any) -> str:
    return str(value) if isinstance(value, UUID) else str(value.isoformat())


def _own_examples(
    connection: Connection, person_id: UUID, hidden: frozenset[str]
) -> Iterator[Mapping[str, Any]]:
    columns = (
        example.c.example_id, example.c.round_id, _slug(example).label("task"), example.c.context,
        example.c.input, example.c.claimed, VERDICT.label("verdict"), example.c.answers, example.c.condition,
        example.c.cohort, example.c.metadata, example.c.label_explanation, example.c.model_explanation,
        example.c.resolution, example.c.golds, example.c.created_at, example.c.retracted_at,
    )  # fmt: skip
    chosen = select(*columns).where(example.c.author_id == person_id, _seen(hidden))
    return _in_chunks(connection, chosen, example.c.example_id)


def _own_votes(
    connection: Connection, person_id: UUID, hidden: frozenset[str]
) -> Iterator[Mapping[str, Any]]:
    columns = (
        vote.c.vote_id, vote.c.example_id, example.c.round_id, _slug(example).label("task"), example.c.context,
        example.c.input, vote.c.kind.label("vote_kind"), vote.c.option, vote.c.reason, vote.c.counted,
        vote.c.metadata, vote.c.agrees, vote.c.corrected, vote.c.explanation, vote.c.cast_at,
    )  # fmt: skip
    chosen = (
        select(*columns)
        .join_from(vote, example, example.c.example_id == vote.c.example_id)
        .where(vote.c.voter_id == person_id, LIVE_VOTE, _seen(hidden))
    )
    return _in_chunks(connection, chosen, vote.c.vote_id)


def _on_known_items(
    connection: Connection, person_id: UUID, hidden: frozenset[str]
) -> Iterator[Mapping[str, Any]]:
    """Yield a person's answers on known items, which nothing tells from votes."""
    columns = known_item_answer.c
    chosen = select(columns.vote_id, columns.record).where(columns.voter_id == person_id)
    records = (json.loads(each["record"]) for each in _in_chunks(connection, chosen, columns.vote_id))
    return (each for each in records if each["task"] not in hidden)


def _seen(hidden: frozenset[str]) -> ColumnElement[bool]:
    called = select(task_configuration.c.task_id).where(task_configuration.c.slug.in_(hidden))
    return example.c.task_id.not_in(called)


def _slug(of: Table) -> Any:
    return (
        select(task_configuration.c.slug)
        .where(
            task_configuration.c.task_id == of.c.task_id,
            task_configuration.c.configuration_version == of.c.configuration_version,
        )
        .scalar_subquery()
    )


def _in_chunks(connection: Connection, chosen: Select[Any], key: Column[UUID]) -> Iterator[Mapping[str, Any]]:
    last = FIRST
    while True:
        rows: list[Row[Any]] = list(
            connection.execute(chosen.where(key > last).order_by(key).limit(CHUNK)).all()
        )
        yield from (row._asdict() for row in rows)
        if len(rows) < CHUNK:
            return
        last = rows[-1]._mapping[key]

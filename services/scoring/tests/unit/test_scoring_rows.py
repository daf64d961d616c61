"""Rows in their files: there and back, and in pieces as well as whole."""

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
from scoring.adapters.dataset_files import DatasetFiles, json_line
from scoring.adapters.exports import parquet_pieces
from scoring.adapters.parquet import ROWS_PER_GROUP
from scoring.dataset.rows import CountedVote, ExampleRow, Explanations, Field, Fields, TargetAnswer, from_json

FIELDS = Fields(
    (Field("passage", "string"),),
    (Field("question", "string"),),
    Field("answer", "span"),
    (Field("topic", "multiclass"),),
    has_free_text=True,
)
WITHOUT = replace(FIELDS, metadata=(), has_free_text=False)
SPAN = {"start": 4, "end": 7, "text": "sea"}
ROW = ExampleRow(
    example_id="0", context={"passage": "The sea: “é”."}, input={"question": "What?"}, label=SPAN, golds=(SPAN,),
    claimed=SPAN, split="dev", verdict="fooled", fooled=True,
    targets=(TargetAnswer("one", SPAN, True), TargetAnswer("two", None, None)), resolution="correct",
    votes=(CountedVote("flag", "p1"),), metadata={"topic": "water"},
    explanations=Explanations("", "Waves."), condition="",
    cohort="volunteer", segment=1, tags=("sea",), author=None, created_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
)  # fmt: skip


def many(number: int) -> Iterator[ExampleRow]:
    return (replace(ROW, example_id=str(position)) for position in range(number))


def test_a_line_gives_its_row_back() -> None:
    assert from_json(json.loads(json_line(ROW))) == ROW


def test_without_free_text_there_are_no_explanations_at_all() -> None:
    row = replace(ROW, metadata={}, explanations=None)
    line = json.loads(json_line(row))
    assert "explanations" not in line
    assert from_json(line) == row
    read = pq.ParquetFile(io.BytesIO(b"".join(parquet_pieces([row], WITHOUT))))
    assert not {"explanations", "metadata_topic"} & set(read.schema_arrow.names)


def test_a_file_sent_in_pieces_is_whole() -> None:
    number = 2 * ROWS_PER_GROUP + 1
    pieces = list(parquet_pieces(many(number), FIELDS))
    assert len(pieces) == 3
    read = pq.ParquetFile(io.BytesIO(b"".join(pieces)))
    assert read.metadata.num_row_groups == 3
    rows = read.read().to_pylist()
    assert [row["id"] for row in rows] == [row.example_id for row in many(number)]
    assert rows[-1]["label"] == '{"end":7,"start":4,"text":"sea"}'
    assert (rows[0]["metadata_topic"], rows[0]["explanations"]) == ("water", {"label": "", "model": "Waves."})
    assert rows[0]["targets"][1] == {"name": "two", "answer": None, "wrong": None}


def test_the_same_rows_make_the_same_bytes_and_are_read_back(tmp_path: Path) -> None:
    files = DatasetFiles()
    digests = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        digests.append([file.sha256 for file in files.write(folder, many(3), FIELDS)])
    assert digests[0] == digests[1]
    stored = files.read(tmp_path / "first")
    assert list(stored) == list(many(3)) == list(stored)


def test_targets_that_were_not_asked_are_named_where_a_task_has_tiers() -> None:
    row = replace(ROW, targets_not_asked=("two",))
    assert from_json(json.loads(json_line(row))) == row
    assert "targets_not_asked" not in json.loads(json_line(ROW))
    with_tiers = replace(FIELDS, has_tiers=True)
    read = pq.read_table(io.BytesIO(b"".join(parquet_pieces([row], with_tiers)))).to_pylist()
    assert read[0]["targets_not_asked"] == ["two"]
    without = pq.ParquetFile(io.BytesIO(b"".join(parquet_pieces([ROW], FIELDS))))
    assert "targets_not_asked" not in without.schema_arrow.names

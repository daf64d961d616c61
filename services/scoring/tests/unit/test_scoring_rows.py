"""Rows in their files: there and back, and in pieces as well as whole."""

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest
from scoring.adapters.dataset_files import DatasetFiles, json_line
from scoring.adapters.exports import parquet_pieces
from scoring.adapters.parquet import ROWS_PER_GROUP
from scoring.adapters.sheets import LONGEST_CELL, csv_pieces, xlsx_pieces
from scoring.dataset.columns import TARGET, VOTE
from scoring.dataset.rows import (
    ExampleRow,
    Explanations,
    Field,
    Fields,
    ScoredRow,
    TargetAnswer,
    Vote,
    from_json,
)
from scoring.domain.errors import ExportRefused

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
    votes=(Vote("flag", "p1"),), metadata={"topic": "water"},
    explanations=Explanations("", "Waves."), condition="",
    cohort="volunteer", segment=1, tags=("sea",), author=None, created_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
)  # fmt: skip


def many(number: int) -> Iterator[ExampleRow]:
    return (replace(ROW, example_id=str(position)) for position in range(number))


def scored(row: ExampleRow) -> ScoredRow:
    return ScoredRow(*(getattr(row, name) for name in ScoredRow._fields))


def test_a_line_gives_back_what_scoring_needs_of_its_row() -> None:
    fields = replace(
        FIELDS, context=(*FIELDS.context, Field("title", "string")), targets=("one", "two", "three")
    )
    assert from_json(json.loads(json_line(ROW, fields))) == scored(ROW)


def test_without_free_text_there_are_no_explanations_at_all() -> None:
    row = replace(ROW, metadata={}, explanations=None)
    line = json.loads(json_line(row, WITHOUT))
    assert "explanations" not in line
    assert set(line["votes"][0]) == set(VOTE)
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
    assert rows[0]["targets"][1] == {**dict.fromkeys(TARGET), "name": "two"}


def test_the_same_rows_make_the_same_bytes_and_are_read_back(tmp_path: Path) -> None:
    files = DatasetFiles()
    digests = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        digests.append([file.sha256 for file in files.write(folder, many(3), FIELDS)])
    assert digests[0] == digests[1]
    stored = files.read(tmp_path / "first")
    assert list(stored) == list(map(scored, many(3))) == list(stored)


def test_targets_that_were_not_asked_are_named_where_a_task_has_tiers() -> None:
    row = replace(ROW, targets_not_asked=("two",))
    assert "targets_not_asked" not in json.loads(json_line(ROW, FIELDS))
    with_tiers = replace(FIELDS, has_tiers=True)
    assert json.loads(json_line(row, with_tiers))["targets_not_asked"] == ["two"]
    read = pq.read_table(io.BytesIO(b"".join(parquet_pieces([row], with_tiers)))).to_pylist()
    assert read[0]["targets_not_asked"] == ["two"]
    without = pq.ParquetFile(io.BytesIO(b"".join(parquet_pieces([ROW], FIELDS))))
    assert "targets_not_asked" not in without.schema_arrow.names


FORMULAS = ("=1+1", "+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "\t=1", "\r=1")


@pytest.mark.parametrize("text", [*FORMULAS, 'say "=1"', "two\nlines", "", "-0.5"])
def test_spreadsheets_read_texts_as_texts_and_rows_whole(text: str) -> None:
    rows = [replace(ROW, example_id=str(number), input={"question": text}) for number in range(3)]
    shown = f"'{text}" if text in FORMULAS else text
    read = list(
        csv.DictReader(io.StringIO(b"".join(csv_pieces(rows, FIELDS)).decode("utf-8-sig"), newline=""))
    )
    assert [row["input_question"] for row in read] == [shown] * 3
    assert json.loads(read[0]["label"])["text"] == "sea"
    with zipfile.ZipFile(io.BytesIO(b"".join(xlsx_pieces(rows, FIELDS)))) as book:
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    tags = [element.tag.rsplit("}")[-1] for element in sheet.iter()]
    assert (tags.count("row"), tags.count("f")) == (4, 0)
    assert text in FORMULAS[4:] or not shown or shown in [element.text for element in sheet.iter()]


def test_a_workbook_that_would_cut_a_text_is_refused() -> None:
    row = replace(ROW, input={"question": "x" * (LONGEST_CELL + 1)})
    with pytest.raises(ExportRefused, match="input_question of example 0"):
        next(xlsx_pieces([row], FIELDS))

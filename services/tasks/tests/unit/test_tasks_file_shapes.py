"""Files that are no JSON lines: one reason and one remedy for each, never one for each of its lines."""

import io
import json
import zipfile
from typing import Any

import pytest
from dynabench_tasks.json_lines import read_lines

RECORD = {"id": "r1", "input": {"text": "So [it] is, {really}."}}
QUESTIONS = [{"id": "q1", "question": "Where?", "answers": [{"text": "sea", "answer_start": 4}]}]
SQUAD: dict[str, Any] = {
    "version": "1.1",
    "data": [{"paragraphs": [{"context": "The sea.", "qas": QUESTIONS}]}],
}


LINE_END_IN_THE_DATE = (2026, 1, 1, 1, 16, 0)
"""A time whose two bytes in a ZIP archive are 00 and 0A."""


def zipped(*names: str, date: tuple[int, int, int, int, int, int] = (2026, 1, 1, 0, 0, 0)) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name, date), "x" * 400)
    return kept.getvalue()


def test_a_line_that_is_nested_deep_is_one_bad_line() -> None:
    for line in (b'{"a":' + b"[" * 2_000, b"[" * 2_000):
        (read,) = read_lines(io.BytesIO(line + b"\n"))
        assert read.flaw is not None


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (json.dumps(RECORD, indent=1).encode(), "over several lines"),
        (json.dumps([RECORD] * 50, indent=2).encode(), "JSON list"),
        (b"\n \n" + json.dumps([RECORD, RECORD]).encode(), "JSON list"),
        (json.dumps(SQUAD).encode(), "SQuAD"),
        (b"\xef\xbb\xbf" + json.dumps(SQUAD, indent=1).encode(), "over several lines"),
        (b'{"data": [{"title": "Sea", "paragraphs": [\n{}]}]}', "SQuAD"),
        (zipped("[Content_Types].xml", "xl/workbook.xml"), "XLSX"),
        (zipped("[Content_Types].xml", "xl/workbook.xml", date=LINE_END_IN_THE_DATE), "XLSX"),
        (zipped("records.jsonl"), "ZIP"),
        (b"\x1f\x8b\x08\x00 packed", "gzip"),
        (b"PAR1\x15\x04", "Parquet"),
        (b"%PDF-1.7\n1 0 obj", "PDF"),
    ],
)
def test_a_file_of_another_type_is_reported_once_with_a_remedy(content: bytes, reason: str) -> None:
    (line,) = read_lines(io.BytesIO(content))
    assert line.flaw is not None
    assert reason in line.flaw.reason
    assert line.flaw.remedy


@pytest.mark.parametrize(
    "first", [b'{"fields": {"prompt": "P"}', b"prompt", b'{"a": NaN}', b"\xff", b"{}", b"7"]
)
def test_a_bad_line_leaves_the_lines_after_it_to_be_read(first: bytes) -> None:
    lines = list(read_lines(io.BytesIO(first + b"\n" + json.dumps(RECORD).encode())))
    assert [line.document for line in lines[1:]] == [RECORD]

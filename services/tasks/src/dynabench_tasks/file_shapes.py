"""File types that people send in place of JSON lines, recognised by their first bytes, with a remedy for each."""

import json
from typing import BinaryIO

from dynabench_tasks.fields import InputRefused

ONE_EACH = "Write one JSON object on each line"
AS_LINES = "orient='records', lines=True"
LOOKED_AT = 65_536
ZIP_BEGINS = b"PK\x03\x04"
SHEET_MARKS = (b"[Content_Types].xml", b"xl/")
SHEET = (
    "is a spreadsheet (XLSX)",
    f"{ONE_EACH}: pandas.read_excel(FILE).to_json(OUT, {AS_LINES}).",
)
ZIP = "is a ZIP archive", "Unpack it, and send the file that is in it."
BINARY = (
    (b"\x1f\x8b", "is packed with gzip", "Unpack it first: gunzip FILE."),
    (b"PAR1", "is a Parquet file", f"{ONE_EACH}: pandas.read_parquet(FILE).to_json(OUT, {AS_LINES})."),
    (b"%PDF", "is a PDF file", f"{ONE_EACH}."),
    (b"\xd0\xcf\x11\xe0", "is an old Excel file", f"Save it as XLSX. {ONE_EACH}."),
)  # fmt: skip
SQUAD = (
    "is in the format of SQuAD: articles with paragraphs with questions",
    f"{ONE_EACH}, for each question: its id, the paragraph in context, the question in input, the answer in label.",
)
ARRAY = "is a JSON list", f"{ONE_EACH}: jq -c '.[]' FILE."
PRETTY = (
    "is one JSON document over several lines",
    f"{ONE_EACH}: jq -c . FILE, or jq -c '.[]' FILE for a list.",
)


def misshapen(first: bytes, rest: BinaryIO) -> InputRefused | None:
    """Return the type of a file by its first non-blank line, None if it may be JSON lines.

    Of a ZIP archive the beginning of `rest` is read too, since its date may hold the byte of a line's end.
    """
    found = next(((reason, remedy) for mark, reason, remedy in BINARY if first.startswith(mark)), None)
    if first.startswith(ZIP_BEGINS):
        beginning = first + rest.read(LOOKED_AT)
        found = SHEET if any(mark in beginning for mark in SHEET_MARKS) else ZIP
    text = first[:LOOKED_AT].strip()
    if text.startswith(b"["):
        found = ARRAY
    elif text.startswith(b"{"):
        if b'"paragraphs"' in text and b'"data"' in text:
            found = SQUAD
        elif text.endswith((b"{", b"[", b",")) and _goes_on(text):
            found = PRETTY
    return InputRefused("file", *found) if found else None


def _goes_on(text: bytes) -> bool:
    """Return whether a text is the beginning of a JSON document that needs further lines."""
    try:
        json.loads(text)
    except json.JSONDecodeError as err:
        return err.pos >= len(err.doc.rstrip())
    except (ValueError, RecursionError):
        return False
    return False

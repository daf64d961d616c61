"""Rows as CSV and as XLSX workbooks: the columns of Parquet, lists and structures as JSON.

A spreadsheet computes what begins like a formula, so such texts have an apostrophe before them.
"""

import csv
import io
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain

import xlsxwriter
from dynabench_tasks.text import safe_cell

from scoring.adapters.dataset_files import PIECE_BYTES
from scoring.dataset.columns import Column, columns, named
from scoring.dataset.rows import ExampleRow, Fields
from scoring.domain.errors import ExportRefused

MOST_IN_WORKBOOK = 50_000
LONGEST_CELL = 32_767
"""Characters, the limit of the workbook format."""


def csv_pieces(rows: Iterable[ExampleRow], fields: Fields) -> Iterator[bytes]:
    """Yield rows as CSV with a header. It begins with a byte order mark, by which spreadsheets know UTF-8."""
    chosen = list(columns(fields))
    yield _csv_line([column.name for column in chosen]).encode("utf-8-sig")
    for row in rows:
        yield _csv_line(_cells(row, chosen)).encode()


def xlsx_pieces(rows: Iterable[ExampleRow], fields: Fields) -> Iterator[bytes]:
    """Yield rows as a workbook of one sheet.

    Raises ExportRefused before the first piece for more rows or longer texts than workbooks hold.
    """
    chosen = list(columns(fields))
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with tempfile.TemporaryFile() as file:
        with xlsxwriter.Workbook(file, options) as book:
            sheet = book.add_worksheet("examples")
            sheet.freeze_panes(1, 1)
            lines = chain([[column.name for column in chosen]], (_cells(row, chosen) for row in rows))
            for number, cells in enumerate(lines):
                if number > MOST_IN_WORKBOOK:
                    raise ExportRefused(f"The round has more than {MOST_IN_WORKBOOK:,} examples.")
                for place, cell in enumerate(cells):
                    if len(cell) > LONGEST_CELL:
                        name = chosen[place].name
                        raise ExportRefused(
                            f"{name} of example {cells[0]} is longer than {LONGEST_CELL:,} characters."
                        )
                    sheet.write_string(number, place, cell)
        file.seek(0)
        while piece := file.read(PIECE_BYTES):
            yield piece


def _csv_line(cells: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _cells(row: ExampleRow, chosen: Sequence[Column]) -> list[str]:
    return [safe_cell(_text(named(column.data_type, column.read(row)))) for column in chosen]


def _text(value: object) -> str:
    if value is None or value == []:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    return (
        value.isoformat()
        if isinstance(value, datetime)
        else json.dumps(value, ensure_ascii=False, default=str)
    )

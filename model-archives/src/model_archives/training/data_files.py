"""The folder of data sets that DYNABENCH_DATA names, read line by line."""

import csv
import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from model_archives.errors import BuildError

DATA_VARIABLE = "DYNABENCH_DATA"


def data_folder() -> Path:
    """Return the folder. Raises BuildError if the variable names none."""
    value = os.environ.get(DATA_VARIABLE, "")
    if not value or not Path(value).is_dir():
        raise BuildError(f"set {DATA_VARIABLE} to the folder that holds the data sets (now {value!r})")
    return Path(value)


def json_lines(name: str) -> Iterator[dict[str, Any]]:
    """The rows of a .jsonl.gz file."""
    with _opened(name) as lines:
        yield from map(json.loads, lines)


def csv_rows(name: str) -> Iterator[dict[str, str]]:
    """The rows of a .csv.gz file with a header."""
    with _opened(name) as lines:
        yield from csv.DictReader(lines)


def json_document(name: str) -> Any:
    """The content of a .json.gz file."""
    with _opened(name) as content:
        return json.load(content)


def _opened(name: str) -> TextIO:
    try:
        return gzip.open(data_folder() / name, "rt", encoding="utf-8", newline="")
    except FileNotFoundError as error:
        raise BuildError(f"{name} is missing from the folder that {DATA_VARIABLE} names") from error

"""A dataset's files on disk: each split as Parquet and JSONL, then card, Croissant, checksums and manifest.

The files hold no time or place of writing. The same rows give the same bytes, so the manifest's digest identifies the
content.
"""

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from scoring.adapters.measured_rows import MeasuredRows
from scoring.adapters.parquet import ParquetRows
from scoring.dataset import card, croissant
from scoring.dataset.columns import to_line
from scoring.dataset.description import (
    CARD,
    CHECKSUMS,
    CROISSANT,
    FORMAT,
    LINES_CARD,
    MANIFEST,
    PICTURES,
    DataFile,
    Dataset,
)
from scoring.dataset.rows import SPLITS, ExampleRow, Fields, MeasuredRow, ScoredRow, from_json

PARQUET_TYPE = "application/x-parquet"
JSON_LINES_TYPE = "application/jsonl+gzip"
ZIP_TYPE = "application/zip"
PIECE_BYTES = 1 << 20
GZIP_LEVEL = 4
"""Level 6 takes a third more time for files that are 1.5 % smaller."""


def _moment(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    raise TypeError(f"{type(value).__name__} has no place in a line")


LINE_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_moment)


class DatasetFiles:
    """Writes the files of a dataset into a folder, and reads its rows back."""

    def write(self, folder: Path, rows: Iterable[ExampleRow], fields: Fields) -> list[DataFile]:
        """Write every row to the files of its split and return them, in the order of splits.

        There are always files of train, dev and test, and of disputed examples where there are any.
        """
        counts = dict.fromkeys(SPLITS, 0)
        with ExitStack() as opened:
            writers = {split: opened.enter_context(_SplitWriter(folder, split, fields)) for split in SPLITS}
            for row in rows:
                split = row.split or SPLITS[0]
                if split not in writers:
                    writers[split] = opened.enter_context(_SplitWriter(folder, split, fields))
                    counts[split] = 0
                writers[split].write(row)
                counts[split] += 1
        kinds = ((parquet_path, PARQUET_TYPE), (json_lines_path, JSON_LINES_TYPE))
        return [
            _described(folder, path_of(split), kind, split, counts[split])
            for split in counts
            for path_of, kind in kinds
        ]

    def pictures(self, folder: Path) -> DataFile:
        """Return the archive of pictures that lies in the folder."""
        return _described(folder, PICTURES, ZIP_TYPE)

    def describe(self, folder: Path, dataset: Dataset) -> tuple[str, list[DataFile]]:
        """Write card, description, checksums, manifest; return the manifest's digest, "sha256:...", and all files."""
        (folder / CARD).write_text(card.render(dataset), encoding="utf-8")
        (folder / CROISSANT).write_text(_pretty(croissant.document(dataset)), encoding="utf-8")
        cards = [CARD]
        if lines_card := card.of_lines(dataset):
            (folder / LINES_CARD).parent.mkdir(exist_ok=True)
            (folder / LINES_CARD).write_text(lines_card, encoding="utf-8")
            cards.append(LINES_CARD)
        files = [
            *dataset.files,
            *(_described(folder, path, "text/markdown") for path in cards),
            _described(folder, CROISSANT, "application/ld+json"),
        ]
        sums = "".join(f"{file.sha256}  {file.path}\n" for file in files)
        (folder / CHECKSUMS).write_text(sums, encoding="utf-8")
        files.append(_described(folder, CHECKSUMS, "text/plain"))
        manifest = {
            "name": dataset.name,
            "version": dataset.version,
            "format": FORMAT,
            "files": [{"path": file.path, "sha256": file.sha256, "size": file.size} for file in files],
        }
        (folder / MANIFEST).write_text(_pretty(manifest), encoding="utf-8")
        named = _described(folder, MANIFEST, "application/json")
        return f"sha256:{named.sha256}", [*files, named]

    def row_files(self) -> tuple[str, ...]:
        """Return the paths of the files that `read` needs."""
        return tuple(json_lines_path(split) for split in SPLITS)

    def read(self, folder: Path) -> Iterable[ScoredRow]:
        """Return the rows that lie in a folder; may be iterated more than once."""
        return _StoredRows([folder / path for path in self.row_files()])

    def measured_files(self) -> tuple[str, ...]:
        """Return the paths of the files that `read_measured` needs."""
        return tuple(parquet_path(split) for split in SPLITS)

    def read_measured(self, folder: Path, fields: Fields) -> Iterable[MeasuredRow]:
        """Return what measurements need of the rows that lie in a folder; may be iterated more than once."""
        return MeasuredRows([folder / path for path in self.measured_files()], fields)


class _StoredRows:
    """The rows of JSONL files, read anew by each iteration."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths

    def __iter__(self) -> Iterator[ScoredRow]:
        for path in self._paths:
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    yield from_json(json.loads(line))


class _SplitWriter:
    """The two files of one split, while they are written."""

    def __init__(self, folder: Path, split: str, fields: Fields) -> None:
        (folder / "data").mkdir(exist_ok=True)
        self._opened = ExitStack()
        sink = self._opened.enter_context((folder / parquet_path(split)).open("wb"))
        self._fields = fields
        self._parquet = self._opened.enter_context(ParquetRows(sink, fields))
        raw = self._opened.enter_context((folder / json_lines_path(split)).open("wb"))
        self._lines = self._opened.enter_context(
            gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=GZIP_LEVEL, mtime=0)
        )
        self._held = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._opened:
            self._lines.write(self._held)

    def write(self, row: ExampleRow) -> None:
        """Add a row to both."""
        self._parquet.write(row)
        self._held += json_line(row, self._fields)
        if len(self._held) >= PIECE_BYTES:
            self._lines.write(self._held)
            self._held.clear()


def json_line(row: ExampleRow, fields: Fields) -> bytes:
    """Return the row's line."""
    return LINE_ENCODER.encode(to_line(row, fields)).encode() + b"\n"


def parquet_path(split: str) -> str:
    """Return where a split's Parquet file lies."""
    return f"data/{split}.parquet"


def json_lines_path(split: str) -> str:
    """Return where a split's JSONL file lies."""
    return f"data/{split}.jsonl.gz"


def _described(
    folder: Path, path: str, media_type: str, split: str | None = None, examples: int | None = None
) -> DataFile:
    digest = hashlib.sha256()
    with (folder / path).open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            digest.update(piece)
    size = (folder / path).stat().st_size
    return DataFile(path, media_type, size, digest.hexdigest(), split, examples)


def _pretty(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n"

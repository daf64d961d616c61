"""Items of a dataset as JSON lines, and the requests that they and their variants make as Parquet."""

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from evaluation.domain.items import Item, Request, item_document, read_item

GZIP_LEVEL = 4
GROUP = 4_096
TEXT: pa.DataType = pa.string()
NUMBER: pa.DataType = pa.int64()
SCHEMA = pa.schema([("item", NUMBER), ("rule", TEXT), ("context", TEXT), ("input", TEXT)])
ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True)


def write_items(path: Path, items: Iterable[Item]) -> tuple[str, int, int]:
    """Write items as gzipped JSON lines; return their digest, "sha256:...", their number and that of clusters."""
    digest, number, clusters = hashlib.sha256(), 0, set()
    with path.open("wb") as raw, gzip.GzipFile("", "wb", GZIP_LEVEL, raw, mtime=0) as lines:
        for item in items:
            line = ENCODER.encode(item_document(item)).encode() + b"\n"
            digest.update(line)
            lines.write(line)
            clusters.add(item.cluster)
            number += 1
    return f"sha256:{digest.hexdigest()}", number, len(clusters)


def read_items(path: Path) -> Iterator[Item]:
    """Yield the items of a file that `write_items` made."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield read_item(json.loads(line))


def find_item(path: Path, item_id: str) -> Item | None:
    """Return the item with this id of a file that `write_items` made; None without one."""
    stated = f'"id": {ENCODER.encode(item_id)}'
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if stated in line and (found := read_item(json.loads(line))).item_id == item_id:
                return found
    return None


def write_requests(path: Path, requests: Iterable[Request]) -> int:
    """Write requests; return their number."""
    number = 0
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        for group in _groups(requests):
            columns = [
                pa.array([request.item for request in group], type=NUMBER),
                pa.array([request.rule for request in group], type=TEXT),
                pa.array([ENCODER.encode(dict(request.context)) for request in group], type=TEXT),
                pa.array([ENCODER.encode(dict(request.input)) for request in group], type=TEXT),
            ]
            writer.write_table(pa.table(columns, schema=SCHEMA))
            number += len(group)
    return number


def read_requests(path: Path, first: int, number: int) -> list[Request]:
    """Return a stretch of the requests of a file that `write_requests` made."""
    file = pq.ParquetFile(path)
    found: list[Request] = []
    group = first // GROUP
    while len(found) < number and group < file.num_row_groups:
        rows = file.read_row_group(group).to_pylist()
        begin = max(first - group * GROUP, 0)
        found += [_request(row) for row in rows[begin : begin + number - len(found)]]
        group += 1
    return found


def request_kinds(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the item and the rule of each request, in order."""
    for batch in pq.ParquetFile(path).iter_batches(columns=["item", "rule"]):
        yield from zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True)


def _request(row: dict[str, object]) -> Request:
    return Request(
        int(str(row["item"])),
        str(row["rule"]),
        json.loads(str(row["context"])),
        json.loads(str(row["input"])),
    )


def _groups(requests: Iterable[Request]) -> Iterator[list[Request]]:
    held: list[Request] = []
    for request in requests:
        held.append(request)
        if len(held) == GROUP:
            yield held
            held = []
    if held:
        yield held

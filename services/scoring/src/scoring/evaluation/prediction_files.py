"""What a model answered to each item and variant of a dataset, as Parquet."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

TEXT: pa.DataType = pa.string()
BOOLEAN: pa.DataType = pa.bool_()
COLUMNS = [("id", TEXT), ("rule", TEXT), ("answer", TEXT), ("right", BOOLEAN), ("failed", TEXT)]
SCHEMA = pa.schema(COLUMNS)


class StoredPrediction(NamedTuple):
    """One answer as a value text, None where there is none, and then why; `right` is None for variants."""

    item_id: str
    rule: str
    answer: str | None
    right: bool | None
    failed: str | None


def write_predictions(path: Path, predictions: Sequence[StoredPrediction]) -> None:
    """Write predictions, in the order of the dataset."""
    columns = list(zip(*predictions, strict=True)) or [()] * len(COLUMNS)
    arrays = [pa.array(list(column), type=kind) for column, (_, kind) in zip(columns, COLUMNS, strict=True)]
    pq.write_table(pa.table(arrays, schema=SCHEMA), path, compression="zstd")


def read_predictions(path: Path) -> Iterable[StoredPrediction]:
    """Yield the predictions of a file that `write_predictions` made."""
    for batch in pq.ParquetFile(path).iter_batches():
        columns = [column.to_pylist() for column in batch.columns]
        for row in zip(*columns, strict=True):
            yield StoredPrediction(*row)

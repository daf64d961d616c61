"""A model's answers to each item and variant of a dataset, as Parquet."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from dynabench_tasks.values import Value
from numpy.typing import NDArray

from evaluation.domain.items import ORIGINAL

TEXT: pa.DataType = pa.string()
BOOLEAN: pa.DataType = pa.bool_()
COLUMNS = [("id", TEXT), ("rule", TEXT), ("answer", TEXT), ("right", BOOLEAN), ("failed", TEXT)]
PLAIN_TEXTS = ("string", "multiclass")
SCHEMA = pa.schema(COLUMNS)


class StoredPrediction(NamedTuple):
    """One answer as a value text, None where there is none, and then why; `right` is None for variants."""

    item_id: str
    rule: str
    answer: str | None
    right: bool | None
    failed: str | None


def answer_of(prediction: StoredPrediction, claim_type: str) -> Value | None:
    """Return an answer as a value of the claimed field's type; None where there is none."""
    if prediction.answer is None or claim_type in PLAIN_TEXTS:
        return prediction.answer
    value: Value = json.loads(prediction.answer)
    return value


def write_predictions(path: Path, predictions: Sequence[StoredPrediction]) -> None:
    """Write predictions, in the order of the dataset."""
    columns = list(zip(*predictions, strict=True)) or [()] * len(COLUMNS)
    arrays = [pa.array(list(column), type=kind) for column, (_, kind) in zip(columns, COLUMNS, strict=True)]
    pq.write_table(pa.table(arrays, schema=SCHEMA), path, compression="zstd")


def read_originals(path: Path) -> Mapping[str, StoredPrediction]:
    """Return the answers to the items themselves, by the ids of the items."""
    table = pq.read_table(path, filters=[("rule", "==", ORIGINAL)])
    columns = [table.column(name).to_pylist() for name, _ in COLUMNS]
    return {row[0]: StoredPrediction(*row) for row in zip(*columns, strict=True)}


def read_prediction(path: Path, item_id: str) -> StoredPrediction | None:
    """Return the answer to an item itself; None where the file has none."""
    table = pq.read_table(path, filters=[("id", "==", item_id), ("rule", "==", ORIGINAL)])
    rows: list[dict[str, Any]] = table.to_pylist()
    if not rows:
        return None
    return StoredPrediction(*(rows[0][name] for name, _ in COLUMNS))


def read_right(path: Path) -> NDArray[np.bool_]:
    """Return whether the answer to each item itself is right, in the order of the dataset."""
    rows = pq.read_table(path, columns=["right"], filters=[("rule", "==", ORIGINAL)]).column("right")
    return np.array(rows.to_pylist(), dtype=np.bool_)

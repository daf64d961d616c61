"""Scores from ONNX Runtime in single precision on one thread.

About twice as fast as PyTorch for one short text, with the same labels; TorchServe's workers are the unit of
parallelism, so a session never takes a second core.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime

from .encoded_text import EncodedText

# Padded tokens per run: enough to amortise a run's overhead, small enough to stay in the cache.
TOKEN_BUDGET = 1024
GRAPH_OUTPUT = "scores"
Scores = npt.NDArray[np.float32]


class OnnxPredictor:
    """One loaded graph."""

    def __init__(self, path: Path, pad_id: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._inputs = {graph_input.name for graph_input in self._session.get_inputs()}
        self._pad_id = pad_id

    def scores(self, texts: Sequence[EncodedText]) -> list[Scores]:
        """One array per text, in order: a score per label, or per token and side of an answer.

        Texts of similar length share a run; rows of padding may stand behind a text's own tokens.
        """
        rows: dict[int, Scores] = {}
        for bucket in length_buckets([len(text) for text in texts], TOKEN_BUDGET):
            rows.update(zip(bucket, self._run([texts[index] for index in bucket]), strict=True))
        return [rows[index] for index in range(len(texts))]

    def _run(self, texts: list[EncodedText]) -> Scores:
        shape = (len(texts), max(map(len, texts)))
        feed = {
            "input_ids": np.full(shape, self._pad_id, dtype=np.int64),
            "attention_mask": np.zeros(shape, dtype=np.int64),
            "token_type_ids": np.zeros(shape, dtype=np.int64),
        }
        for row, text in enumerate(texts):
            feed["input_ids"][row, : len(text)] = text.ids
            feed["attention_mask"][row, : len(text)] = 1
            feed["token_type_ids"][row, : len(text)] = text.type_ids
        (scores,) = self._session.run([GRAPH_OUTPUT], {name: feed[name] for name in self._inputs})
        return np.asarray(scores, dtype=np.float32)


def length_buckets(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Indices grouped by similar length, each group's padded size at most `budget` (or a single text)."""
    bucket: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if bucket and (len(bucket) + 1) * lengths[index] > budget:
            yield bucket
            bucket = []
        bucket.append(index)
    if bucket:
        yield bucket

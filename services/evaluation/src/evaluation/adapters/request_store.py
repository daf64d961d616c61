"""Items and requests of datasets, and answers to them, in the object store."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path

import numpy as np
from dynabench_common.object_store import S3ObjectStore
from numpy.typing import NDArray

from evaluation.adapters import prediction_files, request_files
from evaluation.adapters.prediction_files import StoredPrediction
from evaluation.domain.evaluations import ScoredDataset
from evaluation.domain.items import Item, Request

MOST_KEPT = 8
MOST_PARSED, LARGEST_PARSED = 2, 20_000
"""Datasets whose parsed items are cached, and the most items of one: an item takes about 1 kB of memory."""
MOST_PREDICTIONS_KEPT = 200


class KeptFiles:
    """Files of the object store in a folder; each is fetched once while it is kept.

    The least recently used are dropped.
    """

    def __init__(self, store: S3ObjectStore, folder: Path, most_kept: int) -> None:
        self._store = store
        self._folder = folder
        self._most_kept = most_kept
        self._kept: OrderedDict[str, Path] = OrderedDict()
        self._lock = threading.Lock()

    def path(self, key: str) -> Path:
        """Return where the file lies. Raises ObjectsUnavailable."""
        with self._lock:
            if key not in self._kept:
                path = self._folder / hashlib.sha256(key.encode()).hexdigest()
                self._store.fetch(key, path)
                self._kept[key] = path
            self._kept.move_to_end(key)
            while len(self._kept) > self._most_kept:
                _, oldest = self._kept.popitem(last=False)
                oldest.unlink(missing_ok=True)
            return self._kept[key]


class RequestStore:
    """Reads items and requests; the files of the last few datasets are cached."""

    def __init__(self, store: S3ObjectStore, folder: Path, most_kept: int = MOST_KEPT) -> None:
        self._kept = KeptFiles(store, folder, most_kept)
        self._parsed = lru_cache(MOST_PARSED)(self._parse)

    def items(self, dataset: ScoredDataset) -> Sequence[Item]:
        """Return the items of a dataset. Raises ObjectsUnavailable."""
        is_small = (dataset.items or 0) <= LARGEST_PARSED
        return self._parsed(dataset.items_key) if is_small else self._parse(dataset.items_key)

    def _parse(self, key: str | None) -> Sequence[Item]:
        return tuple(request_files.read_items(self._file(key)))

    def first_items(self, dataset: ScoredDataset, most: int) -> Sequence[Item]:
        """Return so many items of a dataset. Raises ObjectsUnavailable."""
        return list(islice(request_files.read_items(self._file(dataset.items_key)), most))

    def item(self, dataset: ScoredDataset, item_id: str) -> Item | None:
        """Return an item of a dataset. Raises ObjectsUnavailable."""
        return request_files.find_item(self._file(dataset.items_key), item_id)

    def requests(self, dataset: ScoredDataset, first: int, number: int) -> Sequence[Request]:
        """Return a stretch of a dataset's requests. Raises ObjectsUnavailable."""
        return request_files.read_requests(self._file(dataset.requests_key), first, number)

    def kinds(self, dataset: ScoredDataset) -> Iterable[tuple[int, str]]:
        """Return the item and the rule of each request. Raises ObjectsUnavailable."""
        return list(request_files.request_kinds(self._file(dataset.requests_key)))

    def first_kinds(self, dataset: ScoredDataset, most: int) -> Sequence[tuple[int, str]]:
        """Return the item and the rule of so many requests. Raises ObjectsUnavailable."""
        return list(islice(request_files.request_kinds(self._file(dataset.requests_key)), most))

    def _file(self, key: str | None) -> Path:
        if key is None:
            raise ValueError("the dataset is not prepared yet")
        return self._kept.path(key)


class PredictionStore:
    """Reads what models answered; the files that were read last are cached."""

    def __init__(self, store: S3ObjectStore, folder: Path, most_kept: int = MOST_PREDICTIONS_KEPT) -> None:
        self._kept = KeptFiles(store, folder, most_kept)

    def prediction(self, key: str, item_id: str) -> StoredPrediction | None:
        """Return the answer to an item; None without one. Raises ObjectsUnavailable."""
        return prediction_files.read_prediction(self._kept.path(key), item_id)

    def originals(self, key: str) -> Mapping[str, StoredPrediction]:
        """Return the answers to the items themselves, by the ids of the items. Raises ObjectsUnavailable."""
        return prediction_files.read_originals(self._kept.path(key))

    def right(self, key: str) -> NDArray[np.bool_]:
        """Return whether each item is answered right, in the order of the dataset. Raises ObjectsUnavailable."""
        return prediction_files.read_right(self._kept.path(key))

"""Items and requests of datasets in the object store, with the files of the last few datasets kept at hand."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from pathlib import Path

from scoring.adapters.object_store import S3ObjectStore
from scoring.domain.evaluation import ScoredDataset
from scoring.evaluation import request_files
from scoring.evaluation.items import Item, Request

MOST_KEPT = 8


class RequestStore:
    """Reads items and requests; a file is fetched once."""

    def __init__(self, store: S3ObjectStore, folder: Path, most_kept: int = MOST_KEPT) -> None:
        self._store = store
        self._most_kept = most_kept
        self._folder = folder
        self._kept: OrderedDict[str, Path] = OrderedDict()
        self._lock = threading.Lock()

    def items(self, dataset: ScoredDataset) -> Sequence[Item]:
        """Return the items of a dataset. Raises ObjectsUnavailable."""
        return list(request_files.read_items(self._file(dataset.items_key)))

    def requests(self, dataset: ScoredDataset, first: int, number: int) -> Sequence[Request]:
        """Return a stretch of a dataset's requests. Raises ObjectsUnavailable."""
        return request_files.read_requests(self._file(dataset.requests_key), first, number)

    def kinds(self, dataset: ScoredDataset) -> Iterable[tuple[int, str]]:
        """Return the item and the rule of each request. Raises ObjectsUnavailable."""
        return list(request_files.request_kinds(self._file(dataset.requests_key)))

    def _file(self, key: str | None) -> Path:
        if key is None:
            raise ValueError("the dataset is not prepared yet")
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

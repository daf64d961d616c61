"""Local cache of files of the object store; the least recently used are dropped."""

import hashlib
import threading
from collections import OrderedDict
from pathlib import Path

from scoring.adapters.object_store import S3ObjectStore


class KeptFiles:
    """Files in a folder; one is fetched once while it is kept."""

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

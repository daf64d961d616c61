"""TorchServe's inference key, which it makes anew at each start and writes to `key_file.json`."""

import json
from pathlib import Path


class InferenceKey:
    """The key in use."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._key = ""

    def current(self) -> str:
        """Return the key, read at its first use."""
        if not self._key:
            self.reread()
        return self._key

    def reread(self) -> bool:
        """Read the file; tell whether the key is another one now. A missing file leaves the old one."""
        try:
            key = str(json.loads(self._path.read_text(encoding="utf-8"))["inference"]["key"])
        except (OSError, ValueError, KeyError, TypeError):
            return False
        is_new = key != self._key
        self._key = key
        return is_new

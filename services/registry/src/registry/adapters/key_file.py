"""TorchServe's keys, which it makes anew at each start and writes to `key_file.json`."""

import json
from pathlib import Path


class Keys:
    """The keys in use, by the name of their interface: `management`, `inference`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._keys: dict[str, str] = {}

    def current(self, interface: str) -> str:
        """Return a key, read at its first use; empty while there is no file."""
        if not self._keys:
            self.reread()
        return self._keys.get(interface, "")

    def reread(self) -> bool:
        """Read the file; tell whether a key is another one now. A missing file leaves the old ones."""
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
            keys = {interface: str(content[interface]["key"]) for interface in ("management", "inference")}
        except (OSError, ValueError, KeyError, TypeError):
            return False
        is_new = keys != self._keys
        self._keys = keys
        return is_new

"""Our own static files, under an address that changes with their content.

One digest covers the whole folder and stands in the path, so that modules may import each other by relative
names and still be kept for a year. The price: any change makes browsers fetch all of them again, about 70 kB.
"""

import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "static"
PREFIX = "/static"
MODULE_TYPE = "text/javascript; charset=utf-8"


@dataclass(frozen=True)
class Asset:
    """A file as it is sent."""

    content: bytes
    media_type: str


class Assets:
    """All static files, read once."""

    def __init__(self, folder: Path = FOLDER) -> None:
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        self._assets = {path.relative_to(folder).as_posix(): _read(path) for path in files}
        digest = hashlib.sha256()
        for name, asset in self._assets.items():
            digest.update(f"{name}\0{len(asset.content)}\0".encode() + asset.content)
        self.digest = digest.hexdigest()[:16]

    def address(self, name: str) -> str:
        """Return where a file is served. Raises KeyError for a file that is not there."""
        if name not in self._assets:
            raise KeyError(f"no static file {name}; were the assets installed?")
        return f"{PREFIX}/{self.digest}/{name}"

    def names(self, folder: str) -> list[str]:
        """Return the names of the files in a folder."""
        return [name for name in self._assets if name.startswith(f"{folder}/")]

    def find(self, name: str) -> Asset | None:
        """Return a file, or None."""
        return self._assets.get(name)


def _read(path: Path) -> Asset:
    if path.suffix == ".js":
        return Asset(path.read_bytes(), MODULE_TYPE)
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Asset(path.read_bytes(), media_type)

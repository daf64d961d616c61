"""Scripts, style sheets and pictures of the kit and of all page packages; addresses contain a digest of their content.

One digest covers all of them. So modules may import each other by relative names and still be cached for a year. The
price: any change makes browsers fetch all of them again, about 70 kB.

A script that exports a `selector` is a behaviour. This module writes `behaviours.js`, which imports all of them, so a
page package adds one by a file of its own. All sheets are sent as one, and so are all scripts: `install_assets.py`
bundles them. A bundle made of other scripts than the present ones is not used; then each script is sent separately.
"""

import hashlib
import mimetypes
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import web

PREFIX = "/static"
SUFFIXES = {".css", ".js", ".svg", ".woff2"}
KIT, TESTS, VENDOR = "kit/", "tests", "kit/vendor/"
SHEETS_FIRST = ("kit/css/tokens.css", "kit/css/base.css", "kit/css/components.css", "kit/css/charts.css")
SHEET_LAST = "kit/css/media.css"
BEHAVIOURS, BUNDLE, SHEET = "behaviours.js", "kit/vendor/behaviours.js", "kit/css/all.css"
IS_BEHAVIOUR = re.compile(rb"^export const selector\b", re.MULTILINE)
MODULE_TYPE = "text/javascript; charset=utf-8"


@dataclass(frozen=True)
class Asset:
    """A file as it is sent."""

    content: bytes
    media_type: str


class Assets:
    """All static files below `folders`, read once; each is named by its path there, as `create/draft.js`."""

    def __init__(self, folders: Iterable[str] | None = None) -> None:
        self._assets = dict(sorted(_files(web.__path__ if folders is None else folders)))
        self._assets[BEHAVIOURS] = _behaviours(self._assets)
        self._assets[SHEET] = Asset(
            b"\n".join(self._assets[name].content for name in self._sheets()), "text/css"
        )
        self.digest = _digest(self._assets.items())

    def address(self, name: str) -> str:
        """Return where a file is served. Raises KeyError for a file that is not there."""
        if name not in self._assets:
            raise KeyError(f"no static file {name}; were the assets installed?")
        return f"{PREFIX}/{self.digest}/{name}"

    def find(self, name: str) -> Asset | None:
        """Return a file, or None."""
        return self._assets.get(name)

    @property
    def script(self) -> str:
        """The name of the script that starts all behaviours."""
        bundle = self._assets.get(BUNDLE)
        return BUNDLE if bundle and bundle.content.startswith(self.banner.encode()) else BEHAVIOURS

    @property
    def banner(self) -> str:
        """First line of a bundle of these scripts, with their digest."""
        return f"/* {_digest((name, self._assets[name]) for name in self._scripts())} */"

    def preloaded(self) -> list[str]:
        """Return the names of the modules that the script imports one by one; none where it is a bundle."""
        return self._scripts() if self.script == BEHAVIOURS else []

    def _scripts(self) -> list[str]:
        return [name for name in self._assets if name.endswith(".js") and not name.startswith(VENDOR)]

    def _sheets(self) -> list[str]:
        """Return the style sheets in their order: the kit's, then those of page packages, then paper."""
        placed = (*SHEETS_FIRST, SHEET_LAST)
        others = [name for name in self._assets if name.endswith(".css") and name not in placed]
        found = [
            *SHEETS_FIRST,
            *sorted(others, key=lambda name: (not name.startswith(KIT), name)),
            SHEET_LAST,
        ]
        return [name for name in found if name in self._assets]


def _digest(assets: Iterable[tuple[str, Asset]]) -> str:
    digest = hashlib.sha256()
    for name, asset in assets:
        digest.update(f"{name}\0{len(asset.content)}\0".encode() + asset.content)
    return digest.hexdigest()[:16]


def _files(folders: Iterable[str]) -> Iterator[tuple[str, Asset]]:
    for folder in map(Path, folders):
        for path in folder.rglob("*"):
            if path.suffix in SUFFIXES and path.is_file() and TESTS not in path.relative_to(folder).parts:
                yield path.relative_to(folder).as_posix(), _read(path)


def _read(path: Path) -> Asset:
    if path.suffix == ".js":
        return Asset(path.read_bytes(), MODULE_TYPE)
    if path.suffix == ".woff2":
        return Asset(path.read_bytes(), "font/woff2")
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Asset(path.read_bytes(), media_type)


def _behaviours(assets: dict[str, Asset]) -> Asset:
    """Return the script that starts all behaviours."""
    names = [
        name for name, asset in assets.items() if name.endswith(".js") and IS_BEHAVIOUR.search(asset.content)
    ]
    lines = ['import { start } from "./kit/js/start.js";']
    lines += [f'import * as behaviour{at} from "./{name}";' for at, name in enumerate(names)]
    lines.append(f"start([{', '.join(f'behaviour{at}' for at in range(len(names)))}]);")
    return Asset(("\n".join(lines) + "\n").encode(), MODULE_TYPE)

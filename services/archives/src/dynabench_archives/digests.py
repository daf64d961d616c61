"""Digests of contents: `sha256:<hex>` over names and bytes, independent of order, time and place.

The packaging tool of the serving environment has the same rule in `model_archives.digests`; a test compares both.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

Content = bytes | Path
PIECE_BYTES = 1 << 20


def hex_digest(content: Content) -> str:
    """Return the hex sha256 of some bytes, or of a file's."""
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()
    digest = hashlib.sha256()
    with content.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()


def file_digest(path: Path) -> str:
    """Return the digest of a file; an archive's digest is announced before the upload."""
    return f"sha256:{hex_digest(path)}"


def content_digest(entries: Mapping[str, str]) -> str:
    """Return one digest over several named contents; `entries` maps their paths to their hex sha256."""
    lines = "".join(f"{entries[path]}  {path}\n" for path in sorted(entries))
    return f"sha256:{hashlib.sha256(lines.encode()).hexdigest()}"

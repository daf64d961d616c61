"""Content digests: `sha256:<hex>` over names and contents, independent of order, time and place."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

CHUNK = 1 << 20
Content = bytes | Path


def file_digest(path: Path) -> str:
    """The digest of one file's bytes."""
    return f"sha256:{_hex(path)}"


def content_digest(entries: Mapping[str, Content]) -> str:
    """One digest over several named contents."""
    lines = "".join(f"{_hex(entries[name])}  {name}\n" for name in sorted(entries))
    return f"sha256:{hashlib.sha256(lines.encode()).hexdigest()}"


def _hex(content: Content) -> str:
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()
    digest = hashlib.sha256()
    with content.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()

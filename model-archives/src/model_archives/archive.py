"""TorchServe's archive format, written so that the same entries give the same bytes.

torch-model-archiver stamps times and compresses by whatever zlib is installed; here entries are sorted, undated
and stored (weights hardly compress, and a worker starts sooner).
"""

import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

from model_archives.digests import Content

MANIFEST_ENTRY = "MAR-INF/MANIFEST.json"
HANDLER_ENTRY = "dynabench_handler.py"
EPOCH = (1980, 1, 1, 0, 0, 0)
READABLE_FILE = 0o100644 << 16
UNIX = 3


def manifest(name: str, version: str) -> bytes:
    """TorchServe's manifest: the handler's module, and the model's name and version."""
    content = {
        "archiverVersion": "0.12.0",
        "model": {"handler": HANDLER_ENTRY, "modelName": name, "modelVersion": version},
        "runtime": "python",
    }
    return (json.dumps(content, indent=2, sort_keys=True) + "\n").encode()


def write_archive(path: Path, entries: Mapping[str, Content]) -> None:
    """Write all entries and only then take the final name: readers never see a partial archive."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED) as archive:
            for name in sorted(entries):
                content = entries[name]
                archive.writestr(
                    _entry(name), content if isinstance(content, bytes) else content.read_bytes()
                )
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.create_system = UNIX
    entry.external_attr = READABLE_FILE
    return entry

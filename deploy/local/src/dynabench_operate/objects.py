"""The bucket as files named by their SHA-256, with an index of keys; and their restore.

An object that is also in the previous backup (same key, tag and size) is linked instead of fetched. So another backup
on the same disk costs only what is new.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError

from dynabench_operate.manifest import INDEX, OBJECTS, PIECE_BYTES, entry_of
from dynabench_operate.stores import HEALTH_KEY, ObjectStore

CONTENT = f"{OBJECTS}/content"
GONE = {"NoSuchKey", "404"}


@dataclass(frozen=True)
class Entry:
    """An object: key without the prefix, the store's tag of its content, size in bytes, SHA-256, and content type."""

    key: str
    tag: str
    bytes: int
    sha256: str
    media_type: str = "binary/octet-stream"
    metadata: Mapping[str, str] = field(default_factory=dict)

    def path(self, folder: Path) -> Path:
        """Return the content's path in a backup."""
        return folder / CONTENT / self.sha256[:2] / self.sha256


def listed(store: ObjectStore) -> Iterator[dict[str, Any]]:
    """Yield this installation's objects in S3's order, keys with their prefix."""
    pages = (
        store.client().get_paginator("list_objects_v2").paginate(Bucket=store.bucket, Prefix=store.key_prefix)
    )
    for page in pages:
        for found in page.get("Contents", ()):
            if found["Key"] != store.key_prefix + HEALTH_KEY:
                yield found


def write(store: ObjectStore, folder: Path, former: Path | None) -> tuple[list[Entry], list[str]]:
    """Fetch every object; return the index, and the keys that vanished after the listing."""
    client, entries, vanished = store.client(), [], []
    known = {(entry.key, entry.tag, entry.bytes): entry for entry in index(former)} if former else {}
    for found in listed(store):
        key = found["Key"].removeprefix(store.key_prefix)
        same = known.get((key, found["ETag"], found["Size"]))
        if same is not None and former is not None and _link(same, former, folder):
            entries.append(same)
            continue
        try:
            answer = client.get_object(Bucket=store.bucket, Key=found["Key"])
        except ClientError as err:
            if err.response["Error"]["Code"] not in GONE:
                raise
            vanished.append(key)
            continue
        entries.append(_fetched(folder, key, answer))
    (folder / OBJECTS).mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(asdict(entry), sort_keys=True) + "\n" for entry in entries)
    (folder / INDEX).write_text(lines, encoding="utf-8")
    return entries, vanished


def _link(entry: Entry, former: Path, folder: Path) -> bool:
    """Link the content from the former backup, unless it is damaged."""
    source, target = entry.path(former), entry.path(folder)
    try:
        if entry_of(source).sha256 != entry.sha256:
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            os.link(source, target)
    except OSError:
        return False
    return True


def _fetched(folder: Path, key: str, answer: Mapping[str, Any]) -> Entry:
    temporary = folder / CONTENT / "fetching"
    temporary.parent.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with temporary.open("wb") as file:
        for piece in answer["Body"].iter_chunks(PIECE_BYTES):
            digest.update(piece)
            size += file.write(piece)
    media_type = answer.get("ContentType") or Entry.media_type
    entry = Entry(key, answer["ETag"], size, digest.hexdigest(), media_type, answer.get("Metadata") or {})
    entry.path(folder).parent.mkdir(exist_ok=True)
    temporary.replace(entry.path(folder))
    return entry


def index(folder: Path) -> Iterator[Entry]:
    """Yield a backup's objects. Raises OSError or ValueError if the index can't be read."""
    with (folder / INDEX).open(encoding="utf-8") as file:
        for line in file:
            yield Entry(**json.loads(line))


def send(store: ObjectStore, folder: Path) -> int:
    """Put every object of a backup into the bucket; return how many."""
    client, sent = store.client(), 0
    for entry in index(folder):
        extra = {"ContentType": entry.media_type, "Metadata": dict(entry.metadata)}
        client.upload_file(
            str(entry.path(folder)), store.bucket, store.key_prefix + entry.key, ExtraArgs=extra
        )
        sent += 1
    return sent


def clear(store: ObjectStore) -> None:
    """Remove every object of this installation."""
    client = store.client()
    for found in list(listed(store)):
        client.delete_object(Bucket=store.bucket, Key=found["Key"])

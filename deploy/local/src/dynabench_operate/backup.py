"""Take a backup: the cut, the databases at the cut, the log up to it, then the bucket.

0002-order-of-a-backup.md gives the reasons for this order.
"""

import os
import shutil
from collections.abc import Callable
from itertools import chain
from pathlib import Path

from dynabench_operate import databases, events, manifest, objects
from dynabench_operate.cut import Cut, cut
from dynabench_operate.manifest import Manifest
from dynabench_operate.stores import LOCAL_FILES, SERVICES, Refused, Stores

PARTIAL = ".partial"
Say = Callable[[str], None]


def take(stores: Stores, target: Path, say: Say, former: Path | None = None) -> Manifest:
    """Write a backup into a new folder; `former` is one on the same disk whose objects may be linked.

    While it is written, the folder's name ends in `.partial`, also after a failure.
    Raises Refused, KafkaError, BotoCoreError, ClientError.
    """
    if target.exists():
        raise Refused(f"{target} is there already: name a folder that is not.")
    partial = target.with_name(target.name + PARTIAL)
    with cut(stores) as moment:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True, mode=0o700)
        say(f"the mark is set; commands that make events waited {moment.held_seconds * 1000:.0f} ms")
        found = _described(moment)
        (partial / manifest.DATABASES).mkdir()
        for service in SERVICES:
            dump = partial / manifest.DATABASES / f"{service}.dump"
            databases.dump(stores, service, moment.snapshots[service], dump)
        say(f"{len(SERVICES)} databases written")
    unsent = set(chain.from_iterable(moment.unsent.values()))
    found.events = events.write(stores, partial / manifest.EVENTS, moment.ends, unsent)
    say(
        f"{sum(found.events.values())} records of {len(found.events)} topics written, {len(unsent)} not sent yet"
    )
    entries, found.vanished_objects = objects.write(stores.objects, partial, former)
    found.objects, found.object_bytes = len(entries), sum(entry.bytes for entry in entries)
    say(f"{found.objects} objects written, {found.object_bytes} bytes")
    if stores.home is not None:
        _keep_local_files(stores.home, partial / manifest.HOME)
    found.files = {
        str(path.relative_to(partial)): manifest.entry_of(path)
        for path in sorted(partial.rglob("*"))
        if path.is_file()
    }
    found.write(partial)
    os.sync()
    partial.rename(target)
    return found


def _described(moment: Cut) -> Manifest:
    return Manifest(
        taken_at=manifest.now(),
        held_seconds=moment.held_seconds,
        revisions=moment.revisions,
        server_versions=moment.server_versions,
        unsent_events={service: len(ids) for service, ids in moment.unsent.items()},
        beginnings=dict(moment.beginnings),
        ends=dict(moment.ends),
        groups=moment.groups,
    )


def _keep_local_files(home: Path, target: Path) -> None:
    for name in LOCAL_FILES:
        if (home / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(home / name, target / name)


def complete(folder: Path) -> list[Path]:
    """Return the complete backups in a folder, the oldest first."""
    return sorted(path.parent for path in folder.glob(f"*/{manifest.NAME}") if path.parent.suffix != PARTIAL)


def prune(folder: Path, keep: int) -> list[Path]:
    """Remove all complete backups but the newest `keep`, and incomplete ones; return the removed ones."""
    unfinished = [path for path in folder.glob(f"*{PARTIAL}") if path.is_dir()]
    removed = [*complete(folder)[: -max(keep, 1)], *unfinished]
    for path in removed:
        shutil.rmtree(path)
    return removed

"""Restore a backup into empty stores, or verify one without touching any store."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from dynabench_local import topics
from kafka.errors import KafkaError

from dynabench_operate import databases, events, groups, manifest, objects
from dynabench_operate.backup import Say
from dynabench_operate.cut import topic_names
from dynabench_operate.databases import known_revisions
from dynabench_operate.manifest import Manifest
from dynabench_operate.stores import SERVICES, Refused, Stores

MOST_NAMED = 8
PATIENCE_SECONDS = 30


def verify(folder: Path) -> Manifest:
    """Return the manifest of a backup that is whole.

    Raises Refused naming missing, changed, unreadable or unknown files.
    """
    found = manifest.read(folder)
    wrong = list(manifest.problems(folder, found)) or list(_unreadable(folder, found))
    if wrong:
        more = f" and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
        raise Refused(
            f"{folder} is damaged: {'; '.join(wrong[:MOST_NAMED])}{more}. Fetch it again from where copies are kept, "
            "or take another backup."
        )
    return found


def _services(found: Manifest) -> list[str]:
    """Return the services that the backup holds. A later version may have more; their databases stay empty."""
    return [service for service in SERVICES if service in found.revisions]


def _unreadable(folder: Path, found: Manifest) -> Iterator[str]:
    for service in _services(found):
        name = f"{manifest.DATABASES}/{service}.dump"
        if name not in found.files:
            yield f"{name} was never written"
        elif not databases.is_readable(folder / name):
            yield f"{name} can't be read by pg_restore"
    for topic, of in found.ends.items():
        paths = [events.path_of(folder / manifest.EVENTS, topic, number) for number in range(len(of))]
        try:
            records = sum(1 for path in paths for _ in events.read(path))
        except (OSError, ValueError, EOFError) as err:
            yield f"the records of {topic} can't be read ({err})"
        else:
            if records != found.events[topic]:
                yield f"{topic} holds {records} records, {found.events[topic]} were written"
    contents = {entry.sha256 for entry in objects.index(folder)}
    held = {entry.sha256 for name, entry in found.files.items() if name.startswith(objects.CONTENT)}
    if contents != held:
        lacking, strange = len(contents - held), len(held - contents)
        yield f"{lacking} contents that the index names are missing, {strange} are of no object"


def restore(
    stores: Stores, folder: Path, say: Say, *, overwrite: bool = False, wait_seconds: float = 0
) -> Manifest:
    """Restore a verified backup into the stores; with `overwrite` their content is removed first.

    Services must not run; ending ones are awaited. Raises Refused before any change if the backup is damaged or of a
    newer version, services run, or a store is not empty and `overwrite` was not given.
    """
    found = verify(folder)
    say(f"the backup of {found.taken_at} is whole")
    _refuse_newer(found)
    _refuse_running(stores, time.monotonic() + wait_seconds)
    events.ensure_partitions(stores, found.ends)
    occupied = list(_occupied(stores))
    if occupied and not overwrite:
        raise Refused(
            f"the target is not empty: {'; '.join(occupied)}. Restore into empty stores, or say --overwrite (of "
            "make: OVERWRITE=1), which removes all of that."
        )
    if occupied:
        _clear(stores)
        say("removed what the stores held")
    services = _services(found)
    for service in services:
        databases.load(stores, service, folder / manifest.DATABASES / f"{service}.dump")
    say(f"{len(services)} databases restored")
    say(f"{objects.send(stores.objects, folder)} objects restored")
    events.send(stores, folder / manifest.EVENTS, found.ends)
    groups.set_positions(stores, found.groups)
    say(f"{sum(found.events.values())} records and {len(found.groups)} consumer groups restored")
    if stores.home is not None:
        _bring_local_files(folder / manifest.HOME, stores.home)
    return found


def _refuse_newer(found: Manifest) -> None:
    newer = [
        f"{service} ({revision})"
        for service, revision in found.revisions.items()
        if revision not in known_revisions(service)
    ]
    if newer:
        raise Refused(
            f"this version does not know the migrations of {', '.join(newer)}: restore with the version that took "
            "the backup, or a newer one."
        )


def _refuse_running(stores: Stores, deadline: float) -> None:
    while running := [
        f"{service} ({users})" for service in SERVICES if (users := databases.users(stores, service))
    ]:
        if time.monotonic() > deadline:
            raise Refused(
                f"databases have connections: {', '.join(running)}. Stop all services first; on Kubernetes scale them "
                "to 0."
            )
        time.sleep(1)


def _occupied(stores: Stores) -> Iterator[str]:
    for service in SERVICES:
        if tables := databases.tables(stores, service):
            yield f"the database of {service} has {tables} tables"
    if names := events.occupied(stores):
        yield f"{len(names)} topics have had records ({names[0]}, …)"
    if any(True for _ in objects.listed(stores.objects)):
        yield f"the bucket {stores.objects.bucket} holds objects"


def _clear(stores: Stores) -> None:
    for service in SERVICES:
        databases.clear(stores, service)
    objects.clear(stores.objects)
    wanted = [stores.topic_prefix + name for name in topic_names()]
    admin = groups.administrator(stores)
    try:
        known = admin.describe_topics(wanted)
        replicas = max(len(partition["replicas"]) for topic in known for partition in topic["partitions"])
        if former := list(groups.positions(stores)):
            admin.delete_consumer_groups([stores.topic_prefix + name for name in former])
        admin.delete_topics(wanted)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while set(wanted) & set(admin.list_topics()) and time.monotonic() < deadline:
            time.sleep(0.2)
    except (KafkaError, ValueError) as err:
        raise Refused(f"topics can't be removed: {err}. Remove them by hand and restore again.") from err
    finally:
        admin.close()
    topics.ensure_topics(stores.kafka_address, stores.topic_prefix, replicas=replicas)


def _bring_local_files(source: Path, home: Path) -> None:
    for path in source.rglob("*"):
        if path.is_file():
            target = home / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            shutil.copy2(path, target)

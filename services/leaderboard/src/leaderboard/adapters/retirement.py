"""Removal of unused read models by workers.

Workers remove a read model some minutes after a rebuild of the same version replaced it, when its readers are done.
They remove an older version's a day after a newer one became current, unless a process of that version is connected.
Workers never remove a read model of a newer version.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work.leader import LockKey
from sqlalchemy import Engine, func, select

from leaderboard.adapters import read_models
from leaderboard.adapters.read_models import Build, ReadModel, versions_connected

log = get_logger(__name__)
PAUSE_SECONDS = 60.0
REPLACED_FOR = timedelta(minutes=10)
OLD_FOR = timedelta(days=1)
PROCESSES = ("http", "worker", "command")


def drop_unused(engine: Engine, version: int) -> list[ReadModel]:
    """Remove unused read models and return them; none while another worker does so."""
    with engine.begin() as connection:
        if not connection.execute(
            select(func.pg_try_advisory_xact_lock(LockKey.LEADERBOARD_RETIREMENT))
        ).scalar_one():
            return []
        builds = read_models.list_all(connection)
        now = connection.execute(select(func.now())).scalar_one()
        over = unused(builds, version, versions_connected(connection, *PROCESSES), now)
        for found in over:
            read_models.drop(connection, found)
            log.info("read_model_dropped", schema=found.schema, version=found.version)
    return over


def unused(
    builds: Sequence[Build], version: int, connected: frozenset[int], now: datetime
) -> list[ReadModel]:
    """Return the read models that workers of this version may remove; `connected` are versions of running processes."""
    newer_since = min(
        (
            build.stood_at or now
            for build in builds
            if build.state == read_models.STANDING and build.read_model.version == version
        ),
        default=now,
    )
    return [
        build.read_model
        for build in builds
        if build.state != read_models.DROPPED
        and (_is_old(build, version, connected, newer_since, now) or _is_replaced(build, version, now))
    ]


def _is_old(
    build: Build, version: int, connected: frozenset[int], newer_since: datetime, now: datetime
) -> bool:
    return (
        build.read_model.version < version
        and newer_since < now - OLD_FOR
        and build.read_model.version not in connected
    )


def _is_replaced(build: Build, version: int, now: datetime) -> bool:
    """Return whether a read model was replaced long enough ago; processes may know only the one in `public`."""
    if build.replaced_at is None or build.read_model.version > version:
        return False
    if build.read_model.number == 0:
        return build.replaced_at < now - OLD_FOR
    return build.replaced_at < now - REPLACED_FOR

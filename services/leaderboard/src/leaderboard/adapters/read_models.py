"""Existing read models: their versions of the counting, and the progress of those being built.

A read model is one set of the tables behind boards. It has its own schema, its own inbox and its own consumer group. So
several versions exist at the same time, and one is built while another is read.

Number 0 is in `public`, where migrations maintain the tables. It is the read model from before read models had schemas,
or it never received an event. There is at most one read model per version; readers and workers of a version use only
that one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_hex
from typing import Any

from dynabench_common.events.replay import Positions, Replayed
from kafka import TopicPartition
from sqlalchemy import ColumnElement, Connection, Row, func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from leaderboard.adapters import read_model_version
from leaderboard.adapters.tables import build_trouble, inbox, projection, read_model, read_models

CONSUMER = "leaderboard"
SESSION_NAMES = text("SELECT application_name FROM pg_stat_activity WHERE datname = current_database()")
BUILDING, STANDING, REPLACED, DROPPED = "building", "standing", "replaced", "dropped"
STORAGE = text("SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = CAST(:table AS regclass)")
TABLES = (*read_models, inbox, projection)
"""Tables of which each read model has its own; the last holds the version that made the rows."""
BUILDS = select(read_model, build_trouble.c.reason).outerjoin(
    build_trouble, (build_trouble.c.version == read_model.c.version) & (read_model.c.state == BUILDING)
)


@dataclass(frozen=True)
class ReadModel:
    """One set of the tables; its database never reuses the number.

    The name of its consumer group is unique across databases. So a copy of the boards built elsewhere from the same
    log takes no events from the boards that people read.
    """

    version: int
    number: int = 0
    group: str = field(default=CONSUMER, compare=False)

    @property
    def schema(self) -> str:
        """Return the name of its PostgreSQL schema."""
        return f"board_{self.version}_{self.number}" if self.number else "public"

    @property
    def search_path(self) -> str:
        """Return the search path of its workers; tables shared by all read models are in `public`."""
        return f"{self.schema},public" if self.number else "public"


@dataclass(frozen=True)
class Build:
    """A read model with its state and progress: `events_read` of `events_total` during a build.

    `events_refused` of them could not be applied; if an older version could apply them, this is their only record.
    `trouble` is the reason why a build stopped.
    """

    read_model: ReadModel
    state: str
    positions: Positions
    events_read: int
    events_total: int
    events_applied: int
    events_refused: int
    begun_at: datetime
    stood_at: datetime | None
    replaced_at: datetime | None
    trouble: str | None


def list_all(connection: Connection) -> list[Build]:
    """Return every read model, dropped ones too, the oldest first."""
    rows = connection.execute(BUILDS.order_by(read_model.c.number))
    return [_build(row) for row in rows]


def standing(connection: Connection, version: int) -> ReadModel | None:
    """Return the current read model of a version, which its readers and workers use."""
    found = _of(connection, version, STANDING)
    return None if found is None else found.read_model


def unfinished(connection: Connection, version: int) -> Build | None:
    """Return the unfinished build of a version, also of a builder that died."""
    return _of(connection, version, BUILDING)


def newest_standing_version(connection: Connection) -> int | None:
    """Return the newest version that has a current read model."""
    statement = select(func.max(read_model.c.version)).where(read_model.c.state == STANDING)
    version: int | None = connection.execute(statement).scalar_one()
    return version


def take_untouched(connection: Connection, version: int) -> ReadModel | None:
    """Take the tables in `public` for a version if no events were ever applied: nothing needs to be built."""
    found = list_all(connection)
    if [build.read_model.number for build in found] != [0] or holds_anything(connection, "public"):
        return None
    connection.execute(update(read_model).values(version=version, state=STANDING))
    read_model_version.state(connection, version)
    return ReadModel(version)


def begin(connection: Connection, version: int) -> Build:
    """Create the tables of a new read model as copies of the migrated ones."""
    number = 1 + connection.execute(select(func.max(read_model.c.number))).scalar_one()
    made = ReadModel(version, number, f"{CONSUMER}-board_{version}_{number}-{token_hex(4)}")
    connection.execute(text(f"CREATE SCHEMA {made.schema}"))
    for table in TABLES:
        like = f'public."{table.name}"'
        options = connection.execute(STORAGE, {"table": like}).scalar_one()
        shape = f"(LIKE {like} INCLUDING ALL)" + (f" WITH ({options})" if options else "")
        connection.execute(text(f'CREATE TABLE {made.schema}."{table.name}" {shape}'))
    connection.execute(text(f"SET LOCAL search_path TO {made.search_path}"))
    read_model_version.state(connection, version)
    named = {"number": number, "version": version, "consumer_group": made.group, "state": BUILDING}
    connection.execute(read_model.insert().values(named))
    return _build(connection.execute(BUILDS.where(_is(made))).one())


def note_progress(
    connection: Connection, found: ReadModel, positions: Positions, read: int, total: int, new: Replayed
) -> None:
    """Store the read positions and the results of new events, in the transaction that applied these."""
    packed = {f"{place.topic}:{place.partition}": position for place, position in positions.items()}
    connection.execute(
        update(read_model)
        .where(_is(found))
        .values(
            positions=packed,
            events_read=read,
            events_total=total,
            events_applied=read_model.c.events_applied + new.applied,
            events_refused=read_model.c.events_refused + new.refused,
        )
    )
    forget_trouble(connection, found.version)


def events_applied(connection: Connection, found: ReadModel) -> int:
    """Return how many events a build took in."""
    applied: int = connection.execute(select(read_model.c.events_applied).where(_is(found))).scalar_one()
    return applied


def note_trouble(connection: Connection, version: int, trouble: str) -> None:
    """Write down why the building of a version does not go on."""
    said = {"reason": trouble.replace("\x00", "")[:1_000], "noted_at": func.now()}
    statement = insert(build_trouble).values(version=version, **said)
    connection.execute(statement.on_conflict_do_update(index_elements=["version"], set_=said))


def forget_trouble(connection: Connection, version: int) -> None:
    """Forget why the building of a version did not go on: it does."""
    connection.execute(build_trouble.delete().where(build_trouble.c.version == version))


def troubles(connection: Connection) -> Mapping[int, str]:
    """Return why the building of versions does not go on, by version."""
    return {row.version: row.reason for row in connection.execute(select(build_trouble))}


def switch_to(connection: Connection, built: ReadModel) -> None:
    """Let readers and workers of the version use this read model from the end of the transaction on."""
    before = standing(connection, built.version)
    if before is not None:
        connection.execute(
            update(read_model).where(_is(before)).values(state=REPLACED, replaced_at=func.now(), positions={})
        )
        _forget_stalled_partitions(connection, before)
    connection.execute(update(read_model).where(_is(built)).values(state=STANDING, stood_at=func.now()))
    forget_trouble(connection, built.version)


def drop(connection: Connection, dropped: ReadModel) -> None:
    """Remove a read model with its rows; those in `public` are emptied, since they keep the shapes."""
    if dropped.number:
        connection.execute(text(f"DROP SCHEMA {dropped.schema} CASCADE"))
    else:
        names = ", ".join(f'public."{table.name}"' for table in (*read_models, inbox))
        connection.execute(text(f"TRUNCATE {names}"))
        read_model_version.state(connection, read_model_version.NOBODYS)
    _forget_stalled_partitions(connection, dropped)
    connection.execute(update(read_model).where(_is(dropped)).values(state=DROPPED, positions={}))


def holds_anything(connection: Connection, schema: str) -> bool:
    """Return whether events were ever taken in; the inbox alone does not tell, since it is pruned."""
    return any(
        connection.execute(text(f'SELECT 1 FROM {schema}."{table.name}" LIMIT 1')).scalar_one_or_none()
        is not None
        for table in (inbox, *read_models)
    )


def _forget_stalled_partitions(connection: Connection, found: ReadModel) -> None:
    connection.execute(text("DELETE FROM held_partition WHERE consumer = :group"), {"group": found.group})


def _of(connection: Connection, version: int, state: str) -> Build | None:
    statement = BUILDS.where(read_model.c.version == version, read_model.c.state == state)
    row = connection.execute(statement).one_or_none()
    return None if row is None else _build(row)


def _is(found: ReadModel) -> ColumnElement[bool]:
    return read_model.c.number == found.number


def _build(row: Row[Any]) -> Build:
    return Build(
        ReadModel(row.version, row.number, row.consumer_group),
        row.state,
        _unpacked(row.positions),
        row.events_read,
        row.events_total,
        row.events_applied,
        row.events_refused,
        row.begun_at,
        row.stood_at,
        row.replaced_at,
        row.reason,
    )


def _unpacked(packed: Mapping[str, int]) -> Positions:
    places: Sequence[tuple[str, int]] = sorted(packed.items())
    return {
        TopicPartition(topic, int(number)): position
        for (topic, _, number), position in ((place.rpartition(":"), position) for place, position in places)
    }


def session_name(process: str, version: int) -> str:
    """Return the name of a process's connections, by which others see the version of the boards that it uses."""
    return f"leaderboard-{process}-{version}"


def versions_connected(connection: Connection, *processes: str) -> frozenset[int]:
    """Return the versions whose processes of these kinds are connected."""
    found = set()
    for name in connection.execute(SESSION_NAMES).scalars():
        service, _, rest = name.partition("-")
        process, _, version = rest.partition("-")
        if service == "leaderboard" and process in processes and version.isdecimal():
            found.add(int(version))
    return frozenset(found)

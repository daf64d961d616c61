"""Rebuild of a read model from the log, next to the current one, and the switch to it.

A build runs in steps. Each commits the effect of some events together with the position in the log. So a build blocks
nobody, continues after a crash, and shows its progress. Meanwhile workers update the old read model and
readers read it. At the end of the log, the new consumer group is set to that position. One short transaction then makes
the new read model the current one.

A builder has a session lock on its version, which ends with its connection; the steps run on the same connection. Other
builders of that version try again later and lock nothing.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dynabench_common.events.rebuilding import LogIsEmpty
from dynabench_common.events.replay import LogReader, Positions, now_and_then
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work.leader import LockKey
from kafka.errors import KafkaError
from sqlalchemy import Connection, Engine, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from leaderboard.adapters import read_models, tables
from leaderboard.adapters.board_log import BoardLog
from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.read_models import Build, ReadModel, versions_connected

log = get_logger(__name__)
Note = Callable[..., Any]
LAST_LAP_SECONDS, LAST_LAP_RECORDS = 1.0, 2_000
"""A pass over new records counts as the last one if it stays within either limit; the log may still grow."""
HAND_OVER_SECONDS = 10.0
"""Time for which a rebuild on demand reads on after the switch, while the workers join their new group."""
PAUSE_SECONDS = 1.0
EMPTY = "the log is empty, but events were taken in before"


class Builder:
    """Builds read models of one version; `note` is called at each step, with the names of log events."""

    def __init__(
        self, engine: Engine, board_log: BoardLog, version: int = VERSION, note: Note = log.info
    ) -> None:
        self._engine = engine
        self._log = board_log
        self._version = version
        self._note = note
        self._newer: int | None = None

    def build_missing(self, stop: threading.Event) -> ReadModel | None:
        """Return the current read model of this version, built now if there is none.

        None if another process builds it, after `stop`, or if a newer version is current: only `rebuild` returns to
        an older one. Raises LogIsEmpty, and then changes nothing.
        """
        with self._turn() as connection:
            if connection is None:
                return None
            with connection.begin():
                found = read_models.standing(connection, self._version) or read_models.take_untouched(
                    connection, self._version
                )
                newest = read_models.newest_standing_version(connection)
            if found is not None:
                return found
            if newest is not None and newest > self._version:
                self._tell_of_newer(newest)
                return None
            with self._log.open() as reader:
                return self._build(connection, reader, stop)

    def rebuild(self, hand_over_seconds: float = HAND_OVER_SECONDS) -> int:
        """Build a read model of this version, switch to it and return the number of events applied.

        Waits while another process builds one, and resumes an unfinished build. After the switch it reads on for
        `hand_over_seconds`, while workers join. Raises LogIsEmpty, and then changes nothing.
        """
        while True:
            with self._turn() as connection:
                if connection is not None:
                    return self._rebuild(connection, hand_over_seconds)
            self._note("another_builds", version=self._version)
            time.sleep(PAUSE_SECONDS)

    def _tell_of_newer(self, newest: int) -> None:
        if newest != self._newer:
            self._newer = newest
            self._note("newer_boards_stand", version=self._version, newest=newest)

    @contextmanager
    def _turn(self) -> Iterator[Connection | None]:
        """Give a connection that alone may build this version, or None."""
        with self._engine.connect() as connection:
            mine = select(func.pg_try_advisory_lock(LockKey.LEADERBOARD_BUILD, self._version))
            with connection.begin():
                is_mine = connection.execute(mine).scalar_one()
            if not is_mine:
                yield None
                return
            try:
                yield connection
            finally:
                connection.invalidate()

    def _rebuild(self, connection: Connection, hand_over_seconds: float) -> int:
        with self._log.open() as reader:
            found = self._build(connection, reader, threading.Event())
            with connection.begin():
                applied = 0 if found is None else read_models.events_applied(connection, found)
            if found is not None:
                self._keep_for(hand_over_seconds, connection, reader, found)
            return applied

    def _build(self, connection: Connection, reader: LogReader, stop: threading.Event) -> ReadModel | None:
        """Build a read model and switch to it; None after `stop`, and then it can be gone on with."""
        build = self._begun(connection, reader)
        found = build.read_model
        with connection.begin():
            connection.execute(text(f"SET search_path TO {found.search_path}"))
        reader.seek(build.positions)
        if not self._catch_up(connection, reader, found, stop):
            return None
        self._ensure_log_held_something(connection, found)
        self._analyse(connection, found)
        self._log.hand_over(found, reader.positions())
        with connection.begin():
            read_models.switch_to(connection, found)
        self._note("read_model_stands", schema=found.schema, version=found.version)
        return found

    def _begun(self, connection: Connection, reader: LogReader) -> Build:
        """Return a build of this log that was begun, or begin one."""
        ends = reader.ends()
        with connection.begin():
            found = read_models.unfinished(connection, self._version)
            if found is not None and not _is_of(found.positions, ends):
                self._note("build_of_another_log_dropped", schema=found.read_model.schema)
                read_models.drop(connection, found.read_model)
                found = None
            if found is None:
                if not reader.count(ends) and _holds_anything(connection):
                    raise LogIsEmpty(EMPTY)
                found = read_models.begin(connection, self._version)
        event = "build_resumed" if found.positions else "build_begun"
        self._note(event, schema=found.read_model.schema, events_read=found.events_read)
        return found

    def _catch_up(
        self, connection: Connection, reader: LogReader, found: ReadModel, stop: threading.Event
    ) -> bool:
        """Read until the end of the log is reached; tell whether it was, and not `stop`."""
        while True:
            began, ends = time.monotonic(), reader.ends()
            new = reader.count(ends) - reader.count(reader.positions())
            tell = now_and_then(
                lambda read, total: self._note(
                    "build_progress", schema=found.schema, events_read=read, events_total=total
                )
            )
            for records in reader.read_until(ends):
                self._step(connection, reader, found, records, ends)
                tell(reader.count(reader.positions()), reader.count(ends))
                if stop.is_set():
                    return False
            if new <= LAST_LAP_RECORDS or time.monotonic() - began <= LAST_LAP_SECONDS:
                return not stop.is_set()

    def _step(
        self, connection: Connection, reader: LogReader, found: ReadModel, records: list[Any], ends: Positions
    ) -> None:
        positions = reader.positions()
        with connection.begin():
            new = self._log.apply(connection, found, records)
            read, total = reader.count(positions), reader.count(ends)
            read_models.note_progress(connection, found, positions, read, total, new)
        if new.refused:
            self._note("events_refused", schema=found.schema, version=found.version, events=new.refused)

    def _ensure_log_held_something(self, connection: Connection, found: ReadModel) -> None:
        """Raise LogIsEmpty if nothing was read in the place of rows that are there."""
        with connection.begin():
            is_empty = not read_models.holds_anything(connection, found.schema)
            is_wrong = is_empty and _holds_anything(connection)
            if is_wrong:
                read_models.drop(connection, found)
        if is_wrong:
            raise LogIsEmpty(EMPTY)

    def _analyse(self, connection: Connection, found: ReadModel) -> None:
        """Collect the tables' statistics, so that the database plans the first reads well."""
        for table in tables.read_models:
            with connection.begin():
                connection.execute(text(f'ANALYZE {found.schema}."{table.name}"'))

    def _keep_for(self, seconds: float, connection: Connection, reader: LogReader, found: ReadModel) -> None:
        """Apply new events while workers of this version, if there are any, join their new consumer group."""
        with connection.begin():
            are_there = found.version in versions_connected(connection, "worker")
        until = time.monotonic() + (seconds if are_there else 0)
        try:
            while time.monotonic() < until:
                if records := reader.poll():
                    self._step(connection, reader, found, records, reader.ends())
        except (KafkaError, OSError, SQLAlchemyError) as err:
            self._note("left_to_the_workers", reason=f"{type(err).__name__}: {err}")


def _is_of(positions: Positions, ends: Positions) -> bool:
    """Return whether these positions belong to this log: the broker or the prefix may have changed."""
    return all(place in ends and position <= ends[place] for place, position in positions.items())


def _holds_anything(connection: Connection) -> bool:
    """Return whether any existing read model has applied events."""
    return any(
        read_models.holds_anything(connection, build.read_model.schema)
        for build in read_models.list_all(connection)
        if build.state != read_models.DROPPED
    )

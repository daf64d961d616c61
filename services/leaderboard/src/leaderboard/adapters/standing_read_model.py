"""The read model that readers of one version use, found anew for each read: a switch needs no restart."""

from collections.abc import Iterator
from contextlib import contextmanager

from dynabench_common.command_errors import CommandRefused
from sqlalchemy import Connection, Engine, text

from leaderboard.adapters import read_models
from leaderboard.adapters.projection import VERSION

# Both commands take one round trip; psycopg2 allows several in one text.
# The schema alone: a read model that is gone must not give way to the tables in `public`.
FIND = text("""
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT set_config('search_path', CASE number WHEN 0 THEN 'public' ELSE 'board_' || version || '_' || number END, true)
FROM public.read_model WHERE version = :version AND state = 'standing'
""")


class NoReadModel(CommandRefused):
    """Nothing stands of this version yet: no reader of it can be answered."""


class StandingReadModel:
    """Connections that see the tables of the read model that stands, each at one moment."""

    def __init__(self, engine: Engine, version: int = VERSION) -> None:
        self._engine = engine
        self._version = version

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """Open a transaction that reads. Raises NoReadModel."""
        with self._engine.connect() as connection:
            if connection.execute(FIND, {"version": self._version}).scalar_one_or_none() is None:
                raise NoReadModel(self._why(connection))
            yield connection

    def _why(self, connection: Connection) -> str:
        build = read_models.unfinished(connection, self._version)
        newest = read_models.newest_standing_version(connection)
        trouble = read_models.troubles(connection).get(self._version)
        because = "" if trouble is None else f"; that does not go on: {trouble}"
        if build is None and newest is not None and newest > self._version:
            return f"version {newest} of the boards took the place of version {self._version}"
        if build is None:
            return (
                f"version {self._version} of the boards is not built yet{because or ', and nobody builds it'}"
            )
        progress = f"{build.events_read:,} of {build.events_total:,} events read"
        return f"version {self._version} of the boards is being built: {progress}{because}"

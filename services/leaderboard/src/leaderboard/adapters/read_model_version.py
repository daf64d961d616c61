"""Which version of the counting made the rows that stand.

It stands beside them, so a worker that an upgrade has overtaken finds out in the transaction in which it would write.
"""

from sqlalchemy import Connection, select
from sqlalchemy.dialects.postgresql import insert

from leaderboard.adapters.tables import projection

NAME = "boards"


class MadeByNewerVersion(Exception):
    """The rows were made by a newer version of the counting: this worker must not write among them."""


def version_of(connection: Connection) -> int | None:
    """Return the version, None before the first event."""
    statement = select(projection.c.version).where(projection.c.name == NAME)
    version: int | None = connection.execute(statement).scalar_one_or_none()
    return version


def ensure_not_newer(connection: Connection, version: int) -> None:
    """Raise MadeByNewerVersion unless a worker of this version may write."""
    found = version_of(connection)
    if found is not None and found > version:
        raise MadeByNewerVersion(
            f"the boards were made by version {found} of the counting, this is version {version}"
        )


def state(connection: Connection, version: int) -> None:
    """Write the version down."""
    stated = insert(projection).values(name=NAME, version=version)
    connection.execute(
        stated.on_conflict_do_update(index_elements=["name"], set_={"version": stated.excluded.version})
    )

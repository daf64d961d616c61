"""Version of the counting that made the rows of a read model.

The version is stored with the rows. A worker of an older version finds the change in the transaction in which it would
write.
"""

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects.postgresql import insert

from leaderboard.adapters.tables import projection

NAME = "boards"
FIND = select(
    select(projection.c.version).where(projection.c.name == NAME).scalar_subquery(), func.current_schema()
)
NOBODYS = 2**31 - 1
"""Stands in `public` once its rows are dropped: a worker of any version, of those without schemas too, stays out."""


class MadeByNewerVersion(Exception):
    """The rows were made by a newer version of the counting: this worker must not write among them."""


class ReadModelGone(Exception):
    """The read model that this worker keeps has been dropped."""


def ensure_own(connection: Connection, version: int, schema: str) -> None:
    """Raise MadeByNewerVersion or ReadModelGone unless a worker of this version may write into this schema."""
    found, where = connection.execute(FIND).one()
    if where != schema:
        raise ReadModelGone(f"there is no schema {schema} any more")
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

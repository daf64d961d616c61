"""The shape of the tables and the version of the counting go up together."""

from hashlib import sha256

from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.tables import read_models
from sqlalchemy import Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

SHAPE = (8, "b81510caa6f1bca9")


def created(table: Table) -> list[ExecutableDDLElement]:
    """Return the statements that make a table and its indexes."""
    return [CreateTable(table), *map(CreateIndex, sorted(table.indexes, key=lambda index: str(index.name)))]


def test_another_shape_is_another_version() -> None:
    """Read models that stand are not migrated: raise VERSION, then write the new pair down here."""
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    statements = [
        str(statement.compile(dialect=dialect))
        for table in sorted(read_models, key=lambda table: table.name)
        for statement in created(table)
    ]
    assert (VERSION, sha256("".join(statements).encode()).hexdigest()[:16]) == SHAPE

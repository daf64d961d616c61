"""Migrations: there, back, and there again, to what the code declares."""

from typing import Any

from dynabench_common.database.migrations import upgrade
from leaderboard.adapters import read_models
from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.tables import inbox
from leaderboard.adapters.tables import read_models as tables
from leaderboard.bootstrap import MIGRATIONS
from sqlalchemy import create_engine, inspect, text

from conftest import Infrastructure


def test_a_read_model_is_shaped_as_migrations_say(infrastructure: Infrastructure) -> None:
    """Storage options too."""
    url = infrastructure.create_database("leaderboard")
    upgrade(url, MIGRATIONS)
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE tally SET (fillfactor = 70)"))
        made = read_models.begin(connection, VERSION).read_model
    found = inspect(engine)
    for table in (*tables, inbox):
        assert _shape(found, table.name, made.schema) == _shape(found, table.name, "public")
    with engine.connect() as connection:
        options = text("SELECT reloptions FROM pg_class WHERE oid = CAST(:name AS regclass)")
        assert connection.execute(options, {"name": f"{made.schema}.tally"}).scalar_one() == ["fillfactor=70"]
    engine.dispose()


def _shape(found: Any, table: str, schema: str) -> Any:
    columns = [
        (column["name"], str(column["type"]), column["nullable"], column["default"])
        for column in found.get_columns(table, schema)
    ]
    indexes = sorted(
        tuple(index.get("expressions", index["column_names"])) for index in found.get_indexes(table, schema)
    )
    return columns, found.get_pk_constraint(table, schema)["constrained_columns"], indexes

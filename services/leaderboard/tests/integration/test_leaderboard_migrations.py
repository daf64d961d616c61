"""Migrations: there, back, and there again, to what the code declares."""

from collections.abc import Callable
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from dynabench_common.migrations import downgrade, upgrade
from leaderboard.adapters import read_model_version, read_models
from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.read_models import ReadModel
from leaderboard.adapters.snapshot import snapshot
from leaderboard.adapters.tables import inbox, metadata
from leaderboard.adapters.tables import read_models as tables
from leaderboard.bootstrap import MIGRATIONS
from sqlalchemy import Connection, create_engine, inspect, text

from conftest import Infrastructure
from services.leaderboard.tests.conftest import Story


def test_up_down_up(infrastructure: Infrastructure) -> None:
    url = infrastructure.create_database("leaderboard")
    engine = create_engine(url)
    upgrade(url, MIGRATIONS)
    downgrade(url, MIGRATIONS)
    assert inspect(engine).get_table_names() == ["alembic_version"]
    upgrade(url, MIGRATIONS)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


BEFORE_READ_MODELS = "0007"


@pytest.mark.parametrize(
    ("said", "events", "version"),
    [(2, 5, 2), (1, 5, 1), (None, 5, 0), (None, 0, 2)],
    ids=["of the version before", "older", "of before versions were said", "nothing taken in yet"],
)
def test_what_stands_goes_on_standing(
    infrastructure: Infrastructure,
    new_story: Callable[..., Story],
    feed: Callable[..., None],
    said: int | None,
    events: int,
    version: int,
) -> None:
    """The upgrade of an installation with data: its rows are of the version that they were made by."""
    url = infrastructure.create_database("leaderboard")
    engine = create_engine(url)
    upgrade(url, MIGRATIONS)
    with engine.begin() as connection:
        read_model_version.state(connection, VERSION)
    feed(engine, new_story(50).round_of_tries(events) if events else [])
    downgrade(url, MIGRATIONS, BEFORE_READ_MODELS)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM projection"))
        there = set(inspect(engine).get_table_names())
        before = {table.name: _rows(connection, table.name) for table in tables if table.name in there}
        if said is not None:
            connection.execute(text("INSERT INTO projection VALUES ('boards', :said)"), {"said": said})
    upgrade(url, MIGRATIONS)
    with engine.connect() as connection:
        for name, rows in before.items():
            kept = [{column: row[column] for column in rows[0]} for row in _rows(connection, name)]
            assert kept == rows
        assert read_models.standing(connection, version) == ReadModel(version)
    if version == VERSION:
        assert len(snapshot(engine)["example"]) == len(before["example"])
    engine.dispose()


def _rows(connection: Connection, table: str) -> list[dict[str, Any]]:
    found = connection.execute(text(f'SELECT * FROM "{table}" AS t ORDER BY CAST(t AS text)'))
    return [dict(row._mapping) for row in found]


def test_a_read_model_is_shaped_as_migrations_say(infrastructure: Infrastructure) -> None:
    """Storage options too; and the way back leaves none of it."""
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
    downgrade(url, MIGRATIONS, BEFORE_READ_MODELS)
    assert made.schema not in inspect(engine).get_schema_names()
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

"""Migrations: there, back, and there again, to what the code declares."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from dynabench_common.migrations import downgrade, upgrade
from scoring.adapters.evaluation_tables import metadata
from scoring.bootstrap import MIGRATIONS
from sqlalchemy import create_engine, inspect

from conftest import Infrastructure


def test_up_down_up(infrastructure: Infrastructure) -> None:
    url = infrastructure.create_database("scoring")
    engine = create_engine(url)
    upgrade(url, MIGRATIONS)
    downgrade(url, MIGRATIONS)
    assert inspect(engine).get_table_names() == ["alembic_version"]
    upgrade(url, MIGRATIONS)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()

"""Migrations go up, down and up again, and make the tables that the code declares."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from dynabench_common.migrations import downgrade, upgrade
from sqlalchemy import create_engine, inspect
from validation.adapters.tables import metadata
from validation.bootstrap import MIGRATIONS

from conftest import Infrastructure


def test_up_down_and_up_again(infrastructure: Infrastructure) -> None:
    url = infrastructure.create_database("validation")
    upgrade(url, MIGRATIONS)
    downgrade(url, MIGRATIONS)
    engine = create_engine(url)
    assert inspect(engine).get_table_names() == ["alembic_version"]
    upgrade(url, MIGRATIONS)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()

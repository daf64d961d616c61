"""Each service's migrations make the tables that its code declares, and undo what came after the first release."""

from importlib import import_module

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from dynabench_common.database.migrations import downgrade, upgrade
from dynabench_local.layout import checkout
from dynabench_local.postgres import OWNERS
from sqlalchemy import create_engine

from conftest import Infrastructure

FIRST_RELEASE = "0100"


@pytest.mark.parametrize("service", OWNERS)
def test_migrations_make_what_the_code_declares(infrastructure: Infrastructure, service: str) -> None:
    url = infrastructure.create_database(service)
    folder = checkout() / "services" / service / "migrations"
    upgrade(url, folder)
    downgrade(url, folder, FIRST_RELEASE)
    upgrade(url, folder)
    import_module(f"{service}.bootstrap")
    metadata = import_module(f"{service}.adapters.tables").metadata
    engine = create_engine(url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()

"""Each service's migrations make the tables that its code declares, and undo what came after the first release."""

from importlib import import_module
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from dynabench_common.database.migrations import downgrade, upgrade
from dynabench_local.layout import checkout
from dynabench_local.postgres import OWNERS
from sqlalchemy import create_engine

from conftest import Infrastructure

TABLES_OF_PACKAGES = {"scoring": ("evaluation",)}
"""Packages that a service runs, whose tables are in its database."""


@pytest.mark.parametrize("service", OWNERS)
def test_migrations_make_what_the_code_declares(infrastructure: Infrastructure, service: str) -> None:
    url = infrastructure.create_database(service)
    folder = checkout() / "services" / service / "migrations"
    upgrade(url, folder)
    first_release = ScriptDirectory(str(folder)).get_base()
    assert first_release
    downgrade(url, folder, first_release)
    upgrade(url, folder)
    import_module(f"{service}.bootstrap")
    packages = (service, *TABLES_OF_PACKAGES.get(service, ()))
    metadata: Any = [import_module(f"{name}.adapters.tables").metadata for name in packages]
    engine = create_engine(url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()

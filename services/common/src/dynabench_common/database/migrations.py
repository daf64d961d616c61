"""Database migrations with Alembic, the same way in every service.

Each migration gives up rather than queue behind a long lock, so it can run during live traffic.
"""

from io import StringIO
from pathlib import Path

from alembic import command, context
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, create_engine, pool, text

from dynabench_common.work.leader import LockKey


def configuration(url: str, directory: Path) -> Config:
    """Return Alembic's configuration for a service's migrations folder."""
    config = Config()
    config.set_main_option("script_location", str(directory).replace("%", "%%"))
    config.attributes["url"] = url
    return config


def upgrade(url: str, directory: Path, revision: str = "head") -> None:
    """Bring the database to `revision`."""
    command.upgrade(configuration(url, directory), revision)


def unknown_revision(url: str, directory: Path) -> str | None:
    """Return the database's migration if this version does not know it."""
    script = ScriptDirectory.from_config(configuration(url, directory))
    known = {revision.revision for revision in script.walk_revisions()}
    engine = create_engine(url, poolclass=pool.NullPool)
    with engine.connect() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    engine.dispose()
    return None if found is None or found in known else found


def downgrade(url: str, directory: Path, revision: str = "base") -> None:
    """Take the database back to `revision`."""
    command.downgrade(configuration(url, directory), revision)


def render(directory: Path, revision: str = "head") -> str:
    """Return the SQL that brings an empty database to `revision`, or `A:B` from A to B, without running it."""
    config = configuration("", directory)
    config.output_buffer = StringIO()
    command.upgrade(config, revision, sql=True)
    return config.output_buffer.getvalue()


def run_environment(*metadata: MetaData) -> None:
    """Do what `migrations/env.py` must: run the migrations, one process at a time."""
    if context.is_offline_mode():
        context.configure(dialect_name="postgresql", target_metadata=metadata, literal_binds=True)
        with context.begin_transaction():
            context.run_migrations()
        return
    engine = create_engine(context.config.attributes["url"], poolclass=pool.NullPool)
    with engine.begin() as connection:
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LockKey.MIGRATIONS})"))
        connection.execute(text("SET LOCAL lock_timeout = '5s'"))
        connection.execute(text("SET LOCAL statement_timeout = '60s'"))
        context.configure(connection=connection, target_metadata=metadata)
        with context.begin_transaction():
            context.run_migrations()
    engine.dispose()

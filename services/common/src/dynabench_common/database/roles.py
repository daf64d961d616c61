"""Two roles for each database: the owner, which migrates it, and the running role, which processes use.

An attacker who takes over a process has only its role. The running role reads and writes rows. It cannot create, change
or drop tables. To records of people's acts it can only append, never rewrite. If both addresses of an installation use
one role, nothing is granted and nothing changes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, create_engine, pool, text
from sqlalchemy.dialects.postgresql.psycopg2 import PGDialect_psycopg2
from sqlalchemy.engine import make_url

from dynabench_common.command_errors import CommandRefused
from dynabench_common.database.migrations import unknown_revision, upgrade
from dynabench_common.settings import OwnerSettings
from dynabench_common.work.leader import LockKey

REVISIONS = "alembic_version"


@dataclass(frozen=True)
class Rights:
    """Rights of a service's running role beyond, or below, reading and writing rows.

    Rows of `append_only` tables are never changed nor removed. With `empties_tables` the role may TRUNCATE. It creates
    and drops schemas whose name begins with `own_schemas`, so they belong to it.
    """

    append_only: tuple[str, ...] = ()
    empties_tables: bool = False
    own_schemas: str | None = None


ROWS_ALONE = Rights()
RIGHTS: Mapping[str, Rights] = {
    "accounts": Rights(append_only=("audit_entry",)),
    "crowd": Rights(append_only=("posting",)),
    "leaderboard": Rights(empties_tables=True, own_schemas="board_"),
}
"""Rights by service, where they differ from reading and writing the rows of every table."""

PREPARER = PGDialect_psycopg2().identifier_preparer  # type: ignore[no-untyped-call]
ALONE = text("SELECT pg_advisory_xact_lock(:key)")
MEMBERSHIP = text(
    "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = :role) AS is_there, current_user AS owner, "
    "(SELECT pg_has_role(oid, 'USAGE') FROM pg_roles WHERE rolname = :role) AS is_member"
)
MAY_MAKE_TABLES = text("SELECT has_schema_privilege(:role, 'public', 'CREATE')")
IS_THERE = text("SELECT to_regclass(:table) IS NOT NULL")
OF_THE_OWNER = text(
    "SELECT nspname, relname FROM pg_namespace LEFT JOIN pg_class ON relnamespace = pg_namespace.oid "
    "AND relkind IN ('r', 'p') AND pg_get_userbyid(relowner) <> :role "
    "WHERE starts_with(nspname, :prefix) AND (relname IS NOT NULL OR pg_get_userbyid(nspowner) <> :role) "
    "ORDER BY nspname, relname"
)


def migrate(service: str, settings: OwnerSettings, directory: Path) -> None:
    """Bring a service's database to the newest version as its owner, and grant the running role what it needs.

    Raises CommandRefused if the two addresses name different databases or the owner may not grant.
    Raises it too if the database is at a migration that this version does not have.
    """
    owner, running = make_url(settings.owner_url), make_url(settings.session_url)
    if owner.database != running.database:
        raise CommandRefused(
            f"DATABASE_OWNER_URL names the database {owner.database} and the processes use {running.database}: "
            "give both addresses the same database"
        )
    if unknown := unknown_revision(settings.owner_url, directory):
        raise CommandRefused(
            f"the database is at migration {unknown}, which this version does not have; nothing was changed. It is "
            "of a version before 0.1.0, whose rounds are exported and imported, or of a newer version, which goes on"
        )
    upgrade(settings.owner_url, directory)
    grant(service, settings.owner_url, settings.database_url)


def role_of(url: str) -> str:
    """Return the role that an address signs in as."""
    return make_url(url).username or ""


def grant(service: str, owner_url: str, running_url: str) -> None:
    """Give the running role of a service its rights, and revoke all others; repeating it changes nothing.

    Does nothing where both addresses have one role. Raises CommandRefused if the role is not there, or the owner is no
    member of it.
    """
    role = role_of(running_url)
    if role == role_of(owner_url):
        return
    rights = RIGHTS.get(service, ROWS_ALONE)
    engine = create_engine(owner_url, poolclass=pool.NullPool)
    try:
        with engine.begin() as connection:
            connection.execute(ALONE, {"key": LockKey.MIGRATIONS})
            connection.execute(text("SET LOCAL lock_timeout = '5s'"))
            _refuse_other_roles(connection, role)
            for statement in _statements(connection, role, rights):
                connection.exec_driver_sql(statement)
    finally:
        engine.dispose()


def _refuse_other_roles(connection: Connection, role: str) -> None:
    found = connection.execute(MEMBERSHIP, {"role": role}).one()
    if not found.is_there:
        raise CommandRefused(
            f"DATABASE_URL: the role {role} is not there. As administrator: "
            f"CREATE ROLE {_name(role)} LOGIN PASSWORD '…'; GRANT {_name(role)} TO {_name(found.owner)};"
        )
    if not found.is_member:
        raise CommandRefused(
            f"DATABASE_OWNER_URL: the role {found.owner} is no member of {role}, so it could not keep in order what "
            f"that role makes. As administrator: GRANT {_name(role)} TO {_name(found.owner)};"
        )


def _statements(connection: Connection, role: str, rights: Rights) -> Iterator[str]:
    to, database = _name(role), _name(connection.execute(text("SELECT current_database()")).scalar_one())
    rows = "SELECT, INSERT, UPDATE, DELETE" + (", TRUNCATE" if rights.empties_tables else "")
    anywhere = "" if rights.own_schemas else "IN SCHEMA public "
    yield f"GRANT CONNECT{', CREATE' if rights.own_schemas else ''} ON DATABASE {database} TO {to}"
    yield f"GRANT USAGE ON SCHEMA public TO {to}"
    if connection.execute(MAY_MAKE_TABLES, {"role": role}).scalar_one():
        yield f"REVOKE CREATE ON SCHEMA public FROM PUBLIC, {to}"
    yield f"GRANT {rows} ON ALL TABLES IN SCHEMA public TO {to}"
    yield f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {to}"
    yield f"ALTER DEFAULT PRIVILEGES {anywhere}GRANT {rows} ON TABLES TO {to}"
    yield f"ALTER DEFAULT PRIVILEGES {anywhere}GRANT USAGE ON SEQUENCES TO {to}"
    for table, kept in ((REVISIONS, "SELECT"), *((table, "SELECT, INSERT") for table in rights.append_only)):
        if not connection.execute(IS_THERE, {"table": f"public.{_name(table)}"}).scalar_one():
            continue
        yield f"REVOKE ALL ON public.{_name(table)} FROM {to}"
        yield f"GRANT {kept} ON public.{_name(table)} TO {to}"
    if rights.own_schemas:
        yield f"ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO {to}"
        yield from _handed_over(connection, role, rights.own_schemas)


def _handed_over(connection: Connection, role: str, prefix: str) -> Iterator[str]:
    """Yield the statements that make the running role the owner of the owner's schemas, so that it may drop them."""
    schemas = set()
    for schema, table in connection.execute(OF_THE_OWNER, {"role": role, "prefix": prefix}).all():
        if schema not in schemas:
            schemas.add(schema)
            yield f"ALTER SCHEMA {_name(schema)} OWNER TO {_name(role)}"
        if table is not None:
            yield f"ALTER TABLE {_name(schema)}.{_name(table)} OWNER TO {_name(role)}"


def _name(identifier: str) -> str:
    return PREPARER.quote_identifier(identifier)

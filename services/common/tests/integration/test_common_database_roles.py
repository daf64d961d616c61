"""Rights of the processes' role in each service's database, above all the rights that it lacks."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg2
import pytest
from dynabench_common.command_errors import CommandRefused
from dynabench_common.database import roles as database_roles
from dynabench_common.settings import OwnerSettings
from dynabench_local import postgres
from dynabench_local.layout import checkout
from psycopg2.errors import InsufficientPrivilege

from conftest import Infrastructure, ServiceDatabase

SERVICES = postgres.OWNERS
RIGHTS_OF_ALL = """
SELECT 'table', nspname, relname, pg_get_userbyid(relowner), relacl::text FROM pg_class
JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = 'public' OR nspname LIKE 'board%'
UNION ALL SELECT 'schema', nspname, '', pg_get_userbyid(nspowner), nspacl::text FROM pg_namespace
WHERE nspname = 'public' OR nspname LIKE 'board%'
UNION ALL SELECT 'database', datname, '', pg_get_userbyid(datdba), datacl::text FROM pg_database
WHERE datname = current_database()
UNION ALL SELECT 'later', defaclobjtype::text, defaclnamespace::text, '', defaclacl::text FROM pg_default_acl
ORDER BY 1, 2, 3
"""


@pytest.fixture(scope="module")
def databases(infrastructure: Infrastructure) -> dict[str, ServiceDatabase]:
    return {service: infrastructure.create_migrated_database(service) for service in SERVICES}


@contextmanager
def connected(url: str) -> Iterator["psycopg2.extensions.cursor"]:
    opened = psycopg2.connect(url.replace("+psycopg2", ""))
    try:
        with opened, opened.cursor() as cursor:
            yield cursor
    finally:
        opened.close()


def execute(url: str, statement: str) -> list[tuple[object, ...]]:
    with connected(url) as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


def migrate(service: str, url: str, owner_url: str | None) -> None:
    settings = OwnerSettings(database_url=url, database_owner_url=owner_url)
    database_roles.migrate(service, settings, checkout() / "services" / service / "migrations")


def tables_of(url: str) -> list[str]:
    return [
        str(name) for (name,) in execute(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    ]


@pytest.mark.parametrize("service", SERVICES)
def test_the_running_role_changes_no_table(databases: dict[str, ServiceDatabase], service: str) -> None:
    url = databases[service].url
    for statement in (
        "CREATE TABLE mine (id integer)",
        "CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
        "CREATE TEMPORARY TABLE mine (id integer)",
        "UPDATE alembic_version SET version_num = '0000'",
        "DELETE FROM alembic_version",
    ):
        with pytest.raises(InsufficientPrivilege):
            execute(url, statement)
    tables = tables_of(url)
    assert "outbox" in tables
    for table in tables:
        for statement in (
            f'DROP TABLE "{table}" CASCADE',
            f'ALTER TABLE "{table}" ADD COLUMN mine integer',
            f'ALTER TABLE "{table}" DISABLE TRIGGER ALL',
        ):
            with pytest.raises(InsufficientPrivilege):
                execute(url, statement)


@pytest.mark.long
@pytest.mark.parametrize("service", SERVICES)
def test_the_running_role_reads_and_writes_rows(databases: dict[str, ServiceDatabase], service: str) -> None:
    found = databases[service]
    rights = database_roles.RIGHTS.get(service, database_roles.ROWS_ALONE)
    for table in tables_of(found.owner_url):
        held = {
            right
            for right in ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
            if execute(found.url, f"SELECT has_table_privilege('public.\"{table}\"', '{right}')") == [(True,)]
        }
        if table == "alembic_version":
            assert held == {"SELECT"}
        elif table in rights.append_only:
            assert held == {"SELECT", "INSERT"}
        else:
            more = {"TRUNCATE"} if rights.empties_tables else set()
            assert held == {"SELECT", "INSERT", "UPDATE", "DELETE", *more}


def test_acts_with_power_over_others_are_added_and_never_rewritten(
    databases: dict[str, ServiceDatabase],
) -> None:
    url = databases["accounts"].url
    execute(url, "SELECT * FROM audit_entry")
    for statement in (
        "UPDATE audit_entry SET reason = ''",
        "DELETE FROM audit_entry",
        "TRUNCATE audit_entry",
    ):
        with pytest.raises(InsufficientPrivilege):
            execute(url, statement)


@pytest.mark.parametrize("service", SERVICES)
def test_no_role_reaches_the_database_of_another_service(
    databases: dict[str, ServiceDatabase], service: str
) -> None:
    for address in (databases[service].url, databases[service].owner_url):
        for other in SERVICES:
            if other != service:
                foreign = address.rpartition("/")[0] + "/" + databases[other].url.rpartition("/")[2]
                with pytest.raises(psycopg2.OperationalError, match="permission denied"):
                    execute(foreign, "SELECT 1")


@pytest.mark.parametrize("service", SERVICES)
def test_to_migrate_again_changes_nothing(databases: dict[str, ServiceDatabase], service: str) -> None:
    found = databases[service]
    before = execute(found.owner_url, RIGHTS_OF_ALL)
    migrate(service, found.url, found.owner_url)
    assert execute(found.owner_url, RIGHTS_OF_ALL) == before


@pytest.mark.parametrize("service", SERVICES)
def test_one_role_alone_goes_on_to_own_and_to_run(infrastructure: Infrastructure, service: str) -> None:
    url = infrastructure.create_database(service)
    for owner_url in (None, url):
        migrate(service, url, owner_url)
        execute(url, "CREATE TABLE mine (id integer); DROP TABLE mine")


def test_tables_that_a_later_migration_makes_are_readable(databases: dict[str, ServiceDatabase]) -> None:
    found = databases["annotation"]
    execute(found.owner_url, "CREATE TABLE later (id integer)")
    try:
        execute(found.url, "INSERT INTO later VALUES (1)")
    finally:
        execute(found.owner_url, "DROP TABLE later")


def test_boards_of_before_pass_to_the_running_role(infrastructure: Infrastructure) -> None:
    """The processes ran as the owner; then they get a second role."""
    owner_url = infrastructure.create_database("leaderboard")
    migrate("leaderboard", owner_url, None)
    execute(
        owner_url,
        "CREATE SCHEMA board_3_1 CREATE TABLE board_3_1.tally (id bigint GENERATED ALWAYS AS IDENTITY)",
    )
    url = infrastructure.create_running_role(owner_url)
    migrate("leaderboard", url, owner_url)
    execute(url, "INSERT INTO board_3_1.tally DEFAULT VALUES; ANALYZE board_3_1.tally")
    execute(
        owner_url,
        "CREATE TABLE board_3_1.of_an_old_process (id integer); CREATE SCHEMA board_3_2 CREATE TABLE t (i int)",
    )
    execute(url, "SELECT * FROM board_3_1.of_an_old_process, board_3_2.t")
    execute(url, "CREATE SCHEMA board_4_3 CREATE TABLE tally (LIKE public.tally INCLUDING ALL)")
    execute(owner_url, "SELECT * FROM board_4_3.tally; DROP SCHEMA board_4_3 CASCADE")
    migrate("leaderboard", url, owner_url)
    execute(url, "DROP SCHEMA board_3_1 CASCADE; DROP SCHEMA board_3_2 CASCADE")


def test_an_owner_without_membership_gets_the_statement_to_run(infrastructure: Infrastructure) -> None:
    owner_url = infrastructure.create_database("scoring")
    url = infrastructure.create_running_role(owner_url)
    admin = postgres.admin_url(infrastructure.stack.layout, infrastructure.stack.secrets)
    owner = owner_url.rpartition("/")[2]
    execute(admin, f'REVOKE "{owner}_app" FROM "{owner}"')
    with pytest.raises(CommandRefused, match=f'GRANT "{owner}_app" TO "{owner}"'):
        migrate("scoring", url, owner_url)
    execute(admin, f'GRANT "{owner}_app" TO "{owner}"')
    migrate("scoring", url, owner_url)


def test_a_running_role_that_is_not_there_is_named(infrastructure: Infrastructure) -> None:
    owner_url = infrastructure.create_database("scoring")
    url = owner_url.replace("://", "://nobody_", 1)
    with pytest.raises(CommandRefused, match=r"role nobody_.* is not there"):
        migrate("scoring", url, owner_url)


def test_addresses_of_two_databases_are_refused(databases: dict[str, ServiceDatabase]) -> None:
    with pytest.raises(CommandRefused, match="give both addresses the same database"):
        migrate("scoring", databases["scoring"].url, databases["accounts"].owner_url)


def test_a_database_of_before_the_first_release_is_left_as_it_is(infrastructure: Infrastructure) -> None:
    url = infrastructure.create_database("validation")
    execute(
        url,
        "CREATE TABLE alembic_version (version_num varchar(32)); INSERT INTO alembic_version VALUES ('0019')",
    )
    with pytest.raises(CommandRefused, match="at migration 0019, which this version does not have"):
        migrate("validation", url, None)
    assert tables_of(url) == ["alembic_version"]

"""Checks of a service's database: reachable, supported version and encoding, writable, at a known migration."""

import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import psycopg2
from dynabench_common.database.roles import role_of

from dynabench_operate.databases import known_revisions, number_of, program
from dynabench_operate.doctor.finding import Finding, failed, graded, guarded, ok, warning
from dynabench_operate.stores import SERVICES, Refused, Stores

OLDEST_SERVER = 15
"""Since this version the owner of a database owns its schema, in which migrations make tables."""
OWNERSHIP = (
    "SELECT coalesce(has_schema_privilege(%(role)s, to_regnamespace('public'), 'CREATE'), false), "
    "(SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('public') AND relkind IN ('r', 'p') "
    "AND pg_has_role(%(role)s, relowner, 'USAGE'))"
)
BUSY_SHARE, FULL_SHARE = 0.8, 0.95
SKEW_WARN_SECONDS, SKEW_FAIL_SECONDS = 2.0, 30.0
UNREACHABLE = (
    "See whether PostgreSQL runs, whether its address, role and password are right, and whether a firewall or network "
    "policy lets this pod through."
)


def findings(stores: Stores) -> Iterator[Finding]:
    """Yield the findings on every service's database."""
    for service in SERVICES:
        yield from guarded(
            f"database {service}", partial(_of, stores, service), (psycopg2.Error,), UNREACHABLE
        )


def _of(stores: Stores, service: str) -> Iterator[Finding]:
    connection = stores.connect(service)
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            yield from _server(service, connection.server_version // 10_000)
            yield _encoding(service, cursor)
            yield _rights(service, cursor)
            yield _migrations(service, cursor)
            yield _connections(service, cursor)
            yield _clock(service, cursor)
            yield _running_role(stores, service, cursor)
    finally:
        connection.close()


def _server(service: str, major: int) -> Iterator[Finding]:
    check = f"database {service}: version"
    if major < OLDEST_SERVER:
        yield failed(
            check,
            f"PostgreSQL {major}; {OLDEST_SERVER} is the oldest that will do",
            f"Upgrade the server to PostgreSQL {OLDEST_SERVER} or newer, then go on.",
        )
        return
    yield ok(check, f"PostgreSQL {major}; no extension is needed")
    if service == SERVICES[0]:
        yield _client(major)


def _client(server: int) -> Finding:
    """Return the finding on pg_dump's version: it reads no server newer than itself."""
    check, remedy = (
        "pg_dump",
        "Install PostgreSQL's client programs of the server's version, or backups fail.",
    )
    try:
        found = shutil.which(program("pg_dump"))
        version = subprocess.run(
            [found or "pg_dump", "--version"], capture_output=True, text=True, check=False, timeout=20
        )
        major = int(version.stdout.rsplit(maxsplit=1)[-1].partition(".")[0])
    except (Refused, OSError, ValueError, IndexError) as err:
        return warning(check, str(err), remedy)
    if major < server:
        return warning(check, f"version {major}, and the server is {server}", remedy)
    return ok(check, f"version {major}, for a server of version {server}")


def _encoding(service: str, cursor: Any) -> Finding:
    cursor.execute("SELECT pg_encoding_to_char(encoding) FROM pg_database WHERE datname = current_database()")
    encoding = cursor.fetchone()[0]
    check = f"database {service}: encoding"
    if encoding == "UTF8":
        return ok(check, encoding)
    return failed(
        check, f"{encoding}; texts of all languages need UTF8", "Make the database anew with ENCODING 'UTF8'."
    )


def _rights(service: str, cursor: Any) -> Finding:
    cursor.execute(
        "SELECT has_database_privilege(current_database(), 'CREATE'), "
        "coalesce(has_schema_privilege(to_regnamespace('public'), 'CREATE'), false), current_user, current_database()"
    )
    in_database, in_schema, role, name = cursor.fetchone()
    check = f"database {service}: rights"
    if in_database and in_schema:
        return ok(check, f"{role} may make tables and schemas in {name}")
    where = "schemas in the database" if not in_database else "tables in the schema public"
    return failed(
        check,
        f"{role} may not make {where} {name}",
        f"As administrator: ALTER DATABASE {name} OWNER TO {role};",
    )


def _running_role(stores: Stores, service: str, cursor: Any) -> Finding:
    """Return the finding on the running role's rights to change tables."""
    check, role = f"database {service}: running role", role_of(stores.running_url(service))
    cursor.execute("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %s), current_user", [role])
    is_there, owner = cursor.fetchone()
    if not is_there:
        return failed(
            check,
            f"processes would run as {role}, which is not there",
            f"As administrator: CREATE ROLE {role} LOGIN PASSWORD '…'; GRANT {role} TO {owner};",
        )
    cursor.execute(OWNERSHIP, {"role": role})
    may_make, owned = cursor.fetchone()
    if not may_make and not owned:
        return ok(check, f"{role} changes no table")
    return warning(
        check,
        f"processes run as {role}, which "
        + (f"owns {owned} tables" if owned else "may make tables")
        + ": who takes one over can change and drop them",
        'Make a second role for processes, as "Two roles for each database" in services/common/README.md says.',
    )


def _migrations(service: str, cursor: Any) -> Finding:
    check = f"database {service}: migrations"
    cursor.execute("SELECT to_regclass('public.alembic_version') IS NOT NULL")
    if not cursor.fetchone()[0]:
        cursor.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        tables = cursor.fetchone()[0]
        if tables:
            return failed(
                check,
                f"{tables} tables, and none says which migrations made them",
                "Another program's tables lie here: give the service a database of its own.",
            )
        return ok(check, "empty; migrations will make everything")
    cursor.execute("SELECT version_num FROM alembic_version")
    return judged(service, [row[0] for row in cursor.fetchall()])


def judged(service: str, stands_at: list[str]) -> Finding:
    """Return the finding on a database's migration: known to this version, or not."""
    check, known = f"database {service}: migrations", known_revisions(service)
    if not stands_at:
        return ok(check, "empty; migrations will make everything")
    (revision,) = stands_at[:1]
    if revision in known:
        left = len(known) - 1 - known.index(revision)
        return ok(check, f"at {revision}, the newest" if not left else f"at {revision}, {left} to come")
    if number_of(revision) < number_of(known[0]):
        return failed(
            check,
            f"at {revision}; this version goes on from {known[0]} at the earliest",
            "Upgrade to a release in between first. Export rounds of before 0.1.0 with the version that made them.",
        )
    return failed(
        check,
        f"at {revision}, which this version does not know; its newest is {known[-1]}",
        "Run the version that the database is of, or a newer one; to go back, restore a backup of the older version.",
    )


def _connections(service: str, cursor: Any) -> Finding:
    cursor.execute(
        "SELECT count(*), current_setting('max_connections')::int FROM pg_stat_activity "
        "WHERE backend_type = 'client backend'"
    )
    used, most = cursor.fetchone()
    return graded(
        f"database {service}: connections",
        used / most,
        f"{used} of {most} in use",
        "Raise max_connections, or put a pooler in front: each process keeps up to 25.",
        warn=BUSY_SHARE,
        fail=FULL_SHARE,
    )


def _clock(service: str, cursor: Any) -> Finding:
    before = datetime.now(UTC)
    cursor.execute("SELECT clock_timestamp()")
    there, after = cursor.fetchone()[0], datetime.now(UTC)
    skew = abs((there - (before + (after - before) / 2)).total_seconds())
    return graded(
        f"database {service}: clock",
        skew,
        f"{skew:.2f} s from the clock here",
        "Let both machines take their time from one source (NTP): leases and sign-ins end by it.",
        warn=SKEW_WARN_SECONDS,
        fail=SKEW_FAIL_SECONDS,
    )

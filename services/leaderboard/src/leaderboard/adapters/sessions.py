"""Processes of the leaderboard that are connected to its database, by the version of the boards that they use.

The name of a process's connections holds the version.
"""

from sqlalchemy import Connection, text

NAMES = text("SELECT application_name FROM pg_stat_activity WHERE datname = current_database()")


def session_name(process: str, version: int) -> str:
    """Return the name of a process's connections."""
    return f"leaderboard-{process}-{version}"


def versions_connected(connection: Connection, *processes: str) -> frozenset[int]:
    """Return the versions whose processes of these kinds are connected."""
    found = set()
    for name in connection.execute(NAMES).scalars():
        service, _, rest = name.partition("-")
        process, _, version = rest.partition("-")
        if service == "leaderboard" and process in processes and version.isdecimal():
            found.add(int(version))
    return frozenset(found)

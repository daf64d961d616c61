"""Processes of the leaderboard that are connected to its database, by the version of the boards that they use.

A process tells by the name of its connections; those of before there were schemas name no version.
"""

from sqlalchemy import Connection, text

WITHOUT_SCHEMAS = -1
NAMES = text("SELECT application_name FROM pg_stat_activity WHERE datname = current_database()")


def session_name(process: str, version: int) -> str:
    """Return the name of a process's connections."""
    return f"leaderboard-{process}-{version}"


def versions_connected(connection: Connection, *processes: str) -> frozenset[int]:
    """Return the versions whose processes of these kinds are connected, WITHOUT_SCHEMAS for those of before."""
    found = set()
    for name in connection.execute(NAMES).scalars():
        service, _, rest = name.partition("-")
        process, _, version = rest.partition("-")
        if service == "leaderboard" and process in processes:
            found.add(int(version) if version.isdecimal() else WITHOUT_SCHEMAS)
    return frozenset(found)

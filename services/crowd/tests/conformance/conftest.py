"""The server, and each adapter that has one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crowd_platforms.server import CrowdPlatforms

from .connections import Connection, connect


@pytest.fixture(scope="session")
def server() -> Iterator[CrowdPlatforms]:
    server = CrowdPlatforms()
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=["prolific", "prolific-signed", "mturk"])
def connection(request: pytest.FixtureRequest, server: CrowdPlatforms, tmp_path: Path) -> Connection:
    """An adapter of a platform that has a server."""
    server.control("POST", "reset")
    return connect(server, tmp_path, request.param)

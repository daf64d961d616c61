"""The leaderboard on a real PostgreSQL, and on Kafka where a test asks for it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from dynabench_common.consumer import apply_new
from dynabench_common.database import create_database_engine
from dynabench_common.events import Event
from dynabench_common.migrations import upgrade
from dynabench_common.testing import FixedClock, Issuer
from flask.testing import FlaskClient
from leaderboard.adapters.projection import BoardProjection
from leaderboard.adapters.tables import dead_letter, inbox, read_models
from leaderboard.bootstrap import CONSUMER, MIGRATIONS, dependencies
from leaderboard.entrypoints.http.app import create_app
from sqlalchemy import Engine

Feed = Callable[..., None]


@pytest.fixture(scope="session")
def leaderboard_engine(infrastructure: Any) -> Iterator[Engine]:
    url = infrastructure.create_database("leaderboard")
    upgrade(url, MIGRATIONS)
    engine = create_database_engine(url, "leaderboard-tests", pool_size=4)
    yield engine
    engine.dispose()


@pytest.fixture
def engine(leaderboard_engine: Engine) -> Engine:
    """Return the engine of an empty database."""
    empty(leaderboard_engine)
    return leaderboard_engine


@pytest.fixture(scope="session")
def feed() -> Feed:
    """Return what takes events in as the consumer does, in batches."""

    def take_in(engine: Engine, events: Sequence[Event], size: int = 100) -> None:
        for start in range(0, len(events), size):
            with engine.begin() as connection:
                apply_new(connection, inbox, CONSUMER, BoardProjection(), events[start : start + size])

    return take_in


@pytest.fixture(scope="session")
def empty_database() -> Callable[[Engine], None]:
    return empty


@pytest.fixture(scope="session")
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture
def clock() -> FixedClock:
    """Return the time at which standings are asked for."""
    return FixedClock()


@pytest.fixture
def client(engine: Engine, issuer: Issuer, clock: FixedClock) -> FlaskClient:
    app = create_app(dependencies(engine, issuer.verifier(), clock))
    return app.test_client()


def empty(engine: Engine) -> None:
    with engine.begin() as connection:
        for table in (*read_models, inbox, dead_letter):
            connection.execute(table.delete())

"""The leaderboard on a real PostgreSQL, and on Kafka where a test asks for it."""

from collections.abc import Callable, Iterator, Sequence
from uuid import uuid4

import pytest
from dynabench_common.database.connections import create_database_engine
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.consumer import apply_new
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.testing import EventProbe, FixedClock, Issuer
from flask.testing import FlaskClient
from leaderboard.adapters import read_model_version, read_models, tables
from leaderboard.adapters.projection import VERSION, BoardProjection
from leaderboard.adapters.tables import dead_letter, inbox, read_model
from leaderboard.bootstrap import CONSUMER, dependencies
from leaderboard.entrypoints.http.app import create_app
from leaderboard.settings import WorkerSettings
from sqlalchemy import Engine

from conftest import Infrastructure

Feed = Callable[..., None]


@pytest.fixture(scope="session")
def leaderboard_engine(infrastructure: Infrastructure) -> Iterator[Engine]:
    url = infrastructure.create_migrated_database("leaderboard").url
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
    return checked_against_contract(app).test_client()


@pytest.fixture
def log(infrastructure: Infrastructure, engine: Engine) -> Iterator[tuple[EventProbe, WorkerSettings]]:
    """Return fresh topics and the settings that point at them and at the empty database."""
    prefix = f"leaderboard-{uuid4().hex[:8]}."
    infrastructure.create_topics(prefix)
    probe = EventProbe(infrastructure.kafka_bootstrap_servers, prefix)
    settings = WorkerSettings(
        database_url=engine.url.render_as_string(hide_password=False),
        kafka_bootstrap_servers=infrastructure.kafka_bootstrap_servers,
        kafka_topic_prefix=prefix,
    )
    yield probe, settings
    probe.close()


def empty(engine: Engine) -> None:
    """Leave one read model that stands, in `public`, with nothing in it."""
    with engine.begin() as connection:
        for build in read_models.list_all(connection):
            if build.read_model.number and build.state != read_models.DROPPED:
                read_models.drop(connection, build.read_model)
        connection.execute(read_model.delete())
        connection.execute(read_model.insert().values(number=0, version=VERSION, state=read_models.STANDING))
        read_model_version.state(connection, VERSION)
        for table in (*tables.read_models, inbox, dead_letter):
            connection.execute(table.delete())

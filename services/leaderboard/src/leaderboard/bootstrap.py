"""The one place that builds engines, the consumer and the reader of the log."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynabench_common.authentication import Verifier, fetch_jwks
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.consumer import ConsumerLoop, Projection
from dynabench_common.database import create_database_engine
from dynabench_common.producers import producer_factory
from dynabench_common.pruning import SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.relay import Relay
from dynabench_common.replay import replay
from dynabench_common.settings import DatabaseSettings, EventSettings
from dynabench_common.worker import Component
from dynabench_events import message_types
from sqlalchemy import Connection, Engine, text

from leaderboard.adapters.projection import HANDLED, TOPICS, BoardProjection
from leaderboard.adapters.rebuild import ReplayLog
from leaderboard.adapters.tables import dead_letter, inbox
from leaderboard.adapters.up_to_date import UpToDate
from leaderboard.service_layer.boards import Boards
from leaderboard.service_layer.standings import Standings
from leaderboard.settings import HttpSettings, WorkerSettings
from leaderboard.views.boards import SqlBoardStore
from leaderboard.views.standings import SqlStandingStore

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/leaderboard"
CONSUMER = "leaderboard"


@dataclass(frozen=True)
class Dependencies:
    """Everything that a route may use."""

    engine: Engine
    boards: Boards
    standings: Standings
    verifier: Verifier

    def check_ready(self) -> None:
        """Raise when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))


def build_engine(settings: DatabaseSettings, process: str) -> Engine:
    """Return the engine of one process."""
    return create_database_engine(
        settings.database_url, f"leaderboard-{process}", settings.database_pool_size
    )


def build_dependencies(settings: HttpSettings) -> Dependencies:
    """Return what the HTTP process needs."""
    engine = build_engine(settings, "http")
    verifier = Verifier(fetch_jwks(settings.jwks_url), settings.service_token)
    return dependencies(engine, verifier, SystemClock())


def dependencies(engine: Engine, verifier: Verifier, clock: Clock) -> Dependencies:
    """Return what routes use on these collaborators."""
    boards = Boards(SqlBoardStore(engine))
    return Dependencies(engine, boards, Standings(SqlStandingStore(engine), boards, clock), verifier)


def build_worker(settings: WorkerSettings) -> list[Component]:
    """Return the components of the worker process."""
    engine = build_engine(settings, "worker")
    consumer = ConsumerLoop(
        engine,
        inbox,
        BoardProjection(),
        topics=TOPICS,
        accepts=message_types(HANDLED),
        group=CONSUMER,
        dead_letter=dead_letter,
        **_broker(settings),
    )
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "leaderboard-relay")
    return [
        UpToDate(engine, log_reader(settings), consumer),
        Relay(engine, make_producer, EVENT_SOURCE, settings.kafka_topic_prefix),
        Pruning(engine, SENT_EVENTS, TAKEN_EVENTS),
    ]


def log_reader(settings: EventSettings) -> ReplayLog:
    """Return what reads the whole log into a projection."""

    def read(connection: Connection, projection: Projection) -> int:
        return replay(
            connection,
            inbox,
            projection,
            consumer=CONSUMER,
            topics=TOPICS,
            accepts=message_types(HANDLED),
            **_broker(settings),
        )

    return read


def _broker(settings: EventSettings) -> Mapping[str, Any]:
    return {
        "bootstrap_servers": settings.kafka_bootstrap_servers,
        "topic_prefix": settings.kafka_topic_prefix,
    }

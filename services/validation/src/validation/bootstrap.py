"""The one place that builds engines, consumers and producers."""

from dataclasses import dataclass
from pathlib import Path

from dynabench_common.authentication import Verifier, remote_verifier
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.consumer import ConsumerLoop
from dynabench_common.database import service_engine
from dynabench_common.database_figures import DatabaseFigures
from dynabench_common.producers import producer_factory
from dynabench_common.pruning import REPLIES, SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.relay import Relay
from dynabench_common.settings import DatabaseSettings
from dynabench_common.worker import Component
from sqlalchemy import Engine, text

from validation.adapters import agreement_sums, evidence, projection, round_counts, tables
from validation.adapters.facts import TOPICS
from validation.adapters.figures import FIGURES
from validation.adapters.leader_elected_task import LeaderElectedTask
from validation.adapters.projection import ValidationProjection
from validation.adapters.unit_of_work import MakeUnitOfWork, UnitOfWork
from validation.settings import ValidationSettings

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/validation"
CONSUMER = "validation"


@dataclass(frozen=True)
class Dependencies:
    """Everything that a route may use."""

    engine: Engine
    make_uow: MakeUnitOfWork
    clock: Clock
    verifier: Verifier

    def check_ready(self) -> None:
        """Raise when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))


def build_engine(settings: DatabaseSettings, process: str) -> Engine:
    """Return the engine of one process."""
    return service_engine(settings, "validation", process)


def make_uow_factory(engine: Engine) -> MakeUnitOfWork:
    """Return a maker of units of work on the engine."""
    return lambda: UnitOfWork(engine)


def build_dependencies(settings: ValidationSettings) -> Dependencies:
    """Return what the HTTP process needs."""
    engine = build_engine(settings, "http")
    verifier = remote_verifier(settings)
    return Dependencies(engine, make_uow_factory(engine), SystemClock(), verifier)


def build_consumer(engine: Engine, bootstrap_servers: str, topic_prefix: str) -> ConsumerLoop:
    """Return the consumer of annotation's events."""
    return ConsumerLoop(
        engine,
        tables.inbox,
        ValidationProjection(),
        topics=TOPICS,
        accepts=ValidationProjection.accepts,
        group=CONSUMER,
        bootstrap_servers=bootstrap_servers,
        topic_prefix=topic_prefix,
        dead_letter=tables.dead_letter,
    )


def build_counters(engine: Engine, clock: Clock) -> list[Component]:
    """Return what keeps counts, figures of agreement and the evidence about voters in step with the votes."""
    keeper = evidence.EvidenceKeeper(engine, clock)

    def count() -> bool:
        with engine.begin() as connection:
            return agreement_sums.count_changes(connection, clock.now()) >= agreement_sums.BATCH

    def shorten() -> bool:
        with engine.begin() as connection:
            return round_counts.shorten(connection)

    def take_up() -> bool:
        with engine.begin() as connection:
            return projection.look_again(connection) > 0

    return [
        LeaderElectedTask("waiting tasks", engine, projection.LOOK_AGAIN_LEADER_KEY, take_up),
        LeaderElectedTask("counts", engine, round_counts.LEADER_KEY, shorten),
        LeaderElectedTask("agreement", engine, agreement_sums.LEADER_KEY, count),
        LeaderElectedTask("evidence", engine, evidence.LEADER_KEY, keeper.step),
    ]


def build_worker(settings: ValidationSettings) -> list[Component]:
    """Return the components of the worker process."""
    engine = build_engine(settings, "worker")
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "validation-relay")
    return [
        Relay(engine, make_producer, EVENT_SOURCE, settings.kafka_topic_prefix),
        DatabaseFigures(engine, "validation", FIGURES),
        Pruning(engine, SENT_EVENTS, TAKEN_EVENTS, REPLIES),
        build_consumer(engine, settings.kafka_bootstrap_servers, settings.kafka_topic_prefix),
        *build_counters(engine, SystemClock()),
    ]

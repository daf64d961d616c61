"""The one place that builds engines, consumers and producers."""

from functools import partial
from pathlib import Path

from dynabench_common.auth.authentication import Verifier, remote_verifier
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.database.connections import service_engine
from dynabench_common.database.figures import DatabaseFigures
from dynabench_common.database.pruning import REPLIES, SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.consumer import build_consumer
from dynabench_common.events.relay import Relay
from dynabench_common.work.leader import Leader, LockKey, steps
from dynabench_common.work.worker import Component
from sqlalchemy import Engine

from validation.adapters import agreement_sums, evidence, projection, round_counts, tables
from validation.adapters.crowd_leases import CROWD_TOPICS, CrowdLeaseProjection
from validation.adapters.facts import TOPICS
from validation.adapters.figures import FIGURES
from validation.adapters.messages import PEOPLE_TOPICS, DeletedPeopleProjection
from validation.adapters.projection import ValidationProjection
from validation.adapters.unit_of_work import UnitOfWork
from validation.service_layer.dependencies import Dependencies
from validation.settings import ValidationSettings

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/validation"
CONSUMER = "validation"
CROWD_CONSUMER = "validation-crowd"
PEOPLE_CONSUMER = "validation-people"


def build_dependencies(
    settings: ValidationSettings, clock: Clock | None = None, verifier: Verifier | None = None
) -> Dependencies:
    """Return what the HTTP process needs."""
    engine = service_engine(settings, "validation", "http")
    return Dependencies(
        engine=engine,
        unit_of_work=lambda: UnitOfWork(engine),
        clock=clock or SystemClock(),
        verifier=verifier or remote_verifier(settings),
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
        Leader("waiting tasks", engine, LockKey.VALIDATION_WAITING_TASKS_LEADER, steps(take_up)),
        Leader("counts", engine, LockKey.VALIDATION_ROUND_COUNTS_LEADER, steps(shorten)),
        Leader("agreement", engine, LockKey.VALIDATION_AGREEMENT_LEADER, steps(count)),
        Leader("evidence", engine, LockKey.VALIDATION_EVIDENCE_LEADER, steps(keeper.step)),
    ]


def build_worker(settings: ValidationSettings) -> list[Component]:
    """Return the components of the worker process."""
    engine = service_engine(settings, "validation", "worker")
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "validation-relay")
    consumer = partial(build_consumer, engine, settings, tables.inbox, tables.dead_letter)
    return [
        Relay(engine, make_producer, EVENT_SOURCE, settings.kafka_topic_prefix),
        DatabaseFigures(engine, "validation", FIGURES),
        Pruning(engine, SENT_EVENTS, TAKEN_EVENTS, REPLIES),
        consumer(CONSUMER, ValidationProjection(), TOPICS),
        consumer(CROWD_CONSUMER, CrowdLeaseProjection(), CROWD_TOPICS),
        consumer(PEOPLE_CONSUMER, DeletedPeopleProjection(), PEOPLE_TOPICS),
        *build_counters(engine, SystemClock()),
    ]

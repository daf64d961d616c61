"""The one place that builds engines, clients, consumers and producers."""

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from dynabench_common.authentication import Verifier, remote_verifier
from dynabench_common.client import JsonClient
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.consumer import ConsumerLoop
from dynabench_common.database import service_engine
from dynabench_common.database_figures import INBOX, OUTBOX, DatabaseFigures
from dynabench_common.identifiers import new_id
from dynabench_common.producers import producer_factory
from dynabench_common.pruning import REPLIES, SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.relay import Relay
from dynabench_common.settings import DatabaseSettings
from dynabench_common.worker import Component
from sqlalchemy import Engine, text

from annotation.adapters import tables
from annotation.adapters.board import BOARD_SECONDS, HttpBoard
from annotation.adapters.gateway import HttpGateway
from annotation.adapters.housekeeping import Housekeeping
from annotation.adapters.object_store import S3ObjectStore
from annotation.adapters.overdue_decisions import OverdueDecisions
from annotation.adapters.releases import RELEASE_TOPICS, ReleaseProjection
from annotation.adapters.repeated import Repeated
from annotation.adapters.resolutions import TOPICS, ResolutionProjection
from annotation.adapters.target_outages import OUTAGE_TOPICS, OutageProjection
from annotation.adapters.unit_of_work import UnitOfWork
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.failing_targets import take_out_failing
from annotation.service_layer.next_rounds import draft_next_rounds
from annotation.service_layer.overdue_verdicts import decide_overdue
from annotation.service_layer.ports import TargetGateway
from annotation.service_layer.synthetic_tries import make_synthetic_try
from annotation.service_layer.visitor_limits import VisitorLimits
from annotation.settings import AnnotationSettings
from annotation.views import Views

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/annotation"
CONSUMER = "annotation"
RELEASE_CONSUMER = "annotation-releases"
OUTAGE_CONSUMER = "annotation-outages"
TARGETS_SECONDS, NEXT_ROUNDS_SECONDS, SYNTHETIC_SECONDS = 5.0, 30.0, 60.0


@dataclass(frozen=True)
class Application:
    """The HTTP process's collaborators: commands write through `dependencies`, reads go to `views`."""

    engine: Engine
    dependencies: Dependencies
    views: Views
    verifier: Verifier

    def check_ready(self) -> None:
        """Raise when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))


def build_engine(settings: DatabaseSettings, process: str) -> Engine:
    """Return the engine of one process."""
    return service_engine(settings, "annotation", process)


def build_gateway(settings: AnnotationSettings) -> TargetGateway:
    """Return the gateway's client."""
    client = JsonClient(
        settings.gateway_url,
        settings.prediction_deadline_seconds,
        settings.service_token,
        pool_size=settings.prediction_threads,
    )
    return HttpGateway(client, settings.inspection_timeout_seconds)


def build_application(
    settings: AnnotationSettings,
    clock: Clock | None = None,
    verifier: Verifier | None = None,
    gateway: TargetGateway | None = None,
) -> Application:
    """Return what the HTTP process needs."""
    engine = build_engine(settings, "http")
    return Application(
        engine,
        build_dependencies(settings, engine, clock, gateway),
        Views(engine),
        verifier or remote_verifier(settings),
    )


def build_dependencies(
    settings: AnnotationSettings,
    engine: Engine,
    clock: Clock | None = None,
    gateway: TargetGateway | None = None,
) -> Dependencies:
    """Return the collaborators of the handlers on one engine."""
    return Dependencies(
        unit_of_work=lambda: UnitOfWork(engine),
        gateway=gateway or build_gateway(settings),
        prediction_threads=ThreadPoolExecutor(settings.prediction_threads, "prediction"),
        prediction_deadline_seconds=settings.prediction_deadline_seconds,
        clock=clock or SystemClock(),
        draw=random.random,
        objects=S3ObjectStore(settings),
        passed_over_per_hour=settings.passed_over_per_hour,
        front_model=settings.front_model,
        visitors=VisitorLimits.among(
            settings.http_processes * settings.http_replicas,
            of_address=settings.front_tries_of_address,
            of_all=settings.front_tries,
        ),
    )


def build_consumer(
    engine: Engine,
    settings: AnnotationSettings,
    group: str,
    projection: ResolutionProjection | ReleaseProjection | OutageProjection,
    topics: Sequence[str],
) -> ConsumerLoop:
    """Return the consumer that feeds a projection."""
    return ConsumerLoop(
        engine,
        tables.inbox,
        projection,
        topics=topics,
        accepts=projection.accepts,
        group=group,
        bootstrap_servers=settings.kafka_bootstrap_servers,
        topic_prefix=settings.kafka_topic_prefix,
        dead_letter=tables.dead_letter,
    )


def build_worker(settings: AnnotationSettings) -> list[Component]:
    """Return the components of the worker process."""
    engine = build_engine(settings, "worker")
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "annotation-relay")
    gateway = build_gateway(settings)
    app = build_dependencies(settings, engine, gateway=gateway)
    leaderboard = settings.leaderboard_url
    board = HttpBoard(None if leaderboard is None else JsonClient(leaderboard, BOARD_SECONDS))
    return [
        Relay(engine, make_producer, EVENT_SOURCE, settings.kafka_topic_prefix),
        DatabaseFigures(engine, "annotation", OUTBOX, INBOX),
        Pruning(engine, SENT_EVENTS, TAKEN_EVENTS, REPLIES),
        build_consumer(engine, settings, CONSUMER, ResolutionProjection(), TOPICS),
        build_consumer(engine, settings, RELEASE_CONSUMER, ReleaseProjection(SystemClock()), RELEASE_TOPICS),
        Housekeeping(engine, S3ObjectStore(settings), SystemClock()),
        OverdueDecisions(lambda: decide_overdue(lambda: UnitOfWork(engine), SystemClock())),
        build_consumer(engine, settings, OUTAGE_CONSUMER, OutageProjection(), OUTAGE_TOPICS),
        Repeated(
            "failing targets",
            "targets_lost",
            lambda: take_out_failing(lambda: UnitOfWork(engine), gateway, SystemClock()),
            TARGETS_SECONDS,
        ),
        Repeated(
            "next rounds",
            "rounds_drafted",
            lambda: draft_next_rounds(lambda: UnitOfWork(engine), board, SystemClock(), new_id),
            NEXT_ROUNDS_SECONDS,
        ),
        Repeated(
            "synthetic tries", "synthetic_tries_made", lambda: make_synthetic_try(app), SYNTHETIC_SECONDS
        ),
    ]

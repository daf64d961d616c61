"""The one place that builds engines, clients, consumers and producers."""

import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from dynabench_common.auth.authentication import Verifier, remote_verifier
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.database.connections import service_engine
from dynabench_common.database.figures import INBOX, OUTBOX, DatabaseFigures
from dynabench_common.database.pruning import REPLIES, SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.consumer import build_consumer
from dynabench_common.events.relay import Relay
from dynabench_common.http.client import JsonClient
from dynabench_common.object_store import ObjectsUnavailable
from dynabench_common.work.worker import Component, Every

from annotation.adapters import tables
from annotation.adapters.board import BOARD_SECONDS, HttpBoard
from annotation.adapters.crowd_contexts import CROWD_TOPICS, CrowdContextProjection
from annotation.adapters.deleted_people import PEOPLE_TOPICS, DeletedPeopleProjection
from annotation.adapters.gateway import HttpGateway
from annotation.adapters.object_store import S3ObjectStore
from annotation.adapters.releases import RELEASE_TOPICS, ReleaseProjection
from annotation.adapters.resolutions import TOPICS, ResolutionProjection
from annotation.adapters.target_outages import OUTAGE_TOPICS, OutageProjection
from annotation.adapters.unit_of_work import UnitOfWork
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.examples import decide_overdue
from annotation.service_layer.failing_targets import take_out_failing
from annotation.service_layer.images import discard_abandoned
from annotation.service_layer.next_rounds import draft_next_rounds
from annotation.service_layer.ports import TargetGateway
from annotation.service_layer.synthetic_tries import make_synthetic_try
from annotation.service_layer.visitor_limits import VisitorLimits
from annotation.settings import AnnotationSettings

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/annotation"
CONSUMER = "annotation"
RELEASE_CONSUMER = "annotation-releases"
OUTAGE_CONSUMER = "annotation-outages"
PEOPLE_CONSUMER = "annotation-people"
CROWD_CONSUMER = "annotation-crowd"
TARGETS_SECONDS, NEXT_ROUNDS_SECONDS, SYNTHETIC_SECONDS = 5.0, 30.0, 60.0
DECISIONS_SECONDS, HOUSEKEEPING_SECONDS = 60.0, 3600.0


def build_gateway(settings: AnnotationSettings) -> TargetGateway:
    """Return the gateway's client."""
    client = JsonClient(
        settings.gateway_url,
        settings.prediction_deadline_seconds,
        settings.service_token,
        pool_size=settings.prediction_threads,
    )
    return HttpGateway(client, settings.inspection_timeout_seconds)


def build_dependencies(
    settings: AnnotationSettings,
    process: str = "http",
    clock: Clock | None = None,
    verifier: Verifier | None = None,
    gateway: TargetGateway | None = None,
) -> Dependencies:
    """Return the collaborators of one process."""
    engine = service_engine(settings, "annotation", process)
    return Dependencies(
        engine=engine,
        unit_of_work=lambda: UnitOfWork(engine),
        gateway=gateway or build_gateway(settings),
        prediction_threads=ThreadPoolExecutor(settings.prediction_threads, "prediction"),
        prediction_deadline_seconds=settings.prediction_deadline_seconds,
        clock=clock or SystemClock(),
        draw=random.random,
        objects=S3ObjectStore(settings),
        passed_over_per_hour=settings.passed_over_per_hour,
        verifier=verifier or remote_verifier(settings),
        front_model=settings.front_model,
        visitors=VisitorLimits.among(
            settings.http_processes * settings.http_replicas,
            of_address=settings.front_tries_of_address,
            of_all=settings.front_tries,
        ),
    )


def build_worker(settings: AnnotationSettings) -> list[Component]:
    """Return the components of the worker process."""
    app = build_dependencies(settings, "worker")
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "annotation-relay")
    leaderboard = settings.leaderboard_url
    board = HttpBoard(None if leaderboard is None else JsonClient(leaderboard, BOARD_SECONDS))
    engine = app.engine
    consumer = partial(build_consumer, engine, settings, tables.inbox, tables.dead_letter)
    return [
        Relay(engine, make_producer, EVENT_SOURCE, settings.kafka_topic_prefix),
        DatabaseFigures(engine, "annotation", OUTBOX, INBOX),
        Pruning(engine, SENT_EVENTS, TAKEN_EVENTS, REPLIES),
        consumer(CONSUMER, ResolutionProjection(), TOPICS),
        consumer(RELEASE_CONSUMER, ReleaseProjection(app.clock), RELEASE_TOPICS),
        consumer(OUTAGE_CONSUMER, OutageProjection(), OUTAGE_TOPICS),
        consumer(CROWD_CONSUMER, CrowdContextProjection(), CROWD_TOPICS),
        consumer(PEOPLE_CONSUMER, DeletedPeopleProjection(app.clock), PEOPLE_TOPICS),
        Every(
            "housekeeping",
            HOUSEKEEPING_SECONDS,
            lambda: discard_abandoned(app),
            outages=(ObjectsUnavailable,),
        ),
        Every("overdue decisions", DECISIONS_SECONDS, lambda: decide_overdue(app)),
        Every("failing targets", TARGETS_SECONDS, lambda: take_out_failing(app)),
        Every("next rounds", NEXT_ROUNDS_SECONDS, lambda: draft_next_rounds(board, app)),
        Every("synthetic tries", SYNTHETIC_SECONDS, lambda: make_synthetic_try(app)),
    ]

"""The one place that builds engines, the object store's client, consumer, relay and jobs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dynabench_common.auth.authentication import remote_verifier
from dynabench_common.clock import SystemClock
from dynabench_common.database.connections import service_engine
from dynabench_common.database.figures import DatabaseFigures
from dynabench_common.database.pruning import SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.events.consumer import ConsumerLoop, Projection
from dynabench_common.events.producers import producer_factory
from dynabench_common.events.relay import Relay
from dynabench_common.events.replay import Tell, replay
from dynabench_common.http.client import JsonClient
from dynabench_common.settings import DatabaseSettings, EventSettings
from dynabench_common.work.worker import Component
from dynabench_common.working_folders import locked_folder, remove_abandoned
from dynabench_events import message_types
from sqlalchemy import Connection, Engine

from scoring.adapters import tables
from scoring.adapters.facts import ACCEPTED, TOPICS
from scoring.adapters.figures import FIGURES
from scoring.adapters.models import HttpModels
from scoring.adapters.object_store import S3ObjectStore
from scoring.adapters.pictures import AnnotationPictures
from scoring.adapters.projection import FactProjection, ReplayLog
from scoring.adapters.request_store import PredictionStore, RequestStore
from scoring.adapters.target_gateway import CALL_SECONDS, GatewayTargets
from scoring.service_layer.build_release import RELEASES
from scoring.service_layer.dependencies import Dependencies, EvaluatorDependencies, HttpDependencies
from scoring.service_layer.evaluations.answer_shards import SHARDS
from scoring.service_layer.evaluations.finish import SCORES
from scoring.service_layer.evaluations.plan import planning
from scoring.service_layer.evaluations.prepare import DATASETS
from scoring.service_layer.jobs import JobRunner
from scoring.service_layer.measurements import MEASUREMENTS
from scoring.settings import EvaluatorSettings, HttpSettings, WorkerSettings

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/scoring"
CONSUMER = "scoring"
EVALUATION_CALL_SECONDS = 60.0


def build_engine(settings: DatabaseSettings, process: str) -> Engine:
    """Return the engine of one process."""
    return service_engine(settings, "scoring", process)


def build_dependencies(settings: HttpSettings) -> HttpDependencies:
    """Return what the HTTP process needs."""
    engine = build_engine(settings, "http")
    verifier = remote_verifier(settings)
    folder, _ = locked_folder()
    store = S3ObjectStore(settings)
    return HttpDependencies(
        engine=engine,
        store=store,
        clock=SystemClock(),
        verifier=verifier,
        public_url=settings.public_url,
        files=RequestStore(store, folder),
        predictions=PredictionStore(store, folder),
    )


def build_targets(settings: WorkerSettings) -> GatewayTargets | None:
    """Return the served models, None where no gateway is named."""
    if not settings.gateway_url:
        return None
    client = JsonClient(settings.gateway_url, CALL_SECONDS, settings.service_token, pool_size=2)
    return GatewayTargets(client)


def build_worker(settings: WorkerSettings) -> list[Component]:
    """Return the components of the worker process, once what a killed one left behind is removed."""
    remove_abandoned()
    engine = build_engine(settings, "worker")
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "scoring-relay")
    app = Dependencies(
        engine=engine,
        store=S3ObjectStore(settings),
        clock=SystemClock(),
        targets=build_targets(settings),
        pictures=AnnotationPictures(settings.annotation_url) if settings.annotation_url else None,
    )
    return [
        Relay(engine, make_producer, EVENT_SOURCE, settings.kafka_topic_prefix),
        DatabaseFigures(engine, "scoring", FIGURES),
        Pruning(engine, SENT_EVENTS, TAKEN_EVENTS),
        ConsumerLoop(
            engine,
            tables.inbox,
            FactProjection(),
            topics=TOPICS,
            accepts=message_types(ACCEPTED),
            group=CONSUMER,
            dead_letter=tables.dead_letter,
            **_broker(settings),
        ),
        JobRunner(RELEASES, app),
        JobRunner(MEASUREMENTS, app),
    ]


def build_evaluator(settings: EvaluatorSettings) -> list[Component]:
    """Return the components of a process that evaluates models."""
    remove_abandoned()
    folder, _ = locked_folder()
    store = S3ObjectStore(settings)
    gateway = JsonClient(settings.gateway_url, EVALUATION_CALL_SECONDS, settings.service_token)
    app = EvaluatorDependencies(
        engine=build_engine(settings, "evaluator"),
        store=store,
        clock=SystemClock(),
        files=RequestStore(store, folder),
        models=HttpModels(gateway),
    )
    return [
        planning(app),
        JobRunner(DATASETS, app),
        JobRunner(SCORES, app),
        *(JobRunner(SHARDS, app) for _ in range(settings.evaluation_threads)),
    ]


def log_reader(settings: EventSettings, tell: Tell | None = None) -> ReplayLog:
    """Return what reads the whole log into a projection; `tell`, or the log, is told of the progress."""

    def read(connection: Connection, projection: Projection) -> int:
        return replay(
            connection,
            tables.inbox,
            projection,
            consumer=CONSUMER,
            topics=TOPICS,
            accepts=message_types(ACCEPTED),
            tell=tell,
            **_broker(settings),
        )

    return read


def _broker(settings: EventSettings) -> Mapping[str, Any]:
    return {
        "bootstrap_servers": settings.kafka_bootstrap_servers,
        "topic_prefix": settings.kafka_topic_prefix,
    }

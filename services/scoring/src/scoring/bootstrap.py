"""The one place that builds engines, the object store's client, consumer, relay and jobs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dynabench_common.auth.authentication import remote_verifier
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.database.connections import service_engine
from dynabench_common.database.figures import DatabaseFigures
from dynabench_common.database.pruning import SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.consumer import ConsumerLoop, Projection
from dynabench_common.events.relay import Relay
from dynabench_common.events.replay import Tell, replay
from dynabench_common.http.client import JsonClient
from dynabench_common.object_store import S3ObjectStore
from dynabench_common.settings import EventSettings
from dynabench_common.work.retried_jobs import JobRunner
from dynabench_common.work.worker import Component
from dynabench_common.working_folders import locked_folder, remove_abandoned
from dynabench_events import message_types
from evaluation.adapters.figures import FIGURES as EVALUATION_FIGURES
from evaluation.adapters.models import HttpModels
from evaluation.adapters.request_store import PredictionStore, RequestStore
from evaluation.service_layer import dependencies as evaluation
from evaluation.service_layer.answer_shards import SHARDS
from evaluation.service_layer.finish import SCORES
from evaluation.service_layer.plan import planning
from evaluation.service_layer.prepare import DATASETS
from sqlalchemy import Connection, Engine

from scoring.adapters import tables
from scoring.adapters.facts import ACCEPTED, TOPICS
from scoring.adapters.figures import FIGURES
from scoring.adapters.for_evaluation import TaskReader, score_models_on
from scoring.adapters.pictures import AnnotationPictures
from scoring.adapters.projection import FactProjection, ReplayLog
from scoring.adapters.target_gateway import CALL_SECONDS, GatewayTargets
from scoring.service_layer.build_release import RELEASES
from scoring.service_layer.dependencies import HttpDependencies, WorkerDependencies
from scoring.service_layer.measurements import MEASUREMENTS
from scoring.settings import EvaluatorSettings, HttpSettings, WorkerSettings

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/scoring"
CONSUMER = "scoring"
EVALUATION_CALL_SECONDS = 60.0


def build_dependencies(settings: HttpSettings) -> HttpDependencies:
    """Return what the HTTP process needs."""
    return HttpDependencies(
        engine=service_engine(settings, "scoring", "http"),
        store=S3ObjectStore(settings),
        clock=SystemClock(),
        verifier=remote_verifier(settings),
        public_url=settings.public_url,
        targets=build_targets(settings),
    )


def build_evaluation(needed: HttpDependencies, folder: Path) -> evaluation.HttpDependencies:
    """Return the dependencies of evaluations' routes, which keep files in this folder."""
    return evaluation.HttpDependencies(
        **shared(needed.engine, needed.store, needed.clock),
        files=RequestStore(needed.store, folder),
        predictions=PredictionStore(needed.store, folder),
    )


def shared(engine: Engine, store: S3ObjectStore, clock: Clock) -> dict[str, Any]:
    """Return what evaluations share with scoring: database, outbox, object store, and tasks."""
    return {
        "engine": engine,
        "outbox": tables.outbox,
        "store": store,
        "clock": clock,
        "tasks": TaskReader(engine, store),
    }


def build_targets(settings: HttpSettings | WorkerSettings) -> GatewayTargets | None:
    """Return the served models, None where no gateway is named."""
    if not settings.gateway_url:
        return None
    client = JsonClient(settings.gateway_url, CALL_SECONDS, settings.service_token, pool_size=2)
    return GatewayTargets(client)


def build_worker(settings: WorkerSettings) -> list[Component]:
    """Return the components of the worker process, once what a killed one left behind is removed."""
    remove_abandoned()
    engine = service_engine(settings, "scoring", "worker")
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "scoring-relay")
    app = WorkerDependencies(
        engine=engine,
        store=S3ObjectStore(settings),
        clock=SystemClock(),
        on_release=score_models_on,
        targets=build_targets(settings),
        pictures=AnnotationPictures(settings.annotation_url) if settings.annotation_url else None,
    )
    return [
        Relay(engine, make_producer, EVENT_SOURCE, settings.kafka_topic_prefix),
        DatabaseFigures(engine, "scoring", (*FIGURES, *EVALUATION_FIGURES)),
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
    app = evaluation.EvaluatorDependencies(
        **shared(service_engine(settings, "scoring", "evaluator"), store, SystemClock()),
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
    """Return a reader of the whole log into a projection; progress goes to `tell`, or to the log."""

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

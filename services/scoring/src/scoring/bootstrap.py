"""The one place that builds engines, the object store's client, consumer, relay and jobs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from dynabench_common.authentication import Verifier, remote_verifier
from dynabench_common.client import JsonClient
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.consumer import ConsumerLoop, Projection
from dynabench_common.database import service_engine
from dynabench_common.database_figures import DatabaseFigures
from dynabench_common.producers import producer_factory
from dynabench_common.pruning import SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.relay import Relay
from dynabench_common.replay import Tell, replay
from dynabench_common.settings import DatabaseSettings, EventSettings
from dynabench_common.worker import Component
from dynabench_common.working_folders import locked_folder, remove_abandoned
from dynabench_events import message_types
from sqlalchemy import Connection, Engine, text

from scoring.adapters import tables
from scoring.adapters.dataset_files import DatasetFiles
from scoring.adapters.facts import ACCEPTED, TOPICS
from scoring.adapters.figures import FIGURES
from scoring.adapters.models import HttpModels
from scoring.adapters.object_store import S3ObjectStore
from scoring.adapters.projection import FactProjection
from scoring.adapters.rebuild import ReplayLog
from scoring.adapters.request_store import PredictionStore, RequestStore
from scoring.adapters.target_gateway import CALL_SECONDS, GatewayTargets
from scoring.adapters.task_reader import TaskReader
from scoring.adapters.unit_of_work import MakeUnitOfWork, ScoringUnitOfWork, snapshot
from scoring.service_layer.build_release import ReleaseBuilder
from scoring.service_layer.evaluations.answer_shards import ShardRunner
from scoring.service_layer.evaluations.finish import Finisher
from scoring.service_layer.evaluations.plan import Planner
from scoring.service_layer.evaluations.prepare import Preparer
from scoring.service_layer.evaluations.timing import Timer
from scoring.service_layer.measure import Measurer
from scoring.settings import EvaluatorSettings, HttpSettings, WorkerSettings

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/scoring"
CONSUMER = "scoring"
EVALUATION_CALL_SECONDS = 60.0


@dataclass(frozen=True)
class Dependencies:
    """Everything that a route may use; `public_url` is the origin under which readers know the platform."""

    engine: Engine
    make_uow: MakeUnitOfWork
    store: S3ObjectStore
    clock: Clock
    verifier: Verifier
    public_url: str
    tasks: TaskReader
    files: RequestStore
    predictions: PredictionStore

    def check_ready(self) -> None:
        """Raise when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))


def build_engine(settings: DatabaseSettings, process: str) -> Engine:
    """Return the engine of one process."""
    return service_engine(settings, "scoring", process)


def make_uow_factory(engine: Engine) -> MakeUnitOfWork:
    """Return a maker of units of work on the engine."""
    return lambda: ScoringUnitOfWork(engine)


def build_dependencies(settings: HttpSettings) -> Dependencies:
    """Return what the HTTP process needs."""
    engine = build_engine(settings, "http")
    verifier = remote_verifier(settings)
    folder, _ = locked_folder()
    return dependencies(engine, S3ObjectStore(settings), SystemClock(), verifier, settings.public_url, folder)


def dependencies(
    engine: Engine,
    store: S3ObjectStore,
    clock: Clock,
    verifier: Verifier,
    public_url: str,
    folder: Path,
) -> Dependencies:
    """Return what routes use on these collaborators; files of datasets are kept at hand in `folder`."""
    tasks, files = TaskReader(engine, store), RequestStore(store, folder)
    return Dependencies(
        engine,
        make_uow_factory(engine),
        store,
        clock,
        verifier,
        public_url,
        tasks,
        files,
        PredictionStore(store, folder),
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
    work = (
        make_uow_factory(engine),
        partial(snapshot, engine),
        S3ObjectStore(settings),
        DatasetFiles(),
        SystemClock(),
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
        ReleaseBuilder(*work, targets=build_targets(settings)),
        Measurer(*work),
    ]


def build_evaluator(settings: EvaluatorSettings) -> list[Component]:
    """Return the components of a process that evaluates models."""
    remove_abandoned()
    folder, _ = locked_folder()
    engine = build_engine(settings, "evaluator")
    store, clock, make_uow = S3ObjectStore(settings), SystemClock(), make_uow_factory(engine)
    gateway = JsonClient(settings.gateway_url, EVALUATION_CALL_SECONDS, settings.service_token)
    models, files = HttpModels(gateway), RequestStore(store, folder)
    tasks = TaskReader(engine, store)
    return [
        Planner(make_uow, models, clock),
        Preparer(make_uow, tasks, store, clock),
        Finisher(make_uow, tasks, files, store, Timer(models), clock),
        *(ShardRunner(make_uow, tasks, files, models, clock) for _ in range(settings.evaluation_threads)),
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

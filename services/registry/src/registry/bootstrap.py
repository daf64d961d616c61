"""The one place that builds engines, clients, the relay and the reconciler."""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

from dynabench_archives.scanning import ScanLimits
from dynabench_common.authentication import Verifier, remote_verifier
from dynabench_common.client import JsonClient
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.consumer import ConsumerLoop
from dynabench_common.database import service_engine
from dynabench_common.database_figures import DatabaseFigures
from dynabench_common.producers import producer_factory
from dynabench_common.pruning import SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.relay import Relay
from dynabench_common.settings import DatabaseSettings
from dynabench_common.webhook_client import Outgoing
from dynabench_common.worker import Component
from dynabench_events import message_types
from sqlalchemy import Engine, text

from registry.adapters import tables
from registry.adapters.agent_client import AgentBuilder, AgentServer, notes, sandbox_log
from registry.adapters.archive_objects import ArchiveObjects
from registry.adapters.desired_models import DesiredModels
from registry.adapters.drafts import SqlDrafts
from registry.adapters.entry_texts import SqlEntryTexts
from registry.adapters.figures import FIGURES
from registry.adapters.gateway import HttpPredictor
from registry.adapters.models_file import ModelsFile
from registry.adapters.serving_states import SqlCatalogue, SqlServing, SqlStates
from registry.adapters.signatures import signer
from registry.adapters.target_looks import SqlTargetLook
from registry.adapters.task_store import ACCEPTED, TOPICS, TaskProjection
from registry.adapters.tombstones import SqlGraveyard
from registry.adapters.unit_of_work import MakeUnitOfWork, RegistryUnitOfWork
from registry.adapters.webhook_calls import SqlCalls, WebhookSender
from registry.adapters.worker_use import SqlWorkerUse
from registry.domain.submission import Pool, Step
from registry.service_layer.checks.archive_steps import ArchiveSteps
from registry.service_layer.checks.runner import Checker, StepCheck
from registry.service_layer.checks.serving_steps import ServingSteps
from registry.service_layer.checks.smoke_test import SmokeTest
from registry.service_layer.cleaning import DraftCleaner
from registry.service_layer.deleting import Deleting
from registry.service_layer.leading import Reconciling
from registry.service_layer.reconciler import Reconciler, ServingLimits
from registry.service_layer.removing import Remover
from registry.service_layer.submission_acts import SubmissionActs
from registry.service_layer.submission_limits import Limits
from registry.service_layer.target_watch import TargetWatch
from registry.service_layer.uploading import Uploading
from registry.service_layer.webhooks import WebhookCaller
from registry.service_layer.worker_use import WorkerUse
from registry.settings import (
    HttpSettings,
    ReconcilerSettings,
    SubmissionSettings,
    WebhookSettings,
    WorkerSettings,
)

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/registry"
CONSUMER = "registry"
GATEWAY_SECONDS = 10.0
AGENT_SECONDS = 10.0
CALLERS = 4
"""Webhooks called at once: one address that answers slowly must not hold up all others."""


@dataclass(frozen=True)
class Dependencies:
    """Everything that a route may use."""

    engine: Engine
    make_uow: MakeUnitOfWork
    uploading: Uploading
    acts: SubmissionActs
    deleting: Deleting
    entries: SqlEntryTexts
    check_webhook: Callable[[str], None]
    catalogue: SqlCatalogue
    use: SqlWorkerUse
    verifier: Verifier

    def check_ready(self) -> None:
        """Raise until the database answers."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))


def build_engine(settings: DatabaseSettings, process: str) -> Engine:
    """Return the engine of one process."""
    return service_engine(settings, "registry", process)


def make_uow_factory(engine: Engine) -> MakeUnitOfWork:
    """Return a maker of units of work on the engine."""
    return lambda: RegistryUnitOfWork(engine)


def limits_of(settings: SubmissionSettings) -> Limits:
    """Return how much may be submitted."""
    return Limits(settings.largest_archive_bytes, settings.submissions_per_day)


def _webhooks(settings: WebhookSettings) -> WebhookSender:
    hosts = frozenset(name.strip() for name in settings.webhook_hosts.split(",") if name.strip())
    return WebhookSender(Outgoing(hosts))


def build_worker(settings: WorkerSettings) -> list[Component]:
    """Return the components of the worker process."""
    engine = build_engine(settings, "worker")
    make_uow, objects, clock = make_uow_factory(engine), ArchiveObjects(settings), SystemClock()
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "registry-relay")
    agent = JsonClient(settings.agent_url, AGENT_SECONDS, settings.service_token)
    return [
        Relay(engine, make_producer, EVENT_SOURCE, settings.kafka_topic_prefix),
        DatabaseFigures(engine, "registry", FIGURES),
        Pruning(engine, SENT_EVENTS, TAKEN_EVENTS),
        ConsumerLoop(
            engine,
            tables.inbox,
            TaskProjection(),
            topics=TOPICS,
            accepts=message_types(ACCEPTED),
            group=CONSUMER,
            bootstrap_servers=settings.kafka_bootstrap_servers,
            topic_prefix=settings.kafka_topic_prefix,
            dead_letter=tables.dead_letter,
        ),
        build_reconciling(settings, engine, agent),
        TargetWatch(
            lambda: SqlTargetLook(engine), clock, timedelta(seconds=settings.target_patience_seconds)
        ),
        *_checkers(settings, make_uow, objects, clock, engine, agent),
        DraftCleaner(
            SqlDrafts(engine), SubmissionActs(make_uow, objects, clock), clock, _work_folder(settings)
        ),
        Remover(SqlGraveyard(engine), objects, AgentBuilder(agent), clock),
        *(
            WebhookCaller(number, SqlCalls(engine), _webhooks(settings), clock)
            for number in range(1, CALLERS + 1)
        ),
    ]


def _work_folder(settings: WorkerSettings) -> Path:
    return settings.work_folder or Path(tempfile.gettempdir()) / "dynabench-submissions"


def build_reconciling(settings: ReconcilerSettings, engine: Engine, agent: JsonClient) -> Reconciling:
    """Return the component that reconciles while it leads."""
    models_file = ModelsFile(settings.models_file)
    limits = ServingLimits(
        settings.pass_seconds,
        settings.busy_pass_seconds,
        settings.start_timeout_seconds,
        settings.most_loaded,
        settings.sandboxes,
    )

    def make(epoch: int) -> Reconciler:
        return Reconciler(
            {pool: AgentServer(agent, pool, epoch) for pool in Pool},
            DesiredModels(engine, models_file, partial(notes, agent)),
            WorkerUse(time.monotonic, SqlWorkerUse(engine).ages),
            SqlStates(engine, epoch),
            limits,
            time.monotonic,
        )

    return Reconciling(engine, make)


def _checkers(
    settings: WorkerSettings,
    make_uow: MakeUnitOfWork,
    objects: ArchiveObjects,
    clock: Clock,
    engine: Engine,
    agent: JsonClient,
) -> list[Component]:
    folder = _work_folder(settings)
    read = ArchiveSteps(objects, SqlEntryTexts(engine), ScanLimits(), signer)
    gateway = JsonClient(settings.gateway_url, GATEWAY_SECONDS, settings.service_token, pool_size=2)
    printed = partial(sandbox_log, agent)
    serve = ServingSteps(make_uow, AgentBuilder(agent), SqlServing(engine), printed)
    checks: dict[Step, StepCheck] = {
        Step.CHECKSUM: read.checksum,
        Step.OPENED: read.opened,
        Step.SCANNED: read.scanned,
        Step.MANIFEST: read.manifest,
        Step.CONTRACT: serve.contract,
        Step.DEPLOYED: serve.deployed,
        Step.SMOKE_TEST: SmokeTest(HttpPredictor(gateway), printed),
        Step.ACCEPTED: serve.accepted,
    }
    return [Checker(number, make_uow, checks, clock, folder) for number in range(1, settings.checkers + 1)]


def build_dependencies(settings: HttpSettings, *, verifier: Verifier | None = None) -> Dependencies:
    """Return what a process that serves HTTP needs."""
    engine = build_engine(settings, "http")
    make_uow, objects, clock = make_uow_factory(engine), ArchiveObjects(settings), SystemClock()
    return Dependencies(
        engine=engine,
        make_uow=make_uow,
        uploading=Uploading(make_uow, objects, clock, limits_of(settings)),
        acts=SubmissionActs(make_uow, objects, clock),
        deleting=Deleting(make_uow, clock),
        entries=SqlEntryTexts(engine),
        check_webhook=_webhooks(settings).check,
        catalogue=SqlCatalogue(engine),
        use=SqlWorkerUse(engine),
        verifier=verifier or remote_verifier(settings),
    )

"""The one place that builds engines, clients, the relay and the reconciler."""

import tempfile
import time
from datetime import timedelta
from functools import partial
from pathlib import Path

from dynabench_archives.model_servers import Pool
from dynabench_common.auth.authentication import Verifier, remote_verifier
from dynabench_common.clock import SystemClock
from dynabench_common.database.connections import service_engine
from dynabench_common.database.figures import DatabaseFigures
from dynabench_common.database.pruning import SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.consumer import ConsumerLoop
from dynabench_common.events.relay import Relay
from dynabench_common.http.client import JsonClient
from dynabench_common.http.webhook_client import Outgoing
from dynabench_common.work.leader import Leader
from dynabench_common.work.worker import Component, Every
from dynabench_events import message_types
from sqlalchemy import Engine

from registry.adapters import tables
from registry.adapters.agent_client import AgentBuilder, AgentServer, notes
from registry.adapters.archive_objects import ArchiveObjects
from registry.adapters.desired_models import DesiredModels
from registry.adapters.figures import FIGURES
from registry.adapters.gateway import HttpPredictor
from registry.adapters.models_file import ModelsFile
from registry.adapters.serving_states import SqlCatalogue, SqlServing, SqlStates
from registry.adapters.task_store import ACCEPTED, TOPICS, TaskProjection
from registry.adapters.webhook_calls import WebhookSender
from registry.adapters.worker_use import SqlWorkerUse
from registry.service_layer import cleaning, removing, target_watch, webhooks
from registry.service_layer.checks.runner import Checker
from registry.service_layer.dependencies import HttpDependencies, WorkerDependencies
from registry.service_layer.leading import reconciling
from registry.service_layer.reconciler import Reconciler, ServingLimits
from registry.service_layer.worker_use import WorkerUse
from registry.settings import HttpSettings, ReconcilerSettings, WebhookSettings, WorkerSettings

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/registry"
CONSUMER = "registry"
GATEWAY_SECONDS = 10.0
AGENT_SECONDS = 10.0
CALLERS = 4
"""Webhooks called at once: one address that answers slowly must not hold up all others."""


def _webhooks(settings: WebhookSettings) -> WebhookSender:
    hosts = frozenset(name.strip() for name in settings.webhook_hosts.split(",") if name.strip())
    return WebhookSender(Outgoing(hosts))


def build_worker(settings: WorkerSettings) -> list[Component]:
    """Return the components of the worker process."""
    engine = service_engine(settings, "registry", "worker")
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "registry-relay")
    agent = JsonClient(settings.agent_url, AGENT_SECONDS, settings.service_token)
    app = _worker_dependencies(settings, engine, agent)
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
        Every("targets", target_watch.LOOK_SECONDS, lambda: target_watch.look_at_targets(app)),
        *(Checker(number, app) for number in range(1, settings.checkers + 1)),
        Every("old uploads", cleaning.LOOK_SECONDS, lambda: cleaning.clean_up(app)),
        Every("deleted submissions", removing.LOOK_SECONDS, lambda: removing.remove_deleted(app)),
        *(
            Every(f"webhooks {number}", webhooks.LOOK_SECONDS, lambda: webhooks.call_due(app))
            for number in range(1, CALLERS + 1)
        ),
    ]


def _worker_dependencies(settings: WorkerSettings, engine: Engine, agent: JsonClient) -> WorkerDependencies:
    gateway = JsonClient(settings.gateway_url, GATEWAY_SECONDS, settings.service_token, pool_size=2)
    return WorkerDependencies(
        engine=engine,
        objects=ArchiveObjects(settings),
        webhooks=_webhooks(settings),
        clock=SystemClock(),
        builder=AgentBuilder(agent),
        serving=SqlServing(engine),
        predictor=HttpPredictor(gateway),
        folder=settings.work_folder or Path(tempfile.gettempdir()) / "dynabench-submissions",
        target_patience=timedelta(seconds=settings.target_patience_seconds),
    )


def build_reconciling(settings: ReconcilerSettings, engine: Engine, agent: JsonClient) -> Leader:
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

    return reconciling(engine, make)


def build_dependencies(settings: HttpSettings, *, verifier: Verifier | None = None) -> HttpDependencies:
    """Return what a process that serves HTTP needs."""
    engine = service_engine(settings, "registry", "http")
    return HttpDependencies(
        engine=engine,
        objects=ArchiveObjects(settings),
        webhooks=_webhooks(settings),
        clock=SystemClock(),
        largest_archive_bytes=settings.largest_archive_bytes,
        submissions_per_day=settings.submissions_per_day,
        catalogue=SqlCatalogue(engine),
        use=SqlWorkerUse(engine),
        verifier=verifier or remote_verifier(settings),
    )

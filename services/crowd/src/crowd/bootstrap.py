"""The one place that builds engines, clients, consumers and producers."""

import hashlib
from datetime import timedelta
from pathlib import Path

from dynabench_common.auth.authentication import Verifier, remote_verifier
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.database.connections import service_engine
from dynabench_common.database.figures import DatabaseFigures
from dynabench_common.database.pruning import REPLIES, SENT_EVENTS, TAKEN_EVENTS, Kept, Pruning
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.consumer import build_consumer
from dynabench_common.events.relay import Relay
from dynabench_common.http.client import JsonClient
from dynabench_common.work.leader import Leader, LockKey, steps
from dynabench_common.work.worker import Component

from crowd.adapters import tables
from crowd.adapters.people import HttpPeople
from crowd.adapters.platforms import build_platforms
from crowd.adapters.projection import TOPICS, CrowdProjection
from crowd.adapters.unit_of_work import UnitOfWork
from crowd.domain.money import Rates, read_rates
from crowd.service_layer.assignments import end_late, follow_late_decisions, follow_platforms
from crowd.service_layer.dependencies import Dependencies
from crowd.service_layer.low_pay import find_low_pay
from crowd.service_layer.settling import carry_out_payments
from crowd.settings import CrowdSettings

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/crowd"
CONSUMER = "crowd"
PEOPLE_SECONDS = 10.0
RECONCILE_SECONDS = 60.0
LATE_DECISIONS_SECONDS = 3_600.0
PAY_SECONDS = 10.0
ADDRESSES = {"entry_address": Kept("seen_at", timedelta(days=30))}
FIGURES = ()


def build_dependencies(
    settings: CrowdSettings,
    clock: Clock | None = None,
    verifier: Verifier | None = None,
    process: str = "http",
) -> Dependencies:
    """Return the collaborators of the HTTP process or of the worker."""
    engine = service_engine(settings, "crowd", process)
    rates = Rates(
        read_rates(settings.crowd_floor_hourly_minor), read_rates(settings.crowd_recommended_hourly_minor)
    )
    return Dependencies(
        engine=engine,
        unit_of_work=lambda: UnitOfWork(engine),
        clock=clock or SystemClock(),
        verifier=verifier or remote_verifier(settings),
        people=HttpPeople(JsonClient(settings.accounts_url, PEOPLE_SECONDS, settings.service_token)),
        platforms=build_platforms(settings.crowd_platforms),
        rates=rates,
        public_url=settings.public_url,
        address_key=hashlib.sha256(f"addresses of entries {settings.service_token}".encode()).digest(),
    )


def build_worker(settings: CrowdSettings) -> list[Component]:
    """Return the components of the worker process."""
    app = build_dependencies(settings, process="worker")
    engine = app.engine
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "crowd-relay")
    return [
        Relay(engine, make_producer, EVENT_SOURCE, settings.kafka_topic_prefix),
        DatabaseFigures(engine, "crowd", FIGURES),
        Pruning(engine, SENT_EVENTS, TAKEN_EVENTS, REPLIES, ADDRESSES),
        build_consumer(
            engine, settings, tables.inbox, tables.dead_letter, CONSUMER, CrowdProjection(), TOPICS
        ),
        Leader("late work", engine, LockKey.CROWD_TIMEOUTS_LEADER, steps(lambda: end_late(app))),
        Leader(
            "platforms",
            engine,
            LockKey.CROWD_RECONCILE_LEADER,
            steps(lambda: follow_platforms(app), RECONCILE_SECONDS),
        ),
        Leader(
            "late decisions",
            engine,
            LockKey.CROWD_LATE_DECISIONS_LEADER,
            steps(lambda: follow_late_decisions(app), LATE_DECISIONS_SECONDS),
        ),
        Leader("payments", engine, LockKey.CROWD_SETTLING_LEADER, steps(lambda: carry_out_payments(app))),
        Leader("low pay", engine, LockKey.CROWD_PAY_LEADER, steps(lambda: find_low_pay(app), PAY_SECONDS)),
    ]

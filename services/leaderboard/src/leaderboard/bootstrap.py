"""The one place that builds engines, the consumer and the reader of the log."""

from functools import partial
from pathlib import Path

from dynabench_common.auth.authentication import Verifier, remote_verifier
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.database.connections import create_database_engine
from dynabench_common.database.figures import INBOX, OUTBOX, DatabaseFigures
from dynabench_common.database.pruning import SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.consumer import ConsumerLoop
from dynabench_common.events.relay import Relay
from dynabench_common.settings import DatabaseSettings, EventSettings
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work.worker import Component, Every
from dynabench_events import message_types
from sqlalchemy import Engine

from leaderboard.adapters import read_models
from leaderboard.adapters.board_log import BoardLog
from leaderboard.adapters.projection import HANDLED, TOPICS, VERSION, BoardProjection
from leaderboard.adapters.read_model_keeper import ReadModelKeeper
from leaderboard.adapters.read_models import ReadModel, session_name
from leaderboard.adapters.rebuild import Builder, Note
from leaderboard.adapters.retirement import PAUSE_SECONDS, drop_unused
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import dead_letter, inbox
from leaderboard.queries.boards import Boards
from leaderboard.queries.model_boards import ModelBoards
from leaderboard.queries.people import People
from leaderboard.queries.standings import Standings
from leaderboard.service_layer.dependencies import Dependencies
from leaderboard.settings import HttpSettings, WorkerSettings

log = get_logger(__name__)
MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/leaderboard"
CONSUMER = read_models.CONSUMER


def build_engine(settings: DatabaseSettings, process: str, version: int = VERSION) -> Engine:
    """Return the engine of one process; its connections tell which boards are in use, so no pooler may share them."""
    return create_database_engine(
        settings.session_url, session_name(process, version), settings.database_pool_size
    )


def build_dependencies(settings: HttpSettings) -> Dependencies:
    """Return what the HTTP process needs."""
    engine = build_engine(settings, "http")
    verifier = remote_verifier(settings)
    return dependencies(engine, verifier, SystemClock())


def dependencies(engine: Engine, verifier: Verifier, clock: Clock, version: int = VERSION) -> Dependencies:
    """Return what routes use on these collaborators."""
    boards = Boards(engine, version)
    return Dependencies(
        engine=engine,
        clock=clock,
        verifier=verifier,
        boards=boards,
        standings=Standings(engine, boards, clock, version),
        model_boards=ModelBoards(engine, version),
        people=People(engine, version),
        read_model=StandingReadModel(engine, version),
    )


def build_worker(
    settings: WorkerSettings, version: int = VERSION, board_log: BoardLog | None = None
) -> list[Component]:
    """Return the components of the worker process, of a version of the boards."""
    engine = build_engine(settings, "worker", version)
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "leaderboard-relay")

    def engine_of(read_model: ReadModel) -> Engine:
        return create_database_engine(
            settings.session_url,
            session_name("worker", version),
            settings.database_pool_size,
            search_path=read_model.search_path,
        )

    def parts_of(read_model: ReadModel, own_engine: Engine) -> list[Component]:
        return [_consumer(settings, read_model, own_engine), Pruning(own_engine, TAKEN_EVENTS)]

    builder = Builder(engine, board_log or _board_log(settings), version)
    return [
        ReadModelKeeper(engine, builder, engine_of, parts_of, version),
        Relay(engine, make_producer, EVENT_SOURCE, settings.kafka_topic_prefix),
        DatabaseFigures(engine, "leaderboard", OUTBOX, INBOX),
        Pruning(engine, SENT_EVENTS),
        Every("retirement", PAUSE_SECONDS, partial(drop_unused, engine, version)),
    ]


def build_builder(
    engine: Engine, settings: EventSettings, version: int = VERSION, note: Note = log.info
) -> Builder:
    """Return what builds read models of a version from the log; `note` receives the progress."""
    return Builder(engine, _board_log(settings), version, note)


def _board_log(settings: EventSettings) -> BoardLog:
    return BoardLog(settings.kafka_bootstrap_servers, settings.kafka_topic_prefix)


def _consumer(settings: WorkerSettings, read_model: ReadModel, engine: Engine) -> ConsumerLoop:
    return ConsumerLoop(
        engine,
        inbox,
        BoardProjection(read_model),
        topics=TOPICS,
        accepts=message_types(HANDLED),
        group=read_model.group,
        consumer=CONSUMER,
        dead_letter=dead_letter,
        bootstrap_servers=settings.kafka_bootstrap_servers,
        topic_prefix=settings.kafka_topic_prefix,
    )

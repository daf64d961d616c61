"""The one place that builds engines, keys and producers."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from dynabench_common.authentication import Verifier
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.consumer import ConsumerLoop
from dynabench_common.database import service_engine
from dynabench_common.database_figures import DatabaseFigures
from dynabench_common.logging import get_logger
from dynabench_common.producers import producer_factory
from dynabench_common.pruning import SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.relay import Relay
from dynabench_common.settings import DatabaseSettings
from dynabench_common.worker import Component
from sqlalchemy import Engine, text

from accounts.adapters import notice_projection, tables
from accounts.adapters.access_tokens import JwtAccessTokens, KeyedRefreshSecrets
from accounts.adapters.audit_log import TOPICS, AuditProjection
from accounts.adapters.figures import FIGURES
from accounts.adapters.goal_watch import GoalWatch, LeaderboardFigures
from accounts.adapters.housekeeping import Housekeeping
from accounts.adapters.mail_senders import FolderSender, NobodyTakesMail, SmtpSender
from accounts.adapters.mail_texts import CatalogueTexts
from accounts.adapters.notice_projection import NoticeProjection
from accounts.adapters.passwords import Argon2Passwords
from accounts.adapters.signing_keys import load_or_create, public_jwks
from accounts.adapters.unit_of_work import AccountsUnitOfWork, NewUnitOfWork
from accounts.adapters.unsubscribe_tokens import KeyedUnsubscribeTokens
from accounts.domain.throttle import SIGN_UP_WINDOW, Limit
from accounts.queries.credentials import ended_sessions
from accounts.service_layer.digest_letter import DigestLetters
from accounts.service_layer.digests import Digests
from accounts.service_layer.letters import Letters
from accounts.service_layer.notices import OwnNotices
from accounts.service_layer.outgoing_mail import OutgoingMail
from accounts.service_layer.own_account import OwnAccount
from accounts.service_layer.ports import MailSender
from accounts.service_layer.sessions import SessionKeeper
from accounts.settings import AccountsSettings

log = get_logger(__name__)
MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/accounts"
CONSUMER = "accounts"
NOTICE_CONSUMER = "accounts-notices"


@dataclass(frozen=True)
class Dependencies:
    """Everything that a route may use."""

    engine: Engine
    new_unit_of_work: NewUnitOfWork
    passwords: Argon2Passwords
    access_tokens: JwtAccessTokens
    sessions: SessionKeeper
    own_account: OwnAccount
    own_notices: OwnNotices
    clock: Clock
    verifier: Verifier
    jwks: dict[str, Any]
    secure_cookies: bool
    sign_up_limit: Limit

    def check_ready(self) -> None:
        """Raise when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))


def build_engine(settings: DatabaseSettings, process: str) -> Engine:
    """Return the engine of one process."""
    return service_engine(settings, "accounts", process)


def unit_of_work_factory(engine: Engine) -> Callable[[], AccountsUnitOfWork]:
    """Return a maker of transactions."""
    return lambda: AccountsUnitOfWork(engine)


def build_dependencies(settings: AccountsSettings, clock: Clock | None = None) -> Dependencies:
    """Return what the HTTP process needs. Raises SettingsError for an unusable key file."""
    clock = clock or SystemClock()
    engine = build_engine(settings, "http")
    keys = load_or_create(settings.signing_key_file)
    jwks = public_jwks(keys)
    new_unit_of_work = unit_of_work_factory(engine)
    passwords, access_tokens = Argon2Passwords(), JwtAccessTokens(keys[0])
    return Dependencies(
        engine=engine,
        new_unit_of_work=new_unit_of_work,
        passwords=passwords,
        access_tokens=access_tokens,
        sessions=SessionKeeper(new_unit_of_work, passwords, access_tokens, KeyedRefreshSecrets(keys), clock),
        own_account=OwnAccount(
            new_unit_of_work, passwords, Letters(settings.public_url, CatalogueTexts()), clock
        ),
        own_notices=OwnNotices(new_unit_of_work, KeyedUnsubscribeTokens(keys), clock),
        clock=clock,
        verifier=Verifier(
            lambda: jwks,
            settings.service_tokens,
            clock,
            ended=lambda: ended_sessions(engine, clock.now()),
        ),
        jwks=jwks,
        secure_cookies=settings.public_url.startswith("https:"),
        sign_up_limit=Limit(settings.sign_ups_per_hour, SIGN_UP_WINDOW),
    )


def build_consumer(engine: Engine, settings: AccountsSettings) -> ConsumerLoop:
    """Return the consumer of the audit log."""
    return ConsumerLoop(
        engine,
        tables.inbox,
        AuditProjection(),
        topics=TOPICS,
        accepts=AuditProjection.accepts,
        group=CONSUMER,
        bootstrap_servers=settings.kafka_bootstrap_servers,
        topic_prefix=settings.kafka_topic_prefix,
        dead_letter=tables.dead_letter,
    )


def build_notice_consumer(engine: Engine, settings: AccountsSettings) -> ConsumerLoop:
    """Return the consumer that notices come from; it has places in the log of its own, so it never holds up another."""
    return ConsumerLoop(
        engine,
        tables.inbox,
        NoticeProjection(SystemClock()),
        topics=notice_projection.TOPICS,
        accepts=NoticeProjection.accepts,
        group=NOTICE_CONSUMER,
        bootstrap_servers=settings.kafka_bootstrap_servers,
        topic_prefix=settings.kafka_topic_prefix,
        dead_letter=tables.dead_letter,
    )


def build_digests(engine: Engine, settings: AccountsSettings, clock: Clock) -> Digests:
    """Return who writes mails with notices. Raises SettingsError for an unusable key file."""
    return Digests(
        engine,
        DigestLetters(settings.public_url, CatalogueTexts()),
        KeyedUnsubscribeTokens(load_or_create(settings.signing_key_file)),
        clock,
        timedelta(seconds=settings.digest_wait_seconds),
    )


def build_mail_sender(settings: AccountsSettings) -> MailSender:
    """Return whoever takes mails by the settings, and say it in the log."""
    if settings.smtp_host:
        log.info("mail_goes_by_smtp", host=settings.smtp_host, tls=settings.smtp_tls.value)
        return SmtpSender(settings)
    if settings.mail_folder:
        log.info("mail_goes_to_folder", folder=str(settings.mail_folder))
        return FolderSender(settings.mail_folder, settings.mail_sender)
    log.warning("mail_waits", reason="neither SMTP_HOST nor MAIL_FOLDER is set")
    return NobodyTakesMail()


def build_worker(settings: AccountsSettings) -> list[Component]:
    """Return the components of the worker process."""
    engine = build_engine(settings, "worker")
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "accounts-relay")
    figures = LeaderboardFigures(settings.leaderboard_url) if settings.leaderboard_url else None
    return [
        *([GoalWatch(engine, figures, SystemClock())] if figures else []),
        Relay(engine, make_producer, EVENT_SOURCE, settings.kafka_topic_prefix),
        DatabaseFigures(engine, "accounts", FIGURES),
        Pruning(engine, SENT_EVENTS, TAKEN_EVENTS),
        build_consumer(engine, settings),
        build_notice_consumer(engine, settings),
        build_digests(engine, settings, SystemClock()),
        Housekeeping(engine, SystemClock()),
        OutgoingMail(engine, build_mail_sender(settings), SystemClock()),
    ]

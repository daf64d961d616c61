"""The one place that builds engines, keys and producers."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from dynabench_common.auth.authentication import Verifier
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.database.connections import service_engine
from dynabench_common.database.figures import DatabaseFigures
from dynabench_common.database.pruning import SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.consumer import build_consumer
from dynabench_common.events.relay import Relay
from dynabench_common.settings import DatabaseSettings
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work.worker import Component, Every
from sqlalchemy import Engine

from accounts.adapters import sessions, tables
from accounts.adapters.access_tokens import JwtAccessTokens, KeyedRefreshSecrets
from accounts.adapters.audit_log import TOPICS, AuditProjection
from accounts.adapters.figures import FIGURES
from accounts.adapters.issuers import build_issuers
from accounts.adapters.passwords import Argon2Passwords
from accounts.adapters.signing_keys import load_or_create, private_part, public_jwks
from accounts.domain.throttle import SIGN_UP_WINDOW, Limit
from accounts.mail import delivery
from accounts.mail.delivery import MailDependencies, MailSender
from accounts.mail.queue import delete_old_mails
from accounts.mail.senders import FolderSender, NobodyTakesMail, SmtpSender
from accounts.mail.texts import CatalogueTexts
from accounts.notifications.adapters import goal_watch, projection, weekly_summaries
from accounts.notifications.adapters.goal_watch import GoalWatch, LeaderboardFigures
from accounts.notifications.adapters.projection import NoticeProjection
from accounts.notifications.adapters.tables import delete_old_notices
from accounts.notifications.adapters.unsubscribe_tokens import KeyedUnsubscribeTokens
from accounts.notifications.adapters.weekly_summaries import write_summaries
from accounts.notifications.queries import has_task
from accounts.notifications.service_layer import digests
from accounts.notifications.service_layer.digest_letter import DigestLetters
from accounts.notifications.service_layer.digests import DigestDependencies
from accounts.notifications.service_layer.notices import NotificationDependencies
from accounts.queries.credentials import ended_sessions
from accounts.service_layer.dependencies import Dependencies, HttpDependencies
from accounts.service_layer.issuers import end_old_roles
from accounts.service_layer.letters import Letters
from accounts.settings import AccountsSettings

log = get_logger(__name__)
MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
EVENT_SOURCE = "/accounts"
CONSUMER = "accounts"
NOTICE_CONSUMER = "accounts-notices"
CLEAN_SECONDS = 3600


@dataclass(frozen=True)
class AppDependencies(HttpDependencies, NotificationDependencies):
    """Collaborators of the HTTP application: those of identity and of notifications."""


def build_command_dependencies(settings: DatabaseSettings, command: str) -> Dependencies:
    """Return what a command of an operator needs."""
    return Dependencies(service_engine(settings, "accounts", command), Argon2Passwords(), SystemClock())


def build_dependencies(settings: AccountsSettings, clock: Clock | None = None) -> AppDependencies:
    """Return what the HTTP process needs. Raises SettingsError for an unusable key file or list of issuers."""
    clock = clock or SystemClock()
    engine = service_engine(settings, "accounts", "http")
    keys = load_or_create(settings.signing_key_file)
    jwks = public_jwks(keys)
    return AppDependencies(
        engine=engine,
        passwords=Argon2Passwords(),
        clock=clock,
        access_tokens=JwtAccessTokens(keys[0], requires_second_factor=settings.second_factor_required),
        refresh_secrets=KeyedRefreshSecrets(keys),
        unsubscribe_tokens=KeyedUnsubscribeTokens([private_part(key) for key in keys]),
        letters=Letters(settings.public_url, CatalogueTexts()),
        verifier=Verifier(
            lambda: jwks,
            settings.service_tokens,
            clock,
            ended=lambda: ended_sessions(engine, clock.now()),
        ),
        jwks=jwks,
        secure_cookies=settings.public_url.startswith("https:"),
        issuers=build_issuers(settings.sign_in_issuers, settings.public_url),
        sign_up_limit=Limit(settings.sign_ups_per_hour, SIGN_UP_WINDOW),
        has_task=lambda slug: has_task(engine, slug),
    )


def build_digest_dependencies(
    settings: AccountsSettings, engine: Engine, clock: Clock | None = None
) -> DigestDependencies:
    """Return what the mails with notices need. Raises SettingsError for an unusable key file."""
    keys = load_or_create(settings.signing_key_file)
    return DigestDependencies(
        engine=engine,
        clock=clock or SystemClock(),
        unsubscribe_tokens=KeyedUnsubscribeTokens([private_part(key) for key in keys]),
        letters=DigestLetters(settings.public_url, CatalogueTexts()),
        digest_wait=timedelta(seconds=settings.digest_wait_seconds),
    )


def build_mail_sender(settings: AccountsSettings) -> MailSender:
    """Return the mail sender for these settings, and log the choice."""
    if settings.smtp_host:
        log.info("mail_goes_by_smtp", host=settings.smtp_host, tls=settings.smtp_tls.value)
        return SmtpSender(settings)
    if settings.mail_folder:
        log.info("mail_goes_to_folder", folder=str(settings.mail_folder))
        return FolderSender(settings.mail_folder, settings.mail_sender)
    log.warning("mail_waits", reason="neither SMTP_HOST nor MAIL_FOLDER is set")
    return NobodyTakesMail()


def clean(engine: Engine, now: datetime) -> None:
    """Delete expired rows, so that tables of short-lived things stay small."""
    with engine.begin() as connection:
        sessions.delete_expired(connection, now)
        delete_old_mails(connection, now)
        delete_old_notices(connection, now)


def build_worker(settings: AccountsSettings) -> list[Component]:
    """Return the components of the worker process."""
    engine, clock = service_engine(settings, "accounts", "worker"), SystemClock()
    app = build_digest_dependencies(settings, engine, clock)
    post = MailDependencies(engine, clock, build_mail_sender(settings))
    make_producer = producer_factory(settings.kafka_bootstrap_servers, "accounts-relay")
    consumer = partial(build_consumer, engine, settings, tables.inbox, tables.dead_letter)
    return [
        *_goal_watch(settings, engine),
        Relay(engine, make_producer, EVENT_SOURCE, settings.kafka_topic_prefix),
        DatabaseFigures(engine, "accounts", FIGURES),
        Pruning(engine, SENT_EVENTS, TAKEN_EVENTS),
        consumer(CONSUMER, AuditProjection(), TOPICS),
        consumer(NOTICE_CONSUMER, NoticeProjection(clock), projection.TOPICS),
        Every("digests", digests.pause_seconds(app), lambda: digests.write_due(app)),
        Every("weekly summaries", weekly_summaries.LOOK_SECONDS, lambda: write_summaries(engine, clock)),
        Every("housekeeping", CLEAN_SECONDS, lambda: clean(engine, clock.now())),
        Every(
            "issuers", CLEAN_SECONDS, lambda: end_old_roles(Dependencies(engine, Argon2Passwords(), clock))
        ),
        Every("mail", delivery.LOOK_SECONDS, lambda: delivery.send_next(post)),
    ]


def _goal_watch(settings: AccountsSettings, engine: Engine) -> list[Component]:
    if not settings.leaderboard_url:
        return []
    watch = GoalWatch(engine, LeaderboardFigures(settings.leaderboard_url), SystemClock())
    return [Every("goals", goal_watch.LOOK_SECONDS, watch.look)]

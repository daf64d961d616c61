"""The accounts service on a real PostgreSQL, with a clock that the test moves."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from accounts.adapters import passwords, tables
from accounts.bootstrap import AppDependencies, build_dependencies, build_digest_dependencies
from accounts.entrypoints.http.app import create_app
from accounts.mail import queue
from accounts.mail.delivery import MailDependencies, send_next
from accounts.mail.senders import FolderSender
from accounts.notifications.adapters import tables as notice_tables
from accounts.notifications.service_layer.digests import DigestDependencies
from accounts.settings import AccountsSettings
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.testing import SERVICE_TOKEN_DIGESTS, FixedClock
from flask.testing import FlaskClient
from sqlalchemy import Engine, create_engine, delete, select, update
from werkzeug.test import TestResponse

from conftest import Infrastructure, ServiceDatabase

from .notice_story import Story

NOTICE_SOURCES = (
    notice_tables.notice_example,
    notice_tables.notice_participant,
    notice_tables.notice_round,
    notice_tables.notice_task,
    notice_tables.notice_week,
)
PASSWORD = "violet otter canoe"
TOKEN = re.compile(r"token=([\w-]+)")
Come = Callable[[], list[EmailMessage]]


@pytest.fixture(scope="session", autouse=True)
def cheap_hashes() -> Iterator[None]:
    """Hash passwords with little work: most tests sign several people up and in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "MEMORY_KIBIBYTES", 16)
        patch.setattr(passwords, "PASSES", 1)
        yield


@pytest.fixture(scope="session")
def accounts_database(infrastructure: Infrastructure) -> ServiceDatabase:
    return infrastructure.create_migrated_database("accounts")


@pytest.fixture(scope="session")
def owner_engine(accounts_database: ServiceDatabase) -> Iterator[Engine]:
    """Yield the engine of who may remove entries of the audit log: no process of the service may."""
    engine = create_engine(accounts_database.owner_url)
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def accounts_settings(
    infrastructure: Infrastructure,
    accounts_database: ServiceDatabase,
    tmp_path_factory: pytest.TempPathFactory,
) -> AccountsSettings:
    key_file: Path = tmp_path_factory.mktemp("accounts") / "signing-key.json"
    return AccountsSettings(
        service_token_digests=SERVICE_TOKEN_DIGESTS,
        jwks_url="http://127.0.0.1:1/unused",
        database_url=accounts_database.url,
        kafka_bootstrap_servers=infrastructure.kafka_bootstrap_servers,
        kafka_topic_prefix=f"{uuid4().hex[:8]}.",
        signing_key_file=key_file,
    )


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def dependencies(accounts_settings: AccountsSettings, clock: FixedClock) -> Iterator[AppDependencies]:
    needed = build_dependencies(accounts_settings, clock)
    yield needed
    with needed.engine.begin() as connection:
        for table in (
            *(tables.person, tables.hidden_look, tables.outbox, tables.sign_in_failure, queue.mail),
            *NOTICE_SOURCES,
        ):
            connection.execute(delete(table))
    needed.engine.dispose()


@pytest.fixture
def engine(dependencies: AppDependencies) -> Engine:
    return dependencies.engine


@dataclass
class Api:
    """Speaks HTTP with the service as one person or as nobody."""

    client: FlaskClient
    token: str | None = None
    person_id: str = ""
    user_name: str = ""

    def call(self, method: str, path: str, body: object = None, **more: Any) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= more.pop("headers", {})
        return self.client.open(f"/api/accounts/v1{path}", method=method, json=body, headers=headers, **more)

    def signed_in(self, user_name: str, password: str = PASSWORD) -> "Api":
        """Return the same service as seen by a person who signs in now."""
        answer = self.call("POST", "/sessions", {"user_name": user_name, "password": password}).get_json()
        return Api(self.client, answer["access_token"], answer["person"]["person_id"], user_name)

    def again(self) -> "Api":
        """Return the same person, signed in anew: access tokens last for a quarter of an hour."""
        return Api(self.client).signed_in(self.user_name)

    def new_person(self, user_name: str) -> "Api":
        """Sign a person up and in."""
        body = {"user_name": user_name, "email": f"{user_name}@example.org", "password": PASSWORD}
        assert self.call("POST", "/people", body).status_code == 201
        return self.signed_in(user_name)


@pytest.fixture
def api(dependencies: AppDependencies) -> Api:
    return Api(checked_against_contract(create_app(dependencies)).test_client(use_cookies=False))


@pytest.fixture
def outbox_rows(engine: Engine) -> Any:
    def read() -> list[Any]:
        with engine.connect() as connection:
            return list(connection.execute(select(tables.outbox).order_by(tables.outbox.c.id)))

    return read


@pytest.fixture
def administrator(api: Api, dependencies: AppDependencies) -> Api:
    """Someone with the admin role, made as an operator would."""
    from accounts.service_layer.people import EnsurePerson, ensure_person

    command = EnsurePerson("grace", "grace@example.org", PASSWORD, ("admin",), "expert")
    ensure_person(command, dependencies)
    return api.signed_in("grace")


@pytest.fixture
def story(engine: Engine, clock: FixedClock) -> Story:
    """A log in which nothing has happened yet, an hour after notices were introduced."""
    started_at = clock.now() - timedelta(hours=1)
    with engine.begin() as connection:
        connection.execute(delete(tables.inbox))
        connection.execute(update(notice_tables.notice_start).values(started_at=started_at))
    return Story(engine, clock)


@pytest.fixture
def worker(engine: Engine, accounts_settings: AccountsSettings, clock: FixedClock) -> DigestDependencies:
    return build_digest_dependencies(accounts_settings, engine, clock)


@pytest.fixture
def mails(engine: Engine, clock: FixedClock, tmp_path: Path) -> Come:
    """Return what sends all mails that wait to a folder, and reads those that came since the last time."""
    sender = FolderSender(tmp_path / "mail", "Dynabench <no-reply@example.org>")
    app = MailDependencies(engine, clock, sender)
    read: set[Path] = set()

    def come() -> list[EmailMessage]:
        while send_next(app):
            pass
        fresh = sorted(set((tmp_path / "mail").glob("*.eml")) - read)
        read.update(fresh)
        return [message_from_bytes(path.read_bytes(), policy=policy.default) for path in fresh]

    return come


def token_in(mail: EmailMessage) -> str:
    return token_in_text(mail.get_content())


def token_in_text(text: str) -> str:
    found = TOKEN.search(text)
    assert found, text
    return found.group(1)

"""Webhooks: signed calls at each change of a step, with retries after failures."""

import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

import pytest
from dynabench_common.events.cloud_events import Event
from dynabench_common.http.service import PROVIDED
from dynabench_common.http.webhook_client import Outgoing
from dynabench_common.testing import FixedClock
from dynabench_events import encode
from dynabench_events.person import PersonDeleted
from flask.testing import FlaskClient
from registry.adapters.task_store import TaskProjection
from registry.adapters.webhook_calls import WebhookSender
from registry.service_layer.checks.runner import Checker
from registry.service_layer.dependencies import WorkerDependencies
from registry.service_layer.webhooks import MOST_ATTEMPTS, call_due
from sqlalchemy import Engine, text

from .submissions import Submitter

DAY = 24 * 3600.0
WRITTEN = "SELECT count(*) FROM webhook_call WHERE outcome LIKE :outcome"


class Receiver:
    """Receiver of webhooks that returns a preset status and records the calls."""

    def __init__(self) -> None:
        self.status = 200
        self.calls: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.calls.append((dict(self.headers), body))
                self.send_response(receiver.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/hook"

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.stop()


@pytest.fixture
def outgoing() -> Outgoing:
    return Outgoing(frozenset({"127.0.0.1"}))


@pytest.fixture
def call(app: WorkerDependencies, outgoing: Outgoing) -> Callable[[], bool]:
    """Return what makes one call, also to the receiver's address."""
    return lambda: call_due(replace(app, webhooks=WebhookSender(outgoing)))


@pytest.fixture
def refused(app: WorkerDependencies) -> Callable[[Submitter, Receiver], str]:
    """Return a function that submits what is refused when it is opened, and returns the secret."""

    def submit(submitter: Submitter, receiver: Receiver) -> str:
        data = b"no archive at all, only a text that is long enough"
        begun = submitter.begin(data, webhook=receiver.url).get_json()
        submitter.send_parts(begun["submission"], data)
        submitter.complete(begun["submission"])
        assert Checker(1, app).turn()
        return str(begun["webhook_secret"])

    return submit


@pytest.fixture(autouse=True)
def allow(submissions_client: FlaskClient, outgoing: Outgoing) -> None:
    """Let the interface take the receiver's address."""
    needed = submissions_client.application.extensions[PROVIDED]
    object.__setattr__(needed, "webhooks", WebhookSender(outgoing))


def outcomes(engine: Engine, outcome: str) -> int:
    with engine.connect() as connection:
        return int(connection.execute(text(WRITTEN), {"outcome": outcome}).scalar_one())


def test_each_change_is_told_and_signed(
    engine: Engine,
    submitter: Submitter,
    receiver: Receiver,
    call: Callable[[], bool],
    refused: Callable[[Submitter, Receiver], str],
) -> None:
    secret = refused(submitter, receiver)
    while call():
        pass
    told = [(json.loads(body)["step"], json.loads(body)["state"]) for _, body in receiver.calls]
    assert told == [
        ("checksum", "running"),
        ("checksum", "passed"),
        ("opened", "running"),
        ("opened", "failed"),
    ]
    last = json.loads(receiver.calls[-1][1])
    assert last["fault"] == "yours"
    assert last["reason"]
    for headers, body in receiver.calls:
        moment, signed = (part.split("=", 1)[1] for part in headers["Dynabench-Signature"].split(","))
        expected = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
        assert hmac.compare_digest(signed, expected)
    assert outcomes(engine, "delivered") == 4


def test_what_is_not_taken_is_sent_again_and_given_up_at_last(
    engine: Engine,
    submitter: Submitter,
    receiver: Receiver,
    call: Callable[[], bool],
    clock: FixedClock,
    refused: Callable[[Submitter, Receiver], str],
) -> None:
    refused(submitter, receiver)
    receiver.status = 500
    for _ in range(4):
        assert call()
    assert not call(), "nothing is due at once"
    receiver.status = 200
    clock.move(5)
    for _ in range(3):
        assert call()
    assert outcomes(engine, "delivered") == 3
    receiver.status = 503
    for _ in range(MOST_ATTEMPTS):
        clock.move(DAY)
        call()
    assert outcomes(engine, "given up: answered 503") == 1
    clock.move(30 * DAY)
    assert not call()


def test_an_address_that_is_gone_is_not_called_again(
    engine: Engine,
    submitter: Submitter,
    receiver: Receiver,
    call: Callable[[], bool],
    clock: FixedClock,
    refused: Callable[[Submitter, Receiver], str],
) -> None:
    refused(submitter, receiver)
    receiver.status = 410
    while call():
        clock.move(DAY)
    assert outcomes(engine, "given up: answered 410") == 4


def test_an_address_that_turned_private_is_not_called(
    engine: Engine,
    submitter: Submitter,
    receiver: Receiver,
    app: WorkerDependencies,
    refused: Callable[[Submitter, Receiver], str],
) -> None:
    refused(submitter, receiver)
    while call_due(app):
        pass
    assert receiver.calls == []
    assert outcomes(engine, "given up: %") == 4


def test_the_webhooks_of_a_deleted_person_go(
    engine: Engine,
    submitter: Submitter,
    receiver: Receiver,
    refused: Callable[[Submitter, Receiver], str],
) -> None:
    secret = refused(submitter, receiver)
    data = submitter.client.get("/api/registry/v1/people/me/data", headers=submitter.headers).text
    assert receiver.url in data
    assert secret not in data
    deleted = PersonDeleted(
        person_id=submitter.person_id, withdraws_texts=False, deleted_at=datetime.now(UTC)
    )
    event = Event(
        id=uuid4(),
        type=encode(deleted).DESCRIPTOR.full_name,
        source="/accounts",
        time=datetime.now(UTC),
        aggregate_id=submitter.person_id,
        aggregate_version=3,
        message=encode(deleted),
        topic="dynabench.person.v1",
    )
    with engine.begin() as connection:
        TaskProjection().apply(connection, [event])
        calls = connection.execute(text("SELECT count(*) FROM webhook_call")).scalar_one()
        addresses = connection.execute(text("SELECT webhook_url, webhook_secret FROM submission")).all()
    assert (calls, addresses) == (0, [(None, None)])

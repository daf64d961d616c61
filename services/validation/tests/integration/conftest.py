"""Validation on a real database: events in, HTTP in, and what comes out."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from dynabench.audit.v1 import audit_pb2
from dynabench.example.v1 import example_pb2
from dynabench.known_item.v1 import known_item_pb2
from dynabench.task.v1 import task_pb2
from dynabench.validation.v1 import validation_pb2
from dynabench_common.database.connections import create_database_engine
from dynabench_common.events.cloud_events import Event
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.identifiers import new_id
from dynabench_common.testing import FixedClock, Issuer
from dynabench_events import decode, encode
from flask.testing import FlaskClient
from google.protobuf.message import Message
from sqlalchemy import Engine, text
from validation.adapters import round_counts
from validation.adapters.projection import ValidationProjection
from validation.adapters.tables import metadata
from validation.adapters.unit_of_work import UnitOfWork
from validation.entrypoints.http.app import create_app
from validation.service_layer.dependencies import Dependencies
from werkzeug.test import TestResponse

from conftest import Infrastructure, ServiceDatabase

API = "/api/validation/v1"
CREATED_AT = datetime(2026, 1, 5, 11, 0, tzinfo=UTC)
ROUND_ID = UUID(int=3)
"""A round of no account: nothing here is read from it."""
PACKAGES = {"validation": validation_pb2, "audit": audit_pb2, "known_item": known_item_pb2}
VERDICTS = {
    "fooled": example_pb2.VERDICT_FOOLED,
    "not_fooled": example_pb2.VERDICT_NOT_FOOLED,
    "undecided": example_pb2.VERDICT_UNDECIDED,
    "unknown": example_pb2.VERDICT_UNKNOWN,
}
STATES = {
    "open": task_pb2.ROUND_STATE_OPEN,
    "paused": task_pb2.ROUND_STATE_PAUSED,
    "closed": task_pb2.ROUND_STATE_CLOSED,
    "released": task_pb2.ROUND_STATE_RELEASED,
}
LABELS = ["negative", "neutral", "positive"]
LABEL = {"name": "label", "type": "multiclass", "labels": LABELS}
NOTHING: Mapping[str, Any] = {}


def event(message: Message, aggregate_id: UUID, version: int = 1) -> Event:
    """Return the event that a consumer would see."""
    return Event(
        id=new_id(),
        type=message.DESCRIPTOR.full_name,
        source="/annotation",
        time=CREATED_AT,
        aggregate_id=aggregate_id,
        aggregate_version=version,
        message=message,
        topic="",
    )


class Events:
    """Makes events as annotation would."""

    def task(
        self,
        task_id: UUID,
        configuration_version: int = 1,
        changes: Mapping[str, Any] = NOTHING,
        **validation: Any,
    ) -> Event:
        configuration = {
            "slug": "sentiment",
            "context": [{"name": "prompt", "type": "string"}],
            "input": [{"name": "text", "type": "string"}, LABEL],
            "output": [LABEL],
            "validation": validation,
            **changes,
        }
        message = task_pb2.TaskCreated(
            task_id=str(task_id),
            slug="sentiment",
            title="Sentiment",
            configuration_version=configuration_version,
            configuration_json=json.dumps(configuration),
            created_at=CREATED_AT,
        )
        return event(message, task_id, configuration_version)

    def round(self, round_id: UUID, task_id: UUID, number: int = 1) -> Event:
        message = task_pb2.RoundCreated(
            round_id=str(round_id), task_id=str(task_id), number=number, created_at=CREATED_AT
        )
        return event(message, round_id)

    def round_state(self, round_id: UUID, state: str, version: int = 2) -> Event:
        message = task_pb2.RoundStateChanged(
            round_id=str(round_id), state=STATES[state], changed_at=CREATED_AT
        )
        return event(message, round_id, version)

    def example(self, round_id: UUID, task_id: UUID, example_id: UUID, **fields: Any) -> Event:
        probabilities = fields.pop("probabilities", {"negative": 0.1, "positive": 0.9})
        answer = example_pb2.TargetAnswer(target="one", value="positive", probabilities=probabilities)
        answers, verdict = fields.pop("answers", [answer]), VERDICTS[fields.pop("verdict", "fooled")]
        values = {
            "author_id": str(new_id()),
            "context_id": str(new_id()),
            "claimed": "negative",
            "context": {"prompt": "A day at the sea"},
            "input": {"text": "Lovely, if you like sand in your eyes."},
            "configuration_version": 1,
            "created_at": CREATED_AT,
            **fields,
        }
        message = example_pb2.ExampleCreated(
            example_id=str(example_id),
            task_id=str(task_id),
            task_slug="sentiment",
            round_id=str(round_id),
            answers=answers,
            verdict=verdict,
            **values,
        )
        return event(message, example_id)

    def decided(self, example_id: UUID, verdict: str = "fooled", version: int = 2) -> Event:
        message = example_pb2.VerdictDecided(
            example_id=str(example_id),
            round_id=str(ROUND_ID),
            verdict=VERDICTS[verdict],
            wrong_targets=["one"],
            decided_at=CREATED_AT,
        )
        return event(message, example_id, version)

    def explained(self, example_id: UUID, why: str, version: int = 2) -> Event:
        message = example_pb2.ExampleExplained(
            example_id=str(example_id),
            round_id=str(ROUND_ID),
            label_explanation=why,
            explained_at=CREATED_AT,
        )
        return event(message, example_id, version)

    def checks_assigned(
        self, order_id: UUID, round_id: UUID, person_id: UUID, *example_ids: UUID, units: int = 0
    ) -> Event:
        message = task_pb2.ChecksAssigned(
            order_id=str(order_id),
            round_id=str(round_id),
            person_id=str(person_id),
            example_ids=map(str, example_ids),
            units=units or len(example_ids),
            assigned_at=CREATED_AT,
        )
        return event(message, order_id)

    def checks_ended(self, order_id: UUID) -> Event:
        message = task_pb2.ChecksEnded(order_id=str(order_id), ended_at=CREATED_AT)
        return event(message, order_id, 2)

    def retracted(self, example_id: UUID, version: int = 3) -> Event:
        message = example_pb2.ExampleRetracted(
            example_id=str(example_id), round_id=str(ROUND_ID), retracted_at=CREATED_AT
        )
        return event(message, example_id, version)


@dataclass
class Someone:
    """A person at the HTTP interface."""

    person_id: UUID
    http: FlaskClient
    headers: dict[str, str]

    def lease(self, round_id: UUID) -> TestResponse:
        return self.http.post(f"{API}/rounds/{round_id}/leases", headers=self.headers)

    def hold(self, round_id: UUID) -> dict[str, Any]:
        """Return a lease, which must be given."""
        response = self.lease(round_id)
        assert response.status_code == 201, response.text
        answer: dict[str, Any] = response.get_json()
        return answer

    def vote(self, lease_id: str, key: str | None = None, **body: Any) -> TestResponse:
        headers = self.headers | ({"Idempotency-Key": key} if key else {})
        return self.http.post(f"{API}/leases/{lease_id}/votes", json=body, headers=headers)

    def answer(self, round_id: UUID, value: Any) -> dict[str, Any]:
        """Take the next example and vote, which must work."""
        response = self.vote(self.hold(round_id)["lease_id"], kind="label", value=value)
        assert response.status_code == 201, response.text
        answer: dict[str, Any] = response.get_json()
        return answer

    def reveal(self, vote_id: str) -> dict[str, Any]:
        """Return the vote with what its author said, which makes it final."""
        response = self.http.post(f"{API}/votes/{vote_id}/reveal", headers=self.headers)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.get_json()
        return answer

    def skip(self, lease_id: str) -> TestResponse:
        return self.http.delete(f"{API}/leases/{lease_id}", headers=self.headers)

    def judge(self, vote_id: str, agrees: Any) -> TestResponse:
        return self.http.put(
            f"{API}/votes/{vote_id}/judgement", json={"agrees": agrees}, headers=self.headers
        )

    def get(self, path: str) -> TestResponse:
        return self.http.get(API + path, headers=self.headers)

    def send(self, method: str, path: str, **body: Any) -> TestResponse:
        return self.http.open(API + path, method=method, json=body or None, headers=self.headers)


@dataclass
class World:
    """A task with one open round, its people, and the service."""

    app: Dependencies
    clock: FixedClock
    issuer: Issuer
    http: FlaskClient
    events: Events = field(default_factory=Events)
    task_id: UUID = field(default_factory=new_id)
    round_id: UUID = field(default_factory=new_id)

    @property
    def engine(self) -> Engine:
        return self.app.engine

    def apply(self, *events: Event) -> None:
        """Project events as the worker would."""
        with self.engine.begin() as connection:
            ValidationProjection().apply(connection, events)

    def begin(self, state: str = "open", number: int = 1, **rules: Any) -> None:
        """Create the task and its round."""
        self.apply(
            self.events.task(self.task_id, **rules),
            self.events.round(self.round_id, self.task_id, number),
            self.events.round_state(self.round_id, state),
        )

    def example(self, **fields: Any) -> UUID:
        """Let somebody create an example."""
        example_id = fields.pop("example_id", None) or new_id()
        self.apply(self.events.example(self.round_id, self.task_id, example_id, **fields))
        return example_id

    def person(self, *roles: str, person_id: UUID | None = None) -> Someone:
        """Sign a person in."""
        person_id = person_id or new_id()
        headers = self.issuer.headers(person_id, roles or ("annotator",))
        return Someone(person_id, self.http, headers)

    def published(self, package: str = "validation") -> list[tuple[str, int, Any]]:
        """Return what stands in the outbox for a package's topic: type, version, message.

        In the place of an event that gathers several stand those.
        """
        messages = []
        for row in self.rows("outbox", "id"):
            if row["topic"] == f"dynabench.{package}.v1":
                name = row["type"].rsplit(".", 1)[1]
                message = getattr(PACKAGES[package], name)()
                message.ParseFromString(bytes(row["payload"]))
                parts = decode(message).parts
                first = row["aggregate_version"] - len(parts) + 1
                for version, part in enumerate(parts, start=first):
                    messages.append((type(part).__name__, version, encode(part)))
        return messages

    def counts(self) -> dict[str, Any]:
        answer: dict[str, Any] = self.http.get(f"{API}/rounds/{self.round_id}/counts").get_json()
        return answer

    def resolution(self, example_id: Any = None) -> str | None:
        """Return how the example was resolved, without one that of the only example there is."""
        found = self.rows("example_validation")
        [row] = [row for row in found if example_id is None or str(row["example_id"]) == str(example_id)]
        resolution: str | None = row["resolution"]
        return resolution

    def rows(self, table: str, order: str = "1") -> list[dict[str, Any]]:
        with self.engine.connect() as connection:
            found = connection.execute(text(f"SELECT * FROM {table} ORDER BY {order}"))
            return [dict(row._mapping) for row in found]


KEPT = """
    SELECT round_id, resolution, retracted, priority, pending, sum(examples), sum(votes)
    FROM round_count GROUP BY 1, 2, 3, 4, 5 HAVING sum(examples) <> 0 OR sum(votes) <> 0 ORDER BY 1, 2, 3, 4, 5
"""
COUNTED = """
    SELECT round_id, coalesce(resolution, ''), retracted, priority,
        wanted AND NOT retracted AND resolution IS NULL, count(*), sum(votes_counted)
    FROM example_validation GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
"""


@pytest.fixture(scope="session")
def validation_roles(infrastructure: Infrastructure) -> ServiceDatabase:
    return infrastructure.create_migrated_database("validation")


@pytest.fixture(scope="session")
def validation_database(validation_roles: ServiceDatabase) -> str:
    return validation_roles.url


@pytest.fixture(scope="session")
def validation_engine(validation_database: str) -> Iterator[Engine]:
    engine = create_database_engine(validation_database, "validation-test", pool_size=30)
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def validation_owner(validation_roles: ServiceDatabase) -> Iterator[Engine]:
    """Yield the engine of who may empty tables: no process of the service may."""
    engine = create_database_engine(validation_roles.owner_url, "validation-test-owner", pool_size=1)
    yield engine
    engine.dispose()


@pytest.fixture
def engine(validation_engine: Engine, validation_owner: Engine) -> Iterator[Engine]:
    """Yield the engine of an empty database; whatever a test does, the counts that are kept must fit what it left."""
    kept = "reveal_key"  # its row comes with the migration
    tables = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables if table.name != kept)
    with validation_owner.begin() as connection:
        connection.execute(text(f"TRUNCATE {tables}"))
    yield validation_engine
    with validation_engine.begin() as connection:
        counted = connection.execute(text(COUNTED)).all()
        assert connection.execute(text(KEPT)).all() == counted
        if round_counts.shorten(connection, most_rows=0):
            assert connection.execute(text(KEPT)).all() == counted


@pytest.fixture
def world(engine: Engine) -> World:
    clock, issuer = FixedClock(), Issuer()
    app = Dependencies(engine, lambda: UnitOfWork(engine), clock, issuer.verifier())
    return World(app, clock, issuer, checked_against_contract(create_app(app)).test_client())

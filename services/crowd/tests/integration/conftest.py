"""Crowd on a real database: events in, HTTP in, and what comes out."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar, cast
from uuid import UUID

import pytest
from crowd.adapters.people import HttpPeople
from crowd.adapters.projection import CrowdProjection
from crowd.adapters.tables import metadata, outbox
from crowd.adapters.unit_of_work import UnitOfWork
from crowd.domain.money import Rates
from crowd.entrypoints.http.app import create_app
from crowd.service_layer.dependencies import Dependencies
from dynabench.audit.v1 import audit_pb2
from dynabench.crowd.v1 import crowd_pb2
from dynabench.example.v1 import example_pb2
from dynabench.task.v1 import task_pb2
from dynabench.validation.v1 import validation_pb2
from dynabench_common.database.connections import create_database_engine
from dynabench_common.events.cloud_events import Event
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.identifiers import new_id
from dynabench_common.testing import FixedClock, Issuer, service_headers
from flask.testing import FlaskClient
from google.protobuf.message import Message
from sqlalchemy import Engine, select, text
from werkzeug.test import TestResponse

from conftest import Infrastructure, ServiceDatabase

from .fakes import FakePeople, FakePlatform

Published = TypeVar("Published", bound=Message)

API = "/api/crowd/v1"
LABELS = ["negative", "neutral", "positive"]
LABEL = {"name": "label", "type": "multiclass", "labels": LABELS}
STATES = {
    "open": task_pb2.ROUND_STATE_OPEN,
    "closed": task_pb2.ROUND_STATE_CLOSED,
    "released": task_pb2.ROUND_STATE_RELEASED,
}
REASON = (
    "The texts repeat the prompt word for word, although the guidelines ask for sentences of one's own. " * 2
)


@dataclass
class Crowd:
    """The service, with a clock, a platform and an owner of the task."""

    app: Dependencies
    client: FlaskClient
    issuer: Issuer
    clock: FixedClock
    platform: FakePlatform
    people: FakePeople
    task_id: UUID = field(default_factory=new_id)
    round_id: UUID = field(default_factory=new_id)
    owner: UUID = field(default_factory=new_id)
    _versions: dict[tuple[str, UUID], int] = field(default_factory=dict)

    def take(self, *events: Event) -> None:
        """Apply events as the worker does."""
        with self.app.engine.begin() as connection:
            CrowdProjection().apply(connection, events)

    def event(self, message: Message, aggregate_id: UUID) -> Event:
        """Return the next event of an aggregate; services count the versions of an example each for itself."""
        key = (message.DESCRIPTOR.file.package, aggregate_id)
        self._versions[key] = version = self._versions.get(key, 0) + 1
        return Event(
            id=new_id(),
            type=message.DESCRIPTOR.full_name,
            source="/test",
            time=self.clock.now(),
            aggregate_id=aggregate_id,
            aggregate_version=version,
            message=message,
            topic="",
        )

    def begin(self, state: str = "open") -> None:
        """Publish the task and a round."""
        now = self.clock.now()
        configuration = {
            "slug": "sentiment",
            "context": [{"name": "prompt", "type": "string"}],
            "input": [{"name": "text", "type": "string"}, LABEL],
            "output": [LABEL],
        }
        task = task_pb2.TaskCreated(
            task_id=str(self.task_id),
            slug="sentiment",
            title="Sentiment",
            configuration_version=1,
            configuration_json=json.dumps(configuration),
            created_at=now,
        )
        drafted = task_pb2.RoundCreated(
            round_id=str(self.round_id), task_id=str(self.task_id), number=1, created_at=now
        )
        self.take(self.event(task, self.task_id), self.event(drafted, self.round_id))
        self.becomes(state)

    def becomes(self, state: str) -> None:
        """Publish a state of the round."""
        changed = task_pb2.RoundStateChanged(
            round_id=str(self.round_id), state=STATES[state], changed_at=self.clock.now()
        )
        self.take(self.event(changed, self.round_id))

    def try_of(self, author_id: str | UUID, example_id: UUID | None = None, **fields: Any) -> Event:
        """Return the event of a try that fooled, written a second later."""
        self.clock.move(1)
        example_id = example_id or new_id()
        message = example_pb2.ExampleCreated(
            example_id=str(example_id),
            task_id=str(self.task_id),
            task_slug="sentiment",
            round_id=str(self.round_id),
            context_id=str(new_id()),
            author_id=str(author_id),
            claimed="negative",
            configuration_version=1,
            answers=[example_pb2.TargetAnswer(target="one", value="positive", wrong=True)],
            **{
                "cohort": "crowd",
                "verdict": example_pb2.VERDICT_FOOLED,
                "created_at": self.clock.now(),
                "seconds_since_context": 40,
                **fields,
            },
        )
        return self.event(message, example_id)

    def resolved(self, example_id: UUID, *, is_correct: bool = True) -> Event:
        """Return the event of a resolution."""
        outcome = validation_pb2.RESOLUTION_CORRECT if is_correct else validation_pb2.RESOLUTION_INCORRECT
        message = validation_pb2.ExampleResolved(
            example_id=str(example_id),
            round_id=str(self.round_id),
            resolution=outcome,
            agreed_option="negative",
            agreed_is_task_label=True,
            votes_counted=2,
            golds=["negative" if is_correct else "positive"],
            resolved_at=self.clock.now(),
        )
        return self.event(message, example_id)

    def vote_of(
        self,
        voter_id: str | UUID,
        example_id: UUID | None = None,
        option: str = "negative",
        seconds: int = 20,
    ) -> Event:
        """Return the event of a vote, cast a second later."""
        self.clock.move(1)
        example_id = example_id or new_id()
        message = validation_pb2.VoteCast(
            vote_id=str(new_id()),
            example_id=str(example_id),
            round_id=str(self.round_id),
            voter_id=str(voter_id),
            kind=validation_pb2.VOTE_KIND_LABEL,
            option=option,
            counted=True,
            seconds=seconds,
            cast_at=self.clock.now(),
        )
        return self.event(message, example_id)

    def send(
        self, method: str, path: str, body: Any = None, by: UUID | None = None, key: str | None = None
    ) -> TestResponse:
        """Send a request of the owner, or of a person."""
        who = by or self.owner
        roles = ("annotator", "owner:sentiment") if who == self.owner else ("annotator",)
        signed = self.issuer.headers(who, roles)
        keyed = {} if key is None else {"Idempotency-Key": key}
        return self.client.open(API + path, method=method, json=body, headers=signed | keyed)

    def draft(self, **changes: Any) -> Mapping[str, Any]:
        """Draft a campaign and return it."""
        body = {
            "work": "create",
            "title": "Write sentences that fool a model",
            "platform": "fake",
            "units": 2,
            "places": 3,
            "reward_minor": 150,
            "bonus_minor": 30,
            "screen_out_minor": 20,
            "currency": "GBP",
            "minutes": 30,
            **changes,
        }
        answer = self.send("POST", f"/rounds/{self.round_id}/campaigns", body)
        assert answer.status_code == 201, answer.text
        return cast(Mapping[str, Any], answer.get_json())

    def launched(self, **changes: Any) -> str:
        """Launch a new campaign and return its id."""
        campaign_id = str(self.draft(**changes)["campaign_id"])
        answer = self.send("PUT", f"/campaigns/{campaign_id}/state", {"state": "running"})
        assert answer.status_code == 200, answer.text
        return campaign_id

    def campaign(self, campaign_id: str) -> Mapping[str, Any]:
        """Return a campaign as its owner sees it."""
        return cast(Mapping[str, Any], self.send("GET", f"/campaigns/{campaign_id}").get_json())

    def enter(
        self,
        campaign_id: str,
        worker: str = "w1",
        device: str | None = None,
        address: str | None = None,
        **parameters: str,
    ) -> TestResponse:
        """Let the pages accept the work for a person whom the platform sent."""
        study = self.campaign(campaign_id)["study_id"] or "study-0"
        sent = {"study": study, "worker": worker, "submission": f"s-{worker}", "sign": "right", **parameters}
        body = {"campaign_id": campaign_id, "parameters": sent, "device": device, "address": address}
        return self.client.post(f"{API}/entries", json=body, headers=service_headers("web"))

    def entered(self, campaign_id: str, worker: str = "w1") -> tuple[str, UUID]:
        """Let a person in, and return the assignment's id and the person."""
        answer = self.enter(campaign_id, worker)
        assert answer.status_code == 201, answer.text
        found = answer.get_json()
        return found["work"]["assignment_id"], UUID(found["session"]["access_token"].removeprefix("access-"))

    def states_published(self) -> list[str]:
        """Return the states of assignments in the order of their events."""
        read = self.published(crowd_pb2.AssignmentStateChanged)
        return [crowd_pb2.AssignmentState.Name(each.state).removeprefix("ASSIGNMENT_STATE_") for each in read]

    def audited(self) -> list[tuple[str, str, str]]:
        """Return action, actor and reason of the entries of the audit log."""
        read = self.published(audit_pb2.ActionTaken)
        return [(each.action, each.actor_id, each.reason) for each in read]

    def published(self, kind: type[Published]) -> list[Published]:
        """Return the events of one kind in their order."""
        with self.app.engine.connect() as connection:
            rows = connection.execute(select(outbox).order_by(outbox.c.id)).all()
        return [kind.FromString(row.payload) for row in rows if row.type.endswith(f".{kind.DESCRIPTOR.name}")]

    def wait(self, minutes: float) -> None:
        """Let time pass."""
        self.clock.move(timedelta(minutes=minutes).total_seconds())


@pytest.fixture(scope="session")
def crowd_database(infrastructure: Infrastructure) -> ServiceDatabase:
    return infrastructure.create_migrated_database("crowd")


@pytest.fixture(scope="session")
def crowd_owner(crowd_database: ServiceDatabase) -> Iterator[Engine]:
    """Yield the engine of who may empty tables: no process of the service may."""
    engine = create_database_engine(crowd_database.owner_url, "crowd-tests-owner", pool_size=1)
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def crowd_engine(crowd_database: ServiceDatabase) -> Iterator[Engine]:
    engine = create_database_engine(crowd_database.url, "crowd-tests", pool_size=12)
    yield engine
    engine.dispose()


@pytest.fixture
def crowd(crowd_engine: Engine, crowd_owner: Engine) -> Crowd:
    """Return the service with an open round and no campaign."""
    tables = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
    with crowd_owner.begin() as connection:
        connection.execute(text(f"TRUNCATE {tables} RESTART IDENTITY CASCADE"))
    clock, platform, people = FixedClock(), FakePlatform(), FakePeople()
    issuer = Issuer()
    app = Dependencies(
        engine=crowd_engine,
        unit_of_work=lambda: UnitOfWork(crowd_engine),
        clock=clock,
        verifier=issuer.verifier(),
        people=cast(HttpPeople, people),
        platforms={"fake": platform},
        rates=Rates({"GBP": 900}, {"GBP": 1200}),
        public_url="https://bench.example.org",
        address_key=b"key",
    )
    made = Crowd(
        app, checked_against_contract(create_app(app)).test_client(), issuer, clock, platform, people
    )
    made.begin()
    return made

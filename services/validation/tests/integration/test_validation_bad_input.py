"""Every refusal names the field, the reason and the remedy, and stores nothing."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from dynabench_common.database.connections import create_database_engine
from dynabench_common.http.contracts import checked_against_contract
from validation.adapters.unit_of_work import UnitOfWork
from validation.entrypoints.http.app import create_app
from werkzeug.test import TestResponse

from .conftest import World

API = "/api/validation/v1"


@pytest.fixture
def held(world: World) -> tuple[Any, str]:
    """A person with a live lease."""
    world.begin()
    world.example()
    person = world.person()
    return person, person.hold(world.round_id)["lease_id"]


def refused(response: TestResponse, status: int, problem: str, field: str) -> None:
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    assert response.get_json()["type"] == f"/problems/{problem}"
    assert response.get_json()["field"] == field
    assert response.get_json()["detail"]
    assert response.get_json()["remedy"]


@pytest.mark.parametrize(
    ("body", "problem", "field"),
    [
        # A wrong, missing or empty label.
        ({"kind": "label", "value": "lovely"}, "value-refused", "value"),
        ({"kind": "label"}, "value-refused", "value"),
        ({"kind": "label", "value": ""}, "value-refused", "value"),
        ({"kind": "label", "value": None}, "value-refused", "value"),
        ({"kind": "label", "value": "Negative"}, "value-refused", "value"),
        ({"kind": "label", "value": "<script>alert(1)</script>"}, "value-refused", "value"),
        ({"kind": "label", "value": "🙂e\u0301"}, "value-refused", "value"),
        ({"kind": "label", "value": "x" * 100_000}, "value-refused", "value"),
        ({"kind": "label", "value": 7}, "value-refused", "value"),
        ({"kind": "label", "value": ["negative"]}, "value-refused", "value"),
        # A kind that isn't, or belongs to other tasks.
        ({"kind": "applause"}, "input-invalid", "kind"),
        ({"value": "negative"}, "input-invalid", "kind"),
        ({"kind": "judgement", "value": "correct"}, "vote-kind-wrong", "kind"),
        # Reasons where they belong, and of a fit length.
        ({"kind": "flag"}, "reason-missing", "reason"),
        ({"kind": "flag", "reason": "   \n"}, "reason-missing", "reason"),
        ({"kind": "flag", "reason": "x" * 501}, "input-invalid", "reason"),
        ({"kind": "flag", "reason": "x" * 100_001}, "input-invalid", "reason"),
        ({"kind": "flag", "reason": "spam", "value": "negative"}, "field-out-of-place", "value"),
        ({"kind": "label", "value": "negative", "reason": "hm"}, "field-out-of-place", "reason"),
        ({"kind": "unsure", "value": "negative"}, "field-out-of-place", "value"),
        # What the database can't hold, and what nobody asked for.
        ({"kind": "flag", "reason": "a\x00b"}, "input-invalid", "body"),
        ({"kind": "flag", "reason": "\ud800"}, "input-invalid", "body"),
        ({"kind": "label", "value": "negative", "counted": True}, "input-invalid", "counted"),
    ],
)
def test_unusable_votes(
    world: World, held: tuple[Any, str], body: dict[str, Any], problem: str, field: str
) -> None:
    person, lease_id = held
    refused(person.vote(lease_id, **body), 422, problem, field)
    assert world.rows("vote") == []
    assert world.rows("outbox") == []
    assert person.vote(lease_id, kind="label", value="negative").status_code == 201


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"\xff\xfe{}", 400),
        (b"{", 400),
        (b"", 400),
        (b"[]", 422),
        (b"null", 422),
        (b'"label"', 422),
        (b'{"kind": "label", "value": NaN}', 400),
        (b'{"kind": ' + b"[" * 100_000, 400),
        (b" " * 1_000_001, 413),
    ],
)
def test_bodies_that_are_no_object(world: World, held: tuple[Any, str], body: bytes, status: int) -> None:
    person, lease_id = held
    response = person.http.post(
        f"{API}/leases/{lease_id}/votes",
        data=body,
        headers=person.headers,
        content_type="application/json",
    )
    assert response.status_code == status
    assert response.content_type == "application/problem+json"


@pytest.mark.parametrize("reason", ["a", "x" * 500, "🙂" * 500, "e\u0301<b>\u202etxet\ttab", " spam "])
def test_usable_reasons(world: World, held: tuple[Any, str], reason: str) -> None:
    person, lease_id = held
    assert person.vote(lease_id, kind="flag", reason=reason).status_code == 201
    assert world.rows("vote")[0]["reason"] == reason.strip()


def test_a_double_vote(world: World, held: tuple[Any, str]) -> None:
    person, lease_id = held
    vote_id = person.vote(lease_id, kind="label", value="negative").get_json()["vote_id"]
    again = person.vote(lease_id, kind="label", value="positive")
    refused(again, 409, "already-voted", "lease_id")
    assert again.get_json()["vote_id"] == vote_id
    assert [row["option"] for row in world.rows("vote")] == ["negative"]
    refused(person.skip(lease_id), 409, "already-voted", "lease_id")


def test_a_vote_on_ones_own_example(world: World) -> None:
    """Authors never get their own, and can't vote by another person's lease."""
    world.begin()
    author = world.person()
    world.example(author_id=str(author.person_id))
    assert author.lease(world.round_id).get_json()["lease_id"] is None
    lease_id = world.person().hold(world.round_id)["lease_id"]
    refused(author.vote(lease_id, kind="label", value="negative"), 403, "own-example", "lease_id")
    assert world.rows("vote") == []


def test_another_persons_lease(world: World, held: tuple[Any, str]) -> None:
    _, lease_id = held
    stranger = world.person()
    refused(stranger.vote(lease_id, kind="label", value="negative"), 403, "lease-of-another", "lease_id")
    refused(stranger.skip(lease_id), 403, "lease-of-another", "lease_id")


def test_a_lease_that_is_not_there(world: World, held: tuple[Any, str]) -> None:
    person, lease_id = held
    refused(person.vote(str(uuid4()), kind="label", value="negative"), 404, "lease-not-found", "lease_id")
    refused(person.skip(str(uuid4())), 404, "lease-not-found", "lease_id")
    person.skip(lease_id)
    refused(person.vote(lease_id, kind="label", value="negative"), 404, "lease-not-found", "lease_id")


def test_a_replayed_key_with_another_body(world: World, held: tuple[Any, str]) -> None:
    person, lease_id = held
    person.vote(lease_id, key="k", kind="label", value="negative")
    changed = person.vote(lease_id, key="k", kind="label", value="positive")
    refused(changed, 422, "idempotency-key-reused", "Idempotency-Key")
    world.example()
    other_lease = person.hold(world.round_id)["lease_id"]
    reused = person.vote(other_lease, key="k", kind="label", value="negative")
    refused(reused, 422, "idempotency-key-reused", "Idempotency-Key")
    assert len(world.rows("vote")) == 1


def test_a_key_belongs_to_its_person(world: World) -> None:
    world.begin()
    world.example()
    for _ in range(2):
        person = world.person()
        lease_id = person.hold(world.round_id)["lease_id"]
        assert person.vote(lease_id, key="k", kind="label", value="negative").status_code == 201


def test_an_unusable_key(world: World, held: tuple[Any, str]) -> None:
    person, lease_id = held
    response = person.vote(lease_id, key="k" * 201, kind="label", value="negative")
    refused(response, 422, "idempotency-key-invalid", "Idempotency-Key")


@pytest.mark.parametrize("path", ["counts", "me"])
def test_an_unknown_round(world: World, path: str) -> None:
    person = world.person()
    refused(person.get(f"/rounds/{uuid4()}/{path}"), 404, "round-not-found", "round_id")
    refused(person.lease(uuid4()), 404, "round-not-found", "round_id")
    refused(person.get(f"/rounds/one/{path}"), 422, "input-invalid", "round_id")
    refused(
        person.http.post(f"{API}/rounds/one/leases", headers=person.headers), 422, "input-invalid", "round_id"
    )


def test_an_unknown_example_or_vote(world: World) -> None:
    person = world.person()
    refused(person.get(f"/examples/{uuid4()}"), 404, "example-not-found", "example_id")
    refused(person.get(f"/examples/{uuid4()}/votes"), 404, "example-not-found", "example_id")
    refused(person.judge(str(uuid4()), True), 404, "vote-not-found", "vote_id")


def test_unusable_judgements(world: World, held: tuple[Any, str]) -> None:
    person, lease_id = held
    vote_id = person.vote(lease_id, kind="label", value="negative").get_json()["vote_id"]
    for nonsense in ("yes", 1, "true"):
        refused(person.judge(vote_id, nonsense), 422, "input-invalid", "agrees")
    refused(person.judge(vote_id, None), 422, "input-invalid", "body")
    judgement = f"/votes/{vote_id}/judgement"
    refused(person.send("PUT", judgement, explanation="x" * 1001), 422, "input-invalid", "explanation")
    refused(person.send("PUT", judgement, corrected="lovely"), 422, "value-refused", "corrected")
    refused(world.person().judge(vote_id, True), 403, "vote-of-another", "vote_id")
    assert world.rows("vote")[0]["agrees"] is None


def test_nothing_to_judge_without_a_claim(world: World) -> None:
    world.begin(validate="all")
    world.example(claimed="")
    person = world.person()
    vote_id = person.answer(world.round_id, "negative")["vote_id"]
    refused(person.judge(vote_id, True), 409, "nothing-to-judge", "agrees")


def test_a_database_that_is_too_slow_is_no_fault_of_the_caller(
    world: World, held: tuple[Any, str], validation_database: str
) -> None:
    """A command that waits too long for its example gets 503 with Retry-After, and nothing is stored."""
    person, lease_id = held
    impatient = create_database_engine(
        validation_database, "validation-test", statement_timeout_milliseconds=300
    )
    needed = replace(world.app, engine=impatient, unit_of_work=lambda: UnitOfWork(impatient))
    person.http = checked_against_contract(create_app(needed)).test_client()
    with world.engine.begin() as connection:
        connection.exec_driver_sql("SELECT 1 FROM example_validation FOR UPDATE")
        response = person.vote(lease_id, kind="label", value="negative")
    impatient.dispose()
    assert (response.status_code, response.get_json()["type"]) == (503, "/problems/database-unavailable")
    assert response.headers["Retry-After"]
    assert world.rows("vote") == []

"""`dynabench dead-letters`: list, send again, discard."""

import json
from collections.abc import Callable
from typing import get_args

import pytest
from dynabench_cli.dead_letters import Service
from dynabench_client import Dynabench
from typer.testing import Result

from services.client.tests.stub_platform import StubPlatform, Told

SERVICES = ("accounts", "annotation", "validation", "leaderboard", "scoring", "registry", "crowd")
RECORD = {
    "record_id": "relay~0190",
    "consumer": "relay",
    "topic": "dynabench.example.v1",
    "type": "dynabench.example.v1.ExampleCreated",
    "reason": "MessageSizeTooLargeError: too large",
    "failed_at": "2026-11-22T05:00:00Z",
    "attempts": 1,
    "held_back": 3,
    "is_requested": False,
    "is_kept": True,
}
TAKEN = {
    **RECORD,
    "record_id": "leaderboard~dynabench.vote.v1~0~7",
    "consumer": "leaderboard",
    "is_kept": False,
}
HELD = {
    "consumer": "leaderboard",
    "topic": "dynabench.example.v1",
    "partition": 2,
    "position": 7,
    "reason": "ValueError: a bug",
    "held_since": "2026-11-22T05:00:00Z",
    "attempts": 12,
}


@pytest.fixture
def services(stub: StubPlatform) -> StubPlatform:
    for service in SERVICES:
        stub.tell("GET", f"/{service}/v1/dead-letters", {"items": [], "held": []})
        stub.tell("GET", f"/{service}/v1/dead-letters/records", {"items": []})
    stub.tell("GET", "/leaderboard/v1/dead-letters", {"items": [], "held": [HELD]})
    stub.tell("GET", "/annotation/v1/dead-letters/records", {"items": [RECORD]})
    stub.tell("GET", "/leaderboard/v1/dead-letters/records", {"items": [TAKEN]})
    return stub


def test_every_service_with_events_can_be_named() -> None:
    services = Dynabench("http://127.0.0.1").event_services
    assert {each.service for each in services} == set(get_args(Service))


def test_records_of_all_services_are_listed_and_held_partitions_told(
    services: StubPlatform, run: Callable[..., Result]
) -> None:
    result = run("dead-letters", "list", "--json")
    assert result.exit_code == 0
    items = json.loads(result.stdout)["items"]
    assert [(item["service"], item["record_id"], item["held_back"]) for item in items] == [
        ("annotation", "relay~0190", 3),
        ("leaderboard", "leaderboard~dynabench.vote.v1~0~7", 3),
    ]
    assert "partition 2" in result.stderr
    assert "ValueError: a bug" in result.stderr


def test_a_service_that_is_away_hides_no_other(
    services: StubPlatform, run: Callable[..., Result], tell_problem: Callable[..., Told]
) -> None:
    services.tell("GET", "/accounts/v1/dead-letters", tell_problem(403, "not-allowed"))
    result = run("dead-letters", "list", "--json")
    assert result.exit_code == 1
    assert len(json.loads(result.stdout)["items"]) == 2
    assert "accounts does not report" in result.stderr


def test_one_service_is_asked_alone(services: StubPlatform, run: Callable[..., Result]) -> None:
    result = run("dead-letters", "list", "--service", "annotation", "--json")
    assert [item["service"] for item in json.loads(result.stdout)["items"]] == ["annotation"]
    assert services.seen("GET", "/scoring/v1/dead-letters") == []


def test_records_of_crowd_are_listed(services: StubPlatform, run: Callable[..., Result]) -> None:
    services.tell("GET", "/crowd/v1/dead-letters/records", {"items": [RECORD]})
    result = run("dead-letters", "list", "--service", "crowd", "--json")
    assert [item["service"] for item in json.loads(result.stdout)["items"]] == ["crowd"]


def test_one_record_is_sent_again(services: StubPlatform, run: Callable[..., Result]) -> None:
    path = "/annotation/v1/dead-letters/records/relay~0190/redrive"
    services.tell("POST", path, {"record_id": "relay~0190", "decision": "requested"})
    assert run("dead-letters", "redrive", "annotation", "relay~0190").exit_code == 0
    assert len(services.seen("POST", path)) == 1


def test_all_that_are_kept_are_sent_again(services: StubPlatform, run: Callable[..., Result]) -> None:
    path = "/annotation/v1/dead-letters/records/relay~0190/redrive"
    services.tell("POST", path, {"record_id": "relay~0190", "decision": "requested"})
    assert run("dead-letters", "redrive", "annotation", "--all").exit_code == 0
    assert len(services.seen("POST", path)) == 1
    result = run("dead-letters", "redrive", "leaderboard", "--all", "--json")
    assert json.loads(result.stdout)["requested"] == []


@pytest.mark.parametrize("arguments", [(), ("relay~0190", "--all")])
def test_it_must_be_clear_which(
    services: StubPlatform, run: Callable[..., Result], arguments: tuple[str, ...]
) -> None:
    result = run("dead-letters", "redrive", "annotation", *arguments)
    assert result.exit_code == 1
    assert "--all" in result.stderr


def test_a_record_is_discarded_with_a_reason(services: StubPlatform, run: Callable[..., Result]) -> None:
    path = "/annotation/v1/dead-letters/records/relay~0190/discard"
    services.tell("POST", path, {"record_id": "relay~0190", "decision": "discarded"})
    assert run("dead-letters", "discard", "annotation", "relay~0190").exit_code == 2
    assert run("dead-letters", "discard", "annotation", "relay~0190", "--reason", "a test").exit_code == 0
    assert [seen.body for seen in services.seen("POST", path)] == [{"reason": "a test"}]

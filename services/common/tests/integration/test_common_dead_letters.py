"""Events that can't be applied: a bug blocks its partition and is reported; a poison event is kept for a retry."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_common.events.brokers import connection
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.service import service_app
from dynabench_common.testing import Issuer, service_headers, wait_until
from kafka.admin import KafkaAdminClient
from werkzeug.test import TestResponse

from .conftest import Harness

TOPIC = "dynabench.example.v1"
ADDRESS = "/api/test/v1/dead-letters"


class Web:
    """The routes about dead letters, and headers that sign people in."""

    def __init__(self, harness: Harness) -> None:
        issuer = Issuer()
        app = service_app("common", verifier=issuer.verifier())
        app.register_api(dead_letters_blueprint("test", harness.outbox, lambda: harness.engine))
        self.client = checked_against_contract(app).test_client()
        self.administrator = issuer.headers(uuid4(), roles=["admin"])
        self.people = {
            "owner": issuer.headers(uuid4(), roles=["owner:nli"]),
            "annotator": issuer.headers(uuid4()),
        }

    def dead_letters(self) -> Any:
        """Return the administrator's view of consumers and their dead letters."""
        return self.client.get(ADDRESS, headers=self.administrator).get_json()


@pytest.fixture
def web(harness: Harness) -> Web:
    return Web(harness)


def records(web: Web) -> list[dict[str, Any]]:
    answer = web.client.get(f"{ADDRESS}/records", headers=web.administrator)
    found: list[dict[str, Any]] = answer.get_json()["items"]
    return found


def post(
    web: Web, record: str, verb: str, body: object = None, headers: dict[str, str] | None = None
) -> TestResponse:
    path = f"{ADDRESS}/records/{record}/{verb}"
    return web.client.post(path, json=body, headers=headers or web.administrator)


@pytest.mark.long
def test_a_bug_holds_its_partition_is_listed_and_loses_nothing(harness: Harness, web: Web) -> None:
    aggregate, other = uuid4(), uuid4()
    harness.recorder.broken.add(aggregate)
    harness.probe.publish(TOPIC, harness.message(aggregate), aggregate, 1)
    harness.probe.publish(TOPIC, harness.message(aggregate), aggregate, 2)
    harness.start(harness.consumer())
    held = wait_until(
        lambda: [each for each in web.dead_letters()["held"] if each["attempts"] > 2],
        what="the held partition",
    )
    assert (held[0]["consumer"], held[0]["reason"]) == ("recorder", "ValueError: a bug")
    assert records(web) == []
    for _ in range(20):
        harness.probe.publish(TOPIC, harness.message(other), other)
        other = uuid4()
    wait_until(harness.seen, what="events of other partitions")
    harness.recorder.broken.clear()
    wait_until(lambda: len(harness.seen()) == 22, what="all events")
    assert [version for name, version in harness.seen() if name == str(aggregate)] == [1, 2]
    wait_until(lambda: web.dead_letters()["held"] == [], what="release")


def test_what_no_database_can_store_is_poison_whatever_error_it_causes(harness: Harness, web: Web) -> None:
    unstorable, sound = uuid4(), uuid4()
    harness.recorder.broken.add(unstorable)
    message = harness.message(unstorable)
    message.example_id += "\x00"
    harness.probe.publish(TOPIC, message, unstorable)
    harness.probe.publish(TOPIC, harness.message(sound), sound)
    harness.start(harness.consumer())
    (record,) = wait_until(lambda: records(web), what="the dead letter")
    assert "example_id holds the NUL character (ValueError)" in record["reason"]
    wait_until(lambda: harness.seen() == [(str(sound), 1)], what="the sound event")


def poison(harness: Harness, web: Web, aggregate: UUID) -> dict[str, Any]:
    harness.recorder.never.add(aggregate)
    harness.probe.publish(TOPIC, harness.message(aggregate), aggregate)
    harness.start(harness.consumer())
    found: list[dict[str, Any]] = wait_until(lambda: records(web), what="the dead letter")
    return found[0]


def test_a_dead_letter_is_taken_in_again_also_when_its_topic_is_lost(harness: Harness, web: Web) -> None:
    aggregate = uuid4()
    record = poison(harness, web, aggregate)
    assert (record["attempts"], record["is_kept"], record["is_requested"]) == (1, True, False)
    admin = KafkaAdminClient(**connection(harness.bootstrap), api_version_auto_timeout_ms=60_000)
    admin.delete_topics([f"{harness.prefix}{TOPIC}.dlq"])
    admin.close()
    for _ in range(2):
        assert post(web, record["record_id"], "redrive").status_code == 202
    wait_until(lambda: records(web)[0]["attempts"] > 1, what="the second failure")
    assert not records(web)[0]["is_requested"]
    harness.recorder.never.clear()
    assert post(web, record["record_id"], "redrive").status_code == 202
    wait_until(lambda: harness.seen() == [(str(aggregate), 1)], what="the effect")
    wait_until(lambda: records(web) == [], what="no dead letters")
    assert web.dead_letters()["items"] == []


def test_a_discarded_dead_letter_is_gone_and_the_audit_log_says_why(harness: Harness, web: Web) -> None:
    record = poison(harness, web, uuid4())["record_id"]
    assert post(web, record, "discard", {"reason": ""}).status_code == 422
    assert post(web, record, "discard", {"reason": "a test of last week"}).status_code == 200
    gone = post(web, record, "discard", {"reason": "a test of last week"})
    assert (gone.status_code, gone.get_json()["type"]) == (404, "/problems/dead-letter-not-found")
    assert records(web) == []
    rows = harness.rows("SELECT topic, payload FROM outbox")
    assert [row.topic for row in rows] == ["dynabench.audit.v1"]
    assert b"dead_letter.discarded" in bytes(rows[0].payload)
    assert b"a test of last week" in bytes(rows[0].payload)


@pytest.mark.parametrize("who, status", [("annotator", 403), ("owner", 403)])
def test_only_administrators_decide(web: Web, who: str, status: int) -> None:
    assert post(web, "x", "redrive", headers=web.people[who]).status_code == status
    assert post(web, "x", "discard", {"reason": "because"}, headers=web.people[who]).status_code == status


def test_services_neither_read_nor_decide(web: Web) -> None:
    service = service_headers("web")
    assert web.client.get(ADDRESS, headers=service).status_code == 403
    assert post(web, "x", "redrive", headers=service).status_code == 403


@pytest.mark.parametrize(
    "name", ["x", "relay~x", "relay~", "a~b~c~d", "a~b~1~2", f"a~b~{10**30}~1", "a~b~²~1"]
)
def test_a_name_of_nothing_is_not_found(harness: Harness, web: Web, name: str) -> None:
    assert post(web, name, "redrive").status_code == 404
    assert post(web, name, "discard", {"reason": "because"}).status_code == 404

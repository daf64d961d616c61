"""Old infrastructure rows are removed in bounded batches; needed rows stay."""

from uuid import uuid4

import pytest
from dynabench_common.database.connections import new_metadata
from dynabench_common.database.pruning import REPLIES, SENT_EVENTS, TAKEN_EVENTS, Pruning
from dynabench_common.events.replay import replay
from dynabench_common.http.idempotency import idempotency_table
from dynabench_common.testing import wait_until
from dynabench_common.work.leader import LockKey
from sqlalchemy import text

from .conftest import Harness


@pytest.fixture
def pruning(harness: Harness) -> Pruning:
    with harness.engine.begin() as connection:
        idempotency_table(new_metadata()).create(connection)
    return Pruning(harness.engine, SENT_EVENTS, TAKEN_EVENTS, REPLIES, most_rows=10)


def fill(harness: Harness, age: str, count: int) -> None:
    moment = f"now() - interval '{age}'"
    numbers = f"FROM generate_series(1, {count})"
    harness.rows(
        "INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_version, payload, occurred_at, sent_at) "
        f"SELECT gen_random_uuid(), 't', 't', gen_random_uuid(), 1, 'x', now(), {moment} {numbers}"
    )
    harness.rows(
        f"INSERT INTO inbox (consumer, event_id, taken_at) SELECT 'c', gen_random_uuid(), {moment} {numbers}"
    )
    harness.rows(
        "INSERT INTO idempotency (person_id, scope, key, fingerprint, response, created_at) "
        f"SELECT gen_random_uuid(), 's', 'k', 'f', '1', {moment} {numbers}"
    )


def counts(harness: Harness) -> list[int]:
    tables = ("outbox", "inbox", "idempotency")
    return [harness.rows(f"SELECT count(*) FROM {table}")[0][0] for table in tables]


def test_old_rows_go_a_few_at_a_time(harness: Harness, pruning: Pruning) -> None:
    fill(harness, "31 days", 25)
    fill(harness, "47 hours", 3)
    for left in (18, 8, 3, 3):
        pruning.step()
        assert counts(harness) == [left] * 3


def test_what_may_come_again_stays(harness: Harness, pruning: Pruning) -> None:
    fill(harness, "29 days", 2)
    pruning.step()
    assert counts(harness) == [0, 2, 0]
    fill(harness, "6 days", 1)
    pruning.step()
    assert counts(harness) == [1, 3, 0]


def test_rows_that_were_never_sent_stay_however_old(harness: Harness, pruning: Pruning) -> None:
    aggregate = uuid4()
    harness.write(aggregate, [1, 2])
    harness.rows(
        "UPDATE outbox SET occurred_at = now() - interval '1 year', parked_at = now(), hold = 'parked'"
    )
    pruning.step()
    assert counts(harness)[0] == 2


def test_one_worker_prunes_at_a_time(harness: Harness, pruning: Pruning) -> None:
    fill(harness, "31 days", 3)
    with harness.engine.begin() as connection:
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LockKey.PRUNING})"))
        pruning.step()
        assert counts(harness) == [3] * 3
    pruning.step()
    assert counts(harness) == [0] * 3


@pytest.mark.parametrize(
    "table, column", [("outbox", "sent_at"), ("inbox", "taken_at"), ("idempotency", "created_at")]
)
def test_old_rows_are_found_by_an_index(harness: Harness, pruning: Pruning, table: str, column: str) -> None:
    fill(harness, "1 hour", 20_000)
    harness.rows(f"ANALYZE {table}")
    plan = "\n".join(
        row[0]
        for row in harness.rows(
            f"EXPLAIN SELECT ctid FROM {table} WHERE {column} < now() - interval '30 days' ORDER BY {column} LIMIT 10"
        )
    )
    assert f"ix_{table}_{column}" in plan


def test_a_rebuild_needs_no_inbox_rows(harness: Harness) -> None:
    aggregate = uuid4()
    harness.probe.publish("dynabench.example.v1", harness.message(aggregate), aggregate)
    harness.start(harness.consumer())
    wait_until(harness.seen, what="the effect")
    harness.rows("DELETE FROM inbox")
    harness.rows("DELETE FROM seen")
    with harness.engine.begin() as connection:
        applied = replay(
            connection,
            harness.inbox,
            harness.recorder,
            consumer="rebuilt",
            topics=["dynabench.example.v1"],
            accepts=[type(harness.message(aggregate))],
            bootstrap_servers=harness.bootstrap,
            topic_prefix=harness.prefix,
        )
    assert applied == 1
    assert harness.seen() == [(str(aggregate), 1)]

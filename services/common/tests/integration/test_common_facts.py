"""Facts of the log as rows: the same for any order and any number of deliveries."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import permutations
from typing import Any

import pytest
from dynabench_common.database.connections import create_database_engine, new_metadata
from dynabench_common.events.facts import Facts, copied, update_facts, write_facts
from dynabench_common.identifiers import new_id
from dynabench_events import EventRecord, Recorded
from dynabench_events.task import RoundCreated, RoundStateChanged, RoundTargetsChanged
from dynabench_events.validation import VotesWithdrawn, WithdrawalCause
from dynabench_tasks.rounds import RoundState
from sqlalchemy import Column, Connection, Engine, Integer, Table, Text, Uuid, select
from sqlalchemy.dialects.postgresql import JSONB

from conftest import Infrastructure

AT = datetime(2026, 1, 5, 12, tzinfo=UTC)
TASK, ROUND, EXAMPLE, VOTE, OTHER_VOTE = (new_id() for _ in range(5))
METADATA = new_metadata()
ROUNDS = Table(
    "copied_round",
    METADATA,
    Column("round_id", Uuid, primary_key=True),
    Column("number", Integer),
    Column("created_version", Integer),
    Column("targets", JSONB),
    Column("targets_version", Integer),
    Column("state", Text),
    Column("state_version", Integer),
)
WITHDRAWALS = Table(
    "withdrawal",
    METADATA,
    Column("vote_id", Uuid, primary_key=True),
    Column("version", Integer),
)
FACTS = Facts(
    (RoundCreated, ROUNDS.c.created_version, copied("round_id", "number")),
    (RoundCreated, ROUNDS.c.targets_version, copied("round_id", "targets")),
    (RoundTargetsChanged, ROUNDS.c.targets_version, copied("round_id", "targets")),
    (RoundStateChanged, ROUNDS.c.state_version, copied("round_id", "state")),
    (
        VotesWithdrawn,
        WITHDRAWALS.c.version,
        lambda record: [{"vote_id": vote_id} for vote_id in record.vote_ids],
    ),
)


def event(version: int, record: EventRecord) -> Recorded[EventRecord]:
    return Recorded(new_id(), record.aggregate_id, version, AT, record)


def moved(version: int, state: RoundState) -> Recorded[EventRecord]:
    return event(version, RoundStateChanged(round_id=ROUND, state=state, changed_by=None, changed_at=AT))


def retargeted(version: int, *targets: str) -> Recorded[EventRecord]:
    changed = RoundTargetsChanged(round_id=ROUND, targets=targets, changed_by=TASK, reason="", changed_at=AT)
    return event(version, changed)


DRAFTED = event(
    1,
    RoundCreated(round_id=ROUND, task_id=TASK, number=3, title="", targets=("bert",), created_at=AT),
)
EVENTS = (DRAFTED, moved(2, RoundState.OPEN), retargeted(3, "bert", "gpt"), moved(4, RoundState.PAUSED))
NEWEST = (ROUND, 3, 1, ["bert", "gpt"], 3, "paused", 4)


@pytest.fixture(scope="module")
def engine(infrastructure: Infrastructure) -> Iterator[Engine]:
    made = create_database_engine(infrastructure.create_database("facts"), "test")
    METADATA.create_all(made)
    yield made
    made.dispose()


@pytest.fixture
def connection(engine: Engine) -> Iterator[Connection]:
    """Return a connection; what a test writes is rolled back."""
    with engine.connect() as connection:
        yield connection


def rows(connection: Connection, table: Table) -> Sequence[Any]:
    return connection.execute(select(table).order_by(*table.primary_key)).all()


@pytest.mark.parametrize("order", permutations(EVENTS))
def test_rows_are_the_same_for_any_order_and_repeated_events(
    connection: Connection, order: Sequence[Recorded[EventRecord]]
) -> None:
    for delivered in (*order, order[0]):
        write_facts(connection, FACTS.newest([delivered]))
    assert rows(connection, ROUNDS) == [NEWEST]


@pytest.mark.parametrize("order", permutations(EVENTS))
def test_of_the_events_of_a_batch_the_newest_of_each_kind_are_written(
    connection: Connection, order: Sequence[Recorded[EventRecord]]
) -> None:
    write_facts(connection, FACTS.newest(order))
    assert rows(connection, ROUNDS) == [NEWEST]


def test_an_event_may_have_facts_of_several_aggregates(connection: Connection) -> None:
    withdrawn = VotesWithdrawn(
        example_id=EXAMPLE,
        round_id=ROUND,
        vote_ids=(VOTE, OTHER_VOTE),
        cause=WithdrawalCause.UNDONE,
        withdrawn_at=AT,
    )
    write_facts(connection, FACTS.newest([event(7, withdrawn)]))
    assert rows(connection, WITHDRAWALS) == [(key, 7) for key in sorted([VOTE, OTHER_VOTE])]


def test_an_update_writes_newer_facts_only_into_rows_that_are_there(connection: Connection) -> None:
    update_facts(connection, FACTS.newest([moved(2, RoundState.OPEN)]))
    assert rows(connection, ROUNDS) == []
    write_facts(connection, FACTS.newest([DRAFTED]))
    for state, version in ((RoundState.PAUSED, 4), (RoundState.OPEN, 2)):
        update_facts(connection, FACTS.newest([moved(version, state)]))
    assert rows(connection, ROUNDS) == [(ROUND, 3, 1, ["bert"], 1, "paused", 4)]


def test_kinds_and_keys_come_in_one_order() -> None:
    found = FACTS.newest(reversed(EVENTS))
    assert [kind.name for kind in found] == ["created_version", "targets_version", "state_version"]
    assert {row["round_id"] for kept in found.values() for row in kept} == {ROUND}

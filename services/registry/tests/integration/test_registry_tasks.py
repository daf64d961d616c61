"""The registry's projection of annotation's events, in any order and with repeats."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import permutations
from typing import Any
from uuid import UUID

import pytest
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.consumer import apply_new
from dynabench_common.identifiers import new_id
from dynabench_events import EventRecord, encode
from dynabench_events.task import RoundCreated, RoundStateChanged, RoundTargetsChanged, TaskCreated
from dynabench_tasks.rounds import RoundState
from registry.adapters.tables import inbox
from registry.adapters.task_store import SqlTasks, TaskProjection, targets_in_the_loop
from registry.domain.errors import TaskUnknown
from registry.domain.submission import LoopRound
from sqlalchemy import Engine

AT = datetime(2026, 1, 5, 12, tzinfo=UTC)
TASK, ROUND = new_id(), new_id()


def configured(version: int, slug: str = "poems") -> TaskCreated:
    return TaskCreated(
        task_id=TASK,
        slug=slug,
        title="Poems",
        configuration_version=version,
        configuration={"version": version},
        created_at=AT,
    )


def created(targets: tuple[str, ...]) -> RoundCreated:
    return RoundCreated(
        round_id=ROUND, task_id=TASK, number=1, title="", targets=targets, created_at=AT, origin="", source=""
    )


def moved(state: RoundState) -> RoundStateChanged:
    return RoundStateChanged(round_id=ROUND, state=state, changed_by=None, changed_at=AT, reason="")


def retargeted(targets: tuple[str, ...]) -> RoundTargetsChanged:
    return RoundTargetsChanged(
        round_id=ROUND, targets=targets, changed_by=new_id(), reason="x", changed_at=AT
    )


def event(record: EventRecord, version: int, event_id: UUID | None = None) -> Event:
    return Event(
        id=event_id or new_id(),
        type=encode(record).DESCRIPTOR.full_name,
        source="/annotation",
        time=AT,
        aggregate_id=record.aggregate_id,
        aggregate_version=version,
        message=encode(record),
        topic="dynabench.task.v1",
    )


def feed(engine: Engine, events: Sequence[Event]) -> None:
    for each in events:
        with engine.begin() as connection:
            apply_new(connection, inbox, "registry", TaskProjection(), [each])


def in_the_loop(engine: Engine) -> frozenset[str]:
    with engine.connect() as connection:
        return targets_in_the_loop(connection)


def configuration(engine: Engine, slug: str) -> Any:
    with engine.connect() as connection:
        return SqlTasks(connection).configuration(slug)


def test_the_newest_configuration_stands_whatever_comes_last(engine: Engine) -> None:
    feed(engine, [event(configured(2), 2), event(configured(1), 1), event(configured(2), 2)])
    assert configuration(engine, "poems") == {"version": 2}
    with pytest.raises(TaskUnknown):
        configuration(engine, "prose")


def test_targets_are_in_the_loop_until_their_round_is_closed_in_any_order_of_events(engine: Engine) -> None:
    story = [
        event(created(("a-v1", "b-v1")), 1),
        event(moved(RoundState.OPEN), 2),
        event(retargeted(("b-v1", "c-v1")), 3),
    ]
    for order in permutations(story):
        with engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM round; DELETE FROM inbox")
        feed(engine, [*order, order[0]])
        assert in_the_loop(engine) == {"b-v1", "c-v1"}
    feed(engine, [event(moved(RoundState.CLOSED), 4), event(moved(RoundState.PAUSED), 3)])
    assert in_the_loop(engine) == frozenset()


def test_rounds_of_a_model_have_their_names_in_any_order_of_events(engine: Engine) -> None:
    story = [
        event(configured(1), 1),
        event(created(("a-v1",)), 1),
        event(moved(RoundState.OPEN), 2),
        event(retargeted(("a-v1", "b-v1")), 3),
    ]
    for order in permutations(story):
        with engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM round; DELETE FROM task; DELETE FROM inbox")
        feed(engine, [*order, order[0]])
        with engine.connect() as connection:
            tasks = SqlTasks(connection)
            assert tasks.rounds_with("b-v1") == [LoopRound(ROUND, "open", "poems", 1)]
            assert tasks.rounds_with("b-v1")[0].name == "round 1 of poems"
            assert tasks.rounds_with("b") == []


def test_a_round_from_before_rounds_had_names_is_told_by_its_id(engine: Engine) -> None:
    feed(engine, [event(moved(RoundState.OPEN), 2), event(retargeted(("a-v1",)), 3)])
    with engine.connect() as connection:
        (found,) = SqlTasks(connection).rounds_with("a-v1")
    assert found.name == f"round {ROUND}"


def test_drafts_warm_their_targets_up(engine: Engine) -> None:
    feed(engine, [event(created(("a-v1",)), 1)])
    assert in_the_loop(engine) == {"a-v1"}

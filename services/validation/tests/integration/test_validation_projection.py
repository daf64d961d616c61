"""Facts commute: in whichever order and how often events come, the state is the same."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import factorial
from typing import Any
from uuid import UUID

import pytest
from dynabench_common.events.cloud_events import Event, PermanentEventError
from dynabench_common.events.consumer import apply_new
from dynabench_common.identifiers import new_id
from sqlalchemy import Connection, Engine, text
from validation.adapters.projection import ValidationProjection
from validation.adapters.tables import inbox

from .conftest import World

TABLES = ("task_configuration", "round", "example", "example_validation", "vote")


State = dict[str, list[dict[str, Any]]]


def votes(word: str) -> list[dict[str, str]]:
    """Return two votes that came with an imported record."""
    return [{"voter_id": str(new_id()), "kind": "label", "option": word} for _ in range(2)]


def state(connection: Connection) -> State:
    found: State = {}
    for table in TABLES:
        rows = connection.execute(text(f'SELECT * FROM "{table}" ORDER BY 1, 2'))
        found[table] = [dict(row._mapping) for row in rows]
    return found


def feed(connection: Connection, batch: Sequence[Event]) -> None:
    """Take a batch in as the consumer does: ids into the inbox, then the effect."""
    apply_new(connection, inbox, "validation", ValidationProjection(), batch)


@contextmanager
def undone(engine: Engine) -> Iterator[Connection]:
    """A transaction that leaves nothing behind."""
    with engine.connect() as connection, connection.begin() as transaction:
        yield connection
        transaction.rollback()


def final_states(connection: Connection, left: Sequence[Event]) -> Iterator[State]:
    """Feed the events in every order, going back to a savepoint at each fork, and yield each end."""
    if not left:
        yield state(connection)
    for position, event in enumerate(left):
        savepoint = connection.begin_nested()
        feed(connection, [event])
        yield from final_states(connection, [*left[:position], *left[position + 1 :]])
        savepoint.rollback()


@pytest.mark.slow
def test_every_interleaving_gives_the_same_state(world: World) -> None:
    """Two versions of one fact, facts of two topics, a verdict decided later and imported votes, in all 720 orders."""
    example_id, round_id, task_id = new_id(), world.round_id, world.task_id
    history = [
        world.events.task(task_id, validate="fooling"),
        world.events.example(
            round_id, task_id, example_id, verdict="undecided", imported_votes=votes("negative")
        ),
        world.events.decided(example_id, version=5),
        world.events.explained(example_id, "first words", version=2),
        world.events.explained(example_id, "better words", version=3),
        world.events.retracted(example_id, version=4),
    ]
    with undone(world.engine) as connection:
        feed(connection, history)
        expected = state(connection)
    assert expected["example_validation"][0]["retracted"]
    assert expected["example_validation"][0]["wanted"]
    assert expected["example_validation"][0]["resolution"] == "correct"
    assert expected["example"][0]["label_explanation"] == "better words"
    with undone(world.engine) as connection:
        ends = 0
        for end in final_states(connection, history):
            assert end == expected
            ends += 1
    assert ends == factorial(len(history))


@pytest.mark.long
def test_batches_and_duplicates_give_the_same_state(world: World) -> None:
    """Longer histories, cut into batches at random, with events that come twice, under the same or a new id."""
    dice = random.Random(20260105)
    history = longer_history(world)
    with undone(world.engine) as connection:
        feed(connection, history)
        expected = state(connection)
    assert len(expected["example_validation"]) == 4
    for _ in range(60):
        again = [replace(event, id=new_id()) for event in dice.choices(history, k=4)]
        order = [*history, *dice.choices(history, k=5), *again]
        dice.shuffle(order)
        with undone(world.engine) as connection:
            while order:
                size = dice.randint(1, 6)
                feed(connection, order[:size])
                order = order[size:]
            assert state(connection) == expected


def longer_history(world: World) -> list[Event]:
    history = [
        world.events.task(world.task_id, validate="fooling", sample=0.5),
        world.events.task(world.task_id, configuration_version=2, validate="all"),
        world.events.round(world.round_id, world.task_id),
        world.events.round_state(world.round_id, "open", version=2),
        world.events.round_state(world.round_id, "closed", version=3),
    ]
    examples = [new_id() for _ in range(4)]
    for number, example_id in enumerate(examples):
        verdict = ("fooled", "undecided")[number % 2]
        imported = votes("negative" if number else "positive")[number % 2 :]
        fields = {
            "verdict": verdict,
            "configuration_version": 1 + number // 2,
            "imported_votes": imported,
        }
        history.append(world.events.example(world.round_id, world.task_id, example_id, **fields))
        if number == 1:
            history.append(world.events.decided(example_id, version=6))
        history.append(world.events.explained(example_id, f"because {number}"))
    return [*history, world.events.retracted(examples[0])]


def test_an_example_waits_for_its_configuration(world: World) -> None:
    world.apply(world.events.round_state(world.round_id, "open"))
    example_id = world.example()
    person = world.person()
    assert "No examples need checking" in person.lease(world.round_id).get_json()["reason"]
    world.apply(world.events.task(world.task_id))
    assert person.hold(world.round_id)["example"]["example_id"] == str(example_id)


def test_each_example_keeps_the_rules_it_was_made_under(world: World) -> None:
    world.begin(policy={"adaptive": {"agree": 1, "max_votes": 1}})
    world.apply(
        world.events.task(world.task_id, 2, policy={"fixed": {"votes": 4, "agree": 3}}),
    )
    old, new = world.example(), world.example(configuration_version=2)
    slots = {row["example_id"]: row["possible_slots"] for row in world.rows("example_validation")}
    assert slots == {old: 1, new: 4}


def test_a_corrected_configuration_derives_the_examples_anew_and_keeps_their_votes(world: World) -> None:
    world.begin(policy={"adaptive": {"agree": 2, "max_votes": 3}})
    world.example()
    world.person().answer(world.round_id, "negative")
    corrected = world.events.task(world.task_id, policy={"fixed": {"votes": 5, "agree": 3}})
    world.apply(replace(corrected, aggregate_version=9))
    row = world.rows("example_validation")[0]
    assert (row["possible_slots"], row["votes_counted"], row["version"]) == (4, 1, 1)


def test_retraction_does_not_undo_what_voting_wrote(world: World) -> None:
    world.begin()
    example_id = world.example()
    world.person().answer(world.round_id, "negative")
    world.apply(world.events.retracted(example_id))
    row = world.rows("example_validation")[0]
    assert (row["version"], row["votes_counted"], row["possible_slots"]) == (1, 1, 2)


def broken(event: Event, **fields: Any) -> Event:
    message: Any = type(event.message)()
    message.CopyFrom(event.message)
    for name, value in fields.items():
        setattr(message, name, value)
    return replace(event, message=message)


def test_events_that_can_never_be_applied(world: World) -> None:
    example = world.events.example(world.round_id, world.task_id, new_id())
    task = world.events.task(world.task_id)
    poison = [
        broken(example, example_id="not an id"),
        broken(example, example_id=str(new_id())),
        broken(task, configuration_json="{"),
        broken(task, configuration_json="[]"),
        broken(task, configuration_json='{"validation": {"policy": {"vibes": 1}}}'),
        broken(world.events.round_state(world.round_id, "open"), state=99),
        broken(world.events.round_state(world.round_id, "open"), round_id="x"),
    ]
    for event in poison:
        with pytest.raises(PermanentEventError):
            world.apply(event)
    with undone(world.engine) as connection:
        assert all(rows == [] for rows in state(connection).values())


def test_a_thousand_examples_in_one_batch(world: World) -> None:
    world.begin(validate="all")
    ids: list[UUID] = [new_id() for _ in range(1_000)]
    world.apply(*(world.events.example(world.round_id, world.task_id, example_id) for example_id in ids))
    assert world.counts()["pending"] == 1_000

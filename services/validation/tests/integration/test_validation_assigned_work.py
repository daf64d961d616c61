"""Examples that an owner assigned to a person to check: they come first, and votes on them are counted separately."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any
from uuid import UUID

import pytest
from dynabench_common.identifiers import new_id

from .conftest import Someone, World

LABEL = "negative"
ONE_VOTE: dict[str, Any] = {"policy": {"adaptive": {"agree": 1, "max_votes": 1}}}


def examples(world: World, number: int) -> list[UUID]:
    """Let examples come, time going on between them."""
    found = []
    for _ in range(number):
        world.clock.move(1)
        found.append(world.example(created_at=world.clock.now()))
    return found


def assign(world: World, person: Someone, *example_ids: UUID, units: int = 0) -> UUID:
    order_id = new_id()
    chosen = (order_id, world.round_id, person.person_id, *example_ids)
    world.apply(world.events.checks_assigned(*chosen, units=units))
    return order_id


def counted(world: World, reader: Someone, person: Someone, order_id: object) -> tuple[int, int | None]:
    """Return the votes on the assigned examples, and the number of those that wait for the person's vote."""
    path = f"/rounds/{world.round_id}/voters/{person.person_id}/count?since=2026-01-01T00:00:00Z"
    answer = reader.get(f"{path}&order_id={order_id}").get_json()
    return answer["votes"], answer["left"]


@pytest.mark.parametrize(
    ("since", "status"),
    [
        ("2026-01-01T00:00:00%2B23:59", 200),
        ("0001-01-01T00:00:00%2B23:59", 422),
        ("2026-01-01T00:00:00", 422),
    ],
)
def test_votes_are_counted_since_a_moment_of_any_offset(world: World, since: str, status: int) -> None:
    world.begin()
    person = world.person()
    path = f"/rounds/{world.round_id}/voters/{person.person_id}/count?since={since}"
    assert person.get(path).status_code == status


def served(world: World, person: Someone, number: int) -> list[UUID]:
    """Let the person answer on so many examples, and return these."""
    found = []
    for _ in range(number):
        lease = person.hold(world.round_id)
        found.append(UUID(lease["example"]["example_id"]))
        person.vote(lease["lease_id"], kind="label", value=LABEL)
    return found


def test_assigned_examples_come_first_the_longest_waiting_before_others(world: World) -> None:
    world.begin(validate="all")
    first, second, third, fourth = examples(world, 4)
    person = world.person()
    assign(world, person, fourth, second)
    assert served(world, person, 4) == [second, fourth, first, third]


def test_others_are_asked_as_before(world: World) -> None:
    world.begin(validate="all")
    first, second = examples(world, 2)
    assign(world, world.person(), second)
    assert served(world, world.person(), 2) == [first, second]


def test_work_of_another_round_changes_nothing(world: World) -> None:
    world.begin(validate="all")
    first, second = examples(world, 2)
    person = world.person()
    world.apply(world.events.checks_assigned(new_id(), new_id(), person.person_id, second))
    assert served(world, person, 2) == [first, second]


def test_what_is_decided_skipped_or_of_oneself_is_passed_over(world: World) -> None:
    world.begin(validate="all", **ONE_VOTE)
    person = world.person()
    decided, skipped, other = examples(world, 3)
    own = world.example(author_id=str(person.person_id), created_at=world.clock.now())
    assert served(world, world.person(), 1) == [decided]
    assign(world, person, decided, skipped, own)
    held = person.hold(world.round_id)
    assert held["example"]["example_id"] == str(skipped)
    person.skip(held["lease_id"])
    assert served(world, person, 1) == [other]


@pytest.mark.parametrize("chosen", range(1, 7))
def test_no_known_item_comes_in_the_place_of_an_assigned_example(world: World, chosen: int) -> None:
    """Its answer would not count as assigned work, by which the person could tell it from examples.

    After the assigned examples, known items come as if the person had just begun.
    """
    world.begin(validate="all")
    check = "Please choose positive here."
    item = {
        "kind": "attention",
        "context": {"prompt": "A day"},
        "input": {"text": check},
        "answer": "positive",
    }
    owner = world.person("annotator", "owner:sentiment")
    assert owner.send("POST", "/tasks/sentiment/gold", **item).status_code == 201
    assigned = examples(world, chosen)
    others = examples(world, 3)
    person = world.person()
    order_id = assign(world, person, *assigned)
    assert served(world, person, chosen) == assigned
    assert counted(world, person, person, order_id) == (chosen, 0)
    first, second, third = (person_text(world, person) for _ in range(3))
    assert (first == check, second == check, third == check) == (False, True, False)
    assert others


def person_text(world: World, person: Someone) -> str:
    """Let the person answer on the next text, and return it."""
    lease = person.hold(world.round_id)
    person.vote(lease["lease_id"], kind="label", value=LABEL)
    return str(lease["example"]["input"]["text"])


def test_once_enough_are_checked_the_rest_comes_in_its_turn(world: World) -> None:
    world.begin(validate="all")
    first, second, third, fourth = examples(world, 4)
    person = world.person()
    order_id = assign(world, person, second, fourth, third, units=2)
    assert served(world, person, 4) == [second, third, first, fourth]
    assert counted(world, person, person, order_id) == (3, 0)


def test_the_longest_waiting_keeps_its_turn(world: World) -> None:
    """Every tenth lease of others is for it; assigned examples take none of these."""
    world.begin(validate="all")
    oldest = world.example(verdict="not_fooled", created_at=world.clock.now())
    assigned = examples(world, 5)
    examples(world, 12)
    busy = world.person()
    assign(world, busy, *assigned)
    given = []
    for number in range(12):
        given += served(world, world.person(), 1)
        if number < len(assigned):
            served(world, busy, 1)
    assert given.index(oldest) == 9


def test_votes_on_the_chosen_examples_are_counted_and_what_is_left(world: World) -> None:
    world.begin(validate="all", **ONE_VOTE)
    person, owner = world.person(), world.person("owner:sentiment")
    decided, *chosen = examples(world, 3)
    own = world.example(author_id=str(person.person_id), created_at=world.clock.now())
    examples(world, 2)
    order_id = assign(world, person, *chosen, decided, own)
    assert counted(world, owner, person, order_id) == (0, 3)
    served(world, world.person(), 1)
    assert counted(world, owner, person, order_id) == (0, 2)
    served(world, person, 1)
    for reader in (person, owner):
        assert counted(world, reader, person, order_id) == (1, 1)
    served(world, person, 2)
    assert counted(world, person, person, order_id) == (2, 0)


def test_an_order_of_somebody_else_or_one_that_has_not_arrived_counts_nothing(world: World) -> None:
    world.begin(validate="all")
    ada, bob = world.person(), world.person()
    order_id = assign(world, ada, *examples(world, 1))
    served(world, bob, 1)
    assert counted(world, bob, bob, order_id) == (0, None)
    assert counted(world, ada, ada, new_id()) == (0, None)
    path = f"/rounds/{world.round_id}/voters/{ada.person_id}/count?since=2026-01-01T00:00:00Z"
    assert ada.get(f"{path}&order_id=none").status_code == 422
    assert bob.get(f"{path}&order_id={order_id}").status_code == 403


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_ended_work_ends_in_any_order_of_the_events(world: World, order: Sequence[int]) -> None:
    world.begin(validate="all")
    first, second, third = examples(world, 3)
    person, order_id = world.person(), new_id()
    assigned = world.events.checks_assigned(order_id, world.round_id, person.person_id, third, second)
    world.apply(assigned)
    assert served(world, person, 1) == [second]
    events = [assigned, world.events.checks_ended(order_id), assigned]
    for position in order:
        world.apply(events[position])
    assert served(world, person, 2) == [first, third]

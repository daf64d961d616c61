"""In which order examples are given: nothing waits for ever, and owners may choose a part."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest
from dynabench_common.identifiers import new_id

from .conftest import Someone, World


def served(person: Someone, round_id: UUID, **wanted: Any) -> UUID | None:
    body = {"filter": wanted} if wanted else {}
    answer = person.send("POST", f"/rounds/{round_id}/leases", **body)
    assert answer.status_code in (200, 201), answer.text
    return UUID(answer.get_json()["example"]["example_id"]) if answer.get_json()["lease_id"] else None


def arrive(world: World) -> None:
    """Let a fooling example come, while time goes on."""
    world.clock.move(1)
    world.example(created_at=world.clock.now())


@pytest.mark.long
@pytest.mark.parametrize(
    "left_behind",
    [
        # The least of priorities: examples that fool come before it, however many there are.
        {"verdict": "not_fooled"},
        # One vote short: examples without votes come before it.
        {"verdict": "fooled"},
    ],
)
def test_an_example_is_resolved_however_many_others_keep_coming(
    world: World, left_behind: dict[str, str]
) -> None:
    """One vote a lease, and more work than people: each example needs two votes, and one comes for each vote."""
    world.begin(validate="all")
    oldest = world.example(**left_behind)
    if left_behind["verdict"] == "fooled":
        world.person().answer(world.round_id, "negative")
    for _ in range(3):
        arrive(world)
    turns = []
    for lease in range(1, 41):
        arrive(world)
        person = world.person()
        held = person.hold(world.round_id)
        if held["example"]["example_id"] == str(oldest):
            turns.append(lease)
        person.vote(held["lease_id"], kind="label", value="negative")
    assert turns
    assert world.person().get(f"/examples/{oldest}").get_json()["resolution"] == "correct"


def test_every_tenth_lease_takes_the_longest_waiting(world: World) -> None:
    world.begin(validate="all")
    oldest = world.example(verdict="not_fooled")
    for _ in range(20):
        arrive(world)
    given = [served(world.person(), world.round_id) for _ in range(12)]
    assert [number for number, example_id in enumerate(given, start=1) if example_id == oldest] == [10]


def test_turns_are_counted_for_each_round(world: World) -> None:
    world.begin(validate="all")
    oldest = world.example(verdict="not_fooled")
    for _ in range(12):
        arrive(world)
    other_round = new_id()
    world.apply(
        world.events.round(other_round, world.task_id, 2),
        world.events.round_state(other_round, "open"),
        *(world.events.example(other_round, world.task_id, new_id()) for _ in range(12)),
    )
    given = []
    for _ in range(9):
        given.append(served(world.person(), world.round_id))
        assert served(world.person(), other_round)
    assert oldest not in given
    assert served(world.person(), world.round_id) == oldest


SEGMENT, OTHER_SEGMENT = new_id(), new_id()
LIKE: Mapping[str, Any] = {
    "verdict": "not_fooled",
    "condition": "prompt",
    "cohort": "crowd",
    "context_tags": ["sea", "sand"],
    "claimed": "positive",
    "segment_id": str(SEGMENT),
}
UNLIKE: Mapping[str, Any] = {
    "verdict": "fooled",
    "condition": "no_prompt",
    "cohort": "volunteer",
    "context_tags": ["snow"],
    "claimed": "negative",
    "segment_id": str(OTHER_SEGMENT),
}


@pytest.mark.parametrize(
    "wanted",
    [
        {"condition": "prompt"},
        {"cohort": "crowd"},
        {"tag": "sand"},
        {"segment_id": str(SEGMENT)},
        {"tag": "sea", "cohort": "crowd"},
    ],
)
def test_owners_choose_what_they_work_on(world: World, wanted: dict[str, str]) -> None:
    world.begin(validate="all")
    world.example(**UNLIKE)
    liked = world.example(**LIKE)
    owner = world.person("annotator", "owner:sentiment")
    assert served(owner, world.round_id, **wanted) == liked
    assert served(owner, world.round_id, **wanted) == liked


@pytest.mark.parametrize(
    "telling",
    [{"claimed": "negative"}, {"verdict": "fooled"}, {"target": "one"}, {"claimed": "x", "tag": "sea"}],
)
def test_no_filter_tells_the_holder_claim_or_verdict(world: World, telling: dict[str, str]) -> None:
    world.begin(validate="all")
    world.example(**UNLIKE)
    owner = world.person("annotator", "owner:sentiment")
    for _ in range(2):  # without a lease, and with one
        refused = owner.send("POST", f"/rounds/{world.round_id}/leases", filter=telling)
        assert (refused.status_code, refused.get_json()["field"]) == (422, f"filter.{next(iter(telling))}")
        assert "tag" in refused.get_json()["detail"] + refused.get_json()["remedy"]
        assert served(owner, world.round_id)


def test_a_filter_that_matches_nothing_says_so_and_a_lease_on_something_else_stays(world: World) -> None:
    world.begin(validate="all")
    example_id = world.example(**UNLIKE)
    owner = world.person("annotator", "owner:sentiment")
    assert served(owner, world.round_id) == example_id
    nothing = owner.send("POST", f"/rounds/{world.round_id}/leases", filter={"tag": "sea"})
    assert (nothing.status_code, nothing.get_json()["state"]) == (200, "nothing_waits")
    assert served(owner, world.round_id) == example_id


def test_only_owners_of_the_task_filter(world: World) -> None:
    world.begin()
    world.example()
    path = f"/rounds/{world.round_id}/leases"
    for roles in (("annotator",), ("annotator", "owner:another")):
        person = world.person(*roles)
        assert person.send("POST", path, filter={"tag": "sea"}).status_code == 403
        assert person.send("POST", path, filter={}).status_code == 201
    assert world.person("annotator", "admin").send("POST", path, filter={"tag": "sea"}).status_code == 200


def test_an_unknown_filter_is_named(world: World) -> None:
    world.begin()
    owner = world.person("annotator", "owner:sentiment")
    refused = owner.send("POST", f"/rounds/{world.round_id}/leases", filter={"colour": "red"})
    assert (refused.status_code, refused.get_json()["field"]) == (422, "filter.colour")

"""Votes that come with imported records: cast once, by the rules of live ones, and published once."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from dynabench.example.v1 import example_pb2
from dynabench_common.events.cloud_events import Event, PermanentEventError
from dynabench_common.events.consumer import apply_new
from dynabench_common.identifiers import new_id
from validation.adapters.projection import ValidationProjection
from validation.adapters.tables import inbox

from .conftest import World

DYNASENT: dict[str, Any] = {
    "policy": {"fixed": {"votes": 5, "agree": 3}},
    "options": ["negative", "neutral", "positive", "mixed"],
    "validate": "all",
}
ANLI: dict[str, Any] = {"policy": {"adaptive": {"agree": 2, "max_votes": 3}}}
TOLD_OF = ("example_validation", "vote", "outbox")


def votes(words: str) -> list[example_pb2.ImportedVote]:
    """Turn "negative flag ?" into votes of different people."""
    kinds = {"flag": "flag", "?": "unsure"}
    return [
        example_pb2.ImportedVote(
            voter_id=str(new_id()), kind=kinds.get(word, "label"), option="" if word in kinds else word
        )
        for word in words.split()
    ]


def imported(world: World, words: str = "", example_id: UUID | None = None, **fields: Any) -> Event:
    fields = {"author_id": "", "claimed": "", "verdict": "unknown", "imported_votes": votes(words), **fields}
    event: Event = world.events.example(world.round_id, world.task_id, example_id or new_id(), **fields)
    return event


@pytest.mark.parametrize(
    ("rules", "claimed", "words", "resolution", "counted"),
    [
        # No claim: people agree on a label.
        (DYNASENT, "", "negative negative positive negative mixed", "no_claim", [True] * 5),
        # An option that is no label of the task can win.
        (DYNASENT, "negative", "mixed negative mixed positive mixed", "incorrect", [True] * 5),
        # Two that agree stop the voting.
        (ANLI, "negative", "negative negative", "correct", [True, True]),
        # What came after is evidence.
        (ANLI, "negative", "negative negative positive", "correct", [True, True, False]),
        # A third vote settles a split, and three different ones can't agree.
        (ANLI, "negative", "negative positive positive", "incorrect", [True] * 3),
        (ANLI, "negative", "negative positive neutral", "disputed", [True] * 3),
        (ANLI, "negative", "flag flag", "flagged", [True, True]),
        # `unsure` is no vote, and the third one disputes.
        (ANLI, "negative", "? negative ? ?", "disputed", [False, True, False, False]),
        # Fewer than decide: the example waits for people.
        (ANLI, "negative", "positive", None, [True]),
        (DYNASENT, "", "negative negative negative", None, [True] * 3),
    ],
)
def test_imported_votes_decide_as_live_ones_do(
    world: World, rules: dict[str, Any], claimed: str, words: str, resolution: str | None, counted: list[bool]
) -> None:
    world.begin("closed", **rules)
    world.apply(imported(world, words, claimed=claimed, verdict="fooled"))
    state = world.rows("example_validation")[0]
    assert state["resolution"] == resolution
    assert state["votes_counted"] == sum(counted)
    assert [row["counted"] for row in world.rows("vote", "version")] == counted
    cast = [message for name, _, message in world.published() if name == "VoteCast"]
    resolved = [message for name, _, message in world.published() if name == "ExampleResolved"]
    assert [message.counted for message in cast] == counted
    assert len(resolved) == (resolution is not None)
    assert [version for _, version, _ in world.published()] == list(range(1, len(cast) + len(resolved) + 1))


def test_what_is_short_of_votes_waits_for_people(world: World) -> None:
    world.begin("closed", **ANLI)
    world.apply(imported(world, "positive", claimed="negative", verdict="fooled"))
    assert world.counts()["pending"] == 1
    world.person().answer(world.round_id, "positive")
    assert world.resolution() == "incorrect"


def test_each_vote_keeps_who_and_when(world: World) -> None:
    world.begin("closed", **DYNASENT)
    at = datetime(2021, 3, 1, tzinfo=UTC)
    given = [*votes("negative"), example_pb2.ImportedVote(kind="flag", reason="not English", cast_at=at)]
    world.apply(imported(world, imported_votes=given))
    first, second = world.rows("vote", "version")
    assert first["voter_id"] == UUID(given[0].voter_id)
    assert first["cast_at"] == world.rows("example")[0]["created_at"]
    assert (second["kind"], second["reason"], second["cast_at"]) == ("flag", "not English", at)
    assert second["voter_id"] == second["vote_id"] != first["voter_id"]
    assert {first["lease_id"], second["lease_id"]} == {None}


def test_a_resolution_by_old_votes_is_as_old_as_the_import(world: World) -> None:
    """Else an example would be resolved before it was there, and figures over time would count it too early."""
    world.begin("closed", **ANLI)
    given = votes("negative negative")
    for vote in given:
        vote.cast_at.FromDatetime(datetime(2019, 5, 1, tzinfo=UTC))
    world.apply(imported(world, claimed="negative", imported_votes=given))
    state = world.rows("example_validation")[0]
    assert state["resolved_at"] == state["created_at"]


def told_of(world: World) -> dict[str, list[dict[str, Any]]]:
    return {table: world.rows(table) for table in TOLD_OF}


def take_in(world: World, batch: Sequence[Event]) -> None:
    with world.engine.begin() as connection:
        apply_new(connection, inbox, "validation", ValidationProjection(), batch)


def test_events_that_come_again_double_nothing(world: World) -> None:
    """Delivered again, replayed from the dead letters under a new id, and together with an unknown one."""
    world.begin("closed", **ANLI)
    events = [imported(world, "negative negative"), imported(world, "positive")]
    take_in(world, events)
    before = told_of(world)
    take_in(world, events)
    take_in(world, [replace(event, id=new_id()) for event in events])
    assert told_of(world) == before
    take_in(world, [*events, imported(world, "negative negative")])
    assert len(world.rows("vote")) == 5


def test_copies_read_anew_cast_nothing_anew(world: World) -> None:
    world.begin("closed", **ANLI)
    events = [imported(world, "negative negative"), imported(world, "positive", verdict="fooled")]
    take_in(world, events)
    world.person().answer(world.round_id, "positive")
    before = told_of(world)
    with world.engine.begin() as connection:
        for table in ("inbox", "example"):
            connection.exec_driver_sql(f"DELETE FROM {table}")
    take_in(world, events)
    assert told_of(world) == before


def test_votes_wait_for_the_configuration(world: World) -> None:
    event = imported(world, "negative negative", claimed="negative")
    world.apply(event)
    assert world.rows("vote") == []
    world.begin("closed", **ANLI)
    assert world.counts()["correct"] == 1


def test_votes_that_an_older_version_passed_over_are_cast_by_a_rebuild(world: World) -> None:
    """It made the example's state without them; nothing has happened to such an example."""
    world.begin("closed", **ANLI)
    event = imported(world, "negative negative", claimed="negative")
    take_in(world, [broken(event, [])])
    assert world.counts()["correct"] == 0
    with world.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM example")
    world.apply(event)
    assert world.counts()["correct"] == 1
    assert len(world.published()) == 3


def broken(event: Event, given: Sequence[example_pb2.ImportedVote]) -> Event:
    message = example_pb2.ExampleCreated()
    assert isinstance(event.message, example_pb2.ExampleCreated)
    message.CopyFrom(event.message)
    del message.imported_votes[:]
    message.imported_votes.extend(given)
    return replace(event, message=message)


def test_votes_that_no_import_lets_through(world: World) -> None:
    world.begin("closed", **ANLI)
    voter = str(new_id())
    twice = [example_pb2.ImportedVote(voter_id=voter, kind="label", option="negative")] * 2
    poison = [
        imported(world, imported_votes=twice),
        imported(world, imported_votes=twice[:1], author_id=voter),
        imported(world, imported_votes=[example_pb2.ImportedVote(kind="wish", option="negative")]),
        imported(world, imported_votes=[example_pb2.ImportedVote(voter_id="Ann", kind="flag")]),
    ]
    for event in poison:
        with pytest.raises(PermanentEventError):
            world.apply(event)
    assert world.rows("example") == []


def test_an_author_who_is_unknown_is_nobody(world: World) -> None:
    world.begin("open", **ANLI)
    example_id = new_id()
    world.apply(imported(world, "positive", example_id, claimed="negative", verdict="fooled"))
    assert world.rows("example_validation")[0]["author_id"] == UUID(int=0)
    voter, owner = world.person(), world.person("owner:sentiment")
    voter.answer(world.round_id, "positive")
    assert voter.get(f"/examples/{example_id}/votes").status_code == 403
    assert len(owner.get(f"/examples/{example_id}/votes").get_json()["items"]) == 2
    refused = voter.send("POST", f"/examples/{example_id}/appeal", reason="It is not mine, yet I wonder.")
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/example-of-another")


def test_copies_of_what_filters_and_groups_go_by(world: World) -> None:
    world.begin()
    segment_id, example_id = new_id(), new_id()
    fields = {"segment_id": str(segment_id), "condition": "prompt", "cohort": "crowd", "source_id": "r1-7"}
    world.apply(
        world.events.example(
            world.round_id, world.task_id, example_id, verdict="undecided", context_tags=["sea"], **fields
        ),
        world.events.decided(example_id),
    )
    row = world.rows("example")[0]
    assert {name: str(row[name]) for name in fields} == fields
    said = {"name": "one", "value": "positive", "confidence": 0.9}
    assert (row["tags"], row["targets"]) == (["sea"], [{**said, "wrong": None}])
    assert row["decided_wrong"] == ["one"]
    world.apply(world.events.example(world.round_id, world.task_id, new_id(), verdict="fooled"))
    assert [{**said, "wrong": False}] in [each["targets"] for each in world.rows("example")]


@pytest.mark.long
def test_thousands_of_votes_in_one_batch(world: World) -> None:
    """Five votes on each of a thousand examples, a quarter of them short of one vote."""
    world.begin("closed", **DYNASENT)
    dice = random.Random(5)
    words = ["negative positive negative mixed negative", "positive neutral flag positive"]
    batch = [imported(world, dice.choices(words, weights=[3, 1])[0]) for _ in range(1_000)]
    take_in(world, batch)
    full = sum(len(event.message.imported_votes) == 5 for event in batch)  # type: ignore[attr-defined]
    counts = world.counts()
    assert (counts["no_claim"], counts["pending"]) == (full, 1_000 - full)
    assert counts["votes"] == 4 * (1_000 - full) + 5 * full
    assert len(world.published()) == counts["votes"] + full
    assert len(world.rows("outbox")) == 1_000

"""The conversation about an example: for its author and owners alone, counted, audited, and announced by events."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_events import encode
from dynabench_events.person import PersonDeleted
from validation.adapters.messages import DeletedPeopleProjection

from .conftest import Someone, World, event


@pytest.fixture
def author(world: World) -> Someone:
    world.begin()
    return world.person()


@pytest.fixture
def example_id(world: World, author: Someone) -> UUID:
    return world.example(author_id=str(author.person_id))


def owner(world: World) -> Someone:
    return world.person("owner:sentiment")


def write(person: Someone, example_id: UUID, text: str = "Why was it rejected?") -> Any:
    return person.send("POST", f"/examples/{example_id}/messages", text=text)


def read(person: Someone, example_id: UUID) -> Any:
    return person.get(f"/examples/{example_id}/messages")


def questions(world: World) -> int:
    return int(owner(world).get(f"/rounds/{world.round_id}/work/counts").get_json()["question"])


def test_a_question_waits_for_the_owner_until_it_is_answered(
    world: World, author: Someone, example_id: UUID
) -> None:
    assert write(author, example_id).status_code == 201
    assert questions(world) == 1
    work = owner(world).get(f"/rounds/{world.round_id}/work?kind=question").get_json()["items"]
    assert [(each["example_id"], each["kinds"]) for each in work] == [(str(example_id), ["question"])]
    write(owner(world), example_id, "Two of three people read irony in it.")
    assert questions(world) == 0
    thread = read(author, example_id).get_json()
    assert [(each["by_author"], each["text"]) for each in thread["items"]] == [
        (True, "Why was it rejected?"),
        (False, "Two of three people read irony in it."),
    ]
    assert (thread["is_author"], thread["can_write"], thread["appeal"]) == (True, True, None)
    events = [(name, message.by_author) for name, _, message in world.published() if "Message" in name]
    assert events == [("ExampleMessageWritten", True), ("ExampleMessageWritten", False)]


def test_neither_side_learns_who_the_other_is(world: World, author: Someone, example_id: UUID) -> None:
    answering = owner(world)
    write(author, example_id)
    write(answering, example_id)
    for person in (author, answering):
        shown = read(person, example_id).text
        assert str(author.person_id) not in shown
        assert str(answering.person_id) not in shown


def test_what_an_owner_writes_is_audited_without_its_text(
    world: World, author: Someone, example_id: UUID
) -> None:
    write(author, example_id)
    assert world.published("audit") == []
    answering = owner(world)
    write(answering, example_id, "A private sentence.")
    [(_, _, entry)] = world.published("audit")
    assert (entry.action, entry.actor_id) == ("example.answered", str(answering.person_id))
    assert "private" not in str(entry)


def test_nobody_else_reads_or_writes(world: World, author: Someone, example_id: UUID) -> None:
    write(author, example_id)
    for stranger in (world.person(), world.person("owner:another")):
        assert read(stranger, example_id).status_code == 404
        assert write(stranger, example_id).status_code == 404
    assert read(author, uuid4()).status_code == 404


def test_an_owner_who_may_still_vote_reads_nothing(world: World, author: Someone, example_id: UUID) -> None:
    write(author, example_id, "My claim is negative.")
    voting = world.person("annotator", "owner:sentiment")
    assert read(voting, example_id).status_code == 409


def test_five_messages_in_a_row_wait_for_an_answer(world: World, author: Someone, example_id: UUID) -> None:
    for _ in range(5):
        assert write(author, example_id).status_code == 201
    refused = write(author, example_id)
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/too-many-messages")
    assert read(author, example_id).get_json()["can_write"] is False
    write(owner(world), example_id)
    assert write(author, example_id).status_code == 201


@pytest.mark.parametrize("text", ["", "  ", "x" * 1_001])
def test_a_message_has_1_to_1000_characters(author: Someone, example_id: UUID, text: str) -> None:
    assert write(author, example_id, text).status_code == 422


def test_a_retracted_example_takes_no_message(world: World, author: Someone, example_id: UUID) -> None:
    write(author, example_id)
    world.apply(world.events.retracted(example_id))
    assert write(author, example_id).status_code == 409
    assert questions(world) == 0
    assert len(read(author, example_id).get_json()["items"]) == 1


def test_a_released_round_takes_no_message(world: World, author: Someone, example_id: UUID) -> None:
    world.apply(world.events.round_state(world.round_id, "released", 3))
    assert write(author, example_id).status_code == 409


def test_messages_and_open_questions_of_a_deleted_person_go(
    world: World, author: Someone, example_id: UUID
) -> None:
    write(owner(world), example_id, "Please say more.")
    write(author, example_id)
    own = [json.loads(line) for line in author.get("/people/me/data").text.splitlines()]
    assert [(each["table"], each["text"]) for each in own] == [("example_message", "Why was it rejected?")]
    deleted = PersonDeleted(person_id=author.person_id, withdraws_texts=False, deleted_at=datetime.now(UTC))
    with world.engine.begin() as connection:
        DeletedPeopleProjection().apply(connection, [event(encode(deleted), author.person_id)])
    assert [each["text"] for each in read(author, example_id).get_json()["items"]] == ["Please say more."]
    assert questions(world) == 0
    assert author.get("/people/me/data").text == ""


def test_mentioned_people_are_named_by_their_ids_alone(
    world: World, author: Someone, example_id: UUID
) -> None:
    mentioned = [str(uuid4()), str(uuid4())]
    path = f"/examples/{example_id}/messages"
    assert author.send("POST", path, text="@olga?", mentioned=mentioned).status_code == 201
    (message,) = [message for name, _, message in world.published() if "Message" in name]
    assert list(message.mentioned) == mentioned
    assert "olga" not in str(message)
    assert author.send("POST", path, text="?", mentioned=mentioned * 11).status_code == 422

"""The models' answers in the reveal, on a real database: nothing tells a known item from an example."""

from typing import Any
from uuid import UUID

import pytest
from dynabench_common.identifiers import new_id
from sqlalchemy import select
from validation.adapters.tables import reveal_key
from validation.domain.disclosure import answers_of_models

from .conftest import Someone, World

SAID = [{"value": "positive", "confidence": 0.9}]
KNOWN = {"input": {"text": "Dull."}, "claimed": "negative"}


def an_id(world: World, *, has_answers: bool) -> UUID:
    """Return the id of an example whose voters read the models' answers, or do not."""
    with world.engine.connect() as connection:
        key = connection.execute(select(reveal_key.c.key)).scalar_one()
    probe = [{"value": "positive", "confidence": None}]
    return next(
        each for each in iter(new_id, None) if bool(answers_of_models(key, each, probe)) is has_answers
    )


def revealed(world: World, person: Someone) -> tuple[dict[str, Any], dict[str, Any]]:
    """Let a person answer on the next item; return the item and its reveal."""
    held = person.hold(world.round_id)
    vote = person.vote(held["lease_id"], kind="label", value="negative").get_json()
    assert vote["reveal"] is None
    reveal = person.reveal(vote["vote_id"])["reveal"]
    newest = person.get(f"/rounds/{world.round_id}/me/votes").get_json()["items"][0]
    assert newest["reveal"] == reveal
    return held["example"], reveal


def known_item(world: World, person: Someone) -> dict[str, Any]:
    """Answer on an example without the models' answers, then on the known item; return the reveal of that."""
    for _ in range(2):
        world.example(example_id=an_id(world, has_answers=False))
    revealed(world, person)
    item, reveal = revealed(world, person)
    assert item["input"] == KNOWN["input"]
    return reveal


@pytest.mark.parametrize(("has_answers", "models"), [(True, SAID), (False, [])])
def test_voters_of_half_of_the_examples_read_what_the_models_answered(
    world: World, has_answers: bool, models: list[dict[str, Any]]
) -> None:
    world.begin()
    world.example(example_id=an_id(world, has_answers=has_answers))
    _, reveal = revealed(world, world.person())
    assert reveal == {"claimed": "negative", "explanation": None, "models": models}


@pytest.mark.parametrize(("has_answers", "models"), [(True, SAID), (False, [])])
def test_a_known_item_has_the_answers_of_its_example(
    world: World, has_answers: bool, models: list[dict[str, Any]]
) -> None:
    world.begin()
    world.example(example_id=an_id(world, has_answers=has_answers), **KNOWN)
    for _ in range(2):
        world.person().answer(world.round_id, "negative")
    world.person("annotator", "owner:sentiment").send("POST", f"/rounds/{world.round_id}/gold/refresh")
    assert known_item(world, world.person())["models"] == models


def test_a_known_item_of_another_round_looks_like_an_example_without_answers(world: World) -> None:
    world.begin()
    world.example(example_id=an_id(world, has_answers=True), **KNOWN)
    for _ in range(2):
        world.person().answer(world.round_id, "negative")
    world.person("annotator", "owner:sentiment").send("POST", f"/rounds/{world.round_id}/gold/refresh")
    world.round_id = new_id()
    world.apply(
        world.events.round(world.round_id, world.task_id, 2), world.events.round_state(world.round_id, "open")
    )
    assert known_item(world, world.person())["models"] == []


def test_an_attention_check_looks_like_an_example_without_answers(world: World) -> None:
    world.begin()
    world.person("annotator", "owner:sentiment").send(
        "POST",
        "/tasks/sentiment/gold",
        kind="attention",
        context={"prompt": "A day at the sea"},
        input=KNOWN["input"],
        answer="negative",
    )
    person = world.person()
    for _ in range(2):
        world.example(example_id=an_id(world, has_answers=False))
    _, plain = revealed(world, person)
    item, check = revealed(world, person)
    assert item["input"] == KNOWN["input"]
    assert list(check) == list(plain)
    assert check == plain

"""Pairs of an example and a minimal edit of it that flips the label, with every refusal."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from annotation.adapters import tables
from dynabench.example.v1.example_pb2 import ExampleCreated
from sqlalchemy import select
from werkzeug.test import TestResponse

from .conftest import MakePlatform, Platform


@pytest.fixture
def pairing(make_platform: MakePlatform) -> Platform:
    return make_platform(perturbations=True)


@pytest.fixture
def original(pairing: Platform) -> dict[str, Any]:
    stored: dict[str, Any] = pairing.example(pairing.open_round(contexts=2), uuid4(), text="I hate queues.")
    return stored


def edit(
    platform: Platform,
    original: dict[str, Any],
    text: str = "I love queues.",
    label: str = "positive",
    person: UUID | None = None,
    **more: Any,
) -> TestResponse:
    body = {
        "context_id": original["context_id"],
        "input": {"text": text, "label": label},
        "perturbation_of": original["example_id"],
        **more,
    }
    path = f"/rounds/{original['round_id']}/examples"
    return platform.call("POST", path, body, person=person or original["author_id"])


def test_a_minimal_edit_that_flips_the_label_is_kept_with_its_original(
    pairing: Platform, original: dict[str, Any]
) -> None:
    response = edit(pairing, original)

    pair = response.get_json()
    assert response.status_code == 201
    assert pair["perturbation_of"] == original["example_id"]
    assert (pair["attempt"], original["perturbation_of"]) == (2, None)
    with pairing.dependencies.engine.connect() as connection:
        statement = select(tables.outbox.c.payload).where(tables.outbox.c.aggregate_id == pair["example_id"])
        event = ExampleCreated.FromString(bytes(connection.execute(statement).scalar_one()))
    assert event.perturbation_of == original["example_id"]


def test_an_edit_of_an_edit_is_kept_too(pairing: Platform, original: dict[str, Any]) -> None:
    first = edit(pairing, original).get_json()
    assert edit(pairing, first, "I queue.", "neutral").get_json()["perturbation_of"] == first["example_id"]


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"label": "negative"}, "input.label"),
        ({"text": "I hate queues."}, "input"),
        ({"person": uuid4()}, None),
        ({"perturbation_of": str(uuid4())}, "perturbation_of"),
        ({"perturbation_of": "none"}, "perturbation_of"),
    ],
)
def test_what_is_no_minimal_edit_of_ones_own_is_refused(
    pairing: Platform, original: dict[str, Any], more: dict[str, Any], field: str | None
) -> None:
    tries = pairing.counts(original["round_id"])["tries"]
    response = edit(pairing, original, **more)
    if field is None:
        assert response.get_json()["type"] == "/problems/context-not-assigned"
    else:
        assert (response.status_code, response.get_json()["field"]) == (422, field)
    assert pairing.counts(original["round_id"])["tries"] == tries


def test_another_persons_example_cant_be_edited(pairing: Platform, original: dict[str, Any]) -> None:
    other = uuid4()
    context_id = pairing.assign(original["round_id"], other)["context"]["context_id"]
    if context_id != original["context_id"]:
        context_id = pairing.assign(original["round_id"], other, context_id)["context"]["context_id"]
    assert context_id == original["context_id"]

    response = edit(pairing, original, person=other)

    assert (response.status_code, response.get_json()["field"]) == (422, "perturbation_of")


def test_an_edit_stays_on_its_context(pairing: Platform, original: dict[str, Any]) -> None:
    person, round_id = original["author_id"], original["round_id"]
    elsewhere = pairing.assign(round_id, person, original["context_id"])["context"]["context_id"]
    response = edit(pairing, original, context_id=elsewhere)
    assert (response.status_code, response.get_json()["field"]) == (422, "perturbation_of")


def test_a_retracted_example_cant_be_edited(pairing: Platform, original: dict[str, Any]) -> None:
    path = f"/examples/{original['example_id']}/retraction"
    pairing.call("POST", path, person=original["author_id"])
    response = edit(pairing, original)
    assert (response.status_code, response.get_json()["field"]) == (422, "perturbation_of")


def test_a_task_without_pairs_refuses_them(platform: Platform) -> None:
    original = platform.example(platform.open_round(), uuid4(), text="I hate queues.")
    response = edit(platform, original)
    assert (response.status_code, response.get_json()["field"]) == (422, "perturbation_of")

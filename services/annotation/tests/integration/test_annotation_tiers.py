"""Targets in tiers: later ones are asked only about what fooled the earlier ones, and say so where they were not."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from annotation.adapters import tables
from dynabench.example.v1.example_pb2 import ExampleCreated
from sqlalchemy import select

from .conftest import Platform, Target

ADA = UUID("0195c1f0-0000-7000-8000-0000000000c1")
MakePlatform = Callable[..., Platform]
TIERS = [{"targets": ["alpha"]}, {"targets": ["beta"]}]
OPENED = ("beta", "alpha", "gamma")


@pytest.fixture
def tiered(make_platform: MakePlatform) -> Platform:
    """Three targets in the round's order beta, alpha, gamma; alpha is asked first, beta next, gamma last."""
    platform = make_platform(ensemble="all", tiers=TIERS)
    platform.gateway.targets["gamma"] = Target(model_digest="sha256:model-c")
    return platform


def asked(platform: Platform) -> list[str]:
    return sorted(name for name, target in platform.gateway.targets.items() if target.instances)


def event_of(platform: Platform, example_id: str) -> ExampleCreated:
    outbox = tables.outbox.c
    chosen = select(outbox.payload).where(outbox.type == ExampleCreated.DESCRIPTOR.full_name)
    with platform.dependencies.engine.connect() as connection:
        found = [ExampleCreated.FromString(row) for row in connection.execute(chosen).scalars()]
    return next(each for each in found if each.example_id == example_id)


def told(example: Any) -> list[tuple[str, Any]]:
    return [
        (each["target"], each.get("wrong", each.get("not_asked") and "not asked"))
        for each in example["answers"]
    ]


def test_a_target_that_is_right_spares_the_later_ones(tiered: Platform) -> None:
    round_id = tiered.open_round(OPENED)
    example = tiered.example(round_id, ADA, label="positive")
    assert asked(tiered) == ["alpha"]
    assert example["verdict"] == "not_fooled"
    assert told(example) == [("beta", "not asked"), ("alpha", False), ("gamma", "not asked")]
    again = tiered.call("GET", f"/examples/{example['example_id']}", person=ADA).get_json()
    assert again["answers"] == example["answers"]
    created = event_of(tiered, example["example_id"])
    assert [(each.target, each.not_asked, each.wrong) for each in created.answers] == [
        ("beta", True, False),
        ("alpha", False, False),
        ("gamma", True, False),
    ]
    retracted = tiered.call("POST", f"/examples/{example['example_id']}/retraction", person=ADA)
    assert retracted.get_json()["verdict"] == "not_fooled"


def test_one_that_is_fooled_passes_the_try_on(tiered: Platform) -> None:
    round_id = tiered.open_round(OPENED)
    tiered.gateway.targets["beta"].label = "negative"
    second = tiered.example(round_id, ADA, label="negative")
    assert asked(tiered) == ["alpha", "beta"]
    assert (second["verdict"], told(second)) == (
        "not_fooled",
        [("beta", False), ("alpha", True), ("gamma", "not asked")],
    )
    tiered.gateway.targets["beta"].label = "positive"
    third = tiered.example(round_id, ADA, label="negative", text="What a lovely wait.")
    assert (third["verdict"], told(third)) == ("fooled", [("beta", True), ("alpha", True), ("gamma", True)])
    assert third["segment_id"] != second["segment_id"], "only now is it known what runs as gamma"
    fourth = tiered.example(round_id, ADA, label="positive", text="What a fine wait.")
    assert (fourth["segment_id"], told(fourth)[2]) == (third["segment_id"], ("gamma", "not asked"))


def test_a_missing_answer_is_no_right_one(tiered: Platform) -> None:
    round_id = tiered.open_round(OPENED)
    tiered.gateway.targets["alpha"].status = 503
    tiered.gateway.targets["alpha"].retry_after = 7
    response = tiered.try_(round_id, ADA, label="positive")
    assert (response.status_code, response.headers["Retry-After"]) == (503, "7")
    assert asked(tiered) == ["alpha"]
    assert "alpha" in response.get_json()["detail"]
    assert "beta" not in response.get_json()["detail"]
    assert tiered.counts(round_id)["tries"] == 0


def test_a_target_that_was_not_asked_is_stored_and_published_as_such(tiered: Platform) -> None:
    example = tiered.example(tiered.open_round(OPENED), ADA, label="positive")
    chosen = select(tables.example.c.answers).where(
        tables.example.c.example_id == UUID(example["example_id"])
    )
    with tiered.dependencies.engine.connect() as connection:
        stored = connection.execute(chosen).scalar_one()
    assert stored[0] == {"target": "beta", "not_asked": True}
    created = event_of(tiered, example["example_id"])
    assert created.answers[0].missing_reason == "not asked"


def test_all_tiers_share_one_deadline(tiered: Platform) -> None:
    """The second tier is begun with what is left, and what has no time left is missing, not unasked."""
    round_id = tiered.open_round(("alpha", "beta"))
    dependencies = tiered.dependencies
    seconds = dependencies.prediction_deadline_seconds
    try:
        object.__setattr__(dependencies, "prediction_deadline_seconds", 0.04)
        response = tiered.try_(round_id, ADA, label="negative")
    finally:
        object.__setattr__(dependencies, "prediction_deadline_seconds", seconds)
    assert response.status_code == 503
    assert "alpha: deadline" in response.get_json()["detail"]
    assert asked(tiered) == []

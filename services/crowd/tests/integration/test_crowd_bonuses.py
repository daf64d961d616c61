"""Bonuses follow the resolutions of examples, in any order of events."""

from itertools import permutations
from typing import Any

import pytest
from dynabench_common.identifiers import new_id

from .conftest import Crowd


def money(crowd: Crowd, campaign_id: str) -> tuple[int, int]:
    """Return validated errors and what is owed."""
    found: Any = crowd.campaign(campaign_id)
    return found["validated_errors"], found["owed_minor"]


def test_a_validated_error_is_owed_a_bonus_until_its_resolution_is_reversed(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    _, person = crowd.entered(campaign_id)
    example_id = new_id()
    crowd.take(crowd.try_of(person, example_id))
    assert money(crowd, campaign_id) == (0, 0)
    crowd.take(crowd.resolved(example_id))
    assert money(crowd, campaign_id) == (1, 30)
    crowd.take(crowd.resolved(example_id, is_correct=False))
    assert money(crowd, campaign_id) == (0, 0)
    crowd.take(crowd.resolved(example_id))
    assert money(crowd, campaign_id) == (1, 30)


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_the_order_of_events_does_not_matter(crowd: Crowd, order: tuple[int, ...]) -> None:
    campaign_id = crowd.launched()
    _, person = crowd.entered(campaign_id)
    example_id = new_id()
    events = [
        crowd.try_of(person, example_id),
        crowd.resolved(example_id, is_correct=False),
        crowd.resolved(example_id),
    ]
    for place in (*order, *order):
        crowd.take(events[place])
    assert money(crowd, campaign_id) == (1, 30)


def test_examples_of_others_and_from_before_are_owed_nothing(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    early, foreign = new_id(), new_id()
    before = crowd.clock.now()
    crowd.clock.move(5)
    _, person = crowd.entered(campaign_id)
    crowd.take(
        crowd.try_of(person, early, created_at=before),
        crowd.try_of(new_id(), foreign),
        crowd.resolved(early),
        crowd.resolved(foreign),
    )
    assert money(crowd, campaign_id) == (0, 0)


def test_a_rejected_person_is_owed_no_bonus(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = crowd.entered(campaign_id)
    example_id = new_id()
    crowd.take(crowd.try_of(person, example_id), crowd.try_of(person), crowd.resolved(example_id))
    crowd.send("PUT", f"/assignments/{assignment_id}/completion", {}, by=person)
    body = {
        "category": "low_effort",
        "reason": "The sentences are copied from the prompt, although the guidelines ask " * 2,
    }
    assert crowd.send("PUT", f"/assignments/{assignment_id}/rejection", body).status_code == 200
    assert money(crowd, campaign_id) == (1, 0)


def test_a_bonus_is_owed_for_as_many_tries_as_the_work_has_units(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    _, person = crowd.entered(campaign_id)
    for _ in range(4):
        example_id = new_id()
        crowd.take(crowd.try_of(person, example_id), crowd.resolved(example_id))
    assert money(crowd, campaign_id) == (4, 60)


def test_who_gives_the_work_back_is_owed_nothing(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = crowd.entered(campaign_id)
    first, second = new_id(), new_id()
    crowd.take(crowd.try_of(person, first), crowd.resolved(first))
    crowd.send("PUT", f"/assignments/{assignment_id}/return", by=person)
    crowd.take(crowd.try_of(person, second), crowd.resolved(second))
    assert crowd.campaign(campaign_id)["owed_minor"] == 0

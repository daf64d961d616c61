"""Expected time and hourly pay before and during a campaign, and the report of low pay."""

from typing import Any

from crowd.service_layer.low_pay import find_low_pay
from dynabench.crowd.v1 import crowd_pb2
from dynabench_common.identifiers import new_id

from .conftest import Crowd

BODY = {
    "work": "create",
    "platform": "fake",
    "units": 2,
    "places": 3,
    "reward_minor": 150,
    "bonus_minor": 30,
    "currency": "GBP",
}


def estimate(crowd: Crowd, **changes: Any) -> dict[str, Any]:
    """Return the estimate of a campaign that is not drafted yet."""
    found: dict[str, Any] = crowd.send(
        "POST", f"/rounds/{crowd.round_id}/estimates", {**BODY, **changes}
    ).get_json()
    return found


def hand_in(crowd: Crowd, campaign_id: str, worker: str, minutes: float) -> None:
    """Let a new person do the work in so many minutes."""
    assignment_id, person = crowd.entered(campaign_id, worker)
    crowd.wait(minutes)
    crowd.take(crowd.try_of(person), crowd.try_of(person))
    crowd.send("PUT", f"/assignments/{assignment_id}/completion", {}, by=person)


def test_nothing_is_known_before_anybody_has_worked_on_the_task(crowd: Crowd) -> None:
    assert estimate(crowd) == {
        "minutes": None,
        "measured_on": "nothing",
        "n": 0,
        "hourly_minor": None,
        "floor_minor": 900,
        "recommended_minor": 1200,
        "is_below_floor": False,
        "top_up_minor": 0,
        "cost_minor": 600,
        "most_bonus_minor": 180,
        "currency": "GBP",
    }


def test_volunteers_work_on_the_task_is_measured_in_amounts_of_one_assignment(crowd: Crowd) -> None:
    for _ in range(3):
        volunteer = new_id()
        for seconds in (100, 300, 100, 300, 100):
            crowd.clock.move(seconds)
            crowd.take(crowd.try_of(volunteer, seconds_since_context=seconds))
    found = estimate(crowd)
    assert (found["measured_on"], found["n"], found["minutes"]) == ("task", 6, 6.7)
    assert (found["hourly_minor"], found["is_below_floor"], found["top_up_minor"]) == (1350, False, 0)
    low = estimate(crowd, reward_minor=50)
    assert (low["hourly_minor"], low["is_below_floor"], low["top_up_minor"]) == (450, True, 50)


def test_a_try_lasts_since_the_previous_one_and_a_break_counts_as_half_an_hour(crowd: Crowd) -> None:
    volunteer = new_id()
    for seconds, since_context in ((0, 60), (29, 90), (86_000, 86_000), (59, 86_060)):
        crowd.clock.move(seconds)
        crowd.take(crowd.try_of(volunteer, seconds_since_context=since_context))
    found = estimate(crowd, units=4)
    assert (found["n"], found["minutes"]) == (1, round((60 + 30 + 1_800 + 60) / 60, 1))


def test_votes_are_measured_for_campaigns_of_checking(crowd: Crowd) -> None:
    checker = new_id()
    crowd.take(*(crowd.vote_of(checker) for _ in range(7)))
    found = estimate(crowd, work="validate", units=3, bonus_minor=0)
    assert (found["measured_on"], found["n"], found["minutes"]) == ("task", 2, 1.0)


def test_unusable_terms_are_refused_before_anything_is_drafted(crowd: Crowd) -> None:
    for change in (
        {"currency": "XXX"},
        {"reward_minor": 10**8},
        {"places": 0},
        {"platform": "nowhere"},
        {"units": -1},
    ):
        answer = crowd.send("POST", f"/rounds/{crowd.round_id}/estimates", {**BODY, **change})
        assert (answer.status_code, answer.get_json()["field"]) == (422, next(iter(change))), change


def test_a_campaign_has_its_own_median_and_is_reported_once_when_it_pays_too_little(crowd: Crowd) -> None:
    campaign_id = crowd.launched(places=10)
    for number, minutes in enumerate((20, 15, 5, 15)):
        hand_in(crowd, campaign_id, f"w{number}", minutes)
        assert find_low_pay(crowd.app) is False
    hand_in(crowd, campaign_id, "w5", 25)
    found = crowd.send("GET", f"/campaigns/{campaign_id}/estimate").get_json()
    assert (found["measured_on"], found["n"], found["minutes"]) == ("campaign", 5, 15.0)
    assert [find_low_pay(crowd.app) for _ in range(2)] == [True, False]
    (report,) = crowd.published(crowd_pb2.CampaignPayLow)
    assert report.campaign_id == campaign_id
    assert (report.hourly_minor, report.floor_minor, report.top_up_minor) == (598, 900, 76)


def test_a_campaign_that_pays_enough_is_not_reported(crowd: Crowd) -> None:
    campaign_id = crowd.launched(places=1)
    hand_in(crowd, campaign_id, "w1", 8)
    assert find_low_pay(crowd.app) is False
    assert crowd.published(crowd_pb2.CampaignPayLow) == []

"""Standings of rounds, over HTTP, for their owners."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from dynabench.task.v1 import task_pb2
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_common.testing import FixedClock, Issuer
from flask.testing import FlaskClient
from sqlalchemy import Engine

from services.leaderboard.tests.conftest import Story

NewStory = Callable[..., Story]
Feed = Callable[..., None]
Get = Callable[..., dict[str, Any]]
BASE = "/api/leaderboard/v1"
OUTCOMES = {
    "correct": validation_pb2.RESOLUTION_CORRECT,
    "incorrect": validation_pb2.RESOLUTION_INCORRECT,
    "flagged": validation_pb2.RESOLUTION_FLAGGED,
    "disputed": validation_pb2.RESOLUTION_DISPUTED,
}
LABELLED: dict[str, Any] = {
    name: [{"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}]
    for name in ("input", "output")
}


@pytest.fixture
def get(client: FlaskClient, issuer: Issuer) -> Get:
    """Return what reads as an owner of the stories' task, or with other roles."""

    def read(address: str, roles: Iterable[str] = ("owner:sentiment",), status: int = 200) -> dict[str, Any]:
        response = client.get(f"{BASE}/{address}", headers=issuer.headers(uuid4(), roles))
        assert response.status_code == status, response.text
        body: dict[str, Any] = response.get_json()
        return body

    return read


def test_a_standing_tells_how_far_the_tries_have_come(
    get: Get, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    ann, ben = story.new_id(), story.new_id()
    tries = [story.tried("negative", ["positive", "negative"], ann) for _ in range(6)]
    held = [story.tried("positive", ["positive", "positive"], ben, cohort="crowd") for _ in range(2)]
    ends = [
        story.resolved(tried, outcome, "negative" if name == "correct" else "neutral")
        for tried, (name, outcome) in zip(tries, OUTCOMES.items(), strict=False)
    ]
    feed(engine, [*story.opened(), *tries, *held, *ends])
    feed(engine, [story.retracted(tries[5])])
    body = get(f"rounds/{story.round_id}/standing")
    assert body["funnel"] == {
        "tries": 8, "decided": 8, "undecided": 0, "unknown": 0, "no_target": 0, "fooled": 5,
        "resolved": 4, "correct": 1, "incorrect": 1, "flagged": 1, "disputed": 1,
        "no_claim": 0, "retracted": 1, "pending": 1,
    }  # fmt: skip
    assert body["authors"] == {"people": 2, "top5_share": 1.0, "top1_share": 0.75, "hhi": 0.625}
    assert body["cohorts"] == {"crowd": 2, "volunteer": 6}
    assert (body["task_slug"], body["state"], body["origin"]) == ("sentiment", "open", "")
    assert body["burn_up"]["points"][-1]["validated"] == 1
    assert datetime.fromisoformat(body["opened_at"]) <= datetime.fromisoformat(body["as_of"])


def test_labels_are_counted_by_the_configuration_of_their_tries(
    get: Get, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    other = story.tried("positive", ["positive", "positive"], story.new_id())
    feed(engine, [story.drafted(), tried, other, story.resolved(tried, OUTCOMES["incorrect"], "neutral")])
    assert get(f"rounds/{story.round_id}/standing", ["admin"])["labels"] == {"claimed": {}, "gold": {}}
    feed(engine, [story.configured(**LABELLED)])
    assert get(f"rounds/{story.round_id}/standing")["labels"] == {
        "claimed": {"negative": 1, "positive": 1},
        "gold": {"neutral": 1},
    }


def test_an_empty_round_stands_at_the_beginning(
    get: Get, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    feed(engine, [story.configured(), story.drafted()])
    body = get(f"rounds/{story.round_id}/standing")
    assert set(body["funnel"].values()) == {0}
    assert body["authors"] == {"people": 0, "top5_share": None, "top1_share": None, "hhi": None}
    assert body["burn_up"] == {
        "goal": None, "points": [], "per_day": None, "forecast": None,
        "reason": "no forecast: the task's configuration sets no goal",
    }  # fmt: skip
    assert (body["opened_at"], body["state"]) == (None, "draft")
    found = get(f"rounds/{story.round_id}/next-round")
    assert (found["advice"], {each["says"] for each in found["evidence"]}) == ("not_yet", {"unknown"})


def days_of_errors(story: Story, clock: FixedClock, per_day: int, days: int) -> list[Event]:
    """Tries that were confirmed on each of the last days."""
    events = []
    for day in range(days):
        story.now = clock.now() - timedelta(days=days - day, hours=-3)
        for _ in range(per_day):
            tried = story.tried("negative", ["positive", "negative"], story.new_id())
            events += [tried, story.resolved(tried, OUTCOMES["correct"], "negative")]
    return events


def test_a_burn_up_forecasts_when_the_goal_is_reached(
    get: Get, clock: FixedClock, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story(start=clock.now() - timedelta(days=40))
    goal = {"message": "Fool it.", "validated_errors": 80}
    feed(engine, [story.configured(goal=goal), story.drafted(), story.moved(task_pb2.ROUND_STATE_OPEN, 3)])
    feed(engine, days_of_errors(story, clock, 3, 22))
    body = get(f"rounds/{story.round_id}/standing")["burn_up"]
    assert (body["goal"], body["points"][-1]["validated"], body["reason"]) == (80, 66, None)
    assert body["per_day"] == pytest.approx(3, rel=0.05)
    expected = clock.now().date() + timedelta(days=5)
    low, middle, high = (datetime.fromisoformat(body["forecast"][name]).date() for name in
                         ("low", "expected", "high"))  # fmt: skip
    assert low < middle < high
    assert abs(middle - expected) <= timedelta(days=1)
    feed(engine, [story.moved(task_pb2.ROUND_STATE_CLOSED, 4)])
    closed = get(f"rounds/{story.round_id}/standing")["burn_up"]
    assert (closed["forecast"], closed["reason"]) == (None, "no forecast: the round takes no tries")


def test_the_first_opening_counts_whatever_comes_first(
    get: Get, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    first = story.now
    opened, closed = (
        story.moved(task_pb2.ROUND_STATE_OPEN, 3),
        story.moved(task_pb2.ROUND_STATE_CLOSED, 4),
    )
    reopened = story.moved(task_pb2.ROUND_STATE_OPEN, 5)
    feed(engine, [story.configured(), story.drafted(), reopened, opened, closed], size=1)
    body = get(f"rounds/{story.round_id}/standing")
    assert (datetime.fromisoformat(body["opened_at"]), body["state"]) == (first, "open")


def test_advice_comes_with_its_evidence(get: Get, engine: Engine, new_story: NewStory, feed: Feed) -> None:
    story = new_story()
    people = [story.new_id() for _ in range(6)]
    tries = [story.tried("negative", ["positive", "negative"], people[n % 6]) for n in range(24)]
    ends = [story.resolved(tried, OUTCOMES["correct"], "negative") for tried in tries]
    feed(engine, [story.configured(goal={"validated_errors": 20}), story.drafted(), *tries, *ends])
    body = get(f"rounds/{story.round_id}/next-round")
    assert body["advice"] == "now"
    assert [(each["name"], each["says"]) for each in body["evidence"]] == [
        ("goal", "now"),
        ("saturation", "unknown"),
        ("yield", "unknown"),
        ("validity", "now"),
        ("pending", "now"),
    ]
    assert body["evidence"][0]["text"] == "24 of 20 confirmed errors."
    assert (body["evidence"][0]["value"], body["evidence"][0]["threshold"]) == (1.2, 1.0)


def rounds_of(new_story: NewStory, slug: str, numbers: Iterable[int]) -> list[Event]:
    """A task and rounds of it."""
    story, events = new_story(len(slug)), []
    configured = story.configured()
    assert isinstance(configured.message, task_pb2.TaskCreated)
    configured.message.slug = slug
    for number in numbers:
        story.round_id = story.new_id()
        events.append(story.drafted(number))
    return [configured, *events]


def test_the_list_holds_the_rounds_of_ones_own_tasks_in_pages(
    get: Get, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    feed(engine, [*rounds_of(new_story, "nli", [1]), *rounds_of(new_story, "sentiment", [1, 3, 2])])

    def listed(roles: list[str], limit: int) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        cursor = ""
        while True:
            body = get(f"standings?limit={limit}{cursor}", roles)
            found += [(item["task_slug"], item["number"]) for item in body["items"]]
            if body["next_cursor"] is None:
                return found
            cursor = f"&cursor={body['next_cursor']}"

    own = [("sentiment", 3), ("sentiment", 2), ("sentiment", 1)]
    for limit in (1, 2, 3, 50):
        assert listed(["owner:sentiment"], limit) == own
        assert listed(["admin"], limit) == [("nli", 1), *own]
    assert listed(["owner:sentiment", "owner:nli"], 50) == [("nli", 1), *own]
    assert listed(["owner:else"], 50) == []


def test_a_round_in_the_list_has_its_headline(
    get: Get, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    tries = [story.tried("negative", ["positive", "negative"], story.new_id()) for _ in range(4)]
    feed(engine, [*story.opened(), *tries, story.resolved(tries[0], OUTCOMES["correct"], "negative")])
    [item] = get("standings")["items"]
    assert (item["tries"], item["fooled"], item["validated_errors"], item["pending"]) == (4, 4, 1, 3)
    assert (item["mer"]["value"], item["vmer"]["value"], item["state"]) == (1.0, 0.25, "open")
    assert datetime.fromisoformat(item["as_of"]).astimezone(UTC) <= story.now


@pytest.mark.parametrize("address", ["rounds/{}/standing", "rounds/{}/next-round"])
def test_others_than_the_owner_learn_nothing(
    client: FlaskClient, get: Get, engine: Engine, new_story: NewStory, feed: Feed, address: str
) -> None:
    story = new_story()
    feed(engine, [story.configured(), story.drafted()])
    url = address.format(story.round_id)
    assert client.get(f"{BASE}/{url}").status_code == 401
    for roles in (["annotator"], ["owner:nli"]):
        assert get(url, roles, 403)["type"] == "/problems/not-allowed"
    get(url, ["admin"])
    assert get(address.format(uuid4()), ["admin"], 404)["type"] == "/problems/round-not-found"


@pytest.mark.parametrize("cursor", ["W10", "WyJuIl0", "WyJuIiwxLCJ4Il0", "%00"])
def test_a_cursor_of_another_list_is_refused(get: Get, engine: Engine, cursor: str) -> None:
    assert get(f"standings?cursor={cursor}", ["admin"], 422)["field"] == "cursor"


def test_the_list_is_for_owners(client: FlaskClient, get: Get) -> None:
    assert client.get(f"{BASE}/standings").status_code == 401
    get("standings", ["annotator"], 403)

"""Figures by group and over time, effort, and what harvested rounds leave out, as readers get them."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events.cloud_events import Event
from flask.testing import FlaskClient
from sqlalchemy import Engine

from services.leaderboard.tests.conftest import Story

NewStory = Callable[..., Story]
Feed = Callable[..., None]
BASE = "/api/leaderboard/v1"
CORRECT = validation_pb2.RESOLUTION_CORRECT


def get(client: FlaskClient, address: str) -> dict[str, Any]:
    response = client.get(f"{BASE}/{address}")
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.get_json()
    return body


def breakdown(client: FlaskClient, story: Story, by: str) -> dict[str, dict[str, Any]]:
    body = get(client, f"rounds/{story.round_id}/breakdown?by={by}")
    assert (body["round_id"], body["by"]) == (str(story.round_id), by)
    names = [item["name"] for item in body["items"]]
    assert len(names) == len(set(names))
    return {item["name"]: item for item in body["items"]}


@pytest.mark.parametrize("by", ["segment", "target", "condition", "cohort", "tag", "week"])
def test_a_breakdown_has_the_figures_of_a_board(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, by: str
) -> None:
    story = new_story(21)
    feed(engine, story.round_of_tries(150, authors=9))
    whole = get(client, f"rounds/{story.round_id}")
    groups = breakdown(client, story, by)
    for item in groups.values():
        assert set(item) - {"name", "not_asked", "rates_of"} <= set(whole)
        assert (item["not_asked"], item["rates_of"]) == (0, "tries")
        placed = sum(item[name] for name in ("fooled", "not_fooled", "retracted", "undecided"))
        assert placed == item["tries"]
        assert item["vmer"]["n"] == item["decided"]
    if by in {"segment", "cohort", "week"}:
        assert sum(item["tries"] for item in groups.values()) == whole["tries"] == 150
        assert sum(item["validated_errors"] for item in groups.values()) == whole["validated_errors"]
        assert sum(item["resolved"] for item in groups.values()) == whole["resolved"]
    if by == "week":
        assert {name: item["mer"] for name, item in groups.items()} == {"2026-W10": whole["mer"]}


def test_groups_are_named_by_what_their_tries_share(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    people = [story.new_id() for _ in range(6)]
    food = [story.tried("negative", ["positive", "negative"], each, tags=["food"]) for each in people]
    both = [
        story.tried("negative", ["negative", "negative"], each, tags=["food", "news"], cohort="expert")
        for each in people
    ]
    confirmed = story.resolved(food[0], CORRECT, "negative")
    feed(engine, [*story.opened(), *food, *both, confirmed])
    tags = breakdown(client, story, "tag")
    assert {name: (item["tries"], item["fooled"]) for name, item in tags.items()} == {
        "food": (12, 6),
        "news": (6, 0),
    }
    assert tags["food"]["vmer"]["value"] == pytest.approx(1 / 12)
    assert tags["food"]["vmer"]["low"] < 1 / 12 < tags["food"]["vmer"]["high"]
    assert {name: item["mer"]["value"] for name, item in breakdown(client, story, "cohort").items()} == {
        "expert": 0,
        "volunteer": 1,
    }
    assert list(breakdown(client, story, "target")) == ["roberta", "deberta"]
    assert {name: item["tries"] for name, item in breakdown(client, story, "segment").items()} == {
        "1": 12,
        "2": 0,
    }
    feed(engine, [story.retracted(food[0])])
    assert breakdown(client, story, "tag")["food"]["validated_errors"] == 0


def test_unknown_dimensions_are_refused(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    feed(engine, [story.drafted()])
    assert client.get(f"{BASE}/rounds/{story.round_id}/breakdown?by=author").status_code == 422
    assert client.get(f"{BASE}/rounds/{story.round_id}/breakdown").status_code == 422


def test_history_has_the_intervals_of_each_moment(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story(22)
    feed(engine, story.round_of_tries(200, authors=8))
    whole = get(client, f"rounds/{story.round_id}")
    last = get(client, f"rounds/{story.round_id}/history")["points"][-1]
    for rate in ("mer", "vmer"):
        now = [whole[rate][name] for name in ("value", "low", "high")]
        assert [last[rate], last[f"{rate}_low"], last[f"{rate}_high"]] == pytest.approx(now)
    [rule, *_] = get(client, f"rounds/{story.round_id}/effort")["items"]
    effort = [rule["tries_per_fooling"][name] for name in ("value", "low", "high")]
    assert [last[f"tries_per_fooling{end}"] for end in ("", "_low", "_high")] == pytest.approx(effort)


def test_history_has_no_effort_before_a_try_has_fooled(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    feed(engine, [*story.opened(), story.tried("positive", ["positive", "positive"], story.new_id())])
    [point] = get(client, f"rounds/{story.round_id}/history")["points"]
    assert (point["mer"], point["tries_per_fooling"]) == (0, None)


def test_votes_and_resolutions_that_are_taken_back_leave_no_trace(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    votes = [story.voted(tried, "negative", version) for version in (1, 2)]
    feed(engine, [*story.opened(), tried, *votes, story.resolved(tried, CORRECT, "negative")])
    before = get(client, f"rounds/{story.round_id}")
    assert (before["votes"], before["validated_errors"], before["pending"]) == (2, 1, 0)
    feed(engine, [story.unvoted(votes[1], 4), story.unresolved(tried, 5)])
    after = get(client, f"rounds/{story.round_id}")
    assert (after["votes"], after["validated_errors"], after["pending"]) == (1, 0, 1)
    feed(engine, [story.resolved(tried, CORRECT, "negative", 6)])
    assert get(client, f"rounds/{story.round_id}")["validated_errors"] == 1


def test_a_round_shows_its_present_targets_and_its_origin(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    feed(engine, [story.configured(), story.retargeted(["deberta"], 4), story.drafted(origin="imported")])
    body = get(client, f"rounds/{story.round_id}")
    assert ([target["target"] for target in body["targets"]], body["origin"]) == (["deberta"], "imported")
    feed(engine, [story.retargeted(["roberta"], 3)])
    assert [target["target"] for target in get(client, f"rounds/{story.round_id}")["targets"]] == ["deberta"]


def test_a_harvested_round_has_counts_and_no_error_rates(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    fooled = [story.tried("negative", ["positive", "negative"], cohort="imported") for _ in range(3)]
    confirmed = story.resolved(fooled[0], CORRECT, "negative")
    feed(engine, [story.configured(), story.drafted(origin="harvested"), *fooled, confirmed])
    body = get(client, f"rounds/{story.round_id}")
    reason = "not available: only the models' errors were kept"
    for figures in (body, *body["segments"], *body["targets"], *breakdown(client, story, "cohort").values()):
        for rate in ("mer", "vmer", "vmer_projected"):
            assert (figures[rate]["value"], figures[rate]["reason"]) == (None, reason)
    assert (body["validated_errors"], body["validity"]["value"]) == (1, 1.0)
    assert {point["mer"] for point in get(client, f"rounds/{story.round_id}/history")["points"]} == {None}
    [rule, *_] = get(client, f"rounds/{story.round_id}/effort")["items"]
    assert (rule["tries_per_fooling"]["value"], rule["tries_per_fooling"]["reason"]) == (None, reason)


def test_effort_follows_people_through_their_contexts(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    """One person fools at the second try, one gives up after one, and an unknown one counts in the rate alone."""
    story = new_story()
    context_id, ann, ben = story.new_id(), story.new_id(), story.new_id()

    def tried(author_id: UUID | None, seconds: float, *answered: str) -> Event:
        return story.tried("negative", answered, author_id, context_id=context_id, seconds=seconds)

    first = tried(ann, 60, "negative", "negative")
    second = tried(ann, 180, "positive", "negative")
    others = [tried(ben, 120, "negative", "negative"), tried(None, 30, "positive", "negative")]
    feed(engine, [*story.opened(), second, *others, first], size=1)
    feed(engine, [story.resolved(second, CORRECT, "negative")])
    rule, roberta, deberta = get(client, f"rounds/{story.round_id}/effort")["items"]
    assert [item["target"] for item in (rule, roberta, deberta)] == [None, "roberta", "deberta"]
    assert rule["tries_per_fooling"] == {
        "value": 2.0, "low": None, "high": None, "n": 4, "reason": "no interval: authors unknown"
    }  # fmt: skip
    assert rule["minutes_per_validated_error"] == {"value": 5.0, "n": 1, "reason": None}
    assert (
        rule["survival"]
        == roberta["survival"]
        == [
            {"tries": 1, "share": 1.0, "at_risk": 2, "low": None, "high": None},
            {"tries": 2, "share": 0.0, "at_risk": 1, "low": None, "high": None},
        ]
    )
    assert deberta["survival"][-1] == {"tries": 2, "share": 1.0, "at_risk": 1, "low": None, "high": None}
    assert deberta["tries_per_fooling"]["reason"] == "nothing has fooled it yet"
    feed(engine, [story.retracted(second)])
    rule, *_ = get(client, f"rounds/{story.round_id}/effort")["items"]
    assert [step["share"] for step in rule["survival"]] == [1.0, 1.0]
    assert rule["minutes_per_validated_error"]["reason"] == "no confirmed error yet"


@pytest.mark.parametrize("address", ["breakdown?by=tag", "breakdown?by=segment", "effort"])
def test_who_holds_the_present_figures_gets_304(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, address: str
) -> None:
    story = new_story()
    feed(engine, [*story.opened(), story.tried("negative", ["positive", ""], story.new_id(), tags=["food"])])
    url = f"{BASE}/rounds/{story.round_id}/{address}"
    first = client.get(url)
    again = client.get(url, headers={"If-None-Match": first.headers["ETag"]})
    assert (first.status_code, again.status_code, again.data) == (200, 304, b"")
    feed(engine, [story.tried("negative", ["positive", ""], story.new_id(), tags=["food"])])
    assert client.get(url, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200

"""Boards as readers get them."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench.task.v1 import task_pb2
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_common.testing import Issuer
from flask.testing import FlaskClient
from sqlalchemy import Engine

from services.leaderboard.tests.conftest import Story

NewStory = Callable[..., Story]
Feed = Callable[..., None]
BASE = "/api/leaderboard/v1"


def ten_tries(story: Story, author_id: UUID | None = None) -> list[Event]:
    """Return ten tries, 4 fooled, 3 of them resolved, 2 confirmed, one vote each."""
    author_id = author_id or story.new_id()
    fooled = [story.tried("negative", ["positive", "negative"], author_id) for _ in range(4)]
    held = [story.tried("negative", ["negative", "negative"], author_id) for _ in range(6)]
    outcomes = [
        validation_pb2.RESOLUTION_CORRECT,
        validation_pb2.RESOLUTION_CORRECT,
        validation_pb2.RESOLUTION_FLAGGED,
    ]
    votes = [story.voted(tried, "negative", 1) for tried in fooled]
    ends = [story.resolved(tried, outcome) for tried, outcome in zip(fooled, outcomes, strict=False)]
    return [*fooled, *held, *votes, *ends]


def read_round(client: FlaskClient, story: Story) -> dict[str, Any]:
    response = client.get(f"{BASE}/rounds/{story.round_id}")
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.get_json()
    return body


def test_a_round_shows_its_figures(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    feed(engine, [*story.opened(), *ten_tries(story)])
    body = read_round(client, story)
    counts = {
        name: body[name] for name in ("tries", "fooled", "votes", "resolved", "pending", "validated_errors")
    }
    assert counts == {
        "tries": 10, "fooled": 4, "votes": 4, "resolved": 3, "pending": 1, "validated_errors": 2
    }  # fmt: skip
    outcomes = {name: number for name, number in body["outcomes"].items() if number}
    assert outcomes == {"confirmed": 2, "not_confirmed": 1, "being_checked": 1, "not_fooled": 6}
    rates = {name: body[name]["value"] for name in ("mer", "vmer", "vmer_projected", "validity")}
    assert rates == pytest.approx({"mer": 0.4, "vmer": 0.2, "vmer_projected": 0.4 * 2 / 3, "validity": 2 / 3})
    assert body["vmer_projected"]["not_checked"] == ["not_fooled"]
    assert body["vmer_range"] == pytest.approx({"low": 0.2, "high": 0.3, "pending": 1})
    assert body["mer"]["reason"] == "too few annotators for an interval: 1, at least 5 are needed"
    assert (body["task_slug"], body["state"], body["number"]) == ("sentiment", "open", 1)
    assert [target["target"] for target in body["targets"]] == ["roberta", "deberta"]
    assert [target["mer"]["value"] for target in body["targets"]] == pytest.approx([0.4, 0.0])
    assert [segment["tries"] for segment in body["segments"]] == [10, 0]
    assert body["segments"][0]["targets"][0]["model_digest"] == "sha256:roberta1"


def test_a_retraction_corrects_the_figures(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    tries = ten_tries(story)
    feed(engine, [*story.opened(), *tries])
    before = client.get(f"{BASE}/rounds/{story.round_id}").headers["ETag"]
    feed(engine, [story.retracted(tries[0])])
    body = read_round(client, story)
    assert (body["tries"], body["fooled"], body["retracted"], body["validated_errors"]) == (10, 3, 1, 1)
    assert body["mer"]["value"] == pytest.approx(0.3)
    assert client.get(f"{BASE}/rounds/{story.round_id}").headers["ETag"] != before


def test_a_round_without_tries_shows_zeros_and_why(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    feed(engine, [story.configured(), story.drafted()])
    body = read_round(client, story)
    assert (body["tries"], body["votes"], body["state"]) == (0, 0, "draft")
    nothing = {"value": None, "low": None, "high": None, "n": 0, "reason": "no tries yet"}
    assert body["mer"] == body["vmer"] == nothing
    assert [target["mer"] for target in body["targets"]] == [nothing, nothing]


@pytest.mark.parametrize(
    "address", ["rounds/{}", "rounds/{}/history", "rounds/{}/matrix", "people/me?round_id={}"]
)
def test_an_unknown_round_is_a_404(client: FlaskClient, issuer: Issuer, address: str) -> None:
    response = client.get(f"{BASE}/{address.format(uuid4())}", headers=issuer.headers(uuid4()))
    assert response.status_code == 404
    assert response.content_type == "application/problem+json"
    problem = response.get_json()
    assert (problem["type"], problem["field"]) == ("/problems/round-not-found", "round_id")


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("rounds/first", 404),
        ("people/me?round_id=first", 422),
        ("tasks?limit=201", 422),
        ("tasks?cursor=%00", 422),
        ("tasks?cursor=W10", 422),
    ],
)
def test_bad_addresses_are_refused(client: FlaskClient, issuer: Issuer, address: str, status: int) -> None:
    response = client.get(f"{BASE}/{address}", headers=issuer.headers(uuid4()))
    assert response.status_code == status
    assert response.content_type == "application/problem+json"


@pytest.mark.parametrize("address", ["", "/history", "/matrix"])
def test_who_holds_the_present_figures_gets_304(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, address: str
) -> None:
    story = new_story()
    feed(engine, [*story.opened(), *ten_tries(story)])
    url = f"{BASE}/rounds/{story.round_id}{address}"
    first = client.get(url)
    again = client.get(url, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert first.headers["Cache-Control"] == again.headers["Cache-Control"] == "no-cache"
    feed(engine, [story.tried("negative", ["positive", ""], story.new_id())])
    assert client.get(url, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_the_matrix_shows_who_was_fooled_together(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    author_id = story.new_id()
    both = [story.tried("negative", ["positive", "neutral"], author_id) for _ in range(3)]
    later = story.tried("negative", ["positive", "negative"], author_id, segment=2)
    others = [
        story.tried("negative", ["negative", "negative"], author_id),
        story.tried("negative", ["positive", ""], author_id),
        story.asked(["positive", "neutral"], author_id),
    ]
    withdrawn = story.tried("negative", ["positive", "neutral"], author_id)
    confirmed = story.resolved(both[0], validation_pb2.RESOLUTION_CORRECT, "negative")
    feed(engine, [*story.opened(), *both, later, *others, withdrawn, story.retracted(withdrawn), confirmed])
    body = client.get(f"{BASE}/rounds/{story.round_id}/matrix").get_json()
    segments = body.pop("segments")
    assert body == {
        "round_id": str(story.round_id),
        "targets": ["roberta", "deberta"],
        "answered_by_all": 5,
        "incomplete": 1,
        "not_asked": 0,
        "patterns": [
            {"fooled": ["roberta", "deberta"], "tries": 3, "validated": 1},
            {"fooled": [], "tries": 1, "validated": 0},
            {"fooled": ["roberta"], "tries": 1, "validated": 0},
        ],
        "pairs": [{"a": "roberta", "b": "deberta", "both": 3, "only_a": 1, "only_b": 0, "neither": 1}],
    }
    assert [(part["number"], part["answered_by_all"], part["incomplete"]) for part in segments] == [
        (1, 4, 1),
        (2, 1, 0),
    ]


def test_a_round_without_targets_has_an_empty_matrix(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    story.targets = []
    feed(engine, [story.drafted(), story.asked([], story.new_id())])
    body = client.get(f"{BASE}/rounds/{story.round_id}/matrix").get_json()
    assert (body["targets"], body["answered_by_all"], body["patterns"], body["pairs"]) == ([], 0, [], [])
    figures = read_round(client, story)
    assert (figures["tries"], figures["no_target"], figures["decided"]) == (1, 1, 0)


def test_arms_have_figures_of_their_own(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    people = [story.new_id() for _ in range(6)]
    fooled = [story.tried("negative", ["positive", "negative"], each, condition="prompt") for each in people]
    held = [story.tried("negative", ["negative", "negative"], each, condition="prompt") for each in people]
    control = [story.asked([], people[0], "control") for _ in range(2)]
    without_arm = story.tried("negative", ["positive", "negative"], people[0])
    confirmed = story.resolved(fooled[0], validation_pb2.RESOLUTION_CORRECT, "negative")
    feed(engine, [*story.opened(), *fooled, *held, *control, without_arm, confirmed])
    none, prompt = read_round(client, story)["by_condition"]
    assert (none["condition"], none["tries"], none["fooled"]) == ("control", 2, 0)
    assert none["mer"] == {"value": None, "low": None, "high": None, "n": 0, "reason": "no try has a verdict"}
    assert (prompt["condition"], prompt["tries"], prompt["fooled"]) == ("prompt", 12, 6)
    assert (prompt["validated_errors"], prompt["mer"]["value"]) == (1, 0.5)
    assert prompt["vmer"]["value"] == pytest.approx(1 / 12)
    assert prompt["vmer"]["low"] < 1 / 12 < prompt["vmer"]["high"]


def test_history_ends_at_the_present_figures(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story(7)
    feed(engine, story.round_of_tries(300))
    board = read_round(client, story)
    body = client.get(f"{BASE}/rounds/{story.round_id}/history").get_json()
    time_series = body["points"]
    assert 50 < len(time_series) <= 200
    assert time_series == sorted(time_series, key=lambda point: point["at"])
    last = time_series[-1]
    assert {name: last[name] for name in ("fooled", "validated_errors")} == {
        name: board[name] for name in ("fooled", "validated_errors")
    }
    assert (last["tries"], last["mer"]) == (board["decided"], board["mer"]["value"])


def test_history_of_an_empty_round_has_no_points(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    feed(engine, [story.drafted()])
    assert client.get(f"{BASE}/rounds/{story.round_id}/history").get_json()["points"] == []


def test_tasks_show_their_current_round(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    feed(engine, [*story.opened(), *ten_tries(story)])
    second = new_story(2)
    second.task_id = story.task_id
    feed(engine, [second.drafted(2), second.moved(task_pb2.ROUND_STATE_CLOSED, 2)])
    [task] = client.get(f"{BASE}/tasks").get_json()["items"]
    assert (task["task_slug"], task["rounds"]) == ("sentiment", 2)
    current = task["current_round"]
    assert (current["round_id"], current["tries"]) == (str(story.round_id), 10)
    assert current["vmer"]["value"] == pytest.approx(0.2)


def test_a_demonstration_is_no_current_round_beside_another(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story, second = new_story(), new_story(2)
    second.task_id = story.task_id
    drafted = second.drafted(2)
    assert isinstance(drafted.message, task_pb2.RoundCreated)
    drafted.message.origin = "demonstration"
    feed(engine, [*story.opened(), story.moved(task_pb2.ROUND_STATE_CLOSED, 4)])
    feed(engine, [drafted, second.moved(task_pb2.ROUND_STATE_OPEN, 2)])
    [task] = client.get(f"{BASE}/tasks").get_json()["items"]
    assert task["current_round"]["round_id"] == str(story.round_id)


def test_tasks_come_in_pages(client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed) -> None:
    events = []
    for number in range(3):
        event = new_story(number).configured()
        assert isinstance(event.message, task_pb2.TaskCreated)
        event.message.slug = f"task-{number}"
        events.append(event)
    feed(engine, events)
    first = client.get(f"{BASE}/tasks?limit=2").get_json()
    assert [task["task_slug"] for task in first["items"]] == ["task-0", "task-1"]
    assert first["items"][0]["current_round"] is None
    rest = client.get(f"{BASE}/tasks?limit=2&cursor={first['next_cursor']}").get_json()
    assert ([task["task_slug"] for task in rest["items"]], rest["next_cursor"]) == (["task-2"], None)


def test_one_sees_ones_own_figures(
    client: FlaskClient, engine: Engine, issuer: Issuer, new_story: NewStory, feed: Feed
) -> None:
    story, person_id = new_story(), uuid4()
    feed(engine, [*story.opened(), *ten_tries(story, person_id), *ten_tries(story)])
    for address in ("people/me", f"people/me?round_id={story.round_id}"):
        body = client.get(f"{BASE}/{address}", headers=issuer.headers(person_id)).get_json()
        assert (body["tries"], body["fooled"], body["validated_errors"]) == (10, 4, 2)
    nobody = client.get(f"{BASE}/people/me", headers=issuer.headers(uuid4())).get_json()
    assert nobody["tries"] == 0


def test_one_sees_the_rounds_that_one_wrote_in(
    client: FlaskClient, engine: Engine, issuer: Issuer, new_story: NewStory, feed: Feed
) -> None:
    first, second, of_others, person_id = new_story(), new_story(), new_story(), uuid4()
    for story in (first, second):
        feed(engine, [*story.opened(), *ten_tries(story, person_id), *ten_tries(story)])
    feed(engine, [*of_others.opened(), *ten_tries(of_others)])
    body = client.get(f"{BASE}/people/me/rounds", headers=issuer.headers(person_id)).get_json()
    assert {item["round_id"] for item in body["items"]} == {str(first.round_id), str(second.round_id)}
    for item in body["items"]:
        assert (item["tries"], item["fooled"], item["validated_errors"], item["state"]) == (10, 4, 2, "open")
        assert (item["number"], bool(item["task_slug"])) == (1, True)
    nobody = client.get(f"{BASE}/people/me/rounds", headers=issuer.headers(uuid4())).get_json()
    assert nobody == {"items": []}


@pytest.mark.parametrize("address", ["people/me", "people/me/rounds"])
def test_ones_own_figures_need_a_sign_in(client: FlaskClient, address: str) -> None:
    assert client.get(f"{BASE}/{address}").status_code == 401


def test_the_interface_describes_itself(client: FlaskClient) -> None:
    paths: Sequence[str] = client.get("/api/leaderboard/openapi.json").get_json()["paths"]
    assert f"{BASE}/rounds/{{round_id}}" in paths
    assert client.get("/healthz/ready").status_code == 200

"""Permissions for releases, and conditions that block one."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from dynabench_common.testing import Issuer
from dynabench_common.work.retried_jobs import JobRunner
from flask.testing import FlaskClient
from scoring.service_layer.dependencies import WorkerDependencies
from sqlalchemy import Engine

from services.scoring.tests.conftest import Story

NewStory = Callable[..., Story]
Feed = Callable[..., None]
API = "/api/scoring/v1"


def release(client: FlaskClient, story: Story, owner: dict[str, str], **body: Any) -> Any:
    return client.post(f"{API}/rounds/{story.round_id}/releases", json=body, headers=owner)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/rounds/{round_id}/release/preview"),
        ("POST", "/rounds/{round_id}/releases"),
        ("GET", "/rounds/{round_id}/export"),
        ("GET", "/rounds/{round_id}/measurements"),
    ],
)
def test_a_stranger_is_refused(
    client: FlaskClient,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
    issuer: Issuer,
    method: str,
    path: str,
) -> None:
    """Neither an annotator nor the owner of another task; somebody who is not signed in is asked to."""
    story = new_story()
    feed(engine, story.finished(2, 1))
    address = API + path.format(round_id=story.round_id)
    for roles in (["annotator"], ["annotator", "owner:nli"]):
        answer = client.open(address, method=method, json={}, headers=issuer.headers(uuid4(), roles))
        assert (answer.status_code, answer.get_json()["type"]) == (403, "/problems/not-allowed")
    assert client.open(address, method=method, json={}).status_code == 401


def test_a_release_is_its_owners_to_watch(
    client: FlaskClient,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
    issuer: Issuer,
    owner: dict[str, str],
) -> None:
    story = new_story()
    feed(engine, story.finished())
    address = f"{API}/releases/{release(client, story, owner).get_json()['release_id']}"
    assert client.get(address, headers=owner).status_code == 200
    assert client.get(address, headers=issuer.headers(uuid4(), ["owner:nli"])).status_code == 403
    assert client.get(f"{API}/releases/{uuid4()}", headers=owner).status_code == 404


def test_only_a_closed_round_is_released(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, owner: dict[str, str]
) -> None:
    story = new_story()
    feed(engine, story.collected())
    answer = release(client, story, owner)
    assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/round-not-closed")
    assert answer.get_json()["remedy"] == "Close the round, and wait until its examples are resolved."
    feed(engine, [story.moved("closed", 4)])
    assert release(client, story, owner).status_code == 202


def test_unresolved_examples_must_be_accepted(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, owner: dict[str, str]
) -> None:
    story = new_story()
    waiting = [story.tried("negative", ["positive", ""], story.new_id()) for _ in range(3)]
    feed(engine, [*story.finished(), *waiting])
    answer = release(client, story, owner)
    assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/unresolved-examples")
    assert (answer.get_json()["count"], answer.get_json()["field"]) == (3, "accept_unresolved")
    assert release(client, story, owner, accept_unresolved=True).status_code == 202


def test_a_split_that_cant_be_filled_says_what_fits(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, owner: dict[str, str]
) -> None:
    story = new_story()
    feed(engine, story.finished(authors=2, each=10))
    answer = release(client, story, owner, dev=5, test=5).get_json()
    assert answer["type"] == "/problems/split-unfillable"
    assert (answer["split"], answer["wanted"], answer["fits"], answer["largest_author"]) == ("test", 5, 0, 10)


def test_a_round_is_released_once(
    client: FlaskClient,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
    owner: dict[str, str],
    builder: JobRunner[WorkerDependencies],
) -> None:
    story = new_story()
    feed(engine, story.finished())
    first = release(client, story, owner, seed=1)
    assert release(client, story, owner, seed=1).get_json() == first.get_json()
    assert release(client, story, owner, seed=2).get_json()["type"] == "/problems/release-under-way"
    assert builder.turn()
    assert release(client, story, owner, seed=1).get_json()["type"] == "/problems/round-released"


def test_what_changed_since_the_wish_ends_the_release(
    client: FlaskClient,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
    owner: dict[str, str],
    builder: JobRunner[WorkerDependencies],
) -> None:
    story = new_story()
    feed(engine, story.finished())
    asked = release(client, story, owner).get_json()
    feed(engine, [story.moved("open", 5)])
    assert builder.turn()
    ended = client.get(f"{API}/releases/{asked['release_id']}", headers=owner).get_json()
    assert (ended["state"], ended["error"]["kind"]) == ("failed", "round-not-closed")
    feed(engine, [story.moved("closed", 6)])
    assert release(client, story, owner).status_code == 202


def test_a_preview_counts_what_stands_where(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, owner: dict[str, str]
) -> None:
    story = new_story()
    fates = [story.confirmed(story.new_id()) for _ in range(5)]
    fates[0].append(story.retracted(fates[0][0]))
    for fate, outcome in zip(fates[1:4], ("flagged", "disputed", "incorrect"), strict=True):
        fate.append(story.resolved(fate[0], outcome, version=9))
    fates.append([story.tried("negative", ["negative", ""], story.new_id())])
    fates.append([story.tried("negative", ["positive", ""], story.new_id())])
    feed(engine, [*story.collected(), *(event for fate in fates for event in fate)])
    address = f"{API}/rounds/{story.round_id}/release/preview?dev=5&test=5"
    found = client.get(address, headers=owner).get_json()
    assert found["excluded"] == {"retracted": 1, "hidden": 0, "flagged": 1, "disputed": 1, "no_gold": 1}
    assert {name: found[name] for name in ("allowed", "examples", "resolved", "unresolved", "unchecked")} == {
        "allowed": False, "examples": 67, "resolved": 64, "unresolved": 1, "unchecked": 1,
    }  # fmt: skip
    assert {name: split["examples"] for name, split in found["splits"].items()} == {
        "train": 53,
        "dev": 5,
        "test": 5,
    }
    assert [blocker["kind"] for blocker in found["blockers"]] == ["round-not-closed", "unresolved-examples"]


@pytest.mark.parametrize(
    ("field", "value"), [("dev", 1.5), ("test", -1), ("seed", -1), ("licence", " "), ("colour", "red")]
)
def test_unusable_options_are_named(
    client: FlaskClient,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
    owner: dict[str, str],
    field: str,
    value: Any,
) -> None:
    story = new_story()
    feed(engine, story.finished(2, 1))
    answer = release(client, story, owner, **{field: value})
    assert (answer.status_code, answer.get_json()["field"]) == (422, field)


def test_what_does_not_exist_is_not_found(client: FlaskClient, owner: dict[str, str]) -> None:
    nowhere = uuid4()
    paths = [f"rounds/{nowhere}/release/preview", f"datasets/{nowhere}", f"datasets/{nowhere}/card"]
    paths += [f"datasets/{nowhere}/files/data/train.parquet", f"rounds/{nowhere}/export"]
    assert {client.get(f"{API}/{path}", headers=owner).status_code for path in paths} == {404}

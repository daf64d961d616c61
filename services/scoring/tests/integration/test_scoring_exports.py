"""Exports: a round in progress for its owner, one's own work, and measurements under way."""

import io
import json
from collections.abc import Callable

import pyarrow.parquet as pq
from dynabench_common.testing import FixedClock, Issuer
from dynabench_common.work.retried_jobs import JobRunner
from flask.testing import FlaskClient
from google.protobuf import json_format
from scoring.service_layer.dependencies import Dependencies
from sqlalchemy import Engine

from services.scoring.tests.conftest import Story

NewStory = Callable[..., Story]
Feed = Callable[..., None]
API = "/api/scoring/v1"


def test_an_owner_exports_a_round_in_progress(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, owner: dict[str, str]
) -> None:
    """Pending and flagged examples are exported with their state, retracted ones without their text."""
    story = new_story()
    waiting, gone = (story.tried("negative", ["positive", ""], story.new_id()) for _ in range(2))
    flagged = story.confirmed(story.new_id())
    flagged.append(story.resolved(flagged[0], "flagged", version=9))
    feed(engine, [*story.collected(3, 1), waiting, gone, story.retracted(gone), *flagged])
    address = f"{API}/rounds/{story.round_id}/export"
    rows = [json.loads(line) for line in client.get(address, headers=owner).data.splitlines()]
    assert len(rows) == 6
    assert {row["split"] for row in rows} == {None}
    by_id = {row["id"]: row for row in rows}
    assert by_id[str(waiting.aggregate_id)]["label"] == "negative"
    assert by_id[str(flagged[0].aggregate_id)]["label"] is None
    withdrawn = by_id[str(gone.aggregate_id)]
    assert (withdrawn["retracted"], withdrawn["verdict"], withdrawn["fooled"]) == (True, "fooled", False)
    assert [withdrawn[name] for name in ("context", "input", "label", "claimed", "metadata")] == [
        {},
        {},
        None,
        None,
        {},
    ]
    assert withdrawn["targets"] == {"roberta": None, "deberta": None}
    assert [row["retracted"] for row in rows].count(False) == 5
    parquet = client.get(f"{address}?format=parquet", headers=owner)
    table = pq.read_table(io.BytesIO(parquet.data)).to_pylist()
    assert [(row["id"], row["retracted"]) for row in table] == [(row["id"], row["retracted"]) for row in rows]
    assert {row["author"] for row in table}.isdisjoint({row["author"] for row in rows})


def test_a_duplicate_names_the_example_that_fooled_and_counts_as_one_that_did_not(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, owner: dict[str, str]
) -> None:
    story = new_story()
    first, repeat, overruled = (story.tried("negative", ["positive", ""], story.new_id()) for _ in range(3))
    for each in (repeat, overruled):
        json_format.ParseDict({"duplicate_of": str(first.aggregate_id)}, each.message)
    feed(engine, [*story.opened(), story.overruled(overruled), first, repeat, overruled])
    address = f"{API}/rounds/{story.round_id}/export"
    rows = {row["id"]: row for row in map(json.loads, client.get(address, headers=owner).data.splitlines())}
    found = [rows[str(each.aggregate_id)] for each in (first, repeat, overruled)]
    assert [row["fooled"] for row in found] == [True, False, True]
    assert [row["duplicate_of"] for row in found] == [None, str(first.aggregate_id), None]
    parquet = client.get(f"{address}?format=parquet", headers=owner)
    table = pq.read_table(io.BytesIO(parquet.data)).to_pylist()
    assert [row["duplicate_of"] for row in table].count(str(first.aggregate_id)) == 1


def test_people_export_their_own_work_and_nobody_elses(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, issuer: Issuer
) -> None:
    story = new_story()
    ada, ben = story.new_id(), story.new_id()
    own, others = (
        story.tried("negative", ["positive", ""], ada),
        story.tried("neutral", ["positive", ""], ben),
    )
    vote, undone = story.voted(others, "neutral", 1, ada), story.voted(own, "neutral", 1, ben)
    taken_back = story.voted(others, "positive", 2, ada)
    feed(
        engine,
        [*story.opened(), own, others, vote, undone, taken_back, story.withdrawn(taken_back, 3),
         story.explained(own, "Plain.")],
    )  # fmt: skip
    answer = client.get(f"{API}/people/me/export", headers=issuer.headers(ada))
    lines = [json.loads(line) for line in answer.data.splitlines()]
    assert [(line["kind"], line["example_id"]) for line in lines] == [
        ("example", str(own.aggregate_id)),
        ("vote", str(others.aggregate_id)),
    ]
    assert (lines[0]["label_explanation"], lines[0]["task"], lines[1]["option"]) == (
        "Plain.",
        "sentiment",
        "neutral",
    )
    assert str(ben) not in answer.text
    assert client.get(f"{API}/people/me/export").status_code == 401


def test_an_answer_on_a_known_item_is_exported_like_a_vote_and_counted_nowhere(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, issuer: Issuer,
    owner: dict[str, str],
) -> None:  # fmt: skip
    story = new_story()
    ada, tried = story.new_id(), story.tried("neutral", ["positive", ""], story.new_id())
    votes = [story.voted(tried, "neutral", version, ada) for version in (1, 2, 3)]
    unknown = [story.tried("neutral", ["positive", ""], ada) for _ in range(2)]
    answers = [story.voted(each, "neutral", 1, ada) for each in unknown]
    first, gone = answers
    feed(engine, [*story.opened(), tried, votes[0], votes[2], story.known_item_answered(first, 1),
                  story.known_item_answered(gone, 1), story.known_item_answered(gone, 2, taken_back=True)])  # fmt: skip
    text = client.get(f"{API}/people/me/export", headers=issuer.headers(ada)).text
    lines = [json.loads(line) for line in text.splitlines()]
    assert [list(line) for line in lines] == [list(lines[0])] * 3
    assert [line["vote_id"] for line in lines] == sorted(line["vote_id"] for line in lines)
    (answered,) = (line for line in lines if line["example_id"] == str(first.aggregate_id))
    plain = lines[0]
    same = {"vote_id", "example_id", "context", "input"}
    assert {name: answered[name] for name in answered if name not in same} == {
        name: plain[name] for name in plain if name not in same
    }
    rows = client.get(f"{API}/rounds/{story.round_id}/export", headers=owner).text.splitlines()
    assert [json.loads(row)["id"] for row in rows] == [str(tried.aggregate_id)]


def test_a_round_in_progress_is_measured_when_asked(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, owner: dict[str, str],
    measurer: JobRunner[Dependencies], clock: FixedClock,
) -> None:  # fmt: skip
    story = new_story()
    feed(engine, story.collected(4, 2))
    address = f"{API}/rounds/{story.round_id}/measurements"
    assert client.get(address, headers=owner).status_code == 202
    assert measurer.turn()
    found = client.get(address, headers=owner)
    assert (found.status_code, found.get_json()["state"]) == (200, "done")
    assert found.get_json()["authors"]["people"] == 4
    assert not measurer.turn(), "a fresh measurement is not made again"
    clock.move(3_600)
    client.get(address, headers=owner)
    assert measurer.turn()


def test_a_target_that_was_not_asked_is_told_as_that_and_not_as_missing(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, owner: dict[str, str]
) -> None:
    story = new_story()
    unasked, missing = (story.tried("negative", ["negative", ""], story.new_id()) for _ in range(2))
    given = unasked.message.answers[1]  # type: ignore[attr-defined]
    given.missing_reason, given.not_asked = "not asked", True
    tiers = {"ensemble": "all", "tiers": [{"targets": ["roberta"]}]}
    feed(engine, [*story.collected(3, 1), story.configured(2, **tiers), unasked, missing])
    address = f"{API}/rounds/{story.round_id}/export"
    rows = [json.loads(line) for line in client.get(address, headers=owner).data.splitlines()]
    by_id = {row["id"]: row["targets_not_asked"] for row in rows}
    assert by_id.pop(str(unasked.aggregate_id)) == ["deberta"]
    assert {tuple(names) for names in by_id.values()} == {()}

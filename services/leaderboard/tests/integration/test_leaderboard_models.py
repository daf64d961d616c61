"""The board of a task's models, from events to the answer, in any order of arrival."""

import random
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_common.testing import Issuer
from flask.testing import FlaskClient
from leaderboard.adapters.snapshot import snapshot
from sqlalchemy import Engine

from services.leaderboard.tests.integration.conftest import Feed
from services.leaderboard.tests.integration.model_events import ITEMS, Models

BOARD = "/api/leaderboard/v1/tasks/sentiment/model-board"
PROPOSALS = "/api/leaderboard/v1/tasks/sentiment/target-proposals"


@pytest.fixture
def models() -> Models:
    return Models()


def rows(
    client: FlaskClient, query: str = "", headers: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    answer = client.get(f"{BOARD}{query}", headers=headers)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.get_json()["rows"]
    return found


def test_models_are_ranked_with_what_is_certain_of_it(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models
) -> None:
    one, two = uuid4(), uuid4()
    first = models.dataset("sentiment-round-1", round_number=1)
    feed(
        engine,
        [
            models.configured(),
            models.scored("base-a", None, first, 0.7, target_of_round=True),
            models.scored("base-b", None, first, 0.6, speed=2),
            models.scored("good", one, first, 0.9),
            models.scored("alike", two, first, 0.89),
            *models.published("good", one, submissions=3),
            *models.published("alike", two, anonymous=True),
        ],
    )
    found = rows(client)
    assert {row["model"] for row in found[:2]} == {"good", "alike"}
    assert [row["rank"] for row in found] == [1, 2, 3, 4]
    by_name = {row["model"]: row for row in found}
    good, alike = by_name["good"], by_name["alike"]
    assert good["tie_group"] == alike["tie_group"] == 1
    assert good["rank_set"][0] == alike["rank_set"][0] == 1
    assert good["interval"][0] < good["score"] < good["interval"][1]
    assert (good["submissions"], good["submitted_by"]) == (3, str(one))
    assert (alike["submissions"], alike["submitted_by"], alike["is_anonymous"]) == (0, None, True)
    assert by_name["base-a"]["target_of"] == [1]
    assert (by_name["base-b"]["is_baseline"], by_name["base-b"]["n"]) == (True, ITEMS)


def test_models_measured_elsewhere_are_on_a_board_of_their_own_and_never_proposed(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models
) -> None:
    first = models.dataset("set")
    feed(engine, [models.configured(), models.scored("base", None, first, 0.6)])
    before = client.get(BOARD).get_json()
    rates = {"theirs": 0.9, "others": 0.5}
    feed(
        engine,
        [models.scored(name, uuid4(), first, rate, external=True) for name, rate in rates.items()],
    )
    after = client.get(BOARD).get_json()
    assert (before["external_models"], after["external_models"]) == (0, 2)
    assert (after["digest"], after["rows"]) == (before["digest"], before["rows"])
    found = rows(client, "?external=true&weights=throughput:0,fairness:0,robustness:0")
    assert [(row["model"], row["external"], row["rank"]) for row in found] == [
        ("theirs", True, 1),
        ("others", True, 2),
    ]
    assert client.get(f"{BOARD}?external=true").get_json()["mode"] == "classic"
    assert "theirs" not in client.get(PROPOSALS).text


def test_whose_models_are_seen(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models, issuer: Issuer
) -> None:
    submitter = uuid4()
    first = models.dataset("set")
    feed(
        engine,
        [
            models.configured(),
            models.scored("base", None, first),
            models.scored("secret", submitter, first, 0.95),
        ],
    )
    assert [row["model"] for row in rows(client)] == ["base"]
    mine = rows(client, headers=issuer.headers(submitter, ["annotator"]))
    assert [(row["model"], row["is_mine"]) for row in mine] == [("secret", True), ("base", False)]
    owner = issuer.headers(uuid4(), ["annotator", "owner:sentiment"])
    assert len(rows(client, headers=owner)) == 2
    assert len(rows(client, headers=issuer.headers(uuid4(), ["annotator"]))) == 1


def test_a_model_without_a_needed_score_says_why(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models
) -> None:
    first, second = models.dataset("a-set"), models.dataset("b-set")
    people = [uuid4() for _ in range(3)]
    names = ["waits", "fails", "slow"]
    feed(
        engine,
        [
            models.configured(),
            *(models.scored("x", None, each) for each in (first, second)),
            *(models.scored("y", None, each, 0.6, speed=2) for each in (first, second)),
            models.scored("waits", people[0], first),
            models.waiting("waits", people[0], second),
            models.scored("fails", people[1], first),
            models.failed("fails", people[1], second, "The model did not answer."),
            models.scored("slow", people[2], first, without=["throughput"]),
            models.scored("slow", people[2], second, without=["throughput"]),
            *(
                event
                for name, person in zip(names, people, strict=True)
                for event in models.published(name, person)
            ),
        ],
    )
    reasons = {row["model"]: row["reason"] for row in rows(client) if row["rank"] is None}
    assert reasons == {
        "waits": "its evaluation on b-set is under way",
        "fails": "its evaluation on b-set failed, the platform's fault: The model did not answer.",
        "slow": "it has no throughput on a-set",
    }
    only = {row["model"]: row["rank"] for row in rows(client, "?weights=throughput:0&datasets=b-set:0")}
    assert None not in only.values()


def test_a_reader_weighs_for_themselves(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models
) -> None:
    first = models.dataset("set")
    feed(
        engine,
        [
            models.configured(),
            models.scored("exact", None, first, 0.9, speed=0.25),
            models.scored("middle", None, first, 0.7, speed=1),
            models.scored("fast", None, first, 0.5, speed=8),
        ],
    )
    assert [
        row["model"] for row in rows(client, "?weights=throughput:0,memory:0,fairness:0,robustness:0")
    ] == [
        "exact",
        "middle",
        "fast",
    ]
    fast = "?weights=performance:0.01,throughput:10,fairness:0,robustness:0"
    assert rows(client, fast)[0]["model"] == "fast"
    answer = client.get(BOARD).get_json()
    dimensions = {each["name"]: each for each in answer["dimensions"]}
    assert "twice the baseline's speed is worth" in dimensions["throughput"]["price_in_words"]
    assert dimensions["memory"]["note"] == "none of these datasets measures it, so it does not count"
    assert sum(each["share"] for each in answer["dimensions"]) == pytest.approx(1)
    assert client.get(f"{BOARD}?mode=classic").status_code == 200
    assert client.get(BOARD).get_json()["digest"] == answer["digest"]
    assert client.get(f"{BOARD}?gamma=0.8&weights=fairness:2").get_json()["digest"] != answer["digest"]


@pytest.mark.parametrize(
    "query",
    [
        "weights=performance:-1",
        "weights=performance:nan",
        "weights=performance:1e308",
        "weights=colour:1",
        "weights=performance",
        "weights=performance:0,throughput:0,latency:0,memory:0,fairness:0,robustness:0",
        "datasets=set:-2",
        "gamma=0",
        "gamma=nan",
        "mode=best",
    ],
)
def test_weights_that_mean_nothing_are_refused(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models, query: str
) -> None:
    feed(engine, [models.configured(), models.scored("base", None, models.dataset("set"))])
    answer = client.get(f"{BOARD}?{query}")
    assert answer.status_code == 422, answer.text
    assert "remedy" in answer.get_json() or answer.get_json()["errors"]


def test_boards_with_nothing_or_one_or_all_tied(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models
) -> None:
    assert client.get(BOARD).status_code == 404
    feed(engine, [models.configured()])
    assert client.get(BOARD).get_json()["rows"] == []
    first = models.dataset("set")
    feed(engine, [models.waiting("base", None, first)])
    (waiting,) = rows(client)
    assert (waiting["rank"], waiting["reason"]) == (None, "its evaluation on set is under way")
    feed(engine, [models.scored("base", None, first, 1.0)])
    (alone,) = rows(client)
    assert (alone["rank"], alone["rank_set"], alone["tie_group"]) == (1, [1, 1], 1)
    feed(engine, [models.scored("twin", None, first, 1.0)])
    tied = rows(client, "?weights=fairness:0,robustness:0")
    assert [row["rank_set"] for row in tied] == [[1, 2], [1, 2]]
    classic = client.get(f"{BOARD}?mode=classic").get_json()
    assert "all models have the same performance" in classic["problem"]
    assert {row["rank"] for row in classic["rows"]} == {None}


def test_a_new_version_of_a_dataset_takes_the_place_of_the_old_one(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models
) -> None:
    old, new = models.dataset("set"), models.dataset("set", version=2)
    feed(engine, [models.configured(), models.scored("base", None, old), models.waiting("base", None, new)])
    assert rows(client)[0]["rank"] is None
    feed(engine, [models.scored("base", None, new)])
    assert rows(client)[0]["rank"] == 1
    (shown,) = client.get(BOARD).get_json()["datasets"]
    assert shown["version"] == 2


def test_a_model_that_changed_under_its_name_starts_anew(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models
) -> None:
    first, second = models.dataset("a-set"), models.dataset("b-set")
    before = [models.scored(name, None, each) for name in ("base", "other") for each in (first, second)]
    feed(engine, [models.configured(), *before, models.scored("base", None, first, digest="sha256:new")])
    row = next(row for row in rows(client) if row["model"] == "base")
    assert row["rank"] is None
    assert row["model_digest"] == "sha256:new"


def test_of_hidden_datasets_only_scores_are_shown(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models
) -> None:
    hidden = models.dataset("set", access="hidden")
    feed(engine, [models.configured(), models.scored("base", None, hidden, constant_answer="neutral")])
    (row,) = rows(client)
    assert row["datasets"]["set"]["constant_answer"] is None
    assert row["is_constant"]
    secret = "What it said stays here."
    feed(engine, [models.failed("other", None, hidden, secret)])
    answer = client.get(BOARD).text
    assert "the platform's fault" in answer
    assert secret not in answer


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_arrival_makes_no_difference(
    engine: Engine, feed: Feed, seed: int, empty_database: Any
) -> None:
    models, person = Models(), UUID(int=9)
    first = models.dataset("set")
    events = [
        models.configured(),
        models.waiting("mine", person, first),
        models.scored("mine", person, first),
        models.scored("base", None, first),
        *models.published("mine", person),
    ]
    feed(engine, events)
    expected = snapshot(engine)
    empty_database(engine)
    shuffled = [*events, *events[:3]]
    random.Random(seed).shuffle(shuffled)
    for event in shuffled:
        feed(engine, [event])
    assert snapshot(engine) == expected


def test_who_holds_the_present_revision_is_told_so(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models
) -> None:
    feed(engine, [models.configured(), models.scored("base", None, models.dataset("set"))])
    tag = client.get(BOARD).headers["ETag"]
    assert client.get(BOARD, headers={"If-None-Match": tag}).status_code == 304
    feed(engine, [models.scored("other", None, models.dataset("set"))])
    assert client.get(BOARD, headers={"If-None-Match": tag}).status_code == 200


def test_a_model_trained_on_what_it_is_ranked_by_is_marked_and_no_target(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models
) -> None:
    one, first = uuid4(), models.dataset("sentiment-round-1", round_number=1)
    *sent, shown = models.published("learned", one)
    assert client.get(PROPOSALS).status_code == 404
    feed(engine, [models.configured()])
    assert client.get(PROPOSALS).get_json()["proposed"] == []
    feed(
        engine,
        [
            models.scored("base", None, first, 0.7),
            models.scored("learned", one, first, 0.95),
            *sent,
            shown,
            models.card(shown, ["sentiment-round-1, version 1"]),
        ],
    )
    marks = {row["model"]: row["datasets"]["sentiment-round-1"]["trained_on"] for row in rows(client)}
    assert marks == {"learned": True, "base": False}
    found = client.get(f"{PROPOSALS}?targets=2")
    assert [each["model"] for each in found.get_json()["proposed"]] == ["base"]
    (passed,) = found.get_json()["passed_over"]
    assert passed["reason"] == "it was trained on data that it is ranked by: sentiment-round-1"
    assert client.get(PROPOSALS, headers={"If-None-Match": found.headers["ETag"]}).status_code == 304
    feed(engine, [models.card(shown, ["sentiment-round-1, version 1: train"])])
    answer = client.get(PROPOSALS).get_json()
    assert [each["model"] for each in answer["proposed"]] == ["learned"]
    assert answer["proposed"][0]["trained_on"] == ["sentiment-round-1, version 1: train"]
    assert client.get(f"{PROPOSALS}?targets=0").status_code == 422

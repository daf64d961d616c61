"""The board of a task's models, from events to the answer, in any order of arrival."""

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from dynabench.model.v1 import model_pb2 as model
from dynabench.score.v1 import score_pb2 as score
from dynabench.task.v1 import task_pb2 as task
from dynabench_common.events import Event
from dynabench_common.testing import Issuer
from flask.testing import FlaskClient
from leaderboard.adapters.snapshot import snapshot
from sqlalchemy import Engine

from services.leaderboard.tests.conftest import SENTIMENT, START, Story
from services.leaderboard.tests.integration.conftest import Feed

BOARD = "/api/leaderboard/v1/tasks/sentiment/model-board"
ITEMS = 200
RATES = {"accuracy": 0.8, "macro_f1": 0.8, "fairness": 0.9, "robustness": 0.85}


class Models:
    """Makes events of models and their scores on datasets of a task."""

    def __init__(self, seed: int = 5) -> None:
        self.story = Story(seed)
        self.chance = np.random.default_rng(seed)
        self.datasets: dict[str, tuple[UUID, int]] = {}
        self.evaluations: dict[tuple[str, str], UUID] = {}

    def configured(self, metrics: Mapping[str, Any] | None = None) -> Event:
        document = {**SENTIMENT, "metrics": metrics or {"primary": "accuracy"}}
        message = task.TaskCreated(
            task_id=str(self.story.task_id),
            slug="sentiment",
            title="Sentiment",
            configuration_version=1,
            configuration_json=json.dumps(document),
            created_at=START,
        )
        return self.story.event(message, self.story.task_id, 1)

    def dataset(self, name: str, version: int = 1, round_number: int = 0, access: str = "open") -> Any:
        key = f"{name} {version}"
        dataset_id, _ = self.datasets.setdefault(key, (self.story.new_id(), 0))
        return score.EvaluatedDataset(
            dataset_id=str(dataset_id),
            name=name,
            version=version,
            digest="sha256:d",
            kind="round" if round_number else "static",
            round_id=str(UUID(int=round_number)) if round_number else "",
            round_number=round_number,
            access=access,
            items=ITEMS,
        )

    def parts(self, name: str, submitter: UUID | None, dataset: Any, digest: str = "") -> dict[str, Any]:
        key = (f"{name} {digest}", dataset.dataset_id)
        evaluation_id = self.evaluations.setdefault(key, self.story.new_id())
        return {
            "evaluation_id": str(evaluation_id),
            "task_slug": "sentiment",
            "model": score.EvaluatedModel(
                name=name,
                model_digest=digest or f"sha256:{name}",
                handler_digest="sha256:h",
                submitted_by="" if submitter is None else str(submitter),
            ),
            "dataset": dataset,
            "metric_version": 101,
        }

    def waiting(self, name: str, submitter: UUID | None, dataset: Any) -> Event:
        parts = self.parts(name, submitter, dataset)
        message = score.EvaluationRequested(**parts, requested_at=self.story.now)
        return self.story.event(message, UUID(parts["evaluation_id"]), 1)

    def failed(self, name: str, submitter: UUID | None, dataset: Any, reason: str) -> Event:
        parts = self.parts(name, submitter, dataset)
        message = score.EvaluationFailed(**parts, fault="ours", reason=reason, failed_at=self.story.now)
        return self.story.event(message, UUID(parts["evaluation_id"]), 2)

    def scored(
        self,
        name: str,
        submitter: UUID | None,
        dataset: Any,
        accuracy: float = 0.8,
        speed: float = 1.0,
        without: Sequence[str] = (),
        **more: Any,
    ) -> Event:
        parts = self.parts(name, submitter, dataset, more.pop("digest", ""))
        values, influences = [], []
        for metric, rate in {**RATES, "accuracy": accuracy, "macro_f1": accuracy}.items():
            right = (self.chance.random(ITEMS) < rate).astype(float)
            mean = float(right.mean())
            if metric in without:
                continue
            values.append(
                score.MetricValue(
                    metric=metric, value=100 * mean, n=ITEMS, low=100 * mean - 5, high=100 * mean + 5
                )
            )
            influences.append(
                score.Influence(metric=metric, values=((right - mean) / ITEMS).astype("<f4").tobytes())
            )
        for metric, ratio in (("throughput", speed), ("latency", 1 / speed)):
            if metric not in without:
                values.append(score.MetricValue(metric=metric, value=ratio, n=7, low=ratio, high=ratio))
        message = score.ScoreComputed(
            **parts, values=values, influences=influences, computed_at=self.story.now, **more
        )
        return self.story.event(message, UUID(parts["evaluation_id"]), 2)

    def published(
        self, name: str, submitter: UUID, *, anonymous: bool = False, submissions: int = 1
    ) -> list[Event]:
        events = []
        for number in range(1, submissions + 1):
            submission_id = self.story.new_id()
            submitted = model.ModelSubmitted(
                submission_id=str(submission_id), model_name=name, version=number, task_slug="sentiment",
                submitted_by=str(submitter), archive_digest="sha256:a", archive_bytes=1, submitted_at=START,
            )  # fmt: skip
            events.append(self.story.event(submitted, submission_id, 1))
        shown = model.ModelPublished(
            submission_id=str(submission_id), serving_name=name, task_slug="sentiment",
            submitted_by=str(submitter), anonymous=anonymous, published_at=START,
        )  # fmt: skip
        return [*events, self.story.event(shown, submission_id, 3)]


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
    assert dimensions["memory"]["note"] == "not measured for any model yet, so it does not count"
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
    assert (waiting["rank"], waiting["reason"]) == (None, "the task has no dataset to score on yet")
    feed(engine, [models.scored("base", None, first, 1.0)])
    (alone,) = rows(client)
    assert (alone["rank"], alone["rank_set"], alone["tie_group"]) == (1, [1, 1], 1)
    feed(engine, [models.scored("twin", None, first, 1.0)])
    tied = rows(client, "?weights=fairness:0,robustness:0")
    assert [row["rank_set"] for row in tied] == [[1, 2], [1, 2]]
    classic = client.get(f"{BOARD}?mode=classic").get_json()
    assert "no two models differ in performance" in classic["problem"]
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

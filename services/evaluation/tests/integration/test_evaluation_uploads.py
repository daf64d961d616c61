"""Datasets and predictions that people upload, and two models compared on them."""

import gzip
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import yaml
from dynabench_common.testing import Issuer
from evaluation.adapters.tables import evaluation_dataset
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from services.evaluation.tests.integration.test_evaluation_of_releases import Evaluating, evaluating, says
from services.scoring.tests.conftest import Story
from services.scoring.tests.integration.conftest import Feed

__all__ = ["evaluating"]
DATA = os.environ.get("DYNABENCH_DATA", "")
API = "/api/scoring/v1"
NLI = Path(__file__).parents[3] / "annotation" / "tasks" / "nli.yaml"
LABELS = {"e": "entailment", "n": "neutral", "c": "contradiction"}
TEXTS = ("I loved the ending.", "It rained on Monday.", "The soup was cold again.")
GOLDS = ("positive", "neutral", "negative")


def line(number: int, **changes: Any) -> Mapping[str, Any]:
    made = {
        "id": f"i{number}",
        "context": {"prompt": f"Prompt {number}."},
        "input": {"text": TEXTS[number % 3]},
        "label": GOLDS[number % 3],
    }
    return {name: value for name, value in {**made, **changes}.items() if value is not None}


def send(
    client: FlaskClient, path: str, lines: Sequence[Mapping[str, Any] | str], headers: Mapping[str, str]
) -> TestResponse:
    body = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines)
    return client.post(f"{API}{path}", data=body, content_type="application/x-ndjson", headers=headers)


def upload(
    client: FlaskClient,
    lines: Sequence[Mapping[str, Any] | str],
    headers: Mapping[str, str],
    name: str = "challenge",
    **query: str,
) -> TestResponse:
    rest = "".join(f"&{key}={value}" for key, value in query.items())
    return send(client, f"/tasks/sentiment/evaluation-datasets?name={name}{rest}", lines, headers)


@pytest.fixture
def made(client: FlaskClient, story: Story, owner: dict[str, str], evaluating: Evaluating) -> UUID:
    """Return a dataset of thirty items that is ready."""
    answer = upload(client, [line(number, tags=["odd"] if number % 2 else []) for number in range(30)], owner)
    assert answer.status_code == 201, answer.text
    evaluating.settle()
    return UUID(answer.get_json()["dataset_id"])


def test_an_uploaded_dataset_is_scored_by_served_models(
    client: FlaskClient, made: UUID, evaluating: Evaluating
) -> None:
    evaluating.models.add("neutral", says("neutral"))
    evaluating.settle()
    dataset = client.get(f"{API}/evaluation-datasets/{made}").get_json()
    assert (dataset["items"], dataset["clusters"], dataset["state"]) == (30, 30, "ready")
    assert sum(dataset["variants"].values()) == dataset["requests"] - 30
    (found,) = client.get(f"{API}/evaluations?dataset_id={made}").get_json()["items"]
    values = {value["metric"]: value for value in found["values"]}
    assert values["accuracy"]["value"] == pytest.approx(100 / 3)
    assert values["accuracy"]["low"] < 100 / 3 < values["accuracy"]["high"]
    assert found["constant_answer"] == "neutral"
    assert [slice_["n"] for slice_ in found["slices"]] == [15]


def test_the_same_items_are_the_same_version_and_others_the_next(
    client: FlaskClient, made: UUID, owner: dict[str, str]
) -> None:
    again = upload(
        client, [line(number, tags=["odd"] if number % 2 else []) for number in range(30)], owner
    ).get_json()
    assert (again["dataset_id"], again["version"]) == (str(made), 1)
    more = upload(client, [line(number) for number in range(31)], owner).get_json()
    assert more["version"] == 2


def test_every_line_that_is_wrong_is_named(client: FlaskClient, story: Story, owner: dict[str, str]) -> None:
    lines: list[Mapping[str, Any] | str] = [
        line(0),
        "{not json",
        line(2, label="angry"),
        line(0),
        line(4, input={"text": "x", "label": "neutral"}),
        line(5, label=None),
        line(6, colour="red"),
        '{"id": "n", "input": {"text": "x"}, "label": NaN}',
    ]
    answer = upload(client, lines, owner)
    assert answer.status_code == 422
    problem = answer.get_json()
    assert [(error["line"], error["field"]) for error in problem["errors"]] == [
        (2, "line"),
        (3, "label"),
        (4, "id"),
        (5, "input.label"),
        (6, "label"),
        (7, "colour"),
        (8, "line"),
    ]
    assert all(error["remedy"] for error in problem["errors"])
    assert client.get(f"{API}/evaluation-datasets").get_json()["items"] == []


def test_who_may_add_datasets_and_under_which_names(
    client: FlaskClient, story: Story, owner: dict[str, str], issuer: Issuer
) -> None:
    stranger = issuer.headers(uuid4(), ["annotator"])
    assert upload(client, [line(0)], stranger).status_code == 403
    assert (
        upload(client, [line(0)], owner, "sentiment-round-1")
        .get_json()["type"]
        .endswith("dataset-name-reserved")
    )
    assert upload(client, [line(0)], owner, "../x").get_json()["type"].endswith("name-unusable")
    assert upload(client, [line(0)], owner).status_code == 201
    other = issuer.headers(uuid4(), ["annotator", "owner:sentiment"])
    assert upload(client, [line(1)], other).get_json()["type"].endswith("dataset-name-taken")
    assert upload(client, ["", " "], owner, "empty").get_json()["errors"][0]["field"] == "file"


def test_predictions_are_scored_and_marked(
    client: FlaskClient, made: UUID, owner: dict[str, str], evaluating: Evaluating
) -> None:
    answers = [{"id": f"i{number}", "answer": GOLDS[number % 3]} for number in reversed(range(30))]
    path = f"/evaluation-datasets/{made}/predictions?model=mine"
    queued = send(client, path, answers, owner)
    assert queued.status_code == 202, queued.text
    evaluating.settle()
    found = client.get(f"{API}/evaluations/{queued.get_json()['evaluation_id']}").get_json()
    assert (found["state"], found["prediction_only"]) == ("done", True)
    values = {value["metric"]: value["value"] for value in found["values"]}
    assert values == {"accuracy": 100.0, "macro_f1": 100.0}
    again = send(client, path, answers, owner).get_json()
    assert again["evaluation_id"] == found["evaluation_id"]


def test_scores_and_figures_measured_elsewhere_are_taken_as_they_are_stated(
    client: FlaskClient, made: UUID, owner: dict[str, str], evaluating: Evaluating
) -> None:
    """Preferences from 1 to 2, as AlpacaEval has them: the win rate is their mean less 1."""
    path = f"/evaluation-datasets/{made}/predictions?model=theirs&lowest=1&highest=2"
    stated = "&throughput=20&memory=2&fairness=95.5&robustness=80"
    scores = [{"id": f"i{number}", "score": (1, 1.5, 2)[number % 3]} for number in range(30)]
    queued = send(client, path + stated, scores, owner)
    assert queued.status_code == 202, queued.text
    evaluating.models.add("mine", says("neutral"))
    evaluating.settle()
    found = client.get(f"{API}/evaluations/{queued.get_json()['evaluation_id']}").get_json()
    (value,) = found["values"]
    assert (value["metric"], value["value"], value["n"]) == ("accuracy", 50.0, 30)
    assert value["low"] < 50 < value["high"]
    assert found["external"]["are_scores"]
    assert {each["metric"]: (each["value"], each["unit"]) for each in found["external"]["figures"]} == {
        "throughput": (20, "examples/s"), "memory": (2, "GiB"), "fairness": (95.5, "%"), "robustness": (80, "%")
    }  # fmt: skip
    same = send(client, path + stated, scores, owner).get_json()["evaluation_id"]
    other = send(client, path, scores, owner).get_json()["evaluation_id"]
    assert (same == found["evaluation_id"], other == found["evaluation_id"]) == (True, False)
    compared = client.get(f"{API}/evaluation-datasets/{made}/comparison?first=mine&second=theirs")
    assert (compared.status_code, compared.get_json()["field"]) == (409, "second")
    shown = client.get(f"{API}/evaluation-datasets/{made}/item?id=i0").get_json()
    assert [each["model"] for each in shown["answers"]] == ["mine"]


@pytest.mark.parametrize(
    ("query", "first", "field"),
    [
        ("", {"score": 1.01}, "score"),
        ("", {"score": True}, "score"),
        ("", {"score": "0.5"}, "score"),
        ("", {"score": None}, "score"),
        ("", {"answer": "neutral"}, "score"),
        ("", {"score": 1, "answer": "neutral"}, "score"),
        ("&lowest=2", {"score": 1}, "highest"),
        ("&fairness=101", {"score": 1}, "fairness"),
        ("&memory=nan", {"score": 1}, "memory"),
    ],
)
def test_scores_that_do_not_fit_are_refused(
    client: FlaskClient, made: UUID, owner: dict[str, str], query: str, first: dict[str, Any], field: str
) -> None:
    whole = [{"id": "i0", **first}, *({"id": f"i{number}", "score": 0.5} for number in range(1, 30))]
    answer = send(client, f"/evaluation-datasets/{made}/predictions?model=theirs{query}", whole, owner)
    assert answer.status_code == 422
    problem = answer.get_json()
    named = [problem.get("field"), *(error["field"] for error in problem.get("errors", []))]
    assert any(each and each.endswith(field) for each in named), problem


def test_predictions_that_do_not_fit_are_refused(
    client: FlaskClient, made: UUID, owner: dict[str, str], issuer: Issuer
) -> None:
    path = f"/evaluation-datasets/{made}/predictions?model=mine"
    whole = [{"id": f"i{number}", "answer": "neutral"} for number in range(30)]
    missing = send(client, path, whole[:-1], owner).get_json()
    assert "i29" in missing["detail"]
    bad = send(
        client, path, [*whole, {"id": "i0", "answer": "neutral"}, {"id": "x", "answer": "neutral"}], owner
    )
    assert [error["line"] for error in bad.get_json()["errors"]] == [31, 32]
    assert send(client, path, [{**whole[0], "answer": None}, *whole[1:]], owner).status_code == 422
    assert send(client, path, ['{"id": "i0", "answer": NaN}', *whole[1:]], owner).status_code == 422
    assert send(client, path, whole, owner).status_code == 202
    other = issuer.headers(uuid4(), ["annotator"])
    assert send(client, path, whole, other).get_json()["type"].endswith("model-name-taken")


def test_of_a_hidden_dataset_only_scores_leave(
    client: FlaskClient, story: Story, owner: dict[str, str], evaluating: Evaluating, issuer: Issuer
) -> None:
    lines = [line(number, tags=["odd"]) for number in range(30)]
    dataset_id = upload(client, lines, owner, "secret", access="hidden").get_json()["dataset_id"]
    submitter = uuid4()
    evaluating.models.add("mine", says("neutral"), submitter)
    evaluating.models.add("yours", says("positive"), uuid4())
    evaluating.settle()
    mine = issuer.headers(submitter, ["annotator"])
    found = client.get(f"{API}/evaluations?dataset_id={dataset_id}&model=mine", headers=mine).get_json()
    (shown,) = found["items"]
    assert shown["values"]
    assert (shown["slices"], shown["failures"], shown["constant_answer"]) == ([], [], None)
    evaluation_id = shown["evaluation_id"]
    assert client.get(f"{API}/evaluations/{evaluation_id}/predictions", headers=mine).status_code == 404
    compared = client.get(
        f"{API}/evaluation-datasets/{dataset_id}/comparison?first=mine&second=yours", headers=mine
    ).get_json()
    assert (compared["only_first"], compared["only_second"]) == (10, 10)
    assert compared["items"] == compared["tags"] == []
    refused = send(
        client,
        f"/evaluation-datasets/{dataset_id}/predictions?model=offline",
        [{"id": "i0", "answer": "neutral"}],
        mine,
    )
    assert refused.get_json()["type"].endswith("dataset-not-open")


def test_who_may_run_again_and_cancel(
    client: FlaskClient, made: UUID, evaluating: Evaluating, issuer: Issuer, owner: dict[str, str]
) -> None:
    submitter = uuid4()
    evaluating.models.add("mine", says("neutral"), submitter)
    evaluating.planner.plan()
    (queued,) = client.get(f"{API}/evaluations").get_json()["items"]
    path = f"{API}/evaluations/{queued['evaluation_id']}"
    stranger, mine = issuer.headers(uuid4(), ["annotator"]), issuer.headers(submitter, ["annotator"])
    assert client.post(f"{path}/cancellation", headers=stranger).status_code == 403
    assert client.post(f"{path}/cancellation", headers=mine).get_json()["state"] == "cancelled"
    assert client.post(f"{path}/cancellation", headers=mine).status_code == 409
    evaluating.settle()
    assert client.get(path).get_json()["state"] == "cancelled"
    assert client.post(f"{path}/runs", headers=owner).get_json()["state"] == "queued"
    evaluating.settle()
    assert client.get(path).get_json()["state"] == "done"
    assert client.post(f"{path}/runs", headers=owner).status_code == 409


def test_a_dataset_with_one_label_has_no_macro_f1(
    client: FlaskClient, story: Story, owner: dict[str, str], evaluating: Evaluating
) -> None:
    answer = upload(client, [line(number, label="neutral") for number in range(9)], owner, "one-label")
    evaluating.models.add("neutral", says("neutral"))
    evaluating.settle()
    dataset_id = answer.get_json()["dataset_id"]
    (found,) = client.get(f"{API}/evaluations?dataset_id={dataset_id}").get_json()["items"]
    values = {value["metric"]: value["value"] for value in found["values"]}
    assert "macro_f1" not in values
    assert values["accuracy"] == 100.0


@pytest.mark.skipif(not DATA, reason="DYNABENCH_DATA names no data folder")
def test_recorded_predictions_on_anli_give_the_published_accuracies(
    client: FlaskClient, engine: Engine, new_story: Any, feed: Feed, evaluating: Evaluating, issuer: Issuer
) -> None:
    data = Path(DATA)
    story = new_story()
    configuration = yaml.safe_load(NLI.read_text())
    feed(engine, [story.configured(**configuration)])
    with gzip.open(data / "replay_anli_r1_dev.jsonl.gz", "rt") as lines:
        rows = [json.loads(each) for each in lines]
    owner = issuer.headers(uuid4(), ["annotator", "owner:sentiment"])
    items = [
        {
            "id": row["uid"],
            "context": {"premise": row["context"]},
            "input": {"hypothesis": row["statement"]},
            "label": LABELS[row["gold_label"]],
        }
        for row in rows
    ]
    added = upload(client, items, owner, "anli-r1-dev")
    assert added.status_code == 201, added.text
    evaluating.settle()
    dataset_id = added.get_json()["dataset_id"]
    oracle = json.loads((data / "oracle.json").read_text())["anli_r1_dev"]["accuracy_pct_by_model"]
    for name in oracle:
        answers = [{"id": row["uid"], "answer": LABELS[row[f"preds-{name}PredLabel"]]} for row in rows]
        path = f"/evaluation-datasets/{dataset_id}/predictions?model={name}"
        assert send(client, path, answers, owner).status_code == 202
    evaluating.settle()
    found = client.get(f"{API}/evaluations?dataset_id={dataset_id}&limit=100").get_json()["items"]
    accuracies = {
        one["model"]: next(value["value"] for value in one["values"] if value["metric"] == "accuracy")
        for one in found
    }
    assert accuracies == pytest.approx(oracle)


def test_a_version_that_comes_while_another_is_evaluated_takes_its_place(
    client: FlaskClient, made: UUID, owner: dict[str, str], evaluating: Evaluating, engine: Engine
) -> None:
    evaluating.models.add("neutral", says("neutral"))
    evaluating.planner.plan()
    upload(client, [line(number) for number in range(40)], owner)
    evaluating.settle()
    found = client.get(f"{API}/evaluations").get_json()["items"]
    assert {(one["dataset_version"], one["state"]) for one in found} == {(1, "done"), (2, "done")}
    assert len(evaluating.rows(evaluation_dataset)) == 2


def test_a_diagnostic_suite_is_told_test_by_test(
    client: FlaskClient, story: Story, owner: dict[str, str], evaluating: Evaluating
) -> None:
    words = [
        line(number, test="words", capability="Vocabulary", group=f"t{number % 5}") for number in range(30)
    ]
    typos = [line(30 + number, label=None, same_as=f"i{number}", test="typos") for number in range(6)]
    answer = upload(client, [*words, *typos], owner)
    assert answer.status_code == 201, answer.text
    evaluating.models.add("neutral", says("neutral"))
    evaluating.settle()
    dataset = client.get(f"{API}/evaluation-datasets/{answer.get_json()['dataset_id']}").get_json()
    assert (dataset["kind"], dataset["requests"], dataset["variants"]) == ("diagnostic", 36, {})
    (found,) = client.get(f"{API}/evaluations?dataset_id={dataset['dataset_id']}").get_json()["items"]
    (value,) = [each for each in found["values"] if each["metric"] == "accuracy"]
    assert (round(value["value"], 1), value["n"]) == (44.4, 36)
    assert not {"macro_f1", "fairness", "robustness"} & {each["metric"] for each in found["values"]}
    told = {each["test"]: each for each in found["tests"]}
    assert (told["words"]["test_type"], told["words"]["groups"]) == ("MFT", 5)
    assert told["words"]["low"] < told["words"]["value"] < told["words"]["high"]
    assert (told["typos"]["test_type"], told["typos"]["value"], told["typos"]["n"]) == ("INV", 100.0, 6)

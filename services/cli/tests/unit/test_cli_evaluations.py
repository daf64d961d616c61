"""Boards of models, evaluations and uploads, on the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from services.cli.tests.cli_evaluation_answers import DATASET, EVALUATION, EVALUATION_TOLD
from services.client.tests.stub_platform import StubPlatform, Told

Run = Callable[..., Result]


def tell(stub: StubPlatform) -> None:
    for method, path, body in EVALUATION_TOLD:
        stub.tell(method, path, body)


def test_a_tasks_models_are_ranked_under_given_weights(run: Run, stub: StubPlatform) -> None:
    tell(stub)
    result = run(
        "board", "--task", "sentiment", "--weights", "accuracy=1,throughput=0", "--gamma", "0.8", "--json"
    )
    assert result.exit_code == 0, result.stderr
    first, second = json.loads(result.stdout)["rows"]
    assert (first["rank"], first["rank_set"], second["rank"]) == (1, [1, 2], None)
    assert stub.requests[-1].query == "weights=accuracy%3D1%2Cthroughput%3D0&gamma=0.8"
    lines = run("board", "--task", "sentiment").stdout.splitlines()
    assert lines[0].startswith("1 (1-2)\tminilm-a-v3\t71.2 (67.8-74.4)")
    assert lines[1].endswith("its evaluation on challenge is under way")


def test_a_board_needs_a_task_or_a_verb(run: Run) -> None:
    assert run("board", "--gamma", "1").exit_code == 2


def test_an_uploaded_dataset_is_waited_for(run: Run, stub: StubPlatform, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"id": "1", "input": {"text": "x"}, "label": "neutral"}\n')
    stub.tell("POST", "/scoring/v1/tasks/sentiment/evaluation-datasets", {**DATASET, "state": "preparing"})
    stub.tell("GET", "/scoring/v1/evaluation-datasets/d1", DATASET)
    arguments = ("datasets", "upload", str(path), "--task", "sentiment", "--name", "challenge", "--json")
    assert json.loads(run(*arguments).stdout)["state"] == "ready"
    assert json.loads(run(*arguments, "--no-wait").stdout)["state"] == "preparing"


def test_every_line_that_is_refused_is_named(
    run: Run, stub: StubPlatform, tmp_path: Path, tell_problem: Callable[..., Told]
) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "1", "answer": "angry"}\n')
    error = {"line": 1, "field": "answer", "reason": "is 'angry'", "remedy": "Choose one of: neutral."}
    refused = tell_problem(422, "predictions-unusable", errors=[error], error_count=1)
    stub.tell("POST", "/scoring/v1/evaluation-datasets/d1/predictions", refused)
    result = run("predictions", "upload", str(path), "--model", "mine", "--dataset", "d1")
    assert result.exit_code == 1
    assert f"{path}:1: answer is 'angry'. Choose one of: neutral." in result.stderr


def test_predictions_are_shown_with_their_score(run: Run, stub: StubPlatform, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "1", "answer": "neutral"}\n')
    stub.tell("POST", "/scoring/v1/evaluation-datasets/d1/predictions", {**EVALUATION, "state": "queued"})
    stub.tell("GET", "/scoring/v1/evaluations/v1", EVALUATION)
    result = run("predictions", "upload", str(path), "--model", "mine", "--dataset", "d1")
    assert "accuracy 71.2 (67.8-74.4) of 720" in result.stdout


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({"state": "queued", "place": 2}, "queued 0/9, number 2 in the queue"),
        ({"state": "running", "shards_done": 3, "seconds_left": 130.0}, "running 3/9, about 2 min"),
        (
            {"state": "running", "seconds_left": 0.2, "waits_for": "its model"},
            "running 0/9, about 1 s, its model",
        ),
        ({"state": "failed", "reason": "no answer"}, "failed: no answer"),
    ],
)
def test_the_state_of_an_evaluation_names_its_place_and_time_left(
    run: Run, stub: StubPlatform, tmp_path: Path, changes: dict[str, object], state: str
) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "1", "answer": "neutral"}\n')
    stub.tell("POST", "/scoring/v1/evaluation-datasets/d1/predictions", {**EVALUATION, **changes})
    result = run("predictions", "upload", str(path), "--model", "mine", "--dataset", "d1", "--no-wait")
    assert f"state\t{state}" in result.stdout.splitlines()


def test_scores_and_figures_measured_elsewhere_are_sent_and_shown(
    run: Run, stub: StubPlatform, tmp_path: Path
) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text('{"id": "1", "score": 1.5}\n')
    stated = {"are_scores": True, "figures": [{"metric": "memory", "value": 2.5, "unit": "GiB"}]}
    stub.tell("POST", "/scoring/v1/evaluation-datasets/d1/predictions", {**EVALUATION, "external": stated})
    named = ("--model", "theirs", "--dataset", "d1", "--lowest", "1", "--highest", "2", "--memory", "2.5")
    result = run("predictions", "upload", str(path), *named)
    assert "memory, measured elsewhere\t2.5 GiB" in result.stdout


def test_a_comparison_is_told_in_words(run: Run, stub: StubPlatform) -> None:
    tell(stub)
    shown = dict(line.split("\t") for line in run("compare", "a", "b", "--dataset", "d1").stdout.splitlines())
    assert shown["only a right"] == "40"
    assert shown["difference"] == "+0.0 points (+0.5 to +5.0)"
    assert shown["macro_f1"] == "70.5 against 66.0: +4.5 points (+1.0 to +8.0), p 0.02 (Holm)"
    assert shown["accuracy"].endswith("(no interval: 2 contexts)")


def test_a_board_as_a_table_and_frozen(run: Run, stub: StubPlatform) -> None:
    tell(stub)
    assert r"\begin{tabular}" in run("board", "--task", "sentiment", "--latex").stdout
    assert "sha-256" in run("board", "--task", "sentiment", "--snapshot").stdout

"""`dynabench models predict`: instances of one field and of several, answers of every type."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from services.client.tests.stub_platform import StubPlatform, Told

PATH = "/gateway/v1/models/m:predict"
Run = Callable[..., Result]


def test_texts_to_predict_come_from_lines_of_standard_input_too(
    run: Run, stub: StubPlatform, told: type[Told]
) -> None:
    def predict(request: Any) -> Any:
        one = {"label": "positive", "probabilities": {"positive": 0.9}}
        return told({"predictions": [one for _ in request.body["instances"]]})

    stub.tell("GET", "/gateway/v1/models/m", {"name": "m"})
    stub.tell("POST", PATH, predict)
    lines = "\n".join(f"text {number}" for number in range(20)) + "\n\n"
    result = run("models", "predict", "m", "--json", input=lines)
    items = json.loads(result.stdout)["items"]
    assert [item["instance"] for item in items] == [{"text": f"text {number}"} for number in range(20)]
    first, second = stub.seen("POST", PATH)
    assert first.headers["prefer"] == second.headers["prefer"] == "wait=30"


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
@pytest.mark.parametrize(("start", "end"), [("", "\n"), ("\ufeff", "\r\n")])
@pytest.mark.parametrize("is_file", [True, False])
def test_only_line_feeds_end_the_lines_of_a_file(
    run: Run, stub: StubPlatform, tmp_path: Path, separator: str, start: str, end: str, is_file: bool
) -> None:
    stub.tell("GET", "/gateway/v1/models/m", {"name": "m", "fields": ["text"]})
    answer = {"label": "a", "probabilities": {"a": 1.0}}
    stub.tell("POST", PATH, {"predictions": [answer, answer]})
    given = f"{start}one{separator}still one{end}{end}two{end}"
    file = tmp_path / "texts.txt"
    file.write_bytes(given.encode())
    options = ("--file", str(file)) if is_file else ()
    result = run("models", "predict", "m", "--json", *options, **({} if is_file else {"input": given}))
    assert result.exit_code == 0, result.stderr
    [request] = stub.seen("POST", PATH)
    assert request.body["instances"] == [{"text": f"one{separator}still one"}, {"text": "two"}]


@pytest.mark.parametrize(
    ("prediction", "columns"),
    [
        ({"label": "neutral", "probabilities": {"neutral": 0.5}}, ["neutral", "0.5"]),
        ({"labels": ["economy", "sport"], "probabilities": {"economy": 0.9}}, ["economy, sport", "–"]),
        ({"start": 3, "end": 8, "text": "Turin", "probability": 0.25}, ["“Turin” [3, 8)", "0.25"]),
        ({"error": {"type": "x", "detail": "too long"}}, ["no answer: too long", "–"]),
    ],
)
def test_every_type_of_answer_is_shown(
    run: Run, stub: StubPlatform, prediction: Any, columns: list[str]
) -> None:
    stub.tell("GET", "/gateway/v1/models/m", {"name": "m", "fields": ["title", "text"]})
    stub.tell("POST", PATH, {"predictions": [prediction]})
    result = run("models", "predict", "m", '{"title": "A", "text": "B"}')
    assert result.stdout.splitlines() == ["\t".join([*columns, "A, B"])]
    assert stub.requests[-1].body == {"instances": [{"title": "A", "text": "B"}]}


@pytest.mark.parametrize(
    "text", ["words", "[1]", '{"title": "A"}', '{"title": "A", "text": "B", "more": "C"}']
)
def test_what_is_no_instance_of_the_model_is_refused(run: Run, stub: StubPlatform, text: str) -> None:
    stub.tell("GET", "/gateway/v1/models/m", {"name": "m", "fields": ["title", "text"]})
    result = run("models", "predict", "m", text)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines()[-1] == 'Write {"title": "…", "text": "…"}.'
    assert stub.seen("POST", PATH) == []

"""Values on the command line: how they are given, and how they are shown."""

from collections.abc import Callable

import pytest
from dynabench_client.cli.session import InputError
from dynabench_client.cli.values import find_spans, read_values, shown
from typer.testing import Result

from services.client.tests.client_answers import EXAMPLE
from services.client.tests.conftest import StubPlatform

SPAN = {"start": 3, "end": 6, "text": "owl"}
CREATE = "/annotation/v1/rounds/r1/examples"
Run = Callable[..., Result]


@pytest.mark.parametrize(
    ("pair", "value"),
    [
        ("text=a=b", "a=b"),
        ("text=", ""),
        ("text=:=", ":="),
        ('topics:=["economy","sport"]', ["economy", "sport"]),
        ('answer:={"start":3,"end":6,"text":"owl"}', SPAN),
        ('text:="1"', "1"),
    ],
)
def test_a_value_is_text_or_json(pair: str, value: object) -> None:
    name = pair.partition("=")[0].rstrip(":")
    assert read_values([pair], "--input") == {name: value}


@pytest.mark.parametrize("pair", ["nameless", "=x", ":=1", "topics:=[", "n:=1", "n:=null"])
def test_what_is_no_value_is_refused(pair: str) -> None:
    with pytest.raises(InputError):
        read_values([pair], "--input")


def test_a_span_counts_code_points_of_the_text_that_holds_it() -> None:
    texts = ["no bird", "🦉e\u0301 an owl", {"image_id": "i1"}]
    assert find_spans(["answer=an owl"], texts) == {"answer": {"start": 4, "end": 10, "text": "an owl"}}


@pytest.mark.parametrize("words", ["missing", "an", ""])
def test_words_that_do_not_stand_once_are_no_span(words: str) -> None:
    with pytest.raises(InputError, match="times in the texts"):
        find_spans([f"answer={words}"], ["an owl, an elk"])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("positive", "positive"),
        (["a", "b"], ["a", "b"]),
        (SPAN, "“owl” [3, 6)"),
        ({"image_id": "i1", "alt": "an owl"}, "image i1: an owl"),
        (None, None),
    ],
)
def test_values_are_shown_as_people_read_them(value: object, text: object) -> None:
    assert shown(value) == text


def test_a_try_carries_spans_metadata_and_what_it_perturbs(run: Run, stub: StubPlatform) -> None:
    context = {"context_id": "c1", "fields": {"passage": "🦉 the owl"}}
    stub.tell("POST", "/annotation/v1/rounds/r1/assignments", {"context": context})
    answers = [
        {"target": "m", "value": {"start": 2, "end": 5, "text": "the"}, "confidence": 0.4, "wrong": None}
    ]
    told = {
        **EXAMPLE,
        "input": {"question": "Who?"},
        "claimed": SPAN,
        "verdict": "undecided",
        "answers": answers,
    }
    stub.tell("POST", CREATE, told)
    result = run(
        *["examples", "create", "r1", "--input", "question=Who?", "--span", "answer=owl"],
        *["--metadata", "topic=birds", "--perturbs", "e0"],
    )
    assert result.exit_code == 0, result.stderr
    lines = dict(line.split("\t") for line in result.stdout.splitlines())
    assert (lines["claimed"], lines["m"]) == ("“owl” [3, 6)", "“the” [2, 5) 40 %")
    assert stub.seen("POST", CREATE)[0].body == {
        "context_id": "c1",
        "input": {"question": "Who?", "answer": {"start": 6, "end": 9, "text": "owl"}},
        "metadata": {"topic": "birds"},
        "perturbation_of": "e0",
    }


def test_a_decision_may_name_no_target(run: Run, stub: StubPlatform) -> None:
    stub.tell("PUT", "/annotation/v1/examples/e1/decision", EXAMPLE)
    assert run("examples", "decide", "e1").exit_code == 0
    assert run("examples", "decide", "e1", "--wrong", "a", "--wrong", "b").exit_code == 0
    sent = [request.body for request in stub.seen("PUT", "/annotation/v1/examples/e1/decision")]
    assert sent == [{"wrong_targets": []}, {"wrong_targets": ["a", "b"]}]

"""The text that a harvest keeps, with a gateway whose answers the test sets."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from annotation.domain.errors import PredictionFailed, TargetRefusesInput
from annotation.domain.provenance import Pseudonyms
from annotation.domain.record import ExampleRecord, RecordReader
from annotation.domain.target import Prediction, TargetDescription
from annotation.domain.verdict import TargetAnswer
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.harvest import ask_about, is_kept
from annotation.service_layer.predictions import Undecidable
from annotation.service_layer.record_batch import Batch, RecordsUnusable, read_batch
from dynabench_common.testing import FixedClock
from dynabench_tasks.configuration.yaml_text import read_configuration
from dynabench_tasks.json_lines import Line

CONFIGURATION = read_configuration((Path(__file__).parents[1] / "sentiment.yaml").read_text())
SURE = {"negative": 0.05, "neutral": 0.05, "positive": 0.9}
UNSURE = {"negative": 0.35, "neutral": 0.2, "positive": 0.45}
Answers = dict[str | tuple[str, str], dict[str, Any] | Exception]
UNUSED: Any = None
"""Placeholder for dependencies that a harvest does not use."""


class FakeGateway:
    """Fake gateway with a preset answer for each target and text; it raises an answer that is an exception."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.asked: list[tuple[str, str]] = []

    def predict(self, target: str, instance: Mapping[str, str], timeout_seconds: float) -> Prediction:
        self.asked.append((target, instance["text"]))
        answer = self.answers.get((target, instance["text"])) or self.answers[target]
        if isinstance(answer, Exception):
            raise answer
        return Prediction(answer, "sha256:m", "sha256:h")

    def describe_all(self) -> Sequence[TargetDescription]:
        raise AssertionError("a harvest asks for predictions alone")

    def describe(self, target: str) -> TargetDescription:
        raise AssertionError("a harvest asks for predictions alone")

    def explain(
        self, target: str, instance: Mapping[str, Any], label: str | None, n_steps: int | None
    ) -> Mapping[str, Any]:
        raise AssertionError("a harvest asks for predictions alone")


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as executor:
        yield executor


def positive(probabilities: dict[str, float] | None = None) -> dict[str, Any]:
    return {"label": "positive", **({"probabilities": probabilities} if probabilities else {})}


def batch(*lines: tuple[str, dict[str, Any]]) -> Batch:
    reader = RecordReader(CONFIGURATION, ("alpha", "beta"), Pseudonyms(b"k"), datetime.now(UTC))
    documents = [
        {"id": text, "context": {"prompt": "P"}, "input": {"text": text}, **more} for text, more in lines
    ]
    return read_batch([Line(n, each) for n, each in enumerate(documents, 1)], reader.read_harvest)


def ask(
    threads: ThreadPoolExecutor,
    answers: Answers,
    *lines: tuple[str, dict[str, Any]],
    margin_below: float = 0.2,
    targets: tuple[str, ...] = ("alpha",),
) -> tuple[dict[int, ExampleRecord], FakeGateway]:
    gateway = FakeGateway(answers)
    app = Dependencies(
        unit_of_work=UNUSED,
        gateway=gateway,
        prediction_threads=threads,
        prediction_deadline_seconds=20.0,
        clock=FixedClock(),
        draw=UNUSED,
        objects=UNUSED,
        passed_over_per_hour=1,
        engine=UNUSED,
        verifier=UNUSED,
    )
    return ask_about(batch(*lines), targets, CONFIGURATION, margin_below, app), gateway


@pytest.mark.parametrize(
    ("label", "probabilities", "margin_below", "verdict", "kept"),
    [
        # What a target gets wrong is kept, however sure it was.
        ("negative", SURE, 0.0, "fooled", True),
        ("negative", None, 0.0, "fooled", True),
        # What it gets right only if another label was near.
        ("positive", SURE, 0.2, "not_fooled", False),
        ("positive", UNSURE, 0.2, "not_fooled", True),
        ("positive", UNSURE, 0.05, "not_fooled", False),
        ("positive", None, 1.0, "not_fooled", False),
        # Without a label nothing is wrong.
        (None, SURE, 0.2, "unknown", False),
        (None, UNSURE, 0.2, "unknown", True),
    ],
)
def test_text_is_kept_if_a_target_is_wrong_or_unsure(
    threads: ThreadPoolExecutor,
    label: str | None,
    probabilities: dict[str, float] | None,
    margin_below: float,
    verdict: str,
    kept: bool,
) -> None:
    answered, _ = ask(
        threads, {"alpha": positive(probabilities)}, ("So.", {"label": label}), margin_below=margin_below
    )
    assert answered[1].verdict == verdict
    assert is_kept(answered[1], margin_below) is kept


def test_the_least_sure_of_several_targets_counts_and_any_may_be_wrong(threads: ThreadPoolExecutor) -> None:
    answers: Answers = {"alpha": positive(SURE), "beta": positive(UNSURE)}
    answered, _ = ask(threads, answers, ("So.", {}), targets=("alpha", "beta"))
    assert is_kept(answered[1], 0.2)
    assert [answer.target for answer in answered[1].answers] == ["alpha", "beta"]
    first = answered[1].answers[0]
    assert isinstance(first, TargetAnswer)
    assert first.model_digest == "sha256:m"


def test_more_text_than_may_be_under_way_is_asked_about_once_and_in_order(
    threads: ThreadPoolExecutor,
) -> None:
    lines = [(f"Text {number}.", {"label": "positive"}) for number in range(21)]
    answered, gateway = ask(threads, {"alpha": positive(SURE)}, *lines)
    assert [*answered] == list(range(1, 22))
    assert sorted(text for _, text in gateway.asked) == sorted(text for text, _ in lines)


@pytest.mark.parametrize(
    ("label", "answers", "is_decided"),
    [
        # One wrong target fools, whatever the other would have said.
        ("negative", {"alpha": positive(SURE), "beta": PredictionFailed("late", 7)}, True),
        ("positive", {"alpha": positive(SURE), "beta": PredictionFailed("late", 7)}, False),
        # Nothing claimed: what is missing matters unless another target is unsure already.
        (None, {"alpha": positive(UNSURE), "beta": PredictionFailed("late", 7)}, True),
        (None, {"alpha": positive(SURE), "beta": PredictionFailed("late", 7)}, False),
        (None, {"alpha": PredictionFailed("late"), "beta": PredictionFailed("late", 7)}, False),
    ],
)
def test_missing_answers_that_matter_leave_it_open(
    threads: ThreadPoolExecutor, label: str | None, answers: Answers, is_decided: bool
) -> None:
    if is_decided:
        answered, _ = ask(threads, answers, ("So.", {"label": label}), targets=("alpha", "beta"))
        assert is_kept(answered[1], 0.2)
        return
    with pytest.raises(Undecidable) as caught:
        ask(threads, answers, ("So.", {"label": label}), targets=("alpha", "beta"))
    assert caught.value.retry_after_seconds == 7


def test_text_that_a_target_will_never_take_is_named_by_its_line(threads: ThreadPoolExecutor) -> None:
    answers: Answers = {
        "alpha": positive(SURE),
        ("alpha", "Long."): TargetRefusesInput("alpha", "it is too long"),
        ("alpha", "Odd."): TargetRefusesInput("alpha", "it is odd"),
    }
    with pytest.raises(RecordsUnusable) as caught:
        ask(threads, answers, ("Short.", {}), ("Long.", {}), ("Odd.", {}))
    assert [(each.line, each.field, each.reason) for each in caught.value.errors] == [
        (2, "input", "is refused by target alpha: it is too long"),
        (3, "input", "is refused by target alpha: it is odd"),
    ]

"""Explanations: they add up, they point at the right characters, and every figure is finite."""

import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from model_archives.handlers.explanation_options import ExplanationOptions, explanation_options
from model_archives.handlers.text_classification import TextClassificationHandler
from model_archives.handlers.wire import RequestError

Explain = Callable[..., Any]


@pytest.fixture(scope="module")
def explain(sentiment_folder: Path) -> Iterator[Explain]:
    niceness, lowered = os.nice, list[int]()
    threads = torch.get_num_threads()

    def lower(increment: int) -> int:
        lowered.append(increment)
        return increment

    os.nice = lower  # lowering the priority of the test run cannot be undone
    try:
        handler = TextClassificationHandler()
        handler.initialize(_context(sentiment_folder))
    finally:
        os.nice = niceness
    assert lowered == [10]
    yield lambda instances, **parameters: _explanations(handler, sentiment_folder, instances, parameters)
    torch.set_num_threads(threads)


def _context(folder: Path) -> SimpleNamespace:
    return SimpleNamespace(
        model_name="sentiment-minilm-explain",
        system_properties={"model_dir": str(folder)},
        set_response_status=lambda code, phrase, idx: None,
        set_response_content_type=lambda idx, value: None,
    )


def _explanations(
    handler: TextClassificationHandler, folder: Path, instances: Sequence[object], parameters: dict[str, Any]
) -> Any:
    body = {"instances": instances, "parameters": parameters}
    return json.loads(handler.handle([{"body": body}], _context(folder))[0])


@pytest.mark.parametrize("label", ["negative", "neutral", "positive"])
def test_weights_add_up_to_the_change_in_log_odds(explain: Explain, label: str) -> None:
    text = "The plot is thin, but I have rarely laughed so much."
    explanation = explain([{"text": text, "label": label}], n_steps=80)["explanations"][0]
    total = sum(token["weight"] for token in explanation["tokens"])
    assert explanation["label"] == label
    assert total == pytest.approx(explanation["difference"] + explanation["convergence_delta"], abs=1e-4)
    assert abs(explanation["convergence_delta"]) <= 0.01 * abs(explanation["difference"]) + 1e-3


def test_steps_double_until_the_delta_is_within_tolerance(explain: Explain) -> None:
    for text in ("Great!", "Nobody could call this dull, whatever else it is.", "Not good. " * 20):
        explanation = explain([{"text": text}])["explanations"][0]
        within = abs(explanation["convergence_delta"]) <= 0.05 * abs(explanation["difference"])
        assert within or explanation["n_steps"] == 160
        assert explanation["n_steps"] in (20, 40, 80, 160)


def test_a_given_number_of_steps_is_kept(explain: Explain) -> None:
    assert explain([{"text": "Great!"}], n_steps=3)["explanations"][0]["n_steps"] == 3


@pytest.mark.parametrize(
    "text",
    ["I ❤️ it 😂👍🏽", "cafe\u0301 à la carte", "この映画は退屈", "x\ud83dy", "<b>bold</b>", "a\x07b", "\x01"],
)
def test_tokens_are_slices_in_code_points(explain: Explain, text: str) -> None:
    explanation = explain([{"text": text}], n_steps=2)["explanations"][0]
    tokens = explanation["tokens"]
    assert all(token["text"] == text[token["start"] : token["end"]] for token in tokens)
    assert [token["start"] for token in tokens] == sorted({token["start"] for token in tokens})
    numbers = [
        explanation["convergence_delta"],
        explanation["probability"],
        *(token["weight"] for token in tokens),
    ]
    assert all(math.isfinite(number) for number in numbers)


def test_an_emoji_is_one_token(explain: Explain) -> None:
    tokens = explain([{"text": "So 😂 much"}], n_steps=2)["explanations"][0]["tokens"]
    assert [(token["text"], token["start"], token["end"]) for token in tokens] == [
        ("So", 0, 2),
        ("😂", 3, 4),
        ("much", 5, 9),
    ]


def test_a_bad_instance_has_an_error_in_its_place(explain: Explain) -> None:
    unknown, not_a_name = {"text": "Great!", "label": "joyful"}, {"text": "Great!", "label": ["positive"]}
    instances = [unknown, {"text": ""}, not_a_name, {"text": "Great!"}]
    explanations = explain(instances, n_steps=2)["explanations"]
    kinds = [entry.get("label") or entry["error"]["type"] for entry in explanations]
    assert kinds == ["unknown_label", "empty_text", "unknown_label", "positive"]


def test_defaults_may_be_spelled_out() -> None:
    spelled_out = {
        "method": "layer_integrated_gradients",
        "n_steps": None,
        "baseline": "pad",
        "tolerance": 0.05,
    }
    assert explanation_options(spelled_out) == explanation_options({}) == ExplanationOptions()


@pytest.mark.parametrize(
    "parameters",
    [
        {"method": "lime"},
        {"baseline": "zero"},
        {"n_steps": 0},
        {"n_steps": 161},
        {"n_steps": True},
        {"n_steps": "20"},
        {"n_steps": 2.5},
        {"tolerance": 0},
        {"tolerance": 1.5},
        {"tolerance": "x"},
        {"tolerance": float("nan")},
        {"steps": 20},
    ],
)
def test_unusable_parameters_are_named(parameters: dict[str, Any]) -> None:
    with pytest.raises(RequestError) as refused:
        explanation_options(parameters)
    assert next(iter(parameters)) in refused.value.detail

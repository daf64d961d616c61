"""Predictions of the sentiment archive, called in process the way TorchServe calls it."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import torch
from model_archives.handlers.networks import load_network
from model_archives.handlers.serving import answer_together
from model_archives.handlers.text_classification import TextClassificationHandler
from model_archives.handlers.tokenisation import TextTokenizer, declared_reading
from model_archives.handlers.wire import InstanceError
from model_archives.probes import probe_texts
from model_archives.task_types import TASK_TYPES

# Besides the probes that packaging checks: texts that packaging has not seen.
OTHER_TEXTS = [
    f"{opening} {subject} {middle} {ending}"
    for opening in ("Honestly,", "My sister says", "Well,", "I read that", "Frankly 😐,")
    for subject in ("the bus driver", "this lamp", "the second season", "that pizza 🍕")
    for middle in ("isn't what I'd call", "turned out to be", "used to be")
    for ending in ("a treat.", "rubbish!", "on the corner of Elm Street.", "better than the old one, sadly.")
]


@dataclass
class RecordingContext:
    """The part of TorchServe's context that a handler touches, recording its arguments."""

    folder: Path
    model_name: str = "sentiment-minilm"
    statuses: dict[int, int] = field(default_factory=dict)

    @property
    def system_properties(self) -> dict[str, Any]:
        return {"model_dir": str(self.folder)}

    def set_response_status(self, code: int, phrase: str, idx: int) -> None:
        self.statuses[idx] = code

    def set_response_content_type(self, idx: int, value: str) -> None:
        assert value == "application/json"


@pytest.fixture(scope="module")
def context(sentiment_folder: Path) -> RecordingContext:
    return RecordingContext(sentiment_folder)


@pytest.fixture(scope="module")
def handler(context: RecordingContext) -> TextClassificationHandler:
    loaded = TextClassificationHandler()
    loaded.initialize(context)
    return loaded


def predict(
    handler: TextClassificationHandler, context: RecordingContext, texts: Sequence[str]
) -> list[dict[str, Any]]:
    body = {"instances": [{"text": text} for text in texts]}
    found: list[dict[str, Any]] = json.loads(handler.handle([{"body": body}], context)[0])["predictions"]
    return found


def test_onnx_labels_equal_pytorch_labels(
    handler: TextClassificationHandler, context: RecordingContext, sentiment_folder: Path
) -> None:
    texts = [*probe_texts(), *OTHER_TEXTS]
    assert len(texts) >= 300
    model = load_network(sentiment_folder)
    tokenizer = TextTokenizer(declared_reading(sentiment_folder), handler.description.max_tokens)
    labels = handler.description.labels
    predictions = predict(handler, context, texts[:200]) + predict(handler, context, texts[200:])
    for text, prediction in zip(texts, predictions, strict=True):
        encoded = tokenizer.encode(text)
        with torch.inference_mode():
            mask = torch.ones(1, len(encoded))
            logits = model(torch.tensor([encoded.ids]), mask, torch.tensor([encoded.type_ids]))[0]
        assert prediction["label"] == labels[int(logits.argmax())], text
        expected = logits.softmax(dim=0).tolist()
        assert list(prediction["probabilities"].values()) == pytest.approx(expected, abs=1e-4)


def test_a_batch_answers_as_singles_do(handler: TextClassificationHandler, context: RecordingContext) -> None:
    texts = [*OTHER_TEXTS[:40], "ok", "word " * 150]
    together = predict(handler, context, texts)
    alone = [predict(handler, context, [text])[0] for text in texts]
    for one, other in zip(together, alone, strict=True):
        assert one["label"] == other["label"]
        assert one["probabilities"] == pytest.approx(other["probabilities"], abs=2e-6)


def test_requests_of_one_torchserve_batch_keep_their_answers(
    handler: TextClassificationHandler, context: RecordingContext
) -> None:
    bodies = [{"instances": [{"text": "Awful."}]}, {"instances": []}, {"instances": [{"text": "Great!"}, {}]}]
    rows = [{"body": body} for body in bodies] + [{"data": b'{"instances": [{"text": "Great!"}]}'}, {}]
    answers = [json.loads(answer) for answer in handler.handle(rows, context)]
    assert answers[0]["predictions"][0]["label"] == "negative"
    assert answers[1]["error"]["type"] == "invalid_request"
    assert [entry.get("label") for entry in answers[2]["predictions"]] == ["positive", None]
    assert answers[3]["predictions"] == [answers[2]["predictions"][0]]
    assert context.statuses == {1: 400, 4: 400}


@pytest.mark.parametrize(
    ("instance", "kind"),
    [
        ({"text": ""}, "empty_text"),
        ({"text": " \n\t "}, "empty_text"),
        ({"text": "x" * 20_001}, "text_too_long"),
        ({"text": 5}, "invalid_instance"),
        ("text", "invalid_instance"),
        (None, "invalid_instance"),
    ],
)
def test_a_bad_instance_names_its_problem(
    handler: TextClassificationHandler, context: RecordingContext, instance: object, kind: str
) -> None:
    body = {"instances": [{"text": "Great!"}, instance]}
    good, bad = json.loads(handler.handle([{"body": body}], context)[0])["predictions"]
    assert good["label"] == "positive"
    assert bad["error"]["type"] == kind


@pytest.mark.parametrize(
    "text", ["\ud83d\ud83d", "\x00\x01\x02", "\u200b", "\u0301", "\ufeff.", "🏴" * 50, "ﷺ" * 400]
)
def test_odd_characters_are_answered(
    handler: TextClassificationHandler, context: RecordingContext, text: str
) -> None:
    prediction = predict(handler, context, [text])[0]
    assert sum(prediction["probabilities"].values()) == pytest.approx(1, abs=1e-5)


def test_an_overlong_text_is_marked_as_cut(
    handler: TextClassificationHandler, context: RecordingContext
) -> None:
    short, long = predict(handler, context, ["Fine.", "Fine. " * 500])
    assert "truncated" not in short
    assert long["truncated"] is True


def test_a_failing_item_does_not_harm_its_neighbours() -> None:
    def answer(items: list[int]) -> list[dict[str, Any]]:
        return [{"value": 1 / item} for item in items]

    items: list[int | InstanceError] = [1, 0, InstanceError("blank", "no text"), 2]
    answers = answer_together(items, answer)
    assert answers[0] == {"value": 1}
    assert answers[1]["error"]["type"] == "prediction_failed"
    assert answers[2]["error"]["type"] == "blank"
    assert answers[3] == {"value": 0.5}


def test_a_predicting_worker_loads_no_pytorch_weights(sentiment_folder: Path, tmp_path: Path) -> None:
    for source in sentiment_folder.iterdir():
        if source.name != "model.safetensors" and source.is_file():
            (tmp_path / source.name).write_bytes(source.read_bytes())
    context = RecordingContext(tmp_path)
    handler = TextClassificationHandler()
    handler.initialize(context)
    assert predict(handler, context, ["Great!"])[0]["label"] == "positive"


def test_predicting_imports_neither_torch_nor_transformers() -> None:
    modules = ", ".join(f"model_archives.handlers.{task_type.module}" for task_type in TASK_TYPES.values())
    script = (
        f"import sys, {modules}; sys.exit(bool({{'torch', 'transformers', 'captum'}} & set(sys.modules)))"
    )
    source = str(Path(__file__).parents[1] / "src")
    subprocess.run([sys.executable, "-c", script], check=True, env={"PYTHONPATH": source}, timeout=120)

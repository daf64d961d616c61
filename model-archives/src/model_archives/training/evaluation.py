"""Evaluate a baseline the way it is served: from its archive, through the handler and the ONNX graph."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_archives.handlers.text_classification import TextClassificationHandler
from model_archives.handlers.wire import Request
from model_archives.training.labelled_text import (
    ChecklistCase,
    LabelledText,
    checklist,
    data_folder,
    dynasent,
    split_held_out,
    sst_train,
)
from model_archives.training.recipe import Recipe
from model_archives.training.statistics import expected_calibration_error, macro_f1, recall, wilson_interval

TEXTS_PER_REQUEST = 128
HELD_OUT_TITLE = "held-out tenth of SST train"
Predict = Callable[[Sequence[str]], list[dict[str, Any]]]


@dataclass
class UnpackedArchive:
    """Stands in for TorchServe's context, for a handler that is called in process."""

    folder: Path
    model_name: str = "evaluated"

    @property
    def system_properties(self) -> dict[str, Any]:
        """Where the handler looks for its files."""
        return {"model_dir": str(self.folder)}

    def set_response_status(self, code: int, phrase: str, idx: int) -> None:
        """Nobody reads the status here."""

    def set_response_content_type(self, idx: int, value: str) -> None:
        """Nobody reads the type here."""


def predictor_of(folder: Path) -> Predict:
    """Predictions for any number of texts from the unpacked archive in `folder`."""
    handler = TextClassificationHandler()
    handler.initialize(UnpackedArchive(folder))

    def predict(texts: Sequence[str]) -> list[dict[str, Any]]:
        predictions: list[dict[str, Any]] = []
        for start in range(0, len(texts), TEXTS_PER_REQUEST):
            request = Request([{"text": text} for text in texts[start : start + TEXTS_PER_REQUEST]])
            predictions += handler.responder.answer([request])[0]["predictions"]  # type: ignore[index]
        return predictions

    return predict


def evaluate_sentiment(recipe: Recipe, predict: Predict, report: Callable[[str], None]) -> dict[str, Any]:
    """All figures of the card, from the data folder."""
    folder = data_folder()
    _, held_out = split_held_out(sst_train(folder), recipe.training.held_out_share, recipe.training.seed)
    sets = {
        HELD_OUT_TITLE: held_out,
        "DynaSent round 1 dev": dynasent(folder, 1),
        "DynaSent round 2 dev": dynasent(folder, 2),
    }
    figures = {}
    for title, examples in sets.items():
        report(f"{title}: {len(examples)} texts")
        figures[title] = labelled_figures(examples, predict)
    report("CheckList")
    cases = checklist(folder)
    return {
        "sets": figures,
        "checklist_mft": _mft_figures([case for case in cases if case.kind == "MFT"], predict),
        "checklist_inv": _inv_figures([case for case in cases if case.kind == "INV"], predict),
    }


def labelled_figures(examples: Sequence[LabelledText], predict: Predict) -> dict[str, Any]:
    """Accuracy with interval, macro F1, recall per label, calibration error; shares, not percent."""
    predictions = predict([example.text for example in examples])
    gold = [example.label for example in examples]
    labels = [prediction["label"] for prediction in predictions]
    hits = [label == truth for label, truth in zip(labels, gold, strict=True)]
    confidences = [max(prediction["probabilities"].values()) for prediction in predictions]
    return _share(hits) | {
        "macro_f1": round(macro_f1(gold, labels), 4),
        "recall": {label: round(recall(label, gold, labels), 4) for label in sorted(set(gold))},
        "ece": round(expected_calibration_error(confidences, hits), 4),
    }


def _mft_figures(cases: Sequence[ChecklistCase], predict: Predict) -> dict[str, Any]:
    labels = [prediction["label"] for prediction in predict([case.texts[0] for case in cases])]
    hits = [label == case.label for label, case in zip(labels, cases, strict=True)]
    return _grouped(cases, hits)


def _inv_figures(cases: Sequence[ChecklistCase], predict: Predict) -> dict[str, Any]:
    """A case fails where any variant's label differs from the first text's."""
    labels = iter(predict([text for case in cases for text in case.texts]))
    failures = [len({next(labels)["label"] for _ in case.texts}) > 1 for case in cases]
    return _grouped(cases, failures)


def _grouped(cases: Iterable[ChecklistCase], outcomes: Sequence[bool]) -> dict[str, Any]:
    by_capability: dict[str, list[bool]] = defaultdict(list)
    by_test: dict[str, list[bool]] = defaultdict(list)
    for case, outcome in zip(cases, outcomes, strict=True):
        by_capability[case.capability].append(outcome)
        by_test[f"{case.capability}: {case.test}"].append(outcome)
    return {
        "capabilities": {name: _share(by_capability[name]) for name in sorted(by_capability)},
        "tests": {name: _share(by_test[name]) for name in sorted(by_test)},
    }


def _share(outcomes: Sequence[bool]) -> dict[str, Any]:
    interval = wilson_interval(sum(outcomes), len(outcomes))
    return {
        "n": len(outcomes),
        "share": round(sum(outcomes) / len(outcomes), 4),
        "interval": [round(bound, 4) for bound in interval],
    }

"""The figures of a model card from gold answers and predictions; shares, not percent."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from model_archives.training.evaluation import Predict
from model_archives.training.examples import LabelledText, Question
from model_archives.training.hate_data import HatecheckCase
from model_archives.training.sentiment_data import ChecklistCase
from model_archives.training.statistics import (
    clustered_interval,
    exact_match,
    expected_calibration_error,
    macro_f1,
    mean_interval,
    micro_f1,
    recall,
    token_f1,
    wilson_interval,
)


def label_figures(
    examples: Sequence[LabelledText], predict: Predict, *, are_clustered: bool = False
) -> dict[str, Any]:
    """Accuracy with interval, macro F1, recall per label, calibration error.

    With `are_clustered` the interval knows that examples of one group resemble one another.
    """
    predictions = predict([example.texts for example in examples])
    gold = [example.labels[0] for example in examples]
    labels = [prediction["label"] for prediction in predictions]
    hits = [label == truth for label, truth in zip(labels, gold, strict=True)]
    confidences = [max(prediction["probabilities"].values()) for prediction in predictions]
    return share(hits, [example.group for example in examples] if are_clustered else None) | {
        "macro_f1": round(macro_f1(gold, labels), 4),
        "recall": {label: round(recall(label, gold, labels), 4) for label in sorted(set(gold))},
        "ece": round(expected_calibration_error(confidences, hits), 4),
    }


def label_set_figures(examples: Sequence[LabelledText], predict: Predict) -> dict[str, Any]:
    """Share of label sets that are right as a whole, with interval, and F1 over all labels together."""
    predicted = [prediction["labels"] for prediction in predict([example.texts for example in examples])]
    gold = [example.labels for example in examples]
    hits = [set(labels) == set(truth) for labels, truth in zip(predicted, gold, strict=True)]
    return share(hits) | {"micro_f1": round(micro_f1(gold, predicted), 4)}


def answer_figures(examples: Sequence[Question], predict: Predict) -> dict[str, Any]:
    """SQuAD's exact match and token F1, each the best over the gold answers, with intervals."""
    answers = predict([(example.passage, example.question) for example in examples])
    pairs = [(answer["text"], example.answers) for answer, example in zip(answers, examples, strict=True)]
    overlaps = [token_f1(text, golds) for text, golds in pairs]
    return share([exact_match(text, golds) for text, golds in pairs]) | {
        "f1": round(sum(overlaps) / len(overlaps), 4),
        "f1_interval": [round(bound, 4) for bound in mean_interval(overlaps)],
    }


def checklist_figures(cases: Sequence[ChecklistCase], predict: Predict) -> dict[str, Any]:
    """Failures by test: a wrong label (MFT), or any variant whose label differs from the first text's (INV)."""
    labels = iter(predict([(text,) for case in cases for text in case.texts]))
    failures: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for case in cases:
        answered = [next(labels)["label"] for _ in case.texts]
        expected = case.label if case.kind == "MFT" else answered[0]
        failed = any(label != expected for label in answered)
        failures[case.kind][f"{case.capability}: {case.test}"].append(failed)
    return {
        kind: {test: share(tests[test]) for test in sorted(tests)} for kind, tests in sorted(failures.items())
    }


def hatecheck_figures(cases: Sequence[HatecheckCase], predict: Predict) -> dict[str, Any]:
    """Accuracy by functionality, with intervals that know of the templates."""
    hits: dict[str, list[bool]] = defaultdict(list)
    templates: dict[str, list[str]] = defaultdict(list)
    for case, prediction in zip(cases, predict([(case.text,) for case in cases]), strict=True):
        hits[case.functionality].append(prediction["label"] == case.label)
        templates[case.functionality].append(case.template)
    return {name: share(hits[name], templates[name]) for name in sorted(hits)}


def share(outcomes: Sequence[bool], clusters: Sequence[str] | None = None) -> dict[str, Any]:
    """Share of true outcomes, with its 95 % interval: Wilson's, or that of clustered outcomes."""
    if clusters is None:
        interval = wilson_interval(sum(outcomes), len(outcomes))
    else:
        interval = clustered_interval(outcomes, clusters)
    return {
        "n": len(outcomes),
        "share": round(sum(outcomes) / len(outcomes), 4),
        "interval": [round(bound, 4) for bound in interval],
    }

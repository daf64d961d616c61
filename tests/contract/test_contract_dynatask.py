"""Tasks of the original platform become configurations that annotation accepts."""

from typing import Any

import pytest
from dynabench_tasks.configuration.yaml_text import read_configuration
from dynabench_toolkit.dynatask.configuration import convert_configuration

PASSAGE = {"name": "passage", "type": "string", "placeholder": "Passage"}
LABELS = ["entailed", "neutral", "contradictory"]
INFERENCE = {
    "context": [{"name": "context", "type": "string"}],
    "input": [
        {"name": "hypothesis", "type": "string"},
        {"name": "label", "type": "multiclass", "labels": LABELS, "as_goal_message": True},
    ],
    "output": [
        {"name": "label", "type": "multiclass", "labels": LABELS},
        {"name": "prob", "type": "prob", "reference_name": "label", "single_model_single_output": True},
    ],
    "metadata": {
        "create": [
            {
                "name": "why",
                "type": "string",
                "model_wrong_condition": True,
                "placeholder": "Why is it right?",
            }
        ],
        "validate": [
            {"name": "corrected", "type": "multiclass", "labels": LABELS, "label_condition": "incorrect"}
        ],
    },
    "model_wrong_metric": {"type": "exact_match", "reference_names": ["label"]},
    "perf_metric": {"type": "accuracy", "reference_name": "label"},
}
QUESTIONS = {
    "context": [PASSAGE],
    "input": [
        {"name": "question", "type": "string"},
        {"name": "answer", "type": "context_string_selection", "reference_name": "passage"},
    ],
    "output": [{"name": "answer"}],
    "model_wrong_metric": {"type": "string_f1", "reference_name": "answer", "threshold": 0.9},
}
PICTURES = {
    "context": [{"name": "image", "type": "image", "display_name": "image"}],
    "input": [{"name": "question", "type": "string"}, {"name": "answer", "type": "string"}],
    "output": [{"name": "answer", "type": "string"}],
    "model_wrong_metric": {"type": "ask_user"},
}


@pytest.mark.parametrize(
    ("document", "claim", "rule"),
    [
        (INFERENCE, "multiclass", {"exact_match": {"fields": ["label"]}}),
        (QUESTIONS, "span", {"token_f1": {"field": "answer", "below": 0.9}}),
        (PICTURES, "string", "ask_annotator"),
    ],
    ids=["inference", "questions", "pictures"],
)
def test_an_imported_task_is_usable(document: dict[str, Any], claim: str, rule: object) -> None:
    configuration = read_configuration(convert_configuration(document, "imported").yaml())

    assert configuration.slug == "imported"
    assert configuration.claimed_field.type_name == claim
    assert configuration.wrong_when.document() == rule

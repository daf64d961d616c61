"""The gateway passes an untrusted answer exactly if the contract of archives finds no flaw in it."""

from typing import Any

import pytest
from dynabench_archives.serving_contract import ModelShape, find_flaws
from gateway.domain.answers import checked_entries
from gateway.domain.errors import CallFailed
from gateway.domain.routes import Route, read_routes

LABELS = ("no", "yes")
SHARES = {"no": 0.25, "yes": 0.75}
PASSAGE = "The bridge 😀 was opened in 1932."
INSTANCES = {
    "text-classification": {"text": "Fine."},
    "text-pair-classification": {"premise": "It rains.", "hypothesis": "It is wet."},
    "multilabel-classification": {"text": "Fine."},
    "extractive-qa": {"passage": PASSAGE, "question": "When?"},
}
GOOD: dict[str, dict[str, Any]] = {
    "text-classification": {"label": "yes", "probabilities": SHARES},
    "text-pair-classification": {"label": "no", "probabilities": SHARES},
    "multilabel-classification": {"labels": ["yes"], "probabilities": {"no": 0.9, "yes": 0.9}},
    "extractive-qa": {"start": 28, "end": 32, "text": PASSAGE[28:32], "probability": 0.5},
}
CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"more": "than asked"},
    {"label": "maybe"},
    {"label": None},
    {"labels": []},
    {"labels": ["yes", "yes"]},
    {"labels": ["maybe"]},
    {"labels": "yes"},
    {"probabilities": None},
    {"probabilities": {"no": 1.0}},
    {"probabilities": {"no": 0.5, "yes": 0.6}},
    {"probabilities": {"no": float("nan"), "yes": 0.5}},
    {"probabilities": {"no": -0.1, "yes": 1.1}},
    {"probabilities": {"no": True, "yes": False}},
    {"probabilities": {"no": "0.25", "yes": 0.75}},
    {"probability": 1.5},
    {"probability": None},
    {"start": -1},
    {"start": 32},
    {"end": 1_000},
    {"start": 28.0},
    {"text": "1933"},
    {"text": None},
)


def route(task_type: str) -> Route:
    record = {
        **{"name": "m", "version": "1", "task": "t", "task_type": task_type, "state": "ready"},
        **{"fields": list(INSTANCES[task_type]), "labels": labels(task_type)},
        **{"model_digest": "sha256:m", "handler_digest": "sha256:h", "serving_name": "m", "workers": 1},
        **{"start": "always", "max_in_flight": 1, "max_characters": 100, "response_timeout_seconds": 1},
        **{"explain": None, "published": True},
    }
    return read_routes([record])["m"]


def labels(task_type: str) -> list[str]:
    return [] if task_type == "extractive-qa" else list(LABELS)


def is_let_through(task_type: str, answer: dict[str, Any]) -> bool:
    try:
        [entry] = checked_entries(route(task_type), [INSTANCES[task_type]], answer)
    except CallFailed:
        return False
    return "error" not in entry


def keeps_contract(task_type: str, answer: dict[str, Any]) -> bool:
    shape = ModelShape(task_type, tuple(INSTANCES[task_type]), tuple(labels(task_type)))
    return not find_flaws(shape, {"instances": [INSTANCES[task_type]]}, 200, answer)


@pytest.mark.parametrize("change", CHANGES, ids=str)
@pytest.mark.parametrize("task_type", GOOD)
def test_both_judge_an_answer_alike(task_type: str, change: dict[str, Any]) -> None:
    entry = {**GOOD[task_type], **change}
    answer = {"predictions": [entry], "model_digest": "sha256:m", "handler_digest": "sha256:h"}
    assert is_let_through(task_type, answer) == keeps_contract(task_type, answer)


@pytest.mark.parametrize("task_type", GOOD)
def test_both_take_the_good_and_refuse_what_is_no_list_of_objects(task_type: str) -> None:
    digests = {"model_digest": "sha256:m", "handler_digest": "sha256:h"}
    assert is_let_through(task_type, {"predictions": [GOOD[task_type]], **digests})
    broken: tuple[Any, ...] = (None, [], {}, ["yes"], [GOOD[task_type]] * 2, [None])
    for predictions in broken:
        answer = {"predictions": predictions, **digests}
        assert not is_let_through(task_type, answer)
        assert not keeps_contract(task_type, answer)

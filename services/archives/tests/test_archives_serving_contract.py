"""Contract of a served model's answers: good ones pass, and each breach is reported."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from dynabench_archives.serving_contract import (
    Case,
    Consistency,
    ModelShape,
    conformance_cases,
    find_case_flaws,
    find_changes,
    find_flaws,
    sample_instances,
)

LABELS = ("negative", "positive")
ONE = ModelShape("text-classification", ("text",), LABELS)
PAIR = ModelShape("text-pair-classification", ("premise", "hypothesis"), LABELS)
SEVERAL = ModelShape("multilabel-classification", ("text",), LABELS)
SPAN = ModelShape("extractive-qa", ("passage", "question"), ())
SHAPES = (ONE, PAIR, SEVERAL, SPAN)
GOOD: dict[str, dict[str, Any]] = {
    "text-classification": {"label": "positive", "probabilities": {"negative": 0.25, "positive": 0.75}},
    "text-pair-classification": {"label": "negative", "probabilities": {"negative": 1, "positive": 0}},
    "multilabel-classification": {"labels": [], "probabilities": {"negative": 0.3, "positive": 0.4}},
    "extractive-qa": {"start": 0, "end": 3, "text": "The", "probability": 0.5},
}


def entry_for(shape: ModelShape, instance: dict[str, str]) -> dict[str, Any]:
    entry = GOOD[shape.task_type]
    return {**entry, "text": instance["passage"][:3]} if shape is SPAN else entry


def answer(shape: ModelShape, instances: list[dict[str, str]], **changes: Any) -> dict[str, Any]:
    return {"predictions": [{**entry_for(shape, each), **changes} for each in instances]}


def flaws(shape: ModelShape, body: object, status: int = 200) -> list[str]:
    request = {"instances": list(sample_instances(shape))[:1]}
    return [flaw.where for flaw in find_flaws(shape, request, status, body)]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.task_type)
def test_good_answers_have_no_flaw(shape: ModelShape) -> None:
    instances = list(sample_instances(shape))
    assert len(instances) == 3
    assert all(set(instance) == set(shape.fields) for instance in instances)
    assert find_flaws(shape, {"instances": instances}, 200, answer(shape, instances)) == ()


@pytest.mark.parametrize(
    ("shape", "changes", "where"),
    [
        (ONE, {"label": "other"}, "predictions[0].label"),
        (ONE, {"probabilities": None}, "predictions[0].probabilities"),
        (ONE, {"probabilities": {"negative": 1.0}}, "predictions[0].probabilities"),
        (ONE, {"probabilities": {"negative": 0.5, "positive": 0.6}}, "predictions[0].probabilities"),
        (
            ONE,
            {"probabilities": {"negative": math.nan, "positive": 1}},
            "predictions[0].probabilities.negative",
        ),
        (ONE, {"probabilities": {"negative": -0.1, "positive": 1}}, "predictions[0].probabilities.negative"),
        (ONE, {"probabilities": {"negative": True, "positive": 0}}, "predictions[0].probabilities.negative"),
        (ONE, {"probabilities": {"negative": "1", "positive": 0}}, "predictions[0].probabilities.negative"),
        (PAIR, {"label": None}, "predictions[0].label"),
        (SEVERAL, {"labels": "positive"}, "predictions[0].labels"),
        (SEVERAL, {"labels": ["positive", "positive"]}, "predictions[0].labels"),
        (SEVERAL, {"labels": ["other"]}, "predictions[0].labels"),
        (SPAN, {"start": -1}, "predictions[0]"),
        (SPAN, {"start": 3, "end": 3}, "predictions[0]"),
        (SPAN, {"end": 10_000}, "predictions[0]"),
        (SPAN, {"start": True}, "predictions[0]"),
        (SPAN, {"text": "other"}, "predictions[0].text"),
        (SPAN, {"probability": math.inf}, "predictions[0].probability"),
        (ONE, {"error": {"type": "x", "detail": "y"}}, "predictions[0]"),
    ],
)
def test_each_breach_of_the_contract_is_reported(
    shape: ModelShape, changes: dict[str, Any], where: str
) -> None:
    assert where in flaws(shape, answer(shape, list(sample_instances(shape))[:1], **changes))


def test_offsets_count_code_points() -> None:
    instance = sample_instances(SPAN)[2]
    start = instance["passage"].index("café")
    entry = {"start": start, "end": start + 4, "text": "café", "probability": 0.5}
    assert find_flaws(SPAN, {"instances": [instance]}, 200, {"predictions": [entry]}) == ()


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (None, "answer"),
        ([], "answer"),
        ({"predictions": []}, "predictions"),
        ({"predictions": {}}, "predictions"),
        ({"predictions": [1]}, "predictions[0]"),
        ({"predictions": [{1j}]}, "answer"),
        ({"predictions": [{**GOOD["text-classification"], "note": "x" * 2_000_000}]}, "answer"),
    ],
)
def test_unusable_answers_are_reported(body: object, where: str) -> None:
    assert where in flaws(ONE, body)


def test_another_status_is_reported_with_the_error_text() -> None:
    (flaw,) = find_flaws(ONE, {"instances": []}, 503, {"detail": "Worker died."})
    assert "503: Worker died." in flaw.reason


def test_an_unknown_task_type_is_reported() -> None:
    shape = ModelShape("poetry", ("text",), LABELS)
    assert flaws(shape, {"predictions": [{}]}) == ["task_type"]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.task_type)
def test_cases_ask_for_errors_in_the_right_places(shape: ModelShape) -> None:
    for case in conformance_cases(shape):
        if case.is_refused:
            assert find_case_flaws(shape, case, 400, {}) == ()
            assert find_case_flaws(shape, case, 200, {"predictions": []})
            continue
        good = [
            {"error": {"type": "empty_text", "detail": ""}}
            if place in case.errors
            else entry_for(shape, instance)
            for place, instance in enumerate(case.request["instances"])
        ]
        assert find_case_flaws(shape, case, 200, {"predictions": good}) == ()
        if case.errors:
            all_answered = [GOOD[shape.task_type] for _ in case.request["instances"]]
            assert find_case_flaws(shape, case, 200, {"predictions": all_answered})


def test_a_model_that_answers_everything_with_errors_fails() -> None:
    case = Case("one", {"instances": list(sample_instances(ONE))})
    body = {"predictions": [{"error": {"type": "x", "detail": "no"}}] * 3}
    assert len(find_case_flaws(ONE, case, 200, body)) == 3


def test_an_error_has_a_type_and_a_detail() -> None:
    case = next(case for case in conformance_cases(ONE) if case.errors == (0,))
    body = {"predictions": [{"error": "blank"}, GOOD["text-classification"]]}
    (flaw,) = find_case_flaws(ONE, case, 200, body)
    assert flaw.where == "predictions[0].error"


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({}, []),
        ({"probabilities": {"negative": 0.2501, "positive": 0.7499}}, []),
        ({"probabilities": {"negative": 0.35, "positive": 0.65}}, ["predictions[1].probabilities"]),
        ({"label": "negative"}, ["predictions[1].label"]),
        ({"truncated": True}, ["predictions[1].truncated"]),
    ],
)
def test_the_same_instance_is_answered_the_same(changes: dict[str, Any], where: list[str]) -> None:
    good = GOOD["text-classification"]
    body = {"predictions": [good, {**good, **changes}]}
    request = {"instances": [{"text": "same"}, {"text": "same"}]}
    assert [flaw.where for flaw in Consistency().find_changes(request, body)] == where
    assert [flaw.where for flaw in find_changes({"predictions": [good, good]}, body)] == where


def breaks(answer_to: Callable[[list[dict[str, str]]], list[Any]]) -> set[str]:
    """Return the broken cases of a model with this treatment of a request's instances."""
    consistency, found = Consistency(), set()
    for case in conformance_cases(ONE):
        if case.is_refused or case.errors:
            continue
        body = {"predictions": answer_to(list(case.request["instances"]))}
        flaws = find_case_flaws(ONE, case, 200, body) or consistency.find_changes(case.request, body)
        found |= {case.name} if flaws else set()
    return found


def own(instance: Mapping[str, str]) -> dict[str, Any]:
    share = sum(map(ord, instance["text"])) % 97 / 100
    return {"label": "negative", "probabilities": {"negative": share, "positive": 1 - share}}


def of_their_number(instances: list[dict[str, str]]) -> list[Any]:
    """Answer with a little noise for each further instance, as a sum over padding does."""
    return [own({"text": each["text"] + "b" * (len(instances) > 1)}) for each in instances]


@pytest.mark.parametrize(
    ("answer_to", "is_found"),
    [
        (lambda instances: list(map(own, instances)), False),
        (lambda instances: list(map(own, sorted(instances, key=lambda each: each["text"]))), True),
        (lambda instances: list(map(own, instances[::-1])), True),
        (lambda instances: list(map(own, instances[:4])), True),
        (lambda instances: [own(instances[place % 4]) for place in range(len(instances))], True),
        (of_their_number, True),
    ],
    ids=["as it should", "sorted", "reversed", "four at most", "the first four again", "by their number"],
)
def test_what_a_model_does_with_several_instances_is_found(
    answer_to: Callable[[list[dict[str, str]]], list[Any]], is_found: bool
) -> None:
    assert bool(breaks(answer_to)) is is_found


def test_answers_in_another_order_are_reported_as_such() -> None:
    consistency = Consistency()
    one, other = {"text": "one"}, {"text": "other"}
    for each in (one, other):
        consistency.find_changes({"instances": [each]}, {"predictions": [own(each)]})
    request = {"instances": [one, other]}
    flaws = consistency.find_changes(request, {"predictions": [own(other), own(one)]})
    assert {flaw.reason for flaw in flaws} == {"the answers stand in another order than the instances"}

"""The filter of untrusted answers: only members of the contract pass."""

import json
from dataclasses import replace
from typing import Any

import pytest
from gateway.domain.answers import checked_entries
from gateway.domain.errors import CallFailed, Fault
from hypothesis import given
from hypothesis import strategies as st

from .test_gateway_requests import READER, ROUTE

TOPICS = replace(ROUTE, task_type="multilabel-classification")
SHARES = {"no": 0.25, "yes": 0.75}
TEXT = {"text": "It rains."}
PASSAGE = {"passage": "😀 Ada saw it.", "question": "Who?"}
GOOD = {"label": "yes", "probabilities": SHARES}
SPAN = {"start": 2, "end": 5, "text": "Ada", "probability": 0.5}
DIGESTS = {"model_digest": "sha256:m", "handler_digest": "sha256:h"}


def answer(*entries: Any, **changes: Any) -> dict[str, Any]:
    return {"predictions": list(entries), **DIGESTS, **changes}


@pytest.mark.parametrize(
    ("route", "instance", "entry"),
    [
        (ROUTE, TEXT, GOOD),
        (ROUTE, TEXT, {**GOOD, "truncated": True}),
        (ROUTE, TEXT, {"error": {"type": "empty_text", "detail": "it is blank"}}),
        (replace(ROUTE, task_type="text-pair-classification"), TEXT, GOOD),
        (TOPICS, TEXT, {"labels": ["no", "yes"], "probabilities": {"no": 0.5, "yes": 1}}),
        (TOPICS, TEXT, {"labels": [], "probabilities": {"no": 0.0, "yes": 0.0}}),
        (READER, PASSAGE, SPAN),
    ],
)
def test_good_answers_come_through_unchanged(route: Any, instance: Any, entry: Any) -> None:
    assert checked_entries(route, [instance], answer(entry)) == [entry]


@pytest.mark.parametrize("declared", [{}, {"model_digest": "sha256:best", "handler_digest": None}])
def test_digests_in_an_answer_are_ignored(declared: Any) -> None:
    assert checked_entries(ROUTE, [TEXT], {"predictions": [GOOD], **declared}) == [GOOD]


def test_what_the_contract_does_not_name_is_left_out() -> None:
    odd = {**GOOD, "note": "hello", "truncated": "yes", "start": 3}
    broken = {
        "error": {"type": "x" * 500, "detail": "\ud800" + "y" * 2_000, "trace": ["/home"]},
        "label": "yes",
    }
    entries = checked_entries(ROUTE, [TEXT, TEXT], answer(odd, broken, secret="s"))
    assert entries == [GOOD, {"error": {"type": "x" * 60, "detail": "?" + "y" * 499}}]


@pytest.mark.parametrize(
    ("route", "instance", "body", "reason"),
    [
        (ROUTE, TEXT, [], "no JSON object"),
        (ROUTE, TEXT, answer(GOOD, GOOD), "1 predictions expected"),
        (ROUTE, TEXT, answer(), "1 predictions expected"),
        (ROUTE, TEXT, {**DIGESTS, "predictions": {"0": GOOD}}, "1 predictions expected"),
        (ROUTE, TEXT, answer("yes"), "no JSON object"),
        (ROUTE, TEXT, answer({"error": "broken"}), "an error is no JSON object"),
        (ROUTE, TEXT, answer({"error": {"type": 7, "detail": "x"}}), "lacks its type or detail"),
        (ROUTE, TEXT, answer({**GOOD, "label": "perhaps"}), "none of the model's"),
        (ROUTE, TEXT, answer({**GOOD, "label": ["yes"]}), "none of the model's"),
        (ROUTE, TEXT, answer({"label": "yes"}), "not one for each label"),
        (ROUTE, TEXT, answer({**GOOD, "probabilities": {"no": 0.5}}), "not one for each label"),
        (ROUTE, TEXT, answer({**GOOD, "probabilities": {"no": 0.5, "yes": 0.4}}), "add up to 1"),
        (ROUTE, TEXT, answer({**GOOD, "probabilities": {"no": float("nan"), "yes": 1}}), "from 0 to 1"),
        (ROUTE, TEXT, answer({**GOOD, "probabilities": {"no": -0.5, "yes": 1.5}}), "from 0 to 1"),
        (ROUTE, TEXT, answer({**GOOD, "probabilities": {"no": 10**400, "yes": 1}}), "from 0 to 1"),
        (ROUTE, TEXT, answer({**GOOD, "probabilities": {"no": False, "yes": True}}), "from 0 to 1"),
        (ROUTE, TEXT, answer({**GOOD, "probabilities": {"no": "0", "yes": "1"}}), "from 0 to 1"),
        (TOPICS, TEXT, answer({"labels": ["yes", "yes"], "probabilities": SHARES}), "twice"),
        (TOPICS, TEXT, answer({"labels": ["yes"] * 9, "probabilities": SHARES}), "no list of labels"),
        (TOPICS, TEXT, answer({"labels": "yes", "probabilities": SHARES}), "no list of labels"),
        (READER, PASSAGE, answer({**SPAN, "end": 99}), "no place in the passage"),
        (READER, PASSAGE, answer({**SPAN, "start": True}), "no place in the passage"),
        (READER, PASSAGE, answer({**SPAN, "start": 5}), "no place in the passage"),
        (READER, PASSAGE, answer({**SPAN, "text": "Bob"}), "not what stands at its place"),
        (READER, PASSAGE, answer({**SPAN, "probability": None}), "from 0 to 1"),
    ],
)
def test_anything_else_is_the_models_own_fault(route: Any, instance: Any, body: Any, reason: str) -> None:
    try:
        [entry] = checked_entries(route, [instance], body)
    except CallFailed as refused:
        assert (refused.fault, reason in refused.detail) == (Fault.UNREADABLE, True)
    else:
        assert entry["error"]["type"] == "unusable_answer"
        assert reason in entry["error"]["detail"]


def test_an_answer_that_breaks_the_contract_leaves_its_neighbours_alone() -> None:
    nan = {**GOOD, "probabilities": {"no": float("nan"), "yes": 1}}
    entries = checked_entries(ROUTE, [TEXT] * 3, answer(GOOD, nan, GOOD))
    assert [entries[0], entries[2]] == [GOOD, GOOD]
    assert entries[1]["error"]["type"] == "unusable_answer"


NAMES = st.sampled_from(
    ["label", "labels", "probabilities", "error", "start", "end", "text", "no", "yes", "type", "detail"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["no", "yes"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
)


@given(entries=st.lists(JSON, max_size=2), route=st.sampled_from([ROUTE, TOPICS, READER]))
def test_no_answer_makes_anything_but_json_or_a_fault(entries: list[Any], route: Any) -> None:
    instance = PASSAGE if route is READER else TEXT
    try:
        checked = checked_entries(route, [instance], {"predictions": entries, **DIGESTS})
    except CallFailed as refused:
        assert refused.fault is Fault.UNREADABLE
    else:
        json.dumps(checked, allow_nan=False).encode()

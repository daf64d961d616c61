"""Diagnostic suites: what a model can do, test by test, instead of one number over everything.

A test is of a capability and has a type. Of minimum functionality (MFT): each item has its right answer. Of invariance
(INV): an item has to be answered as another one of the suite, whatever that answer is. Of direction (DIR): the answer
may move, but only to some: after "I hate it" is added, a sentence may become negative and never positive. The types
are those of M. T. Ribeiro et al., "Beyond Accuracy: Behavioral Testing of NLP Models with CheckList", ACL 2020; theirs
of direction look at probabilities, which not every model gives, and these at answers. Suites such as HateCheck
(P. Röttger et al., ACL 2021) are tests of minimum functionality, made from templates. Items of one template fail
together, so they are one cluster.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from dynabench_tasks.token_f1 import normalised_tokens
from dynabench_tasks.values import Value, to_text
from numpy.typing import NDArray

from evaluation.domain.intervals import PERCENT, Floats, by_cluster, share_interval
from evaluation.domain.items import Item
from evaluation.domain.metrics import Answered, Measured
from evaluation.domain.metrics.token_overlap import text_of

FUNCTIONALITY, INVARIANCE, DIRECTION = "MFT", "INV", "DIR"


def is_suite(items: Sequence[Item]) -> bool:
    """Return whether these are the items of a diagnostic suite."""
    return any(item.test for item in items)


def test_type(same_as: str, may_become: Sequence[object]) -> str:
    """Return the type of an item's test, from its expected answer."""
    if not same_as:
        return FUNCTIONALITY
    return DIRECTION if may_become else INVARIANCE


def passed(items: Sequence[Item], answers: Sequence[Value | None]) -> Sequence[bool | None]:
    """Return for each item whether it is answered as its test expects, None where nothing is expected of it.

    Without a usable answer it does not pass.
    """
    by_id = {item.item_id: answer for item, answer in zip(items, answers, strict=True)}
    return [
        answer is not None and _is_expected(answer, _expected(item, by_id)) if item.is_judged else None
        for item, answer in zip(items, answers, strict=True)
    ]


def share_passed(answered: Answered) -> Measured:
    """Return the share of items of a suite that are answered as expected, with its interval by clusters."""
    scores, places = _judged(answered)
    mean = float(scores.mean())
    moved = np.zeros(len(answered.items))
    moved[places] = (scores - mean) / len(scores)
    influences = by_cluster(moved, answered.clusters)
    _, groups = np.unique(answered.clusters[places], return_inverse=True)
    return Measured(PERCENT * mean, len(scores), share_interval(scores, groups), influences)


def reports_by_test(answered: Answered) -> Sequence[Mapping[str, Any]]:
    """Return for each test the share of its items that pass, in percent, with n and groups; in the suite's order."""
    scores, judged = _judged(answered)
    places: dict[tuple[str, str, str], list[int]] = {}
    for place, number in enumerate(judged):
        item = answered.items[number]
        places.setdefault((item.capability, item.test, test_type(item.same_as, item.may_become)), []).append(
            place
        )
    clusters = answered.clusters[judged]
    return [
        _report(capability, test, kind, scores[numbers], clusters[numbers])
        for (capability, test, kind), numbers in places.items()
    ]


def _judged(answered: Answered) -> tuple[Floats, NDArray[np.int64]]:
    """Return 0 or 1 for each item of which something is expected, and the places of these items."""
    found = passed(answered.items, answered.answers)
    places = np.array([place for place, each in enumerate(found) if each is not None], dtype=np.int64)
    return np.array([float(found[place] or False) for place in places], dtype=np.float64), places


def _report(
    capability: str, test: str, kind: str, scores: Floats, clusters: NDArray[np.int64]
) -> Mapping[str, Any]:
    _, groups = np.unique(clusters, return_inverse=True)
    ends = share_interval(scores, groups)
    return {
        "capability": capability,
        "test": test,
        "test_type": kind,
        "value": PERCENT * float(scores.mean()),
        "n": len(scores),
        "groups": int(groups.max()) + 1,
        "low": None if ends.reason else ends.low,
        "high": None if ends.reason else ends.high,
        "reason": ends.reason or None,
    }


def _expected(item: Item, by_id: Mapping[str, Value | None]) -> Sequence[Value]:
    if not item.same_as:
        return item.golds
    answer = by_id.get(item.same_as)
    return () if answer is None else (answer, *item.may_become)


def _is_expected(answer: Value, expected: Sequence[Value]) -> bool:
    if isinstance(answer, dict):
        words = normalised_tokens(text_of(answer))
        return any(words == normalised_tokens(text_of(each)) for each in expected)
    return to_text(answer) in {to_text(each) for each in expected}

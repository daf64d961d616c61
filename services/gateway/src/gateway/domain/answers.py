"""Answers of models, and a filter for untrusted ones: only members of the contract pass, checked.

A model with untrusted code may answer anything. Its answers are read into new objects, member by member. So no name,
text or number reaches a caller unless the model's task type defines it. The rules are those of
`model-archives/CONTRACT.md`. A breach is reported as the model's fault.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from gateway.domain.errors import CallFailed, Fault
from gateway.domain.requests import Instance, printable
from gateway.domain.routes import EXTRACTIVE_QA, MULTILABEL, Route

SUM_TOLERANCE = 1e-3
LONGEST_DETAIL = 500
UNUSABLE = "unusable_answer"
Entry = dict[str, Any]


@dataclass(frozen=True)
class BatchAnswer:
    """One entry per instance, and the digests of model and handler."""

    entries: list[Any]
    model_digest: str
    handler_digest: str


def checked_entries(route: Route, instances: Sequence[Instance], answer: object) -> list[Entry]:
    """Return an entry per instance, built from a decoded answer.

    An entry that breaks the contract becomes an error.

    Raises CallFailed with the fault if the answers can't be matched to the instances.
    """
    if not isinstance(answer, dict):
        _refuse("the answer is no JSON object")
    entries = answer.get("predictions")
    if not isinstance(entries, list) or len(entries) != len(instances):
        _refuse(f"{len(instances)} predictions expected")
    return [_usable(route, instance, entry) for instance, entry in zip(instances, entries, strict=True)]


def unusable(reason: str) -> Entry:
    """Return the entry of an instance whose answer can't be used."""
    return {"error": {"type": UNUSABLE, "detail": f"the model gave an unusable answer: {reason}"}}


def _usable(route: Route, instance: Instance, entry: object) -> Entry:
    try:
        return _entry(route, instance, entry)
    except CallFailed as err:
        return unusable(err.detail)


def _entry(route: Route, instance: Instance, entry: object) -> Entry:
    if not isinstance(entry, dict):
        _refuse("a prediction is no JSON object")
    if "error" in entry:
        return {"error": _error(entry["error"])}
    checked = READERS.get(route.task_type, _one_label)(route, instance, entry)
    return {**checked, "truncated": True} if entry.get("truncated") is True else checked


def _error(error: object) -> dict[str, str]:
    if not isinstance(error, dict):
        _refuse("an error is no JSON object")
    texts = {name: error.get(name) for name in ("type", "detail")}
    if not all(isinstance(text, str) for text in texts.values()):
        _refuse("an error lacks its type or detail")
    detail = str(texts["detail"])[:LONGEST_DETAIL].encode("utf-8", "replace").decode()
    return {"type": printable(texts["type"]), "detail": detail}


def _one_label(route: Route, _instance: Instance, entry: Mapping[str, Any]) -> Entry:
    probabilities = _probabilities(route, entry)
    if abs(sum(probabilities.values()) - 1) > SUM_TOLERANCE:
        _refuse("the probabilities do not add up to 1")
    return {"label": _label(route, entry.get("label")), "probabilities": probabilities}


def _several_labels(route: Route, _instance: Instance, entry: Mapping[str, Any]) -> Entry:
    labels = entry.get("labels")
    if not isinstance(labels, list) or len(labels) > len(route.labels):
        _refuse("there is no list of labels")
    checked = [_label(route, label) for label in labels]
    if len(set(checked)) != len(checked):
        _refuse("a label stands in the list twice")
    return {"labels": checked, "probabilities": _probabilities(route, entry)}


def _span(route: Route, instance: Instance, entry: Mapping[str, Any]) -> Entry:
    passage = instance[route.fields[0]]
    start, end = entry.get("start"), entry.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(passage):
        _refuse("start and end are no place in the passage")
    if entry.get("text") != passage[start:end]:
        _refuse("the text is not what stands at its place in the passage")
    return {
        "start": start,
        "end": end,
        "text": passage[start:end],
        "probability": _share(entry.get("probability")),
    }


READERS: Mapping[str, Callable[[Route, Instance, Mapping[str, Any]], Entry]] = {
    MULTILABEL: _several_labels,
    EXTRACTIVE_QA: _span,
}
"""By task type; the others have one label."""


def _label(route: Route, label: object) -> str:
    if not isinstance(label, str) or label not in route.labels:
        _refuse("a label is none of the model's")
    return label


def _probabilities(route: Route, entry: Mapping[str, Any]) -> dict[str, float]:
    found = entry.get("probabilities")
    if not isinstance(found, dict) or set(found) != set(route.labels):
        _refuse("the probabilities are not one for each label")
    return {label: _share(found[label]) for label in route.labels}


def _share(value: object) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 1 or not math.isfinite(value):  # type: ignore[operator,arg-type]
        _refuse("a probability is no number from 0 to 1")
    return float(value)  # type: ignore[arg-type]


def _refuse(reason: str) -> NoReturn:
    raise CallFailed(Fault.UNREADABLE, reason)

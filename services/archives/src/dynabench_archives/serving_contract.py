"""Contract of a served model's answers, by task type: its only definition, and the check for violations.

Standard library only, so that a submitter's own environment can import it together with a model. A request is
`{"instances": [...]}`. The answer has an entry for each instance under `predictions`, in their order.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LARGEST_ANSWER_BYTES = 1_000_000
LONGEST_TEXT = 20_000
SUM_TOLERANCE = 1e-3
SENTENCES = (
    "The soup was cold, and nobody seemed to mind.",
    "I would go there again tomorrow! 😀",
    "Not bad at all, if you like waiting.",
)
PASSAGES = (
    ("The bridge was opened in 1932 and carries eight lanes.", "When was the bridge opened?"),
    ("Mara lives in Oslo, where she repairs violins.", "What does Mara repair?"),
    ("The 😀 café sells bread on Mondays.", "When does the café sell bread?"),
)
PREDICTIONS_REMEDY = 'Answer {"predictions": [one object for each instance]}.'
TOGETHER = 8
"""Instances of one request: more than a usual built-in batch."""
ORDER_REMEDY = "Answer in the order in which the instances came."
ERROR_REMEDY = 'Answer it with {"error": {"type": "…", "detail": "…"}} in its place.'


@dataclass(frozen=True)
class ModelShape:
    """A model's task type, the names of an instance's texts in the order it reads them, and its labels."""

    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Flaw:
    """Violation of the contract: its place in the answer, the reason, and the remedy."""

    where: str
    reason: str
    remedy: str


@dataclass(frozen=True)
class Case:
    """A request to try a model with.

    `is_refused` asks for status 400; `errors` are the places of instances that must be answered with an error.
    """

    name: str
    request: Mapping[str, Any]
    is_refused: bool = False
    errors: tuple[int, ...] = ()


def sample_instances(shape: ModelShape) -> tuple[dict[str, str], ...]:
    """Return three instances that every model of this shape must answer."""
    if shape.task_type == "extractive-qa":
        return tuple(dict(zip(shape.fields, texts, strict=False)) for texts in PASSAGES)
    return tuple(
        {field: SENTENCES[(place + row) % len(SENTENCES)] for place, field in enumerate(shape.fields)}
        for row in range(len(SENTENCES))
    )


def conformance_cases(shape: ModelShape) -> tuple[Case, ...]:
    """Return the requests that a model must answer, or refuse, as the contract says."""
    good = list(sample_instances(shape))
    first = shape.fields[0]
    several = [
        {**good[row % len(good)], first: " ".join([good[row % len(good)][first]] * (1 + row // len(good)))}
        for row in range(TOGETHER)
    ]
    lacking = {name: text for name, text in good[0].items() if name != first}
    return (
        *(Case(f"instance {number} alone", {"instances": [each]}) for number, each in enumerate(several, 1)),
        Case(f"{TOGETHER} instances, answered in their order", {"instances": several}),
        Case(f"{TOGETHER} instances in the reverse order", {"instances": several[::-1]}),
        Case("the same instance twice", {"instances": [good[1], good[1]]}),
        Case(
            "a blank text beside a good one", {"instances": [{**good[0], first: "  "}, good[1]]}, errors=(0,)
        ),
        Case("a missing text beside a good one", {"instances": [good[2], lacking]}, errors=(1,)),
        Case(
            "a text of 20,001 characters beside a good one",
            {"instances": [{**good[0], first: "a " * (LONGEST_TEXT // 2) + "a"}, good[1]]},
            errors=(0,),
        ),
        Case("no instance", {"instances": []}, is_refused=True),
        Case("no list of instances", {"texts": good}, is_refused=True),
        Case("instance 1 alone, asked again", {"instances": several[:1]}),
    )


def find_case_flaws(shape: ModelShape, case: Case, status: int, body: object) -> tuple[Flaw, ...]:
    """Return the flaws of the answer to a case."""
    if case.is_refused:
        if status == 400:
            return ()
        return (
            Flaw("status", f"a request without instances is answered {status}", "Answer it with status 400."),
        )
    return find_flaws(shape, case.request, status, body, case.errors)


class Consistency:
    """The answer to an instance is the same alone, among others, in any order, and later."""

    def __init__(self) -> None:
        self._first: dict[str, Mapping[str, Any]] = {}

    def find_changes(self, request: Mapping[str, Any], body: Mapping[str, Any]) -> tuple[Flaw, ...]:
        """Return how an answer without flaws differs from earlier ones to the same instances."""
        pairs = [
            (place, self._first.setdefault(json.dumps(instance, sort_keys=True), entry), entry)
            for place, (instance, entry) in enumerate(
                zip(request["instances"], body["predictions"], strict=True)
            )
            if "error" not in entry
        ]
        changes = [
            flaw
            for place, first, entry in pairs
            for flaw in _differences(f"predictions[{place}]", first, entry)
        ]
        left = [entry for *_, entry in pairs]
        for _, first, _ in pairs:
            same = next((place for place, entry in enumerate(left) if _is_alike(first, entry)), None)
            if same is not None:
                left.pop(same)
        if changes and not left:
            return (
                Flaw("predictions", "the answers stand in another order than the instances", ORDER_REMEDY),
            )
        return tuple(changes)


def find_changes(first: Mapping[str, Any], again: Mapping[str, Any]) -> tuple[Flaw, ...]:
    """Return how an answer to a request differs from an earlier one to the same; both are without flaws."""
    pairs = enumerate(zip(first["predictions"], again["predictions"], strict=True))
    return tuple(flaw for place, pair in pairs for flaw in _differences(f"predictions[{place}]", *pair))


def _differences(where: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[Flaw]:
    remedy = "Keep nothing between instances: no drop-out, no random numbers, no memory of earlier ones."
    for name in sorted({*one, *other}):
        if not _is_alike(one.get(name), other.get(name)):
            yield Flaw(
                f"{where}.{name}",
                f"the same instance is answered {_short(one.get(name))} and {_short(other.get(name))}",
                remedy,
            )


def _is_alike(one: object, other: object) -> bool:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return set(one) == set(other) and all(_is_alike(one[name], other[name]) for name in one)
    if _is_share(one) and _is_share(other):
        return abs(float(one) - float(other)) <= SUM_TOLERANCE  # type: ignore[arg-type]
    return one == other


def _short(value: object) -> str:
    return str(value)[:60]


def find_flaws(
    shape: ModelShape,
    request: Mapping[str, Any],
    status: int,
    body: object,
    errors: Sequence[int] = (),
) -> tuple[Flaw, ...]:
    """Return the flaws of an answer; `errors` are the places of instances that must be answered with an error."""
    if status != 200:
        return (
            Flaw(
                "status",
                f"the status is {status}{_error_text(body)}",
                "Answer every instance; look at the log.",
            ),
        )
    if not isinstance(body, Mapping):
        return (Flaw("answer", "the answer is no JSON object", PREDICTIONS_REMEDY),)
    return tuple(_flaws(shape, request["instances"], body, frozenset(errors)))


def _flaws(
    shape: ModelShape, instances: Sequence[Any], body: Mapping[str, Any], errors: frozenset[int]
) -> Iterator[Flaw]:
    try:
        size = len(json.dumps(body))
    except (TypeError, ValueError):
        yield Flaw("answer", "the answer can't be written as JSON", PREDICTIONS_REMEDY)
        return
    if size > LARGEST_ANSWER_BYTES:
        yield Flaw(
            "answer",
            f"the answer has {size:,} bytes; {LARGEST_ANSWER_BYTES:,} are the most",
            "Answer with less.",
        )
    entries = body.get("predictions")
    if not isinstance(entries, list):
        yield Flaw("predictions", "there is no list", PREDICTIONS_REMEDY)
        return
    if len(entries) != len(instances):
        yield Flaw(
            "predictions", f"{len(instances)} instances have {len(entries)} answers", PREDICTIONS_REMEDY
        )
        return
    for place, (instance, entry) in enumerate(zip(instances, entries, strict=True)):
        yield from _entry_flaws(shape, f"predictions[{place}]", instance, entry, place in errors)


def _entry_flaws(
    shape: ModelShape, where: str, instance: Any, entry: object, must_be_error: bool
) -> Iterator[Flaw]:
    if not isinstance(entry, Mapping):
        yield Flaw(where, "it is no JSON object", PREDICTIONS_REMEDY)
        return
    if must_be_error:
        if "error" not in entry:
            yield Flaw(where, "an instance that can't be answered has an answer", ERROR_REMEDY)
        elif not _is_error(entry["error"]):
            yield Flaw(f"{where}.error", "it lacks a type or a detail", ERROR_REMEDY)
        return
    if "error" in entry:
        yield Flaw(
            where,
            f"it is an error{_error_text(entry)}",
            "Answer instances that hold every text of the model.",
        )
        return
    judge = JUDGES.get(shape.task_type)
    if judge is None:
        yield Flaw("task_type", f"{shape.task_type!r} is unknown", f"Use one of {', '.join(JUDGES)}.")
        return
    yield from judge(shape, where, instance, entry)


def _one_label(shape: ModelShape, where: str, _: Any, entry: Mapping[str, Any]) -> Iterator[Flaw]:
    if entry.get("label") not in shape.labels:
        yield _other_label(shape, f"{where}.label", entry.get("label"))
    yield from _probabilities(shape, where, entry)
    values = entry.get("probabilities")
    if isinstance(values, Mapping) and all(_is_share(value) for value in values.values()):
        total = sum(float(value) for value in values.values())
        if abs(total - 1) > SUM_TOLERANCE:
            yield Flaw(
                f"{where}.probabilities", f"they add up to {total:.4f}", "Apply softmax over the labels."
            )


def _several_labels(shape: ModelShape, where: str, _: Any, entry: Mapping[str, Any]) -> Iterator[Flaw]:
    labels = entry.get("labels")
    if not isinstance(labels, list) or len(labels) != len(set(map(str, labels))):
        yield Flaw(f"{where}.labels", "there is no list of different labels", "Answer with a sorted list.")
    else:
        for label in labels:
            if label not in shape.labels:
                yield _other_label(shape, f"{where}.labels", label)
    yield from _probabilities(shape, where, entry)


def _span(shape: ModelShape, where: str, instance: Any, entry: Mapping[str, Any]) -> Iterator[Flaw]:
    passage = instance.get(shape.fields[0], "") if isinstance(instance, Mapping) else ""
    start, end = entry.get("start"), entry.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(passage):
        yield Flaw(
            where,
            f"start {start!r} and end {end!r} are no place in the {shape.fields[0]} of {len(passage)} code points",
            "Count Unicode code points from 0; end is the first one after the span.",
        )
    elif entry.get("text") != passage[start:end]:
        yield Flaw(
            f"{where}.text",
            f"{entry.get('text')!r} is not what stands there, {passage[start:end]!r}",
            "Cut the text out of the passage as it was sent.",
        )
    if not _is_share(entry.get("probability")):
        yield Flaw(
            f"{where}.probability",
            f"{entry.get('probability')!r} is no number from 0 to 1",
            "Answer with the probability of the span.",
        )


JUDGES: Mapping[str, Callable[[ModelShape, str, Any, Mapping[str, Any]], Iterator[Flaw]]] = {
    "text-classification": _one_label,
    "text-pair-classification": _one_label,
    "multilabel-classification": _several_labels,
    "extractive-qa": _span,
}


def _probabilities(shape: ModelShape, where: str, entry: Mapping[str, Any]) -> Iterator[Flaw]:
    values = entry.get("probabilities")
    if not isinstance(values, Mapping):
        yield Flaw(f"{where}.probabilities", "they are missing", "Answer with a number for each label.")
        return
    if set(values) != set(shape.labels):
        yield Flaw(
            f"{where}.probabilities",
            f"they are of {', '.join(map(str, values)) or 'no label'}",
            f"Answer with one for each of {', '.join(shape.labels)}.",
        )
    for label, value in values.items():
        if not _is_share(value):
            yield Flaw(
                f"{where}.probabilities.{label}",
                f"{value!r} is no number from 0 to 1",
                "Answer with finite numbers: look for NaN in the scores.",
            )


def _other_label(shape: ModelShape, where: str, label: object) -> Flaw:
    return Flaw(
        where,
        f"{str(label)[:60]!r} is none of the model's labels",
        f"Answer with one of {', '.join(shape.labels)}.",
    )


def _is_error(error: object) -> bool:
    return isinstance(error, Mapping) and all(isinstance(error.get(name), str) for name in ("type", "detail"))


def _is_share(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and 0 <= value <= 1  # type: ignore[arg-type,operator]


def _error_text(body: object) -> str:
    if isinstance(body, Mapping):
        error = body.get("error")
        message = (
            body.get("detail")
            or body.get("message")
            or (error.get("detail") if isinstance(error, Mapping) else None)
        )
        if message:
            return f": {str(message)[:200]}"
    return ""

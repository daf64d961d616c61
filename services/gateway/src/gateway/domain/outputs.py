"""Answers as Open Inference Protocol tensors: the outputs of each task type, and their values.

Every output has a value for each instance. An instance that could not be answered has its reason in `error`, as JSON.
Its other outputs are empty: an empty text, 0, false, or -1 for a position.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gateway.domain.routes import EXTRACTIVE_QA, MULTILABEL, Route
from gateway.domain.tensors import BYTES, INTEGERS, LABEL, optional_inputs

Entry = Mapping[str, Any]
Document = dict[str, Any]
ONE_LABEL = ("text-classification", "text-pair-classification")
NOWHERE = -1


@dataclass(frozen=True)
class Output:
    """An output tensor; `values` gives the values of one instance: one per label, or one if there are no labels."""

    name: str
    datatype: str
    values: Callable[[Entry], Sequence[Any]]
    labels: tuple[str, ...] = ()

    def tensor(self, entries: Sequence[Entry]) -> Document:
        """Return the tensor of answers, its values in one row."""
        data = [value for entry in entries for value in self.values(entry)]
        return {
            "name": self.name,
            "datatype": self.datatype,
            "shape": self._shape(len(entries)),
            "data": data,
        } | (self._parameters())

    def metadata(self) -> Document:
        """Return the description; -1 stands for any number of instances."""
        return {"name": self.name, "datatype": self.datatype, "shape": self._shape(-1)} | self._parameters()

    def _shape(self, count: int) -> list[int]:
        return [count, len(self.labels)] if self.labels else [count]

    def _parameters(self) -> Document:
        """Return the labels in the order of the columns, as a JSON text, since parameters allow only plain values."""
        return {"parameters": {"labels": json.dumps(self.labels, ensure_ascii=False)}} if self.labels else {}


def outputs_of(route: Route, *, explains: bool) -> tuple[Output, ...]:
    """Return a model's outputs, `error` last."""
    if explains:
        return (Output("explanation", BYTES, lambda entry: [_unless_error(entry)]), ERROR)
    return (*_predicted(route), TRUNCATED, ERROR)


def chosen_outputs(outputs: Sequence[Output], names: Sequence[str], entries: Sequence[Entry]) -> list[Output]:
    """Return the requested outputs, or all; `error` is always included after a failure."""
    failed = any("error" in entry for entry in entries)
    return [
        output
        for output in outputs
        if not names or output.name in names or (failed and output.name == ERROR.name)
    ]


def metadata_of(route: Route, name: str, *, explains: bool) -> Document:
    """Return a model's metadata: its tensors, and as parameters all that the protocol has no field for."""
    optional = optional_inputs(route, explains=explains)
    inputs: list[Document] = [{"name": field, "datatype": BYTES, "shape": [-1]} for field in route.fields]
    inputs += [
        {
            "name": each,
            "datatype": BYTES if each == LABEL else INTEGERS[0],
            "shape": [-1],
            "parameters": {"optional": True},
        }
        for each in optional
    ]
    explainer = route.explainer if explains else route
    return {
        "name": name,
        "versions": [route.version],
        "platform": f"dynabench_{route.task_type}",
        "inputs": inputs,
        "outputs": [output.metadata() for output in outputs_of(route, explains=explains)],
        "parameters": {
            "task": route.task,
            "task_type": route.task_type,
            "labels": json.dumps(route.explainable if explains else route.labels, ensure_ascii=False),
            "model_digest": route.model_digest,
            "handler_digest": route.handler_digest,
            "max_characters": explainer.max_characters,
        },
    }


def _predicted(route: Route) -> tuple[Output, ...]:
    if route.task_type in ONE_LABEL:
        return (_text(LABEL), Output("probabilities", "FP32", _shares(route.labels), route.labels))
    if route.task_type == MULTILABEL:
        applies = Output("applies", "BOOL", _applying(route.labels), route.labels)
        return (applies, Output("probabilities", "FP32", _shares(route.labels), route.labels))
    if route.task_type == EXTRACTIVE_QA:
        places = (Output(side, INTEGERS[0], _number(side, NOWHERE)) for side in ("start", "end"))
        return (_text("text"), Output("probability", "FP32", _number("probability", 0.0)), *places)
    return (Output("prediction", BYTES, lambda entry: [_unless_error(entry)]),)


def _text(name: str) -> Output:
    return Output(name, BYTES, lambda entry: [str(entry.get(name, ""))])


def _number(name: str, blank: float) -> Callable[[Entry], Sequence[Any]]:
    return lambda entry: [entry.get(name, blank)]


def _shares(labels: Sequence[str]) -> Callable[[Entry], Sequence[Any]]:
    return lambda entry: [entry.get("probabilities", {}).get(label, 0.0) for label in labels]


def _applying(labels: Sequence[str]) -> Callable[[Entry], Sequence[Any]]:
    return lambda entry: [label in entry.get("labels", ()) for label in labels]


def _unless_error(entry: Entry) -> str:
    return "" if "error" in entry else json.dumps(entry, ensure_ascii=False, allow_nan=False)


TRUNCATED = Output("truncated", "BOOL", lambda entry: [entry.get("truncated") is True])
ERROR = Output(
    "error", BYTES, lambda entry: [json.dumps(entry["error"], ensure_ascii=False) if "error" in entry else ""]
)

"""Requests and answers of the handlers as tensors of the Open Inference Protocol.

Each field of the model is a BYTES tensor of shape [n]. The one output, `prediction` or `explanation`, is a BYTES tensor
whose values are the entries of the handler's answer as JSON, an error's among them: so nothing is lost or rounded, and
another runtime can be put in its place.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

EXPLAINS = "-explain"
LABEL = "label"
SIDES = {"answer_start": "start", "answer_end": "end"}
TRANSPORT_PARAMETERS = frozenset({"binary_data_output", "content_type", "headers"})
Tensors = Mapping[str, Sequence[Any]]


class UnreadableTensors(Exception):
    """The tensors are not those of the model."""


def is_explainer(name: str) -> bool:
    """Return whether a model of this name explains."""
    return name.endswith(EXPLAINS)


def output_name(name: str) -> str:
    """Return the name of the output of a model."""
    return "explanation" if is_explainer(name) else "prediction"


def body_of(
    tensors: Tensors, parameters: Mapping[str, Any], fields: Sequence[str], name: str
) -> dict[str, Any]:
    """Return the handler's request. Raises UnreadableTensors."""
    known = {*fields, LABEL, *SIDES} if is_explainer(name) else set(fields)
    unknown = sorted(set(tensors) - known)
    missing = [each for each in fields if each not in tensors]
    if unknown or missing:
        wrong = f"there is no tensor {unknown[0]}" if unknown else f"the tensor {missing[0]} is missing"
        raise UnreadableTensors(f"{wrong}; the model takes {', '.join(fields)}")
    counts = {len(values) for values in tensors.values()}
    if len(counts) != 1:
        raise UnreadableTensors("the tensors differ in length")
    body: dict[str, Any] = {"instances": [_instance(tensors, fields, each) for each in range(counts.pop())]}
    chosen = {each: value for each, value in parameters.items() if each not in TRANSPORT_PARAMETERS}
    return body | {"parameters": chosen} if is_explainer(name) else body


def values_of(answer: Mapping[str, Any], name: str) -> list[str]:
    """Return the output's values for a handler's answer."""
    entries = answer["explanations" if is_explainer(name) else "predictions"]
    return [json.dumps(entry, allow_nan=False) for entry in entries]


def _instance(tensors: Tensors, fields: Sequence[str], position: int) -> dict[str, Any]:
    instance = {name: tensors[name][position] for name in fields}
    if tensors.get(LABEL) and LABEL not in fields and tensors[LABEL][position]:
        instance[LABEL] = tensors[LABEL][position]
    sides = {side: tensors[name][position] for name, side in SIDES.items() if name in tensors}
    return instance | {"answer": sides} if sides else instance

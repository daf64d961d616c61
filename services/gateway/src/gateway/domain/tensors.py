"""Requests of the Open Inference Protocol (KServe V2), read into the gateway's instances.

A model takes one tensor for each of its fields, with a text for each instance. Texts may stand in the JSON, or after it
in the protocol's binary form, which some clients send unasked. Instances are validated in the usual place
(`requests.py`). `told_of_tensors` rewrites a refusal in this protocol's terms.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from gateway.domain.errors import RequestRefused
from gateway.domain.explanation import MAX_EXPLANATIONS
from gateway.domain.requests import MAX_INSTANCES, Instance, printable
from gateway.domain.routes import SIDES, Route

BYTES = "BYTES"
INTEGERS = ("INT64", "INT32")
MEMBERS = ("id", "model_name", "model_version", "parameters", "inputs", "outputs")
TENSOR_MEMBERS = ("name", "shape", "datatype", "data", "parameters")
BINARY_SIZE = "binary_data_size"
LENGTH_BYTES = 4
LONGEST_ID = 200
LABEL = "label"
ANSWER_SIDES = tuple(f"answer_{side}" for side in SIDES)
TRANSPORT_PARAMETERS = frozenset({"binary_data_output", "content_type", "headers"})
"""Request parameters about the encoding of values; answers are encoded as JSON."""
PLACE = re.compile(r"instances\[(\d+)\](?:\.(.+))?", re.DOTALL)


@dataclass(frozen=True)
class InferRequest:
    """A request whose tensors were read: `instances` are still unchecked, `outputs` are the names asked for."""

    request_id: str | None
    instances: Sequence[Instance]
    parameters: Mapping[str, Any]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Tensor:
    """A tensor's values in order, one for each instance."""

    name: str
    values: Sequence[Any]


def optional_inputs(route: Route, *, explains: bool) -> tuple[str, ...]:
    """Return the names of optional tensors: the subject of an explanation."""
    if not explains:
        return ()
    return (LABEL, *ANSWER_SIDES) if route.marks_passage else (LABEL,)


def read_infer_request(
    body: object, tail: bytes, route: Route, outputs: Sequence[str], *, explains: bool
) -> InferRequest:
    """Return the request of a decoded body; `tail` are the bytes behind its JSON. Raises RequestRefused."""
    members = _object(body, "body", 'Send {"inputs": [{"name", "shape", "datatype", "data"}]}.')
    _ensure_known(members, MEMBERS, "")
    optional = optional_inputs(route, explains=explains)
    most = MAX_EXPLANATIONS if explains else MAX_INSTANCES
    tensors = _read_tensors(members.get("inputs"), tail, (*route.fields, *optional), most)
    for name in route.fields:
        if name not in tensors:
            _refuse(f"inputs.{name}", "the tensor is missing", "Send one tensor for each field of the model.")
    return InferRequest(
        _read_id(members.get("id")),
        _instances(tensors, route.fields),
        _read_parameters(members.get("parameters")) if explains else {},
        _read_outputs(members.get("outputs"), outputs),
    )


def in_tensor_terms(refused: RequestRefused) -> RequestRefused:
    """Return a refusal of an instance as one of its tensor."""
    found = PLACE.fullmatch(refused.field)
    field = refused.field
    if found:
        name = {"answer": ANSWER_SIDES[0]}.get(found[2], found[2])
        field = f"inputs.{name}.data[{found[1]}]" if name else f"inputs, each data[{found[1]}]"
    elif field == "instances":
        field = "inputs"
    return RequestRefused(refused.slug, field, refused.reason, refused.remedy, refused.status)


def _read_id(given: object) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str) or len(given) > LONGEST_ID or not given.isprintable():
        _refuse("id", f"it must be a printable text of at most {LONGEST_ID} characters", "Leave it out.")
    return given


def _read_parameters(given: object) -> Mapping[str, Any]:
    if given is None:
        return {}
    parameters = _object(given, "parameters", "Leave it out, or send an object.")
    return {name: value for name, value in parameters.items() if name not in TRANSPORT_PARAMETERS}


def _read_outputs(given: object, known: Sequence[str]) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, list):
        _refuse("outputs", "it must be a list", "Leave it out to get all outputs.")
    names = []
    for position, each in enumerate(given):
        where = f"outputs[{position}]"
        name = _object(each, where, 'Send {"name": "…"}.').get("name")
        if name not in known:
            _refuse(f"{where}.name", "the model has no such output", f"Ask for some of {', '.join(known)}.")
        names.append(str(name))
    return tuple(names)


def _read_tensors(given: object, tail: bytes, known: Sequence[str], most: int) -> dict[str, Tensor]:
    if not isinstance(given, list) or not given:
        _refuse(
            "inputs",
            "it must be a list with a tensor for each field",
            f"Send a tensor called {', '.join(known)}.",
        )
    tensors: dict[str, Tensor] = {}
    for position, each in enumerate(given):
        where = f"inputs[{position}]"
        described = _object(each, where, "Send name, shape, datatype and data.")
        name = described.get("name")
        if name not in known:
            _refuse(f"{where}.name", "the model takes no such tensor", f"Send only {', '.join(known)}.")
        if name in tensors:
            _refuse(f"{where}.name", f"{name} came before", "Send each tensor once.")
        _ensure_known(described, TENSOR_MEMBERS, f"{where}.")
        count = _read_shape(described.get("shape"), f"inputs.{name}.shape", most)
        values, tail = _read_values(described, tail, f"inputs.{name}", count)
        tensors[str(name)] = Tensor(str(name), values)
    if tail:
        _refuse("body", f"{len(tail)} bytes follow that belong to no tensor", f"Say {BINARY_SIZE} of each.")
    counts = {name: len(tensor.values) for name, tensor in tensors.items()}
    if len(set(counts.values())) > 1:
        lengths = ", ".join(f"{name} {count}" for name, count in counts.items())
        _refuse("inputs", f"their tensors differ in length ({lengths})", "Send a value for each instance.")
    return tensors


def _read_shape(shape: object, where: str, most: int) -> int:
    """Return the number of instances."""
    usable = isinstance(shape, list) and all(type(each) is int and each >= 0 for each in shape)
    if not isinstance(shape, list) or not usable or len(shape) not in (1, 2) or shape[1:] not in ([], [1]):
        _refuse(where, "it must be [n] or [n, 1], n the number of instances", "Send [1] for one instance.")
    count: int = shape[0]
    if count > most:
        _refuse(
            where, f"it holds {count} instances; at most {most} are answered at once", "Split the request."
        )
    return count


def _read_values(
    described: Mapping[str, Any], tail: bytes, where: str, count: int
) -> tuple[Sequence[Any], bytes]:
    """Return the values and the unread bytes behind the JSON."""
    wanted = INTEGERS if described["name"] in ANSWER_SIDES else (BYTES,)
    if described.get("datatype") not in wanted:
        _refuse(f"{where}.datatype", f"it must be {' or '.join(wanted)}", f"Send {wanted[0]}.")
    data, size = described.get("data"), _binary_size(described.get("parameters"), where)
    if size is not None:
        if data is not None or wanted is INTEGERS:
            _refuse(where, "its values can't be read in this form", "Send them as data.")
        values: Sequence[Any] = _texts_in(tail[:size], size, where)
        tail = tail[size:]
    elif isinstance(data, list):
        values = [each[0] if isinstance(each, list) and len(each) == 1 else each for each in data]
    else:
        _refuse(f"{where}.data", "it must be a list", "Send a value for each instance.")
    if len(values) != count:
        _refuse(where, f"it holds {len(values)} values, and its shape says {count}", "Correct the shape.")
    return values, tail


def _binary_size(parameters: object, where: str) -> int | None:
    if parameters is None:
        return None
    size = _object(parameters, f"{where}.parameters", "Leave it out.").get(BINARY_SIZE)
    if size is not None and (type(size) is not int or size < 0):
        _refuse(f"{where}.parameters.{BINARY_SIZE}", "it must be a number of bytes", "Correct it.")
    return size


def _texts_in(data: bytes, size: int, where: str) -> list[str]:
    """Return the texts of a binary tensor: before each its length in bytes, four of them, the lowest first."""
    texts, place = [], 0
    while place < len(data):
        begin = place + LENGTH_BYTES
        place = begin + int.from_bytes(data[place:begin], "little")
        if begin > len(data) or place > len(data):
            break
        try:
            texts.append(data[begin:place].decode())
        except UnicodeDecodeError:
            _refuse(f"{where}.data[{len(texts)}]", "it is not valid UTF-8", "Send text.", "body-not-utf8")
    if place != size or len(data) != size:
        _refuse(where, "its bytes end before its last text does", f"Correct {BINARY_SIZE} or the body.")
    return texts


def _instances(tensors: Mapping[str, Tensor], fields: Sequence[str]) -> list[Instance]:
    count = len(tensors[fields[0]].values)
    return [_instance(tensors, fields, position) for position in range(count)]


def _instance(tensors: Mapping[str, Tensor], fields: Sequence[str], position: int) -> Instance:
    instance: dict[str, Any] = {name: tensors[name].values[position] for name in fields}
    if LABEL in tensors and LABEL not in fields and tensors[LABEL].values[position] != "":
        instance[LABEL] = tensors[LABEL].values[position]
    sides = {
        side: tensors[name].values[position]
        for side, name in zip(SIDES, ANSWER_SIDES, strict=True)
        if name in tensors and name not in fields
    }
    return {**instance, "answer": sides} if sides else instance


def _object(value: object, where: str, remedy: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        _refuse(where, "it must be a JSON object", remedy, "body-invalid")
    return value


def _ensure_known(members: Mapping[str, Any], known: Sequence[str], prefix: str) -> None:
    for name in members:
        if name not in known:
            field = f"{prefix}{printable(name)}"
            _refuse(field, "there is no such field here", f"Send only {', '.join(known)}.", "field-unknown")


def _refuse(field: str, reason: str, remedy: str, slug: str = "tensor-invalid") -> NoReturn:
    raise RequestRefused(slug, field, reason, remedy)

"""Calls to a model server that speaks the Open Inference Protocol (KServe V2), in place of TorchServe.

A model takes a BYTES tensor for each field and answers one BYTES tensor, `prediction`. The model registered as
`NAME-explain` answers `explanation` instead. The tensor's values are the entries as JSON, so no number is rounded.
The digests are parameters of the answer. `model-archives/CONTRACT.md` specifies this for runtimes.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from dynabench_tasks.strict_json import read_json

from gateway.adapters.connections import (
    AnswerTimedOut,
    ConnectionFailed,
    HttpAnswer,
    connections_to,
    trace_header,
)
from gateway.adapters.torchserve import InferenceKey
from gateway.domain.answers import BatchAnswer
from gateway.domain.errors import CallFailed, Fault
from gateway.domain.requests import Instance
from gateway.domain.routes import SIDES
from gateway.domain.tensors import ANSWER_SIDES, BYTES, INTEGERS

FAULTS = {
    401: Fault.AWAY,
    403: Fault.AWAY,
    404: Fault.NOT_SERVED,
    429: Fault.NO_WORKER,
    503: Fault.NO_WORKER,
}
"""Statuses with a special fault; others below 500 are the request's fault, the rest the batch's."""
LONGEST_REASON = 500


class OpenInference:
    """The model server."""

    def __init__(self, url: str, key: InferenceKey, connections: int) -> None:
        self._base = urlsplit(url).path.rstrip("/")
        self._connections = connections_to(url, connections)
        self._key = key

    def predict(
        self, serving_name: str, instances: Sequence[Instance], *, timeout_seconds: float, request_id: str
    ) -> BatchAnswer:
        """Return an entry per instance. Raises CallFailed."""
        inputs = [_texts(name, [instance[name] for instance in instances]) for name in instances[0]]
        body = {"inputs": inputs, "outputs": [{"name": "prediction"}]}
        answer = self._answer(serving_name, body, timeout_seconds, request_id)
        return _read(answer, "prediction", len(instances))

    def explain(
        self,
        serving_name: str,
        instance: Instance,
        parameters: Mapping[str, Any],
        *,
        timeout_seconds: float,
        request_id: str,
    ) -> BatchAnswer:
        """Return the explanation of one instance. Raises CallFailed."""
        inputs = [_texts(name, [text]) for name, text in instance.items() if isinstance(text, str)]
        answer = instance.get("answer")
        if isinstance(answer, Mapping):
            inputs += [_place(name, answer[side]) for name, side in zip(ANSWER_SIDES, SIDES, strict=True)]
        body = {"inputs": inputs, "outputs": [{"name": "explanation"}], "parameters": parameters}
        return _read(self._answer(serving_name, body, timeout_seconds, request_id), "explanation", 1)

    def _answer(
        self, serving_name: str, body: Mapping[str, Any], timeout_seconds: float, request_id: str
    ) -> HttpAnswer:
        data = json.dumps({"id": request_id, **body}).encode()
        answer = self._post(serving_name, data, timeout_seconds, request_id)
        if answer.status in (401, 403) and self._key.reread():
            answer = self._post(serving_name, data, timeout_seconds, request_id)
        if answer.status != 200:
            raise _failure(answer)
        return answer

    def _post(self, serving_name: str, data: bytes, timeout_seconds: float, request_id: str) -> HttpAnswer:
        headers = {
            "Authorization": f"Bearer {self._key.current()}",
            "X-Request-Id": request_id,
            **trace_header(),
        }
        path = f"{self._base}/v2/models/{quote(serving_name, safe='')}/infer"
        try:
            return self._connections.post(path, headers, data, timeout_seconds)
        except AnswerTimedOut as err:
            raise CallFailed(Fault.TIMED_OUT, str(err)) from err
        except ConnectionFailed as err:
            raise CallFailed(Fault.AWAY, str(err)) from err


def _texts(name: str, values: Sequence[str]) -> dict[str, Any]:
    return {"name": name, "shape": [len(values)], "datatype": BYTES, "data": values}


def _place(name: str, place: int) -> dict[str, Any]:
    return {"name": name, "shape": [1], "datatype": INTEGERS[0], "data": [place]}


def _failure(answer: HttpAnswer) -> CallFailed:
    usual = Fault.REFUSED if answer.status < 500 else Fault.BATCH_FAILED
    try:
        reason = str(read_json(answer.body.decode())["error"])[:LONGEST_REASON]
    except (ValueError, KeyError, TypeError):
        reason = ""
    return CallFailed(FAULTS.get(answer.status, usual), reason or f"status {answer.status}")


def _read(answer: HttpAnswer, name: str, expected: int) -> BatchAnswer:
    try:
        body = read_json(answer.body.decode())
        [output] = [each for each in body["outputs"] if each["name"] == name]
        entries = [read_json(entry) for entry in output["data"]]
        digests = body["parameters"]
        read = BatchAnswer(entries, str(digests["model_digest"]), str(digests["handler_digest"]))
    except (ValueError, KeyError, TypeError) as err:
        raise CallFailed(Fault.UNREADABLE, f"no {name} in the answer") from err
    if len(entries) != expected or not all(isinstance(entry, dict) for entry in entries):
        raise CallFailed(Fault.UNREADABLE, f"{expected} objects expected as {name}")
    return read

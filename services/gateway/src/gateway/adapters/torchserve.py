"""Calls to TorchServe's inference interface.

TorchServe answers a missing, wrong or expired key with status 400, the same as a handler that refuses a request. Only
the error's type distinguishes them. It closes the connection after each error.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from dynabench_tasks.strict_json import read_json

from gateway.adapters.connections import (
    AnswerTimedOut,
    ConnectionFailed,
    HttpAnswer,
    connections_to,
    trace_header,
)
from gateway.domain.answers import BatchAnswer
from gateway.domain.errors import CallFailed, Fault
from gateway.domain.requests import Instance

KEY_REFUSED = "InvalidKeyException"


class InferenceKey:
    """The inference key in use, which TorchServe generates at each start and writes to `key_file.json`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._key = ""

    def current(self) -> str:
        """Return the key, read at its first use."""
        if not self._key:
            self.reread()
        return self._key

    def reread(self) -> bool:
        """Read the file; return whether the key changed. Without a file the old key stays."""
        try:
            key = str(json.loads(self._path.read_text(encoding="utf-8"))["inference"]["key"])
        except (OSError, ValueError, KeyError, TypeError):
            return False
        is_new = key != self._key
        self._key = key
        return is_new


class TorchServe:
    """The model server."""

    def __init__(self, url: str, key: InferenceKey, connections: int) -> None:
        self._connections = connections_to(url, connections)
        self._key = key

    def predict(
        self, serving_name: str, instances: Sequence[Instance], *, timeout_seconds: float, request_id: str
    ) -> BatchAnswer:
        """Return an entry per instance. Raises CallFailed."""
        body = {"instances": instances}
        return self._answer(serving_name, body, "predictions", timeout_seconds, request_id)

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
        body = {"instances": [instance], "parameters": parameters}
        return self._answer(serving_name, body, "explanations", timeout_seconds, request_id)

    def _answer(
        self, serving_name: str, body: Mapping[str, Any], member: str, timeout_seconds: float, request_id: str
    ) -> BatchAnswer:
        data = json.dumps(body).encode()
        answer = self._post(serving_name, data, timeout_seconds, request_id)
        if answer.status == 400 and _error(answer).get("type") == KEY_REFUSED and self._key.reread():
            answer = self._post(serving_name, data, timeout_seconds, request_id)
        if answer.status != 200:
            raise _failure(answer)
        return _read(answer, member, len(body["instances"]))

    def _post(self, serving_name: str, data: bytes, timeout_seconds: float, request_id: str) -> HttpAnswer:
        headers = {
            "Authorization": f"Bearer {self._key.current()}",
            "X-Request-Id": request_id,
            **trace_header(),
        }
        path = f"/predictions/{quote(serving_name, safe='')}"
        try:
            return self._connections.post(path, headers, data, timeout_seconds)
        except AnswerTimedOut as err:
            raise CallFailed(Fault.TIMED_OUT, str(err)) from err
        except ConnectionFailed as err:
            raise CallFailed(Fault.AWAY, str(err)) from err


def _error(answer: HttpAnswer) -> Mapping[str, Any]:
    try:
        body = read_json(answer.body.decode())
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _failure(answer: HttpAnswer) -> CallFailed:
    error = _error(answer)
    message = str(error.get("message", ""))[:200]
    fault = _fault(answer.status, str(error.get("type", "")), message)
    if fault is Fault.REFUSED and isinstance(error.get("error"), dict):
        message = str(error["error"].get("detail", ""))[:500]
    return CallFailed(fault, message or f"status {answer.status}")


def _fault(status: int, kind: str, message: str) -> Fault:
    if kind == KEY_REFUSED:
        return Fault.AWAY
    if status == 404:
        return Fault.NOT_SERVED
    if status == 503 and kind == "ServiceUnavailableException":
        return Fault.NO_WORKER
    if status == 500 and message.startswith("Worker died"):
        return Fault.CRASHED
    return Fault.REFUSED if 400 <= status < 500 else Fault.BATCH_FAILED


def _read(answer: HttpAnswer, member: str, expected: int) -> BatchAnswer:
    try:
        body = read_json(answer.body.decode())
        entries = body[member]
        read = BatchAnswer(entries, str(body["model_digest"]), str(body["handler_digest"]))
    except (ValueError, KeyError, TypeError) as err:
        raise CallFailed(Fault.UNREADABLE, f"no {member} in the answer") from err
    if not isinstance(entries, list) or len(entries) != expected:
        raise CallFailed(Fault.UNREADABLE, f"{expected} {member} expected")
    if not all(isinstance(entry, dict) for entry in entries):
        raise CallFailed(Fault.UNREADABLE, f"{member} must be objects")
    return read

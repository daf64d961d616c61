"""Models with untrusted code: each in its own sandbox, behind a unix socket or a pod address of its own.

The gateway sends nothing that the model could misuse: no key, and only the instances of a request. It trusts no answer
until it is checked.
"""

import json
from collections.abc import Sequence
from urllib.parse import quote

from gateway.adapters.connections import (
    AnswerTimedOut,
    ConnectionFailed,
    Connections,
    HttpAnswer,
)
from gateway.domain.answers import BatchAnswer, checked_entries, unusable
from gateway.domain.errors import CallFailed, Fault
from gateway.domain.requests import Instance
from gateway.domain.routes import Route


class Sandbox:
    """The model server of one model."""

    def __init__(self, connections: Connections, route: Route) -> None:
        self._connections = connections
        self._route = route

    def predict(
        self,
        serving_name: str,
        instances: Sequence[Instance],
        *,
        timeout_seconds: float,
        request_id: str,  # noqa: ARG002 (the callers are not for untrusted models)
    ) -> BatchAnswer:
        """Return an entry per instance, checked. Raises CallFailed."""
        data = json.dumps({"instances": instances}).encode()
        path = f"/predictions/{quote(serving_name, safe='')}"
        try:
            answer = self._connections.post(path, {}, data, timeout_seconds)
        except AnswerTimedOut as err:
            raise CallFailed(Fault.TIMED_OUT, str(err)) from err
        except ConnectionFailed as err:
            raise CallFailed(Fault.AWAY, str(err)) from err
        if answer.status != 200:
            fault = Fault.NOT_SERVED if answer.status == 404 else Fault.BATCH_FAILED
            raise CallFailed(fault, f"status {answer.status}")
        try:
            entries = checked_entries(self._route, instances, _decoded(answer))
        except CallFailed as err:
            if len(instances) > 1:
                raise
            entries = [unusable(err.detail)]
        return BatchAnswer(entries, self._route.model_digest, self._route.handler_digest)


def _decoded(answer: HttpAnswer) -> object:
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError) as err:
        raise CallFailed(Fault.UNREADABLE, "the answer is no JSON") from err

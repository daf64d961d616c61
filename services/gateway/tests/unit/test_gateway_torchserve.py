"""Answers of TorchServe that no gateway can pass on."""

from pathlib import Path

import pytest
from gateway.adapters import torchserve
from gateway.adapters.connections import HttpAnswer
from gateway.adapters.torchserve import InferenceKey, TorchServe
from gateway.domain.errors import CallFailed, Fault

DIGESTS = b'"model_digest": "a", "handler_digest": "b"}'


class Answering:
    """Connections that give one answer."""

    def __init__(self, answer: HttpAnswer) -> None:
        self._answer = answer

    def post(self, *_request: object) -> HttpAnswer:
        return self._answer


@pytest.mark.parametrize(
    ("status", "body", "fault"),
    [
        (200, b'{"predictions": [{"probabilities": {"a": NaN}}], ' + DIGESTS, Fault.UNREADABLE),
        (200, b'{"predictions": [{"probabilities": {"a": 1e999}}], ' + DIGESTS, Fault.UNREADABLE),
        (200, b'{"predictions": [{"x": ' + b"[" * 5_000, Fault.UNREADABLE),
        (200, b'{"predictions": [{"x": ' + b"[" * 500 + b"]" * 500 + b"}], " + DIGESTS, Fault.UNREADABLE),
        (200, b"\xff", Fault.UNREADABLE),
        (200, b"[]", Fault.UNREADABLE),
        (400, b'{"type": ' + b"[" * 5_000, Fault.REFUSED),
        (500, b"\xff", Fault.BATCH_FAILED),
    ],
)
def test_an_unusable_answer_is_a_fault_of_the_call(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, status: int, body: bytes, fault: Fault
) -> None:
    monkeypatch.setattr(torchserve, "connections_to", lambda *_: Answering(HttpAnswer(status, body)))
    server = TorchServe("http://127.0.0.1:1", InferenceKey(tmp_path / "none.json"), 1)
    with pytest.raises(CallFailed) as failed:
        server.predict("mini", [{"text": "a"}], timeout_seconds=1, request_id="one")
    assert failed.value.fault is fault

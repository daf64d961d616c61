"""Calls by the Open Inference Protocol: requests, and the meaning of unusual answers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gateway.adapters.open_inference import OpenInference
from gateway.adapters.torchserve import InferenceKey
from gateway.domain.errors import CallFailed, Fault

from .conftest import write_key
from .gateway_fakes import FakeServer

ENTRY = {"label": "yes", "probabilities": {"no": 0.25, "yes": 0.75}}
DIGESTS = {"model_digest": "sha256:m", "handler_digest": "sha256:h"}


def answer_of(*entries: Any, name: str = "prediction", **changes: Any) -> bytes:
    output = {
        "name": name,
        "shape": [len(entries)],
        "datatype": "BYTES",
        "data": list(map(json.dumps, entries)),
    }
    return json.dumps({"outputs": [output], "parameters": DIGESTS, **changes}).encode()


class FakeRuntime(FakeServer):
    """Answers as configured, and records its requests."""

    def __init__(self) -> None:
        self.status, self.body = 200, answer_of(ENTRY)
        self.asked: list[tuple[str, str, Any]] = []
        super().__init__()

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        self.asked.append((path, headers["Authorization"], json.loads(body)))
        return self.status, self.body


@pytest.fixture
def fake() -> Iterator[FakeRuntime]:
    started = FakeRuntime()
    yield started
    started.stop()


@pytest.fixture
def server(fake: FakeRuntime, tmp_path: Path) -> OpenInference:
    write_key(tmp_path / "key_file.json", "first")
    return OpenInference(f"{fake.url}/below", InferenceKey(tmp_path / "key_file.json"), 2)


def predict(server: OpenInference, *texts: str) -> list[Any]:
    found = server.predict(
        "mini/1", [{"text": text} for text in texts], timeout_seconds=30, request_id="seven"
    )
    assert (found.model_digest, found.handler_digest) == ("sha256:m", "sha256:h")
    return found.entries


def test_texts_are_a_tensor_for_each_field(server: OpenInference, fake: FakeRuntime) -> None:
    fake.body = answer_of(ENTRY, {"error": {"type": "empty_text", "detail": "blank"}})
    assert predict(server, "a", "b")[1]["error"]["type"] == "empty_text"
    tensor = {"name": "text", "shape": [2], "datatype": "BYTES", "data": ["a", "b"]}
    body = {"id": "seven", "inputs": [tensor], "outputs": [{"name": "prediction"}]}
    assert fake.asked == [("/below/v2/models/mini%2F1/infer", "Bearer first", body)]


def test_what_is_explained_are_further_tensors(server: OpenInference, fake: FakeRuntime) -> None:
    fake.body = answer_of({"label": "end"}, name="explanation")
    instance = {"passage": "abc", "question": "d", "label": "end", "answer": {"start": 1, "end": 2}}
    found = server.explain("qa-explain", instance, {"n_steps": 3}, timeout_seconds=30, request_id="eight")
    assert found.entries == [{"label": "end"}]
    [(_, _, body)] = fake.asked
    assert [(each["name"], each["datatype"], each["data"]) for each in body["inputs"]] == [
        ("passage", "BYTES", ["abc"]),
        ("question", "BYTES", ["d"]),
        ("label", "BYTES", ["end"]),
        ("answer_start", "INT64", [1]),
        ("answer_end", "INT64", [2]),
    ]
    assert body["parameters"] == {"n_steps": 3}


@pytest.mark.parametrize(
    ("status", "body", "fault", "detail"),
    [
        (400, b'{"error": "not this one"}', Fault.REFUSED, "not this one"),
        (413, b'{"error": "too long"}', Fault.REFUSED, "too long"),
        (401, b'{"error": "no key"}', Fault.AWAY, "no key"),
        (404, b'{"error": "unknown"}', Fault.NOT_SERVED, "unknown"),
        (429, b"", Fault.NO_WORKER, "status 429"),
        (503, b"<html>", Fault.NO_WORKER, "status 503"),
        (500, b'{"error": "broken"}', Fault.BATCH_FAILED, "broken"),
        (200, b"nothing", Fault.UNREADABLE, "no prediction"),
        (200, b"[]", Fault.UNREADABLE, "no prediction"),
        (200, answer_of(ENTRY, name="label"), Fault.UNREADABLE, "no prediction"),
        (200, answer_of(ENTRY, parameters={}), Fault.UNREADABLE, "no prediction"),
        (200, answer_of(ENTRY, ENTRY), Fault.UNREADABLE, "1 objects expected"),
        (200, answer_of("yes"), Fault.UNREADABLE, "1 objects expected"),
        (200, answer_of({"x": float("nan")}), Fault.UNREADABLE, "no prediction"),
        (200, b'{"outputs": ' + b"[" * 5_000, Fault.UNREADABLE, "no prediction"),
        (200, b"\xff", Fault.UNREADABLE, "no prediction"),
        (500, b'{"error": ' + b"[" * 5_000, Fault.BATCH_FAILED, "status 500"),
    ],
)
def test_each_odd_answer_is_a_fault(
    server: OpenInference, fake: FakeRuntime, status: int, body: bytes, fault: Fault, detail: str
) -> None:
    fake.status, fake.body = status, body
    with pytest.raises(CallFailed) as failed:
        predict(server, "a")
    assert failed.value.fault is fault
    assert detail in failed.value.detail


def test_an_unreachable_server_is_reported_as_unavailable(server: OpenInference, fake: FakeRuntime) -> None:
    fake.stop()
    with pytest.raises(CallFailed) as failed:
        predict(server, "a")
    assert failed.value.fault is Fault.AWAY

"""Models with a stranger's code: each asked at its own socket, and no answer of theirs is believed unchecked."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dynabench_common.testing import wait_until
from gateway.adapters.sandbox import ServersByAddress
from gateway.domain.errors import CallFailed, Fault
from gateway.domain.routes import Route, read_routes
from gateway.service_layer.ports import Predictor

from .conftest import PATIENCE_SECONDS, Gateway, model
from .gateway_twins import HANDLER_DIGEST, MODEL_DIGEST

SHARES = {"no": 0.25, "yes": 0.75}
DIGESTS = {"model_digest": MODEL_DIGEST, "handler_digest": HANDLER_DIGEST}
GOOD = {"predictions": [{"label": "yes", "probabilities": SHARES}], **DIGESTS}
DRIP_SECONDS = 0.05


class Stranger:
    """Listens at a socket, keeps connections open, and answers each request with the same bytes, all or in drips."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.answer = whole(GOOD)
        self.drips = False
        self.requests: list[bytes] = []
        self.open: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"unix:{self.path}"

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.open.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError):
            while request := connection.recv(65_536):
                self.requests.append(request)
                if not self.drips:
                    connection.sendall(self.answer)
                    continue
                for start in range(len(self.answer)):
                    connection.sendall(self.answer[start : start + 1])
                    threading.Event().wait(DRIP_SECONDS)
        self.open.remove(connection)
        connection.close()

    def close(self) -> None:
        self._listener.close()
        self.path.unlink()


def whole(body: Any, status: int = 200) -> bytes:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return b"HTTP/1.1 %d \r\nContent-Length: %d\r\n\r\n%b" % (status, len(data), data)


def route_of(stranger: Stranger) -> Route:
    return read_routes([{**model("strange"), "address": stranger.address}])["strange"]


@pytest.fixture
def stranger(tmp_path: Path) -> Iterator[Stranger]:
    stranger = Stranger(tmp_path / "inference.sock")
    yield stranger
    stranger.close()


class NeverAsked:
    """The shared server, which a stranger's model must not be asked at."""

    def predict(self, *_args: object, **_named: object) -> Any:
        raise AssertionError("the shared server was asked")


def ask(servers: ServersByAddress, route: Route, seconds: float = PATIENCE_SECONDS) -> Any:
    server: Predictor = servers.at(route)
    return server.predict("strange", [{"text": "rain"}], timeout_seconds=seconds, request_id="7")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (whole(b"[" * 500_000), Fault.UNREADABLE),
        (whole(b'{"predictions": [NaN]}'), Fault.UNREADABLE),
        (whole(b"\xff\xfe"), Fault.UNREADABLE),
        (whole(b""), Fault.UNREADABLE),
        (whole({"predictions": [{"label": "other"}], **DIGESTS}), Fault.UNREADABLE),
        (whole({**GOOD, "model_digest": "sha256:another"}), Fault.UNREADABLE),
        (whole({"message": "no such model"}, 404), Fault.NOT_SERVED),
        (whole({"type": "InvalidKeyException"}, 400), Fault.BATCH_FAILED),
        (whole({"message": "Worker died."}, 500), Fault.BATCH_FAILED),
        (b"HTTP/1.1 302 \r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n", Fault.BATCH_FAILED),
        (b"HTTP/1.1 200 \r\nContent-Length: 1048577\r\n\r\n", Fault.AWAY),
        (b"HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n", Fault.AWAY),
        (b"x" * 100_000, Fault.AWAY),
        (whole(GOOD) + b"HTTP/1.1 200 \r\n", Fault.AWAY),
    ],
)
def test_a_hostile_answer_is_that_models_fault(stranger: Stranger, answer: bytes, fault: Fault) -> None:
    stranger.answer = answer
    with pytest.raises(CallFailed) as failed:
        ask(ServersByAddress(NeverAsked()), route_of(stranger))
    assert failed.value.fault is fault


def test_an_answer_in_drips_ends_at_the_deadline(stranger: Stranger) -> None:
    stranger.drips = True
    with pytest.raises(CallFailed) as failed:
        ask(ServersByAddress(NeverAsked()), route_of(stranger), seconds=10 * DRIP_SECONDS)
    assert failed.value.fault is Fault.TIMED_OUT


def test_nobody_there_is_an_outage(stranger: Stranger, tmp_path: Path) -> None:
    route = replace(route_of(stranger), address=f"unix:{tmp_path}/nobody.sock")
    with pytest.raises(CallFailed) as failed:
        ask(ServersByAddress(NeverAsked()), route)
    assert failed.value.fault is Fault.AWAY


def test_connections_end_with_their_address(stranger: Stranger) -> None:
    servers = ServersByAddress(NeverAsked())
    route = route_of(stranger)
    for _ in range(2):
        ask(servers, route)
    servers.keep_only({"strange": route})
    assert len(stranger.open) == 1
    servers.keep_only({"strange": replace(route, address=None)})
    wait_until(lambda: not stranger.open, PATIENCE_SECONDS, "the end of the connection")


@pytest.mark.parametrize("address", ["http://127.0.0.1:8080", "unix:relative.sock", "", 7])
def test_any_other_address_spoils_the_table(address: object) -> None:
    with pytest.raises(ValueError, match="none that the gateway can reach"):
        read_routes([{**model(), "address": address}])


def test_each_model_is_asked_where_it_is(gateway: Gateway, stranger: Stranger) -> None:
    gateway.serve(model(), model("strange", address=stranger.address, explain=None))
    answer = gateway.predict("rain", name="strange")
    assert (answer.status, answer.json()) == (200, GOOD)
    assert gateway.predict("rain").status == 200
    assert [path for path, _, _ in gateway.torchserve.calls] == ["/predictions/mini"]
    [request] = stranger.requests
    assert request.startswith(b"POST /predictions/strange HTTP/1.1\r\n")
    for secret in (b"authorization", b"first-key", b"x-request-id"):
        assert secret not in request.lower()


def test_an_unusable_answer_names_the_model_and_harms_no_other(gateway: Gateway, stranger: Stranger) -> None:
    gateway.serve(model(), model("strange", address=stranger.address, explain=None))
    stranger.answer = whole(
        {**GOOD, "predictions": [{"label": "yes", "probabilities": {"no": 2, "yes": -1}}]}
    )
    answer = gateway.predict("rain", name="strange")
    assert (answer.status, answer.json()["type"].rsplit("/", 1)[-1]) == (503, "model-answer-unreadable")
    assert "strange" in answer.json()["detail"]
    assert gateway.predict("rain").status == 200


def test_a_model_moves_to_another_address(gateway: Gateway, stranger: Stranger, tmp_path: Path) -> None:
    gateway.serve(model("strange", address=stranger.address, explain=None))
    assert gateway.predict("rain", name="strange").status == 200
    other = Stranger(tmp_path / "other.sock")
    gateway.registry.models = [model("strange", address=other.address, explain=None)]
    wait_until(lambda: not stranger.open, PATIENCE_SECONDS, "the end of the old connection")
    assert gateway.predict("rain", name="strange").status == 200
    assert (len(stranger.requests), len(other.requests)) == (1, 1)
    other.close()

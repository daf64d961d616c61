"""Models with untrusted code: each is called at its own socket or address, and every answer is checked."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from dynabench_common.testing import service_headers, wait_until
from gateway.domain.errors import CallFailed, Fault
from gateway.domain.routes import Route, read_routes
from gateway.service_layer.model_servers import ServersByPlace
from gateway.service_layer.ports import Predictor

from .conftest import PATIENCE_SECONDS, Gateway, model, whole_request
from .gateway_fakes import HANDLER_DIGEST, MODEL_DIGEST

SHARES = {"no": 0.25, "yes": 0.75}
DIGESTS = {"model_digest": MODEL_DIGEST, "handler_digest": HANDLER_DIGEST}
GOOD = {"predictions": [{"label": "yes", "probabilities": SHARES}], **DIGESTS}
DRIP_SECONDS = 0.05


class UntrustedServer:
    """Listens at a socket, keeps connections open, and answers each request with the same bytes, at once or slowly.

    Without a path it listens at a port of this machine, as a pod would.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.answer = whole(GOOD)
        self.drips = False
        self.requests: list[bytes] = []
        self.open: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_INET if path is None else socket.AF_UNIX)
        self._listener.bind(("127.0.0.1", 0) if path is None else str(path))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        if self.path is None:
            return f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        return f"unix:{self.path}"

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.open.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError):
            while request := whole_request(connection):
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
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def whole(body: Any, status: int = 200) -> bytes:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return b"HTTP/1.1 %d \r\nContent-Length: %d\r\n\r\n%b" % (status, len(data), data)


def route_of(untrusted: UntrustedServer) -> Route:
    return read_routes([{**model("strange"), "address": untrusted.address}])["strange"]


@pytest.fixture(params=["socket", "pod"])
def untrusted(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[UntrustedServer]:
    untrusted = UntrustedServer(tmp_path / "inference.sock" if request.param == "socket" else None)
    yield untrusted
    untrusted.close()


class NeverAsked:
    """The shared server, which must not be called for a model with untrusted code."""

    def predict(self, *_args: object, **_named: object) -> Any:
        raise AssertionError("the shared server was asked")


def ask(servers: ServersByPlace, route: Route, seconds: float = PATIENCE_SECONDS) -> Any:
    server: Predictor = servers.at(route)
    return server.predict("strange", [{"text": "rain"}], timeout_seconds=seconds, request_id="7")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (whole({"message": "no such model"}, 404), Fault.NOT_SERVED),
        (whole({"type": "InvalidKeyException"}, 400), Fault.BATCH_FAILED),
        (whole({"message": "Worker died."}, 500), Fault.BATCH_FAILED),
        (b"HTTP/1.1 302 \r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n", Fault.BATCH_FAILED),
        (b"HTTP/1.1 200 \r\nContent-Length: 1048577\r\n\r\n", Fault.AWAY),
        (b"HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n", Fault.AWAY),
        (b"x" * 100_000, Fault.AWAY),
    ],
)
def test_a_hostile_answer_is_that_models_fault(
    untrusted: UntrustedServer, answer: bytes, fault: Fault
) -> None:
    untrusted.answer = answer
    with pytest.raises(CallFailed) as failed:
        ask(ServersByPlace(NeverAsked()), route_of(untrusted))
    assert failed.value.fault is fault


@pytest.mark.parametrize(
    "body",
    [b"[" * 500_000, b'{"predictions": [NaN]}', b"\xff\xfe", b"", {"predictions": [{"label": "other"}]}],
)
def test_an_unusable_answer_is_an_error_of_its_one_instance(untrusted: UntrustedServer, body: Any) -> None:
    untrusted.answer = whole(body)
    servers, route = ServersByPlace(NeverAsked()), route_of(untrusted)
    [entry] = ask(servers, route).entries
    assert entry["error"]["type"] == "unusable_answer"
    with pytest.raises(CallFailed) as failed:
        servers.at(route).predict(
            "strange", [{"text": "a"}] * 2, timeout_seconds=PATIENCE_SECONDS, request_id="7"
        )
    assert failed.value.fault is Fault.UNREADABLE


def test_an_answer_in_drips_ends_at_the_deadline(gateway: Gateway, untrusted: UntrustedServer) -> None:
    untrusted.drips = True
    gateway.serve(model("strange", address=untrusted.address, explain=None))
    deadline = str(int(10_000 * DRIP_SECONDS))
    answer = gateway.predict("rain", name="strange", headers={"X-Deadline-Milliseconds": deadline})
    assert (answer.status, answer.json()["type"]) == (503, "/problems/deadline-passed")
    wait_until(lambda: not untrusted.open, PATIENCE_SECONDS, "the end of the connection")


def test_nobody_there_is_an_outage(untrusted: UntrustedServer, tmp_path: Path) -> None:
    route = route_of(untrusted)
    untrusted.close()
    for nobody in (route, replace(route, place=f"{tmp_path}/nobody.sock")):
        with pytest.raises(CallFailed) as failed:
            ask(ServersByPlace(NeverAsked()), nobody)
        assert failed.value.fault is Fault.AWAY


def test_connections_end_with_their_address(untrusted: UntrustedServer) -> None:
    servers = ServersByPlace(NeverAsked())
    route = route_of(untrusted)
    for _ in range(2):
        ask(servers, route)
    servers.keep_only({"strange": route})
    assert len(untrusted.open) == 1
    servers.keep_only({"strange": replace(route, place=None)})
    wait_until(lambda: not untrusted.open, PATIENCE_SECONDS, "the end of the connection")


@pytest.mark.parametrize(
    "address",
    [
        *("unix:relative.sock", "", 7, "https://10.0.0.7:8085", "http://10.0.0.7", "http://10.0.0.7:none"),
        *(
            "http://sandbox:8085",
            "http://10.0.0.7:8085/path",
            "http://user@10.0.0.7:8085",
            "http://[::1:8085",
        ),
    ],
)
def test_any_other_address_spoils_the_table(address: object) -> None:
    with pytest.raises(ValueError, match="none that the gateway can reach"):
        read_routes([{**model(), "address": address}])


def test_each_model_is_called_at_its_place(gateway: Gateway, untrusted: UntrustedServer) -> None:
    gateway.serve(model(), model("strange", address=untrusted.address, explain=None))
    answer = gateway.predict("rain", name="strange")
    assert (answer.status, answer.json()) == (200, GOOD)
    assert gateway.predict("rain").status == 200
    assert [path for path, _, _ in gateway.torchserve.calls] == ["/predictions/mini"]
    [request] = untrusted.requests
    assert request.startswith(b"POST /predictions/strange HTTP/1.1\r\n")
    for secret in (b"authorization", b"first-key", b"x-request-id"):
        assert secret not in request.lower()


def test_unusable_answers_open_no_breaker_and_harm_nobody(
    gateway: Gateway, untrusted: UntrustedServer
) -> None:
    gateway.serve(model(), model("strange", address=untrusted.address, explain=None))
    untrusted.answer = whole(
        {**GOOD, "predictions": [{"label": "yes", "probabilities": {"no": 2, "yes": -1}}]}
    )
    for _ in range(6):
        answer = gateway.predict("rain", name="strange")
        assert answer.json()["predictions"][0]["error"]["type"] == "unusable_answer"
    untrusted.answer = whole(GOOD)
    assert gateway.predict("rain", name="strange").json() == GOOD
    assert gateway.predict("rain").status == 200


def test_a_model_moves_to_another_address(
    gateway: Gateway, untrusted: UntrustedServer, tmp_path: Path
) -> None:
    gateway.serve(model("strange", address=untrusted.address, explain=None))
    assert gateway.predict("rain", name="strange").status == 200
    other = UntrustedServer(tmp_path / "other.sock")
    gateway.registry.models = [model("strange", address=other.address, explain=None)]
    wait_until(lambda: not untrusted.open, PATIENCE_SECONDS, "the end of the old connection")
    assert gateway.predict("rain", name="strange").status == 200
    assert (len(untrusted.requests), len(other.requests)) == (1, 1)
    other.close()


def test_a_secret_evaluation_and_people_never_share_a_sandbox(
    gateway: Gateway, untrusted: UntrustedServer, tmp_path: Path
) -> None:
    scorer_server, evaluation = UntrustedServer(tmp_path / "apart.sock"), uuid4()
    served = model("strange", address=untrusted.address, explain=None, scorers=[])
    gateway.serve(served)
    headers = {"X-Lane": "evaluation", "X-Evaluation": str(evaluation)}
    waiting = gateway.predict("hidden", name="strange", headers=headers)
    assert (waiting.status, waiting.json()["type"].rsplit("/", 1)[-1]) == (503, "model-starting")
    started = f"scorers/{evaluation}"
    wait_until(lambda: started in gateway.registry.started, PATIENCE_SECONDS, "the start")
    name = f"strange-score-{evaluation.hex}"
    scorer = {"serving_name": name, "state": "ready", "reason": None, "address": scorer_server.address}
    gateway.serve({**served, "scorers": [scorer]})

    def is_answered() -> bool:
        return bool(gateway.predict("hidden", name="strange", headers=headers).status == 200)

    wait_until(is_answered, PATIENCE_SECONDS, "the sandbox of the evaluation")
    assert gateway.predict("seen", name="strange").status == 200
    others = {**headers, "X-Evaluation": str(uuid4())}
    assert gateway.predict("hidden", name="strange", headers=others).status == 503
    assert gateway.predict("x", name="strange", headers={**headers, "X-Evaluation": "?"}).status == 400
    assert [b"hidden" in request for request in untrusted.requests] == [False]
    [request] = scorer_server.requests
    assert request.startswith(f"POST /predictions/{name} ".encode())
    scorer_server.close()


def test_a_model_in_checks_answers_these_alone(gateway: Gateway, untrusted: UntrustedServer) -> None:
    gateway.serve(model("strange", address=untrusted.address, explain=None, accepted=False))
    refused = gateway.predict("rain", name="strange")
    assert (refused.status, refused.json()["type"].rsplit("/", 1)[-1]) == (503, "model-in-checks")
    checks = service_headers("registry")
    assert gateway.predict("rain", name="strange", headers=checks).status == 200

"""Service tokens and their rotation."""

import json
import re
import threading
from collections.abc import Iterator
from itertools import cycle

import pytest
from dynabench_common.auth.authentication import Verifier
from dynabench_common.auth.permissions import SERVICES, Permission, requires
from dynabench_common.http.client import JsonClient, UpstreamError
from dynabench_common.http.service import json_response, service_app
from dynabench_common.problems import Problem
from dynabench_common.service_tokens import CALLERS, ServiceTokens, digest_of
from dynabench_common.settings import CallingSettings, ServiceSettings, SettingsError, load
from dynabench_common.testing import SERVICE_TOKENS, Issuer, service_headers, service_token
from flask import Response
from werkzeug.serving import BaseWSGIServer, make_server

OLD, NEW = "the-old-token-of-scoring-which-goes", "the-new-token-of-scoring-which-stays"
REPLICAS, CLIENTS, CALLS = 2, 3, 20


def test_a_service_is_known_by_each_of_its_tokens_and_by_no_other() -> None:
    known = ServiceTokens.read(f" scoring = {digest_of(OLD)} , {digest_of(NEW).upper()} ;; web={'0' * 64};")
    assert [known.service_of(token) for token in (OLD, NEW)] == ["scoring", "scoring"]
    assert [known.service_of(token) for token in ("", OLD.upper(), digest_of(OLD))] == [None] * 3


def test_a_name_may_come_again() -> None:
    known = ServiceTokens.read(f"scoring={digest_of(OLD)};scoring={digest_of(NEW)}")
    assert [known.service_of(token) for token in (OLD, NEW)] == ["scoring", "scoring"]


@pytest.mark.parametrize("text", ["", " ", ";", "\n"])
def test_an_empty_list_lets_no_service_in(text: str) -> None:
    verifier = Verifier(Issuer().jwks, ServiceTokens.read(text))
    for service in CALLERS:
        with pytest.raises(Problem) as refused:
            verifier.principal(service_headers(service)["Authorization"])
        assert (refused.value.status, refused.value.slug) == (401, "token-invalid")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (OLD, "entry 1 lacks a '='"),
        (f"web={digest_of(NEW)};{OLD}", "entry 2 lacks a '='"),
        (f"web={digest_of(NEW)};scorer={digest_of(OLD)}", "entry 2 names no service that calls others"),
        (f"accounts={digest_of(OLD)}", "entry 1 names no service that calls others"),
        (f"web={digest_of(NEW)};scoring={OLD}", "entry 2 (scoring), digest 1 is not 64 hexadecimal digits"),
        (f"scoring={digest_of(OLD)},", "entry 1 (scoring), digest 2 is not 64 hexadecimal digits"),
        (f"scoring={digest_of(OLD)[:-1]}", "entry 1 (scoring), digest 1 is not 64 hexadecimal digits"),
        (f"web={digest_of(OLD)};scoring={digest_of(OLD)}", "entry 2 (scoring), digest 1 is also one of web"),
    ],
)
def test_a_mistake_is_reported_by_position_and_never_by_value(
    monkeypatch: pytest.MonkeyPatch, text: str, reason: str
) -> None:
    monkeypatch.setenv("JWKS_URL", "http://127.0.0.1:1/jwks")
    monkeypatch.setenv("SERVICE_TOKEN_DIGESTS", text)
    with pytest.raises(SettingsError) as refused:
        load(ServiceSettings)
    message = str(refused.value)
    assert f"SERVICE_TOKEN_DIGESTS: Value error, {reason}" in message
    assert OLD not in message
    assert digest_of(OLD)[:-1] not in message


def test_a_token_that_is_short_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVICE_TOKEN", "a" * 31)
    with pytest.raises(SettingsError, match="SERVICE_TOKEN: String should have at least 32 characters"):
        load(CallingSettings)
    monkeypatch.setenv("SERVICE_TOKEN", "a" * 32)
    load(CallingSettings)


def test_every_service_that_calls_may_do_something_and_no_other_is_named() -> None:
    assert frozenset[str]().union(*SERVICES.values()) == set(CALLERS)
    assert all(SERVICES.values())


class Called:
    """Replicas of a service that others call, each with digests of its own, asked in turns."""

    def __init__(self, text: str) -> None:
        self._servers = [self._serve(text) for _ in range(REPLICAS)]
        self._turns = cycle(range(REPLICAS))
        self._lock = threading.Lock()

    def _serve(self, text: str) -> BaseWSGIServer:
        app = service_app("common", verifier=Verifier(Issuer().jwks, ServiceTokens.read(text)))

        @app.get("/api/common/v1/models")
        @requires(Permission.USE_MODELS)
        def models() -> Response:
            return json_response({})

        server = make_server("127.0.0.1", 0, app, threaded=True)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return server

    def call(self, token: str) -> None:
        """Ask the replica whose turn it is. Raises UpstreamError."""
        with self._lock:
            port = self._servers[next(self._turns)].server_port
        client = JsonClient(f"http://127.0.0.1:{port}", 30, token, pool_size=1)
        client.call("GET", "/api/common/v1/models")

    def replace(self, text: str) -> Iterator[None]:
        """Replace the servers by others with other digests, one by one, as a rollout does."""
        for place, server in enumerate(self._servers):
            following = self._serve(text)
            with self._lock:
                self._servers[place] = following
            yield
            server.shutdown()

    def stop(self) -> None:
        """End all."""
        for server in self._servers:
            server.shutdown()


class Calling:
    """Clients of one service that call without a pause, each with its newest token."""

    def __init__(self, called: Called) -> None:
        self._called = called
        self._tokens = [OLD] * CLIENTS
        self._done = [0] * CLIENTS
        self._stop = threading.Event()
        self.refused: list[str] = []
        self._threads = [
            threading.Thread(target=self._go_on, args=(place,), daemon=True) for place in range(CLIENTS)
        ]
        for thread in self._threads:
            thread.start()

    def _go_on(self, place: int) -> None:
        while not self._stop.is_set():
            try:
                self._called.call(self._tokens[place])
            except UpstreamError as err:
                self.refused.append(str(err))
            self._done[place] += 1

    def give(self, token: str) -> Iterator[None]:
        """Give the clients another token, one by one."""
        for place in range(CLIENTS):
            self._tokens[place] = token
            yield

    def all_call_again(self) -> None:
        """Wait until each has called a number of times since."""
        before = list(self._done)
        while any(now - then < CALLS for now, then in zip(self._done, before, strict=True)):
            self._stop.wait(0.01)

    def stop(self) -> None:
        """End all."""
        self._stop.set()
        for thread in self._threads:
            thread.join()


@pytest.fixture
def called() -> Iterator[Called]:
    made = Called(f"scoring={digest_of(OLD)}")
    yield made
    made.stop()


@pytest.fixture
def calling(called: Called) -> Iterator[Calling]:
    made = Calling(called)
    yield made
    made.stop()


@pytest.mark.slow
def test_a_token_is_changed_in_three_steps_without_a_refused_call(called: Called, calling: Calling) -> None:
    steps = (
        called.replace(f"scoring={digest_of(OLD)},{digest_of(NEW)}"),
        calling.give(NEW),
        called.replace(f"scoring={digest_of(NEW)}"),
    )
    for step in steps:
        for _ in step:
            calling.all_call_again()
    assert calling.refused == []
    for _ in range(REPLICAS):
        with pytest.raises(UpstreamError, match="status 401"):
            called.call(OLD)


def test_a_token_that_is_given_before_its_digest_is_refused(called: Called, calling: Calling) -> None:
    for _ in calling.give(NEW):
        calling.all_call_again()
    assert calling.refused


@pytest.mark.parametrize("service", CALLERS)
def test_a_service_outside_the_row_is_refused_by_name(service: str) -> None:
    app = service_app("common", verifier=Verifier(Issuer().jwks, SERVICE_TOKENS))

    @app.get("/api/common/v1/models")
    @requires(Permission.USE_MODELS)
    def models() -> Response:
        return json_response({})

    answer = app.test_client().get("/api/common/v1/models", headers=service_headers(service))
    if service in SERVICES[Permission.USE_MODELS]:
        assert answer.status_code == 200
        return
    document = json.loads(answer.data)
    assert (answer.status_code, document["type"]) == (403, "/problems/not-allowed")
    assert document["detail"] == f"The service {service} may not ask models directly."


def test_what_no_service_holds_is_a_bad_token() -> None:
    with pytest.raises(Problem) as refused:
        Issuer().verifier().principal(f"Bearer {re.sub('a', 'b', service_token('scoring'))}")
    assert (refused.value.status, refused.value.slug) == (401, "token-invalid")

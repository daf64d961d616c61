"""Retries, errors and headers, against a real socket."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from dynabench_client import (
    NO_RETRIES,
    Dynabench,
    ProblemError,
    RetryPolicy,
    UnexpectedAnswerError,
    UnreachableError,
)
from dynabench_client.retries import may_repeat
from dynabench_client.transport import Transport

from services.client.tests.stub_platform import StubPlatform, Told

ROUND = {"round_id": "r1", "task_slug": "sentiment", "state": "open"}
EXAMPLE = {"example_id": "e1", "round_id": "r1", "verdict": "fooled"}
QUICK = RetryPolicy(attempts=4, longest_wait_seconds=10, first_wait_seconds=0.001)


def impatient(stub: StubPlatform, waits: list[float] | None = None, **more: Any) -> Dynabench:
    """Return a client that notes its waits and does not wait."""
    noted: list[float] = [] if waits is None else waits
    return Dynabench(stub.url, transport=Transport(retries=QUICK, sleep=noted.append), **more)


@pytest.mark.parametrize(
    ("idempotent", "status", "retry_after", "repeated"),
    [
        (True, None, None, True),
        (True, 502, None, True),
        (True, 503, None, True),
        (True, 503, 1.0, True),
        (True, 504, None, True),
        (True, 429, None, True),
        (True, 500, None, False),
        (True, 404, None, False),
        (False, None, None, False),
        (False, 502, None, False),
        (False, 503, None, False),
        (False, 503, 1.0, True),
        (False, 429, 1.0, True),
    ],
)
def test_a_loss_is_repeated_where_that_is_harmless_and_a_refusal_always(
    idempotent: bool, status: int | None, retry_after: float | None, repeated: bool
) -> None:
    assert may_repeat(idempotent, status, retry_after) is repeated


@pytest.mark.parametrize(("asked_for", "waited"), [(None, True), (0.0, True), (10.0, True), (10.5, False)])
def test_a_wait_beyond_the_limit_is_left_to_the_caller(asked_for: float | None, waited: bool) -> None:
    assert (QUICK.wait(1, asked_for) is not None) is waited
    assert QUICK.wait(4, asked_for) is None


def test_a_read_is_repeated_until_it_succeeds(
    stub: StubPlatform, tell_problem: Callable[..., Told], told: type[Told]
) -> None:
    unavailable = tell_problem(503, "not-ready", {"Retry-After": "2"})
    stub.tell("GET", "/annotation/v1/rounds/r1", told(status=0), unavailable, ROUND)
    waits: list[float] = []
    assert impatient(stub, waits).annotation.round("r1").is_open
    assert len(stub.requests) == 3
    assert waits[1] == 2.0


def test_a_watch_stands_around_each_attempt_and_adds_to_its_headers(
    stub: StubPlatform, tell_problem: Callable[..., Told]
) -> None:
    heard: list[tuple[str, str, int]] = []

    @contextmanager
    def watch(method: str, url: str, headers: dict[str, str]) -> Iterator[Callable[[int], None]]:
        headers["traceparent"] = f"attempt-{len(heard)}"
        yield lambda status: heard.append((method, url, status))

    stub.tell("GET", "/annotation/v1/rounds/r1", tell_problem(503, "not-ready", {"Retry-After": "0"}), ROUND)
    transport = Transport(retries=QUICK, sleep=lambda _: None, watch=watch)
    assert Dynabench(stub.url, transport=transport).annotation.round("r1").is_open
    url = f"{stub.url}/api/annotation/v1/rounds/r1"
    assert heard == [("GET", url, 503), ("GET", url, 200)]
    assert [request.headers["traceparent"] for request in stub.requests] == ["attempt-0", "attempt-1"]


def test_a_problem_carries_everything_its_reader_needs(
    stub: StubPlatform, tell_problem: Callable[..., Told]
) -> None:
    stub.tell(
        "POST",
        "/annotation/v1/rounds/r1/examples",
        tell_problem(422, "label-missing", field="input.label", remedy="Choose a label.", extra=1),
    )
    with pytest.raises(ProblemError) as caught:
        impatient(stub).annotation.create_example("r1", "c1", {"text": "x"})
    err = caught.value
    assert (err.status, err.slug, err.field, err.remedy) == (
        422,
        "label-missing",
        "input.label",
        "Choose a label.",
    )
    assert (err.type, err.title, err.request_id) == ("/problems/label-missing", "Label missing", "r-1")
    assert str(err) == "It is label-missing."
    assert err.document["extra"] == 1
    assert not err.is_ours


@pytest.mark.parametrize("body", [b"<html>Bad gateway</html>", b"", b"[]", b'{"title": 7}'])
def test_an_error_without_a_problem_document_is_still_a_problem(
    stub: StubPlatform, told: type[Told], body: bytes
) -> None:
    stub.tell("GET", "/annotation/v1/rounds/r1", told(body, 502, {"X-Request-Id": "r-9"}))
    with pytest.raises(ProblemError) as caught:
        impatient(stub).annotation.round("r1")
    assert (caught.value.status, caught.value.type) == (502, "about:blank")
    assert (caught.value.title, caught.value.request_id) == ("Status 502", "r-9")
    assert caught.value.is_ours


def test_a_try_keeps_its_key_over_retries_and_gets_a_new_one_next_time(
    stub: StubPlatform, tell_problem: Callable[..., Told], told: type[Told]
) -> None:
    path = "/annotation/v1/rounds/r1/examples"
    busy = tell_problem(503, "undecidable", {"Retry-After": "1"})
    replayed = told(EXAMPLE, 200, {"Idempotency-Replayed": "true"})
    stub.tell("POST", path, busy, told(status=0), replayed, told(EXAMPLE, 201))
    area = impatient(stub).annotation
    first, second = (area.create_example("r1", "c1", {"text": "x", "label": "pos"}) for _ in range(2))
    keys = [request.headers["idempotency-key"] for request in stub.seen("POST", path)]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert (first.replayed, second.replayed) == (True, False)
    assert first.fooled
    assert stub.requests[0].body == {"context_id": "c1", "input": {"text": "x", "label": "pos"}}


def test_a_given_key_is_used(stub: StubPlatform) -> None:
    stub.tell("POST", "/annotation/v1/rounds/r1/examples", EXAMPLE)
    impatient(stub).annotation.create_example("r1", "c1", {}, idempotency_key="mine")
    assert stub.requests[0].headers["idempotency-key"] == "mine"


def test_a_write_without_a_key_is_not_repeated_when_its_answer_was_lost(
    stub: StubPlatform, told: type[Told]
) -> None:
    stub.tell("POST", "/accounts/v1/people", told(status=0))
    with pytest.raises(UnreachableError):
        impatient(stub).accounts.sign_up("ada", "ada@example.org", "violet otter canoe")
    assert len(stub.requests) == 1


def test_nobody_at_the_address_is_unreachable_after_retries() -> None:
    waits: list[float] = []
    client = Dynabench("http://127.0.0.1:9", transport=Transport(retries=QUICK, sleep=waits.append))
    with pytest.raises(UnreachableError, match=r"127\.0\.0\.1:9.*refused"):
        client.accounts.sign_up("ada", "ada@example.org", "violet otter canoe")
    assert len(waits) == 3


def test_a_wait_too_long_is_told_instead_of_waited(
    stub: StubPlatform, tell_problem: Callable[..., Told]
) -> None:
    closed = tell_problem(429, "sign-in-closed", {"Retry-After": "900"})
    stub.tell("POST", "/accounts/v1/sessions", closed)
    with pytest.raises(ProblemError) as caught:
        impatient(stub).accounts.sign_in("ada", "x")
    assert caught.value.retry_after == 900
    assert len(stub.requests) == 1


def test_without_retries_the_first_failure_is_the_last(stub: StubPlatform, told: type[Told]) -> None:
    stub.tell("GET", "/annotation/v1/rounds/r1", told(status=0), ROUND)
    with pytest.raises(UnreachableError):
        Dynabench(stub.url, retries=NO_RETRIES).annotation.round("r1")


@pytest.mark.parametrize("body", [b"<html>hello</html>", b"[1]", b'"text"', b"{}", b""])
def test_an_answer_that_is_no_dynabenchs_is_told_apart(
    stub: StubPlatform, told: type[Told], body: bytes
) -> None:
    stub.tell("GET", "/annotation/v1/rounds/r1", told(body))
    with pytest.raises(UnexpectedAnswerError):
        impatient(stub).annotation.round("r1")


def test_a_redirect_is_not_followed(stub: StubPlatform, told: type[Told]) -> None:
    stub.tell(
        "GET", "/annotation/v1/rounds/r1", told(status=302, headers={"Location": "http://127.0.0.1:9/"})
    )
    with pytest.raises(ProblemError) as caught:
        impatient(stub).annotation.round("r1")
    assert caught.value.status == 302


def test_unknown_fields_are_ignored(stub: StubPlatform) -> None:
    stub.tell("GET", "/annotation/v1/examples/e1", {**EXAMPLE, "mood": {"new": True}})
    example = impatient(stub).annotation.example("e1")
    assert example.example_id == EXAMPLE["example_id"]
    assert not {"mood", "replayed"} & set(example.document())


@pytest.mark.parametrize("answer", [{}, {"tries": None}], ids=["missing", "null"])
def test_a_field_that_is_missing_or_null_is_named_and_never_made_up(
    stub: StubPlatform, told: type[Told], answer: dict[str, Any]
) -> None:
    counts = {"fooled": 1, "not_fooled": 2, "retracted": 0, **answer}
    stub.tell("GET", "/annotation/v1/rounds/r1/counts", told(counts, is_whole=True))
    with pytest.raises(UnexpectedAnswerError, match="tries"):
        impatient(stub).annotation.counts("r1")


@pytest.mark.parametrize("hostile", ["../../accounts/v1/me", "a/b", "x?y=1", "x#y", "ü %"])
def test_an_id_can_not_lead_to_another_path(stub: StubPlatform, hostile: str) -> None:
    with pytest.raises(ProblemError):
        impatient(stub).annotation.round(hostile)
    path = stub.requests[0].path
    assert path.startswith("/api/annotation/v1/rounds/")
    assert path.count("/") == 5


def test_connections_are_kept_and_each_request_has_an_id(stub: StubPlatform) -> None:
    stub.tell("GET", "/annotation/v1/rounds/r1", ROUND)
    client = impatient(stub)
    for _ in range(3):
        client.annotation.round("r1")
    assert len({request.headers["x-request-id"] for request in stub.requests}) == 3
    assert client._connection.transport.pool.connection_from_url(stub.url).num_connections == 1


def test_a_server_acts_for_many_people_over_one_pool(stub: StubPlatform) -> None:
    stub.tell("GET", "/accounts/v1/me", {"person_id": "p1", "user_name": "ada"})
    base = impatient(stub)

    def visit(number: int) -> None:
        base.acting_as(f"token-{number}", request_id=f"request-{number}").accounts.me()

    threads = [threading.Thread(target=visit, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pairs = {(r.headers["authorization"], r.headers["x-request-id"]) for r in stub.requests}
    assert pairs == {(f"Bearer token-{number}", f"request-{number}") for number in range(10)}
    base.acting_as().accounts.me()
    assert "authorization" not in stub.requests[-1].headers


def test_services_can_be_reached_directly(stub: StubPlatform) -> None:
    stub.tell("GET", "/annotation/v1/rounds/r1", ROUND)
    client = Dynabench("http://127.0.0.1:9", urls={"annotation": stub.url + "/"})
    assert client.annotation.round("r1").round_id == "r1"
    assert Dynabench(urls={"annotation": stub.url}).annotation.round("r1").round_id == "r1"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"url": "http://x", "user_name": "ada"},
        {"url": "http://x", "password": "p"},
        {"url": "http://x", "token": "t", "access_token": "a"},
        {"url": "http://x", "token": "t", "user_name": "ada", "password": "p"},
    ],
)
def test_contradictory_arguments_are_refused_at_once(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"give|together"):
        Dynabench(**arguments)


def test_text_that_is_no_valid_unicode_reaches_the_platform_to_be_refused(stub: StubPlatform) -> None:
    stub.tell("POST", "/annotation/v1/rounds/r1/examples", EXAMPLE)
    impatient(stub).annotation.create_example("r1", "c1", {"text": "\ud800 👩‍🚀"})
    assert stub.requests[0].body["input"]["text"] == "\ud800 👩‍🚀"


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_what_can_name_nothing_is_not_sent(stub: StubPlatform, name: str) -> None:
    with pytest.raises(ProblemError) as caught:
        Dynabench(stub.url).validation.judge(name, agrees=True)
    assert (caught.value.status, caught.value.is_ours) == (404, False)
    assert stub.requests == []


@pytest.mark.parametrize("name", ["...", "a.b", "../x", "a/..", "%2e%2e"])
def test_any_other_text_is_one_segment(stub: StubPlatform, name: str) -> None:
    with pytest.raises(ProblemError):
        Dynabench(stub.url).annotation.task(name)
    (asked,) = stub.requests
    assert asked.path.count("/") == len(("", "api", "annotation", "v1", "tasks"))


def test_an_address_is_told_without_its_signature() -> None:
    error = UnreachableError("https://store/data?X-Amz-Signature=secret", "no answer in time")
    assert (error.address, str(error)) == (
        "https://store/data",
        "https://store/data can't be reached: no answer in time",
    )

"""Bodies and answers that are no JSON: pictures, and lines that may be sent again."""

from collections.abc import Callable
from typing import Any

import pytest
from dynabench_client import Dynabench, ProblemError
from dynabench_client.transport import Transport

from services.client.tests.stub_platform import StubPlatform, Told


def test_an_image_is_read_as_bytes(stub: StubPlatform, told: type[Told]) -> None:
    stub.tell("GET", "/annotation/v1/images/i1", told(b"\x89PNG", headers={"Content-Type": "image/png"}))
    image = Dynabench(stub.url).annotation.image("i1")
    assert (image.content, image.media_type) == (b"\x89PNG", "image/png")
    assert stub.requests[0].headers["accept"] == "image/*"


LINES = b'{"id": "a"}\n{"id": "b"}\n'
STORED = {"stored": 1, "repeated": 1, "votes": 5}


def generated() -> Any:
    yield b'{"fields": {}}\n'


@pytest.mark.parametrize(
    ("content", "times"), [(b'{"fields": {}}\n', 2), ([b'{"fields": {}}', b"\n"], 2), (generated(), 1)]
)
def test_contexts_are_sent_again_only_if_something_is_left_to_send(
    stub: StubPlatform, tell_problem: Callable[..., Told], content: Any, times: int
) -> None:
    path = "/annotation/v1/rounds/r1/contexts/upload"
    stub.tell("POST", path, tell_problem(503, "busy", {"Retry-After": "1"}), {"added": 1})
    waits: list[float] = []
    area = Dynabench(stub.url, transport=Transport(sleep=waits.append)).annotation
    if times == 1:
        with pytest.raises(ProblemError, match="busy"):
            area.upload_contexts("r1", content)
    else:
        assert area.upload_contexts("r1", content).added == 1
    assert [request.data for request in stub.seen("POST", path)] == [b'{"fields": {}}\n'] * times


def test_a_stream_that_met_a_stale_token_is_not_sent_empty(
    stub: StubPlatform, tell_problem: Callable[..., Told]
) -> None:
    access = {"access_token": "a", "expires_in": 900, "person": {"person_id": "p1", "user_name": "ada"}}
    stub.tell("POST", "/accounts/v1/tokens/exchange", access)
    path = "/annotation/v1/rounds/r1/contexts/upload"
    stub.tell("POST", path, tell_problem(401, "token-expired"), {"added": 1})
    with pytest.raises(ProblemError):
        Dynabench(stub.url, token="dbt_x").annotation.upload_contexts("r1", generated())
    assert len(stub.seen("POST", path)) == 1


@pytest.mark.parametrize(
    ("make", "times"), [(bytes, 2), (lambda lines: [lines], 2), (lambda lines: iter([lines]), 1)]
)
@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("add_records", "/annotation/v1/rounds/r1/records"),
        ("harvest", "/annotation/v1/rounds/r1/harvest"),
    ],
)
def test_a_batch_whose_answer_was_lost_is_sent_again_if_anything_is_left_to_send(
    stub: StubPlatform,
    tell_problem: Callable[..., Told],
    verb: str,
    path: str,
    make: Callable[[bytes], Any],
    times: int,
) -> None:
    stub.tell("POST", path, tell_problem(502, "lost"), STORED)
    send = getattr(Dynabench(stub.url, transport=Transport(sleep=lambda _: None)).annotation, verb)
    if times == 1:
        with pytest.raises(ProblemError):
            send("r1", make(LINES))
    else:
        assert send("r1", make(LINES)).stored == 1
    assert [request.data for request in stub.seen("POST", path)] == [LINES] * times

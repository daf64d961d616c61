"""Exports, files and descriptions of datasets, as the SDK reads them."""

from collections.abc import Callable
from urllib.parse import parse_qs

import pytest
from dynabench_client import Dynabench, ProblemError, UnexpectedAnswerError, UnreachableError
from dynabench_client.transport import PIECE_BYTES, Transport

from services.client.tests.stub_platform import StubPlatform, Told

EXPORT = "/scoring/v1/rounds/r1/export"
LONG = b'{"id": "e1"}\n' * 20_000


def test_an_export_comes_in_pieces_that_are_never_large(stub: StubPlatform, told: type[Told]) -> None:
    stub.tell("GET", EXPORT, told(LONG))
    client = Dynabench(stub.url)
    pieces = list(client.datasets.export_round("r1"))
    assert b"".join(pieces) == LONG
    assert max(map(len, pieces)) <= PIECE_BYTES < len(LONG)
    assert b"".join(client.datasets.export_round("r1")) == LONG
    assert client._connection.transport.pool.connection_from_url(stub.url).num_connections == 1


def test_an_export_asked_for_by_a_stranger_is_refused_before_anything_is_read(
    stub: StubPlatform, tell_problem: Callable[..., Told]
) -> None:
    stub.tell("GET", EXPORT, tell_problem(403, "not-allowed", remedy="Ask the owner."))
    with pytest.raises(ProblemError) as caught:
        Dynabench(stub.url).datasets.export_round("r1")
    assert (caught.value.slug, caught.value.remedy) == ("not-allowed", "Ask the owner.")


def test_an_export_is_asked_for_again_until_it_begins(
    stub: StubPlatform, tell_problem: Callable[..., Told], told: type[Told]
) -> None:
    stub.tell("GET", EXPORT, told(status=0), tell_problem(503, "busy"), told(LONG))
    client = Dynabench(stub.url, transport=Transport(sleep=lambda _: None))
    assert b"".join(client.datasets.export_round("r1")) == LONG
    assert len(stub.requests) == 3


def test_an_export_that_breaks_off_is_not_taken_for_whole(stub: StubPlatform, told: type[Told]) -> None:
    stub.tell("GET", EXPORT, told(LONG, headers={"Content-Length": "999999", "Connection": "close"}))
    pieces = Dynabench(stub.url).datasets.export_round("r1")
    assert next(pieces) == LONG[:PIECE_BYTES]
    with pytest.raises(UnreachableError):
        list(pieces)
    assert len(stub.requests) == 1


def test_a_file_is_read_where_the_platform_says_without_telling_who_asks(
    stub: StubPlatform, told: type[Told]
) -> None:
    stub.tell("GET", "/store/train", told(LONG))
    stub.send_on("/scoring/v1/datasets/d1/files/data/tr%20ain.parquet", "/store/train")
    client = Dynabench(stub.url, access_token="a1")
    assert b"".join(client.datasets.file("d1", "data/tr ain.parquet")) == LONG
    first, second = stub.requests
    assert first.headers["authorization"] == "Bearer a1"
    assert "authorization" not in second.headers


def test_a_file_without_an_address_is_no_dynabenchs(stub: StubPlatform, told: type[Told]) -> None:
    stub.tell("GET", "/scoring/v1/datasets/d1/files/a", told(b"PAR1"))
    with pytest.raises(UnexpectedAnswerError):
        Dynabench(stub.url).datasets.file_address("d1", "a")


@pytest.mark.parametrize(
    ("method", "content"), [("card", b"\xff"), ("croissant", b"[]"), ("croissant", b"<")]
)
def test_a_description_that_is_none_is_no_dynabenchs(
    stub: StubPlatform, told: type[Told], method: str, content: bytes
) -> None:
    stub.tell("GET", f"/scoring/v1/datasets/d1/{method}", told(content))
    with pytest.raises(UnexpectedAnswerError):
        getattr(Dynabench(stub.url).datasets, method)("d1")


def test_rows_are_asked_for_by_split_and_label(stub: StubPlatform) -> None:
    column, row = {"name": "label", "type": "multiclass"}, {"label": "yes"}
    answer = {"columns": [column], "rows": [row], "next_offset": 1, "searched": 2, "is_limit_reached": False}
    stub.tell("GET", "/scoring/v1/datasets/d1/rows", answer)
    found = Dynabench(stub.url).datasets.rows("d1", "dev", label="yes", limit=1)
    assert (found.rows[0]["label"], found.columns[0].type, found.next_offset) == ("yes", "multiclass", 1)
    assert parse_qs(stub.requests[0].query) == {"split": ["dev"], "label": ["yes"], "limit": ["1"]}

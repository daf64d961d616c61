"""Datasets: releases, what describes a dataset, and files that are never whole in memory."""

from collections.abc import Callable

import pytest
from dynabench_client import Dynabench, ProblemError, UnexpectedAnswerError, UnreachableError
from dynabench_client.transport import PIECE_BYTES, Transport

from services.client.tests.client_owner_answers import page
from services.client.tests.client_rows import Row, addresses, check
from services.client.tests.conftest import StubPlatform, Told

NOON = "2026-11-21T12:00:00Z"
EXPORT = "/scoring/v1/rounds/r1/export"
LONG = b'{"id": "e1"}\n' * 20_000
SPREAD = {"n": 10, "mean": 5.5, "p5": 1, "p50": 5, "p95": 10, "max": 12, "histogram": [{"to": 5, "count": 4}]}
PREVIEW = {
    "allowed": False,
    "state": "closed",
    "examples": 100,
    "resolved": 90,
    "unresolved": 10,
    "excluded": {"retracted": 1, "flagged": 2, "disputed": 3, "no_gold": 4},
    "splits": {
        "train": {"examples": 70, "authors": 8},
        "dev": {"examples": 10, "authors": 1},
        "test": {"examples": 10, "authors": 1},
    },
    "largest_author_share": 0.4,
    "blockers": [{"kind": "unresolved-examples", "text": "10 wait.", "remedy": "Accept them."}],
    "notices": ["One author wrote 40 % of the examples."],
}
RELEASE = {
    "release_id": "x1",
    "round_id": "r1",
    "state": "building",
    "step": "splits",
    "progress": 0.25,
    "dataset_id": None,
    "error": None,
}
FILE = {
    "path": "data/train.parquet",
    "media_type": "application/x-parquet",
    "sha256": "ab",
    "size": 1234,
    "split": "train",
    "examples": 70,
}
DATASET = {
    "dataset_id": "d1",
    "task_slug": "sentiment",
    "round_id": "r1",
    "name": "sentiment-r3",
    "splits": {"train": {"examples": 70, "authors": 8}},
    "counts": {"train": 70},
    "about": {"seed": 7},
    "files": [FILE],
    "citation": "@misc{…}",
    "measurements": "done",
    "released_at": NOON,
}
MEASURED = {
    "state": "done",
    "label_balance": {"gold": {"negative": 40}, "claimed": {"negative": 38}},
    "lengths": {"text": {"words": SPREAD, "characters": SPREAD}},
    "vocabulary": {
        "types": 10,
        "tokens": 40,
        "type_token_ratio": 0.25,
        "new_per_1000": [{"examples": 40, "new": 250.0}],
    },
    "near_duplicates": {"pairs": 2, "share": 0.02},
    "overlap": {"mean": 0.1, "histogram": [{"low": 0.0, "high": 0.1, "count": 40}]},
    "authors": {"people": 10, "top5_share": 0.8, "hhi": 0.2},
    "associations": [{"token": "not", "label": "negative", "pmi": 1.2, "low": 0.8, "high": 1.6, "count": 12}],
    "input_only_baseline": {
        "accuracy": 0.61,
        "low": 0.55,
        "high": 0.67,
        "majority": 0.4,
        "n": 100,
        "reason": None,
    },
}
ROWS: list[Row] = [
    (
        lambda c: c.datasets.preview_release("r1", dev=0.1, test=100, seed=7, accept_unresolved=True),
        "GET /scoring/v1/rounds/r1/release/preview?dev=0.1&test=100&seed=7&accept_unresolved=true",
        PREVIEW,
        None,
        lambda made: (made.splits.dev.authors, made.blockers[0].kind) == (1, "unresolved-examples"),
    ),
    (
        lambda c: c.datasets.release(
            "r1", dev=50, licence="CC0-1.0", accept_unresolved=True, explanations=True
        ),
        "POST /scoring/v1/rounds/r1/releases",
        RELEASE,
        {"dev": 50, "licence": "CC0-1.0", "accept_unresolved": True, "explanations": True},
        lambda made: (made.progress, made.is_finished) == (0.25, False),
    ),
    (
        lambda c: c.datasets.release_state("x1"),
        "GET /scoring/v1/releases/x1",
        {**RELEASE, "state": "failed", "error": {"kind": "store", "detail": "Full.", "remedy": "Try again."}},
        None,
        lambda made: made.is_finished and made.error.remedy == "Try again.",
    ),
    (
        lambda c: c.datasets.datasets("sentiment", cursor="x"),
        "GET /scoring/v1/datasets?task=sentiment&cursor=x",
        page(DATASET),
        None,
        lambda made: made.items[0].dataset_id == "d1",
    ),
    (
        lambda c: c.datasets.dataset("d1"),
        "GET /scoring/v1/datasets/d1",
        DATASET,
        None,
        lambda made: (
            (made.files[0].size, made.measurements, made.splits.train.authors, made.about)
            == (1234, "done", 8, {"seed": 7})
        ),
    ),
    (
        lambda c: c.datasets.card("d1"),
        "GET /scoring/v1/datasets/d1/card",
        "# Straße".encode(),
        None,
        lambda made: made == "# Straße",
    ),
    (
        lambda c: c.datasets.croissant("d1"),
        "GET /scoring/v1/datasets/d1/croissant",
        {"@type": "sc:Dataset"},
        None,
        lambda made: made["@type"] == "sc:Dataset",
    ),
    (
        lambda c: c.datasets.measurements("d1"),
        "GET /scoring/v1/datasets/d1/measurements",
        MEASURED,
        None,
        lambda made: made.lengths["text"].words.p95 == 10 and made.associations[0].pmi == 1.2,
    ),
    (
        lambda c: c.datasets.round_measurements("r1"),
        "GET /scoring/v1/rounds/r1/measurements",
        {"state": "computing"},
        None,
        lambda made: made.is_computing and made.authors.hhi is None,
    ),
    (
        lambda c: b"".join(c.datasets.export_round("r1", "parquet")),
        "GET /scoring/v1/rounds/r1/export?format=parquet",
        b"PAR1",
        None,
        lambda made: made == b"PAR1",
    ),
    (
        lambda c: b"".join(c.datasets.export_own()),
        "GET /scoring/v1/people/me/export",
        LONG,
        None,
        lambda made: made == LONG,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=addresses(ROWS))
def test_a_method_sends_its_request_and_reads_its_answer(stub: StubPlatform, row: Row) -> None:
    check(stub, row)


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

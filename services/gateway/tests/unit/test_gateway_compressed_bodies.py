"""Bodies may be compressed, and are never unpacked beyond what a body may have."""

import gzip
import zlib

import pytest
from flask import Flask
from gateway.domain.errors import RequestRefused
from gateway.entrypoints.http.body import MAX_BODY_BYTES, decoded_body, decoded_tensors

JSON = b'{"instances": [{"text": "\xf0\x9f\x98\x80"}]}'


def packed(data: bytes) -> bytes:
    """Pack without the time, so that the cases have the same names in every process."""
    return gzip.compress(data, mtime=0)


BOMB = packed(b" " * 50_000_000)


def asked(data: bytes, encoding: str | None, **headers: str) -> object:
    given = {**headers, **({"Content-Encoding": encoding} if encoding else {})}
    with Flask("probe").test_request_context(method="POST", data=data, headers=given):
        return decoded_tensors() if headers else decoded_body()


@pytest.mark.parametrize(
    ("data", "encoding"),
    [(JSON, None), (JSON, "identity"), (packed(JSON), "gzip"), (packed(JSON), "GZIP"),
     (zlib.compress(JSON), "deflate")],
)  # fmt: skip
def test_a_body_is_read_however_it_was_packed(data: bytes, encoding: str | None) -> None:
    assert asked(data, encoding) == {"instances": [{"text": "😀"}]}


def test_lengths_count_what_was_unpacked() -> None:
    length = {"Inference-Header-Content-Length": str(len(JSON))}
    assert asked(packed(JSON + b"\x01\x02"), "gzip", **length) == (
        {"instances": [{"text": "😀"}]},
        b"\x01\x02",
    )


@pytest.mark.parametrize(
    ("data", "encoding", "slug", "status"),
    [
        (JSON, "gzip", "body-not-packed", 400),
        (b"", "gzip", "body-not-packed", 400),
        (packed(JSON)[:-9], "gzip", "body-not-packed", 400),
        (packed(JSON) + b"more", "gzip", "body-not-packed", 400),
        (packed(packed(JSON)), "gzip", "body-not-utf8", 400),
        (JSON, "br", "encoding-unknown", 415),
        (JSON, "gzip, gzip", "encoding-unknown", 415),
        (BOMB, "gzip", "body-too-large", 413),
    ],
)
def test_what_can_not_be_unpacked_is_refused(data: bytes, encoding: str, slug: str, status: int) -> None:
    assert len(data) <= MAX_BODY_BYTES
    with pytest.raises(RequestRefused) as refused:
        asked(data, encoding)
    assert (refused.value.slug, refused.value.status) == (slug, status)

"""Uploading a picture: announced, sent to the signed address, checked."""

from collections.abc import Callable
from pathlib import Path

import pytest
from dynabench_client import Dynabench, UnreachableError
from dynabench_client.uploads import ImageNotSentError
from typer.testing import Result

from services.client.tests.conftest import StubPlatform

Run = Callable[..., Result]
PNG = b"\x89PNG bytes"
KEPT = {"image_id": "i1", "width": 4, "height": 3, "media_type": "image/png"}


def tell(stub: StubPlatform, url: str) -> None:
    start = {
        "image_id": "i1",
        "upload": {"url": url, "method": "PUT", "headers": {"Content-Type": "image/png"}},
    }
    stub.tell("POST", "/annotation/v1/tasks/pictures/images", start)
    stub.tell("POST", "/annotation/v1/images/i1/completion", KEPT)


def test_an_image_goes_where_the_platform_says(stub: StubPlatform) -> None:
    tell(stub, f"{stub.url}/api/store/i1")
    stub.tell("PUT", "/store/i1", {})
    kept = Dynabench(stub.url).annotation.upload_image("pictures", PNG, "image/png")
    [sent] = stub.seen("PUT", "/store/i1")
    assert (sent.data, sent.headers["content-type"]) == (PNG, "image/png")
    assert (kept.image_id, kept.width) == ("i1", 4)


def test_a_store_that_refuses_is_named(stub: StubPlatform) -> None:
    tell(stub, f"{stub.url}/api/store/gone")
    with pytest.raises(ImageNotSentError) as caught:
        Dynabench(stub.url).annotation.upload_image("pictures", PNG, "image/png")
    assert caught.value.status == 404
    assert not stub.seen("POST", "/annotation/v1/images/i1/completion")


def test_a_store_that_is_away_is_named_without_its_signature(stub: StubPlatform) -> None:
    tell(stub, "http://127.0.0.1:1/store/i1?signature=secret")
    with pytest.raises(UnreachableError) as caught:
        Dynabench(stub.url).annotation.upload_image("pictures", PNG, "image/png")
    assert caught.value.address == "http://127.0.0.1:1/store/i1"


def test_the_command_prints_the_id_and_keeps_the_token_to_itself(
    run: Run, stub: StubPlatform, tmp_path: Path
) -> None:
    tell(stub, f"{stub.url}/api/store/i1")
    stub.tell("PUT", "/store/i1", {})
    picture = tmp_path / "market.png"
    picture.write_bytes(PNG)
    result = run("images", "upload", "pictures", str(picture))
    assert result.exit_code == 0, result.stderr
    assert "i1" in result.stdout
    assert "authorization" in stub.seen("POST", "/annotation/v1/images/i1/completion")[0].headers
    assert "authorization" not in stub.seen("PUT", "/store/i1")[0].headers


def test_a_file_of_unknown_kind_is_refused_before_anything_is_sent(
    run: Run, stub: StubPlatform, tmp_path: Path
) -> None:
    picture = tmp_path / "market.svg"
    picture.write_text("<svg/>")
    result = run("images", "upload", "pictures", str(picture))
    assert (result.exit_code, stub.requests) == (1, [])
    assert ".png" in result.stderr

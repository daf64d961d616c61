"""Uploading a picture: announced, sent to the signed address, checked."""

import pytest
from dynabench_client import Dynabench, UnreachableError
from dynabench_client.areas.tasks import ImageNotSentError

from services.client.tests.stub_platform import StubPlatform

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

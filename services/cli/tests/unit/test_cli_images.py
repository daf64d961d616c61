"""`dynabench images upload`: prints the id of the picture, and nothing of the sign-in."""

from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

from services.client.tests.stub_platform import StubPlatform

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

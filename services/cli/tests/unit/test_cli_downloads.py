"""`dynabench datasets download`: files are whole and as released, or not there; and what a card may not do."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import Result

from services.client.tests.stub_platform import StubPlatform, Told

CONTENT = {"README.md": b"# Sentiment\n", "data/train.parquet": b"PAR1" * 50_000}
Run = Callable[..., Result]


def tell_dataset(stub: StubPlatform, told: type[Told], **other: bytes) -> None:
    """Make the stub answer with a dataset of two files; `other` replaces their content."""
    files = [
        {"path": path, "size": len(content), "sha256": sha256(content).hexdigest()}
        for path, content in CONTENT.items()
    ]
    stub.tell("GET", "/scoring/v1/datasets/d1", {"dataset_id": "d1", "name": "sentiment-r3", "files": files})
    for number, (path, content) in enumerate(CONTENT.items()):
        stub.send_on(f"/scoring/v1/datasets/d1/files/{path}", f"/store/{number}?X-Amz-Signature=secret")
        stub.tell("GET", f"/store/{number}", told(other.get(path, content)))


def found_in(folder: Path) -> dict[str, bytes]:
    """Return the files in a folder by their paths."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_all_files_are_fetched_and_those_there_are_kept(
    run: Run, stub: StubPlatform, told: type[Told], tmp_path: Path
) -> None:
    tell_dataset(stub, told)
    folder = tmp_path / "d1"
    folder.mkdir()
    (folder / "README.md").write_bytes(CONTENT["README.md"])
    document = json.loads(run("datasets", "download", "d1", "-o", str(folder), "--json").stdout)
    assert document == {"folder": str(folder), "files": 2, "fetched": 1, "kept": 1}
    assert found_in(folder) == CONTENT
    assert json.loads(run("datasets", "download", "d1", "-o", str(folder), "--json").stdout)["fetched"] == 0
    assert len(stub.seen("GET", "/store/1")) == 1
    assert stub.seen("GET", "/store/0") == []


def test_other_content_than_was_released_is_not_kept(
    run: Run, stub: StubPlatform, told: type[Told], tmp_path: Path
) -> None:
    tell_dataset(stub, told, **{"data/train.parquet": b"PAR2" * 50_000})
    result = run("datasets", "download", "d1", "-o", str(tmp_path / "d1"))
    assert (result.exit_code, result.stdout) == (3, "")
    assert "data/train.parquet came with other content" in result.stderr
    assert list(found_in(tmp_path / "d1")) == ["README.md"]


def test_a_file_that_breaks_off_is_fetched_by_the_next_run_and_no_signature_is_told(
    run: Run, stub: StubPlatform, told: type[Told], tmp_path: Path
) -> None:
    tell_dataset(stub, told)
    broken = told(b"PAR1", 200, {"Content-Length": "200000", "Connection": "close"})
    stub.tell("GET", "/store/1", broken, told(CONTENT["data/train.parquet"]))
    arguments = ("datasets", "download", "d1", "-o", str(tmp_path / "d1"))
    result = run(*arguments)
    assert result.exit_code == 3
    assert "/store/1 can't be reached" in result.stderr
    assert "secret" not in result.stderr
    assert run(*arguments).exit_code == 0
    assert found_in(tmp_path / "d1") == CONTENT


@pytest.mark.parametrize("path", ["../out", "/etc/out", "data/../../out", "..\\out", "."])
def test_no_file_leads_out_of_the_folder(run: Run, stub: StubPlatform, tmp_path: Path, path: str) -> None:
    stub.tell("GET", "/scoring/v1/datasets/d1", {"dataset_id": "d1", "files": [{"path": path}]})
    result = run("datasets", "download", "d1", "-o", str(tmp_path / "in" / "d1"))
    assert result.exit_code == 1
    assert "leads out of the folder" in result.stderr
    assert len(stub.requests) <= 2
    assert not (tmp_path / "in").exists()

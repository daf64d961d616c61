"""Sending an archive in parts."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from dynabench_client import Dynabench, UnreachableError
from dynabench_client.archive_upload import (
    ArchiveFile,
    ArchiveUpload,
    FileChangedError,
    PartRefusedError,
)

from services.client.tests.stub_platform import Seen, StubPlatform, Told
from services.client.tests.submission_answers import CONTENT, ONE, PART, PARTS, held, sent, tell_store


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "minilm-a.mar"
    path.write_bytes(CONTENT)
    return path


def upload(stub: StubPlatform, archive: Path, done: Callable[[int], None] = lambda _: None) -> None:
    area = Dynabench(stub.url).registry
    file = ArchiveFile.read(archive, lambda _: None)
    draft = area.submit("sentiment", "minilm-a", archive.name, file.size, digest=file.digest).submission
    ArchiveUpload(area, file, parts_at_once=2, sleep=lambda _: None).send(draft, done)


def test_all_parts_are_sent_and_the_digest_is_told(stub: StubPlatform, archive: Path) -> None:
    tell_store(stub)
    counted: list[int] = []
    upload(stub, archive, counted.append)
    assert sent(stub) == {number: [content] for number, content in enumerate(PARTS, 1)}
    assert sum(counted) == len(CONTENT)
    [begun] = stub.seen("POST", "/registry/v1/submissions")
    assert begun.body["digest"] == "sha256:" + hashlib.sha256(CONTENT).hexdigest()
    assert len(stub.seen("POST", f"{ONE}/upload/completion")) == 1


def test_what_the_store_has_is_not_sent_again(stub: StubPlatform, archive: Path) -> None:
    tell_store(stub, held(1, PARTS[0]), held(3, PARTS[2]))
    counted: list[int] = []
    upload(stub, archive, counted.append)
    assert set(sent(stub)) == {2, 4}
    assert sum(counted) == len(CONTENT)


def test_parts_of_another_file_are_replaced(stub: StubPlatform, archive: Path) -> None:
    tell_store(stub, held(1, b"x" * PART), held(2, PARTS[1][:-1]), held(4, PARTS[3]))
    upload(stub, archive)
    assert set(sent(stub)) == {1, 2, 3}


def test_a_part_that_fails_is_sent_again_to_a_new_address(stub: StubPlatform, archive: Path) -> None:
    tell_store(stub)
    stub.tell("PUT", "/store/3", Told(status=0), Told({}, 503), Told({}, 403), Told({}))
    upload(stub, archive)
    assert sent(stub)[3] == [PARTS[2]] * 4
    assert [each.body["numbers"] for each in stub.seen("POST", f"{ONE}/upload/parts")].count([3]) == 3


def test_a_store_that_takes_nothing_ends_the_upload_unfinished(stub: StubPlatform, archive: Path) -> None:
    tell_store(stub)
    stub.tell("PUT", "/store/2", Told({}, 400))
    with pytest.raises(PartRefusedError, match="part 2: it answered 400"):
        upload(stub, archive)
    stub.tell("PUT", "/store/2", Told(status=0))
    with pytest.raises(UnreachableError) as caught:
        upload(stub, archive)
    assert "secret" not in str(caught.value)
    assert not stub.seen("POST", f"{ONE}/upload/completion")


def test_a_file_that_changes_meanwhile_is_not_completed(stub: StubPlatform, archive: Path) -> None:
    tell_store(stub)

    def change(_: Seen) -> Told:
        archive.write_bytes(CONTENT[::-1])
        return Told({})

    stub.tell("PUT", "/store/1", change)
    with pytest.raises(FileChangedError):
        upload(stub, archive)
    assert not stub.seen("POST", f"{ONE}/upload/completion")

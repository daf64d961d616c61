"""Sending an archive in parts, and following its checks."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dynabench_client import Dynabench, UnreachableError
from dynabench_client.archive_upload import (
    ArchiveFile,
    ArchiveUpload,
    FileChangedError,
    PartRefusedError,
)
from typer.testing import Result

from services.client.tests.client_submission_answers import DELETED, LINE, ONE, SUBMISSION_ID, WHOLE, step
from services.client.tests.conftest import Seen, StubPlatform, Told

Run = Callable[..., Result]
CONTENT = bytes(range(250)) * 4
PART = 300
PARTS = (CONTENT[:300], CONTENT[300:600], CONTENT[600:900], CONTENT[900:])
DRAFT = {
    **WHOLE,
    "state": "draft",
    "step": "received",
    "serving_name": None,
    "upload": {"size": len(CONTENT), "digest": None, "part_bytes": PART, "parts": 4},
    "steps": [step("received", state="running", ended_at=None)],
}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "minilm-a.mar"
    path.write_bytes(CONTENT)
    return path


def held(number: int, content: bytes) -> dict[str, Any]:
    return {"number": number, "size": len(content), "etag": hashlib.md5(content).hexdigest()}


def tell_store(stub: StubPlatform, *parts: dict[str, Any]) -> None:
    """Let the store hold these parts, and take the others."""

    def sign(request: Seen) -> Told:
        numbers = request.body["numbers"]
        urls = [f"{stub.url}/api/store/{number}?signature=secret" for number in numbers]
        signed = [
            {"number": number, "size": len(PARTS[number - 1]), "url": url}
            for number, url in zip(numbers, urls, strict=True)
        ]
        return Told({"parts": signed, "expires_in_seconds": 900})

    stub.tell("POST", "/registry/v1/submissions", {"submission": DRAFT, "known": False})
    stub.tell("GET", f"{ONE}/upload", {"parts": 4, "held": list(parts)})
    stub.tell("POST", f"{ONE}/upload/parts", sign)
    for number in range(1, 5):
        stub.tell("PUT", f"/store/{number}", {})
    stub.tell("POST", f"{ONE}/upload/completion", {**DRAFT, "state": "checking"})


def upload(stub: StubPlatform, archive: Path, done: Callable[[int], None] = lambda _: None) -> None:
    area = Dynabench(stub.url).registry
    file = ArchiveFile.read(archive, lambda _: None)
    draft = area.submit("sentiment", "minilm-a", archive.name, file.size, digest=file.digest).submission
    ArchiveUpload(area, file, parts_at_once=2, sleep=lambda _: None).send(draft, done)


def sent(stub: StubPlatform) -> dict[int, list[bytes]]:
    """Return what was sent of each part."""
    return {
        number: [request.data for request in found]
        for number in range(1, 5)
        if (found := stub.seen("PUT", f"/store/{number}"))
    }


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


def test_submit_sends_and_follows_until_the_checks_end(run: Run, stub: StubPlatform, archive: Path) -> None:
    tell_store(stub)
    running = {**WHOLE, "state": "checking", "steps": [step("received"), step("scanned", state="running")]}
    stub.tell("GET", ONE, running, WHOLE)
    stub.tell("GET", f"{ONE}/log", {"lines": [LINE], "next_after": 4}, {"lines": [], "next_after": 4})
    result = run("models", "submit", str(archive), "--task", "sentiment", "--follow")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[:2] == ["● received\t", "✓ received\t2.5 s"]
    assert "✓ smoke test\t2.5 s" in lines
    assert '    {"text": "Not bad."}\t→ {"label": "positive"}' in lines
    assert str(LINE["line"]) in result.stderr
    assert "minilm-a-v3 is deployed." in result.stderr


@pytest.mark.parametrize(("fault", "code"), [("yours", 1), ("ours", 3), ("owner", 1)])
def test_the_exit_code_says_whose_fault_it_is(run: Run, stub: StubPlatform, fault: str, code: int) -> None:
    failed = step(
        "scanned", state="failed", fault=fault, reason="The entry is a link.", remedy="Pack the file."
    )
    stub.tell("GET", ONE, {**WHOLE, "state": "refused", "steps": [failed]})
    stub.tell("GET", f"{ONE}/log", {"lines": [], "next_after": 0})
    result = run("models", "follow", SUBMISSION_ID)
    assert result.exit_code == code
    assert "The entry is a link." in result.stderr
    assert "Pack the file." in result.stderr
    as_json = run("models", "follow", SUBMISSION_ID, "--json")
    assert json.loads(as_json.stdout)["state"] == "refused"


def test_the_same_bytes_again_are_not_sent(run: Run, stub: StubPlatform, archive: Path) -> None:
    tell_store(stub)
    stub.tell("POST", "/registry/v1/submissions", {"submission": WHOLE, "known": True})
    result = run("models", "submit", str(archive), "--task", "sentiment")
    assert result.exit_code == 0, result.stderr
    assert "submitted before, as minilm-a v3" in result.stderr
    assert not sent(stub)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\n- a\n---\n", "front matter is no mapping"),
        ("---\na: [\n---\n", "front matter is no YAML"),
        ("---\nparameters: many\n---\n", "parameters is no whole number"),
        ("---\nlanguages: 5\n---\n", "languages is no list"),
    ],
)
def test_a_card_that_cannot_be_read_is_not_sent(
    run: Run, stub: StubPlatform, tmp_path: Path, text: str, said: str
) -> None:
    card = tmp_path / "card.md"
    card.write_text(text)
    result = run("models", "card", SUBMISSION_ID, str(card))
    assert result.exit_code == 1
    assert said in result.stderr
    assert not stub.seen("PUT", f"{ONE}/card")


@pytest.mark.parametrize(
    "content", [b"\xef\xbb\xbf---\nlicence: MIT\n---\nWords\n", b"---\r\nlicence: MIT\r\n---\r\nWords\r\n"]
)
def test_a_card_of_any_editor_is_read(run: Run, stub: StubPlatform, tmp_path: Path, content: bytes) -> None:
    card = tmp_path / "card.md"
    card.write_bytes(content)
    stub.tell("PUT", f"{ONE}/card", WHOLE)
    assert run("models", "card", SUBMISSION_ID, str(card)).exit_code == 0
    [request] = stub.seen("PUT", f"{ONE}/card")
    assert (request.body["licence"], request.body["text"]) == ("MIT", "Words\n")


def test_a_card_of_the_hub_is_read_too(run: Run, stub: StubPlatform, tmp_path: Path) -> None:
    card = tmp_path / "README.md"
    card.write_text(
        "---\nlicense: other\nlicense_name: llama3\nlanguage: en\ndatasets:\n- sst2\ntags: [x]\n---\n# A model\n"
    )
    stub.tell("PUT", f"{ONE}/card", WHOLE)
    assert run("models", "card", SUBMISSION_ID, str(card)).exit_code == 0
    [request] = stub.seen("PUT", f"{ONE}/card")
    sent = {name: request.body[name] for name in ("licence", "languages", "trained_on", "text")}
    assert sent == {"licence": "llama3", "languages": ["en"], "trained_on": ["sst2"], "text": "# A model\n"}


def test_a_card_is_read_from_its_front_matter(run: Run, stub: StubPlatform, tmp_path: Path) -> None:
    card = tmp_path / "card.md"
    card.write_text(
        "---\nlicence: MIT\nlanguages: en, de\nparameters: 7\ntrained_on: [anli-1]\n---\n\n# Card\n"
    )
    stub.tell("PUT", f"{ONE}/card", WHOLE)
    assert run("models", "card", SUBMISSION_ID, str(card)).exit_code == 0
    [request] = stub.seen("PUT", f"{ONE}/card")
    assert request.body == {
        "text": "# Card\n",
        "licence": "MIT",
        "contact": "",
        "languages": ["en", "de"],
        "parameters": 7,
        "trained_on": ["anli-1"],
    }


def test_everybodys_submissions_are_of_a_task(run: Run) -> None:
    result = run("models", "submissions", "--all")
    assert result.exit_code == 1
    assert "--all needs a task" in result.stderr


def test_a_deleted_submission_says_by_whom_and_why(run: Run, stub: StubPlatform) -> None:
    stub.tell("POST", f"{ONE}/deletion", DELETED)
    result = run("models", "delete", SUBMISSION_ID, "--reason", "It repeats letters of patients.", "--yes")
    assert result.exit_code == 0, result.stderr
    assert "by an owner of its task" in result.stdout
    assert "It repeats letters of patients." in result.stdout
    assert "being removed" in result.stdout

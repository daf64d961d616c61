"""`dynabench models submit`, `follow`, `card` and `submission`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from services.client.tests.stub_platform import StubPlatform
from services.client.tests.submission_answers import (
    CONTENT,
    DELETED,
    LINE,
    ONE,
    SUBMISSION_ID,
    WHOLE,
    sent,
    step,
    tell_store,
)

Run = Callable[..., Result]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "minilm-a.mar"
    path.write_bytes(CONTENT)
    return path


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

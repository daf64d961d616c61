"""`dynabench contexts upload`: what is sent, and what is said about a file that can't be used."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from services.client.tests.stub_platform import StubPlatform, Told

UPLOAD = "/annotation/v1/rounds/r1/contexts/upload"
LINES = b"".join(json.dumps({"fields": {"premise": f"Straße {n} 🦉"}}).encode() + b"\n" for n in range(9_000))
Run = Callable[..., Result]


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_is_streamed_as_it_is_without_its_byte_order_mark(
    run: Run, stub: StubPlatform, tmp_path: Path, packed: bool
) -> None:
    stub.tell("POST", UPLOAD, {"added": 9_000})
    file = tmp_path / ("contexts.jsonl.gz" if packed else "contexts.jsonl")
    content = b"\xef\xbb\xbf" + LINES
    file.write_bytes(gzip.compress(content) if packed else content)
    result = run("contexts", "upload", "r1", str(file), "--json")
    assert json.loads(result.stdout) == {"round_id": "r1", "added": 9_000}
    (sent,) = stub.seen("POST", UPLOAD)
    assert sent.data == LINES
    assert (sent.headers["content-type"], sent.headers["transfer-encoding"]) == (
        "application/x-ndjson",
        "chunked",
    )


def test_contexts_come_from_standard_input_too(run: Run, stub: StubPlatform) -> None:
    stub.tell("POST", UPLOAD, {"added": 1})
    assert run("contexts", "upload", "r1", "-", input='{"fields": {"premise": "a"}}').exit_code == 0
    assert stub.seen("POST", UPLOAD)[0].data == b'{"fields": {"premise": "a"}}'


def test_a_busy_platform_is_sent_the_whole_file_again(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], tmp_path: Path
) -> None:
    stub.tell("POST", UPLOAD, tell_problem(429, "too-many", {"Retry-After": "0"}), {"added": 9_000})
    file = tmp_path / "contexts.jsonl"
    file.write_bytes(LINES)
    assert run("contexts", "upload", "r1", str(file)).exit_code == 0
    assert [request.data for request in stub.seen("POST", UPLOAD)] == [LINES, LINES]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("c.jsonl", b"", "c.jsonl is empty"),
        ("c.jsonl", b" \n\n \n", "c.jsonl is empty"),
        ("c.jsonl", b"\xef\xbb\xbf", "c.jsonl is empty"),
        ("c.jsonl", '{"fields": {}}\n'.encode("utf-16"), "c.jsonl:1 is not UTF-8 text, but UTF-16"),
        ("c.jsonl", b'{"fields": {}}\n{"a": "caf\xe9"}\n', "c.jsonl:2 is not UTF-8"),
        ("c.jsonl", b'{"fields": {}}\n"\xf0\x9f', "c.jsonl:2 is not UTF-8"),
        ("c.jsonl", LINES + b"\xff", "c.jsonl:9001 is not UTF-8"),
        ("c.jsonl.gz", b"plain text", "not a whole gzip file"),
        ("c.jsonl.gz", gzip.compress(LINES, mtime=0)[:-20], "not a whole gzip file"),
        ("c.jsonl.gz", gzip.compress(b"", mtime=0), "c.jsonl.gz is empty"),
    ],
)
def test_a_file_that_is_no_text_is_refused_before_anything_is_sent(
    run: Run, stub: StubPlatform, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    result = run("contexts", "upload", "r1", str(file))
    assert (result.exit_code, result.stdout) == (1, "")
    what, remedy = result.stderr.splitlines()
    assert said in what
    assert remedy
    assert stub.seen("POST", UPLOAD) == []


def test_every_line_at_fault_is_named_with_its_remedy(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], tmp_path: Path
) -> None:
    errors = [
        {"line": 2, "field": "premise", "reason": "is missing", "remedy": "Add it."},
        {"line": 7, "field": None, "reason": "repeats line 3", "remedy": "Remove one."},
    ]
    refusal = tell_problem(422, "contexts-unusable", errors=errors, error_count=140)
    stub.tell("POST", UPLOAD, refusal)
    file = tmp_path / "c.jsonl"
    file.write_bytes(LINES)
    result = run("contexts", "upload", "r1", str(file), "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    first, second, what, _ = result.stderr.splitlines()
    assert first == f"{file}:2: premise is missing. Add it."
    assert second == f"{file}:7: repeats line 3. Remove one."
    assert "has 140 contexts that can't be used, of which the first 2 are named. Nothing was stored." in what


def test_one_line_at_fault_is_one_context(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], tmp_path: Path
) -> None:
    errors = [{"line": 2, "field": "premise", "reason": "is missing", "remedy": "Add it."}]
    stub.tell("POST", UPLOAD, tell_problem(422, "contexts-unusable", errors=errors, error_count=1))
    file = tmp_path / "c.jsonl"
    file.write_bytes(LINES)
    assert "has 1 context that can't be used. Nothing" in run("contexts", "upload", "r1", str(file)).stderr


def test_a_context_that_the_round_has_already_is_an_error_like_any_other(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told], tmp_path: Path
) -> None:
    stub.tell("POST", UPLOAD, tell_problem(409, "context-repeated", remedy="Remove it."))
    file = tmp_path / "c.jsonl"
    file.write_bytes(LINES)
    result = run("contexts", "upload", "r1", str(file))
    assert result.exit_code == 1
    assert result.stderr.splitlines() == ["dynabench: It is context-repeated. (request r-1)", "Remove it."]

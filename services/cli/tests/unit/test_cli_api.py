"""`dynabench api`: any request, with the sign-in, the errors and the pages of the other commands."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from services.cli.tests.cli_terminal import Terminal
from services.client.tests.stub_platform import Seen, StubPlatform, Told

TASKS = "/annotation/v1/tasks"
Run = Callable[..., Result]


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("annotation/tasks", ""),
        ("/annotation/tasks", ""),
        ("annotation/v1/tasks", ""),
        ("/api/annotation/v1/tasks", ""),
        ("annotation/tasks?limit=2&of=a%20b&of=c", "limit=2&of=a+b&of=c"),
    ],
)
def test_a_path_may_be_short(run: Run, stub: StubPlatform, path: str, query: str) -> None:
    stub.tell("GET", TASKS, {"items": [], "next_cursor": None})
    result = run("api", "get", path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout)["items"] == []
    (asked,) = stub.seen("GET", TASKS)
    assert (asked.query, asked.headers["authorization"]) == (query, "Bearer a1")


FIELDS = ("-f", "reason=a=b", "-f", "count:=2", "-f", 'names:=["a","b"]', "-f", "more:=null")


@pytest.mark.parametrize(
    ("method", "arguments", "query", "body"),
    [
        ("POST", FIELDS, "", {"reason": "a=b", "count": 2, "names": ["a", "b"], "more": None}),
        ("PUT", FIELDS[:2], "", {"reason": "a=b"}),
        ("GET", FIELDS, "reason=a%3Db&count=2&names=a&names=b", None),
        ("DELETE", FIELDS[:2], "", {"reason": "a=b"}),
        ("DELETE", (), "", None),
        ("POST", (), "", {}),
        ("POST", ("--input", "-", *FIELDS[:2]), "reason=a%3Db", {"given": True}),
    ],
)
def test_fields_are_the_body_or_the_query(
    run: Run, stub: StubPlatform, method: str, arguments: tuple[str, ...], query: str, body: object
) -> None:
    stub.tell(method, TASKS, {})
    result = run("api", method, "annotation/tasks", *arguments, input='{"given": true}')
    assert result.exit_code == 0, result.stderr
    (sent,) = stub.seen(method, TASKS)
    assert (sent.query, sent.body) == (query, body)


def test_a_file_of_lines_is_sent_as_such(run: Run, stub: StubPlatform, tmp_path: Path) -> None:
    file = tmp_path / "contexts.jsonl"
    file.write_text('{"fields": {}}\n')
    path = "/annotation/v1/rounds/r1/contexts/upload"
    stub.tell("POST", path, {"added": 1})
    assert run("api", "POST", "annotation/rounds/r1/contexts/upload", "--input", str(file)).exit_code == 0
    (sent,) = stub.seen("POST", path)
    assert (sent.data, sent.headers["content-type"]) == (file.read_bytes(), "application/x-ndjson")


def test_every_post_has_a_key_of_its_own_or_the_chosen_one(run: Run, stub: StubPlatform) -> None:
    for method in ("POST", "PUT"):
        stub.tell(method, TASKS, {})
    for chosen in ((), (), ("--idempotency-key", "k1")):
        run("api", "POST", "annotation/tasks", *chosen)
    first, second, third = [sent.headers["idempotency-key"] for sent in stub.seen("POST", TASKS)]
    assert len({first, second, third}) == 3
    assert third == "k1"
    run("api", "PUT", "annotation/tasks")
    assert "idempotency-key" not in stub.seen("PUT", TASKS)[0].headers


def test_a_post_without_an_answer_names_the_key_to_repeat_it_with(
    run: Run, stub: StubPlatform, told: type[Told]
) -> None:
    stub.tell("POST", TASKS, told(status=0))
    result = run("api", "POST", "annotation/tasks")
    (sent,) = stub.seen("POST", TASKS)
    assert (result.exit_code, result.stdout) == (3, "")
    assert f"--idempotency-key {sent.headers['idempotency-key']}" in result.stderr


def test_pages_are_joined_into_one_list(run: Run, stub: StubPlatform) -> None:
    def pages(request: Seen) -> Told:
        is_last = "cursor=c2" in request.query
        return Told({"items": [{"n": len(request.query)}], "next_cursor": None if is_last else "c2"})

    stub.tell("GET", TASKS, pages)
    result = run("api", "GET", "annotation/tasks", "-f", "limit:=1", "--paginate")
    found = json.loads(result.stdout)
    assert (len(found["items"]), found["next_cursor"]) == (2, None)
    assert [asked.query for asked in stub.seen("GET", TASKS)] == ["limit=1", "limit=1&cursor=c2"]


def test_files_are_written_as_they_are_and_redirects_followed_by_nobody(
    run: Run, stub: StubPlatform, told: type[Told], tmp_path: Path
) -> None:
    stub.send_on("/scoring/v1/datasets/d1/files/data/a b.csv".replace(" ", "%20"), "/store/a")
    stub.tell("GET", "/store/a", told(b"\x00\xff", headers={"Content-Type": "text/csv"}))
    arguments = ("api", "GET", "scoring/datasets/d1/files/data/a b.csv")
    assert run(*arguments).stdout_bytes == b"\x00\xff"
    assert "authorization" not in stub.seen("GET", "/store/a")[0].headers
    ended, shown = Terminal(tmp_path / "profile.json", *arguments).finish()
    assert ended == 1
    assert "> FILE" in shown


def test_an_empty_answer_prints_nothing(run: Run, stub: StubPlatform, told: type[Told]) -> None:
    stub.tell("DELETE", "/validation/v1/gold/g1", told(b"", 204))
    result = run("api", "DELETE", "validation/gold/g1")
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_refusal_is_told_as_by_the_other_commands(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told]
) -> None:
    stub.tell("PUT", TASKS, tell_problem(409, "round-closed", field="state", remedy="Open it."))
    result = run("api", "PUT", "annotation/tasks", "-f", "state=open")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == ["dynabench: state: It is round-closed. (request r-1)", "Open it."]


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [
        (["FETCH", "annotation/tasks"], 2),
        (["GET", "annotation"], 1),
        (["GET", "https://elsewhere.example/api/annotation/v1/tasks"], 1),
        (["GET", "annotation/tasks", "-f", "nameless"], 1),
        (["GET", "annotation/tasks", "-f", "n:=["], 1),
        (["POST", "annotation/tasks", "--paginate"], 1),
        (["POST", "annotation/tasks", "--input", "missing.json"], 2),
    ],
)
def test_what_can_not_be_sent_is_refused_before(
    run: Run, stub: StubPlatform, arguments: list[str], exit_code: int
) -> None:
    assert run("api", *arguments).exit_code == exit_code
    assert stub.requests == []


def test_an_answer_that_is_no_list_has_no_pages(run: Run, stub: StubPlatform) -> None:
    stub.tell("GET", f"{TASKS}/qa", {"slug": "qa"})
    result = run("api", "GET", "annotation/tasks/qa", "--paginate")
    assert result.exit_code == 1
    assert "--paginate" in result.stderr

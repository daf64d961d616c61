"""The command line against a platform that answers as it is told."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dynabench_client import profiles
from dynabench_client.cli.app import app
from dynabench_client.profiles import Profile
from typer.main import get_command

README = Path(__file__).parents[2] / "README.md"
PERSON = {
    "person_id": "p1",
    "user_name": "ada",
    "roles": ["annotator", "owner:sentiment"],
    "cohort": "expert",
}
ROUND = {
    "round_id": "r1",
    "task_slug": "sentiment",
    "number": 3,
    "title": "Autumn",
    "state": "open",
    "targets": ["minilm-a"],
    "segments": 2,
}
TASK = {
    "task_id": "t1",
    "slug": "sentiment",
    "title": "Sentiment",
    "configuration": {"input": [{"name": "text"}, {"name": "label"}]},
    "rounds": [ROUND],
}
RATE = {"value": 0.4, "low": 0.373, "high": 0.428, "n": 1000, "reason": None}
FIGURES = {
    "round_id": "r1",
    "task_slug": "sentiment",
    "tries": 1000,
    "fooled": 400,
    "retracted": 3,
    "votes": 650,
    "resolved": 300,
    "pending": 100,
    "validated_errors": 200,
    "mer": RATE,
    "vmer": {"value": 0.2, "low": None, "high": None, "n": 1000, "reason": "no interval: under 5 annotators"},
    "vmer_projected": {**RATE, "value": 0.267, "low": None, "not_checked": ["not_fooled"]},
    "validity": {"value": None, "reason": "nothing resolved", "n": 0},
    "targets": [{"target": "minilm-a", "tries": 1000, "validated_errors": 200, "vmer": RATE}],
    "segments": [{"segment_id": "s1", "number": 1}],
    "as_of": "2026-11-21T08:00:00Z",
}
EXAMPLE = {
    "example_id": "e1",
    "round_id": "r1",
    "verdict": "fooled",
    "claimed_label": "negative",
    "input": {"text": "my dog got \x1b[31mmost of it"},
    "attempt": 2,
    "answers": [
        {"target": "minilm-a", "label": "positive", "probabilities": {"positive": 0.91}, "wrong": True},
        {"target": "n-gram-b", "missing": "no answer in time"},
    ],
}
LEASE = {
    "lease_id": "l1",
    "expires_at": "2026-11-21T08:05:00Z",
    "example": {"example_id": "e1", "context": {"prompt": "A prompt"}, "input": {"text": "A text"}},
    "options": ["negative", "neutral", "positive"],
    "vote": "label",
}
VOTE = {
    "vote_id": "v1",
    "counted": True,
    "resolution": "correct",
    "reveal": {"claimed_label": "negative", "explanation": "irony"},
}
MODEL = {"name": "minilm-a", "ready": True, "labels": ["negative", "positive"], "model_digest": "sha256:abc"}
TOKEN = {"token_id": "k1", "name": "laptop", "created_at": "2026-11-21T08:00:00Z"}
Run = Callable[..., Any]


def page(*items: Any) -> dict[str, Any]:
    return {"items": list(items), "next_cursor": None}


def tell_everything(stub: Any) -> None:
    for method, path, body in [
        ("GET", "/accounts/v1/me", PERSON),
        ("GET", "/accounts/v1/tokens", page(TOKEN)),
        ("POST", "/accounts/v1/tokens", {**TOKEN, "token": "dbt_new"}),
        ("DELETE", "/accounts/v1/tokens/k1", None),
        ("GET", "/annotation/v1/tasks", page(TASK)),
        ("GET", "/annotation/v1/tasks/sentiment", TASK),
        ("POST", "/annotation/v1/tasks", TASK),
        ("GET", "/annotation/v1/tasks/sentiment/rounds", page(ROUND)),
        ("POST", "/annotation/v1/tasks/sentiment/rounds", {**ROUND, "state": "draft"}),
        ("GET", "/annotation/v1/rounds/r1", ROUND),
        ("PUT", "/annotation/v1/rounds/r1/state", ROUND),
        (
            "GET",
            "/annotation/v1/rounds/r1/contexts",
            page({"context_id": "c1", "fields": {"prompt": "A prompt"}}),
        ),
        ("POST", "/annotation/v1/rounds/r1/contexts", {"context_ids": ["c1"]}),
        ("POST", "/annotation/v1/rounds/r1/assignments", {"context": {"context_id": "c1"}}),
        ("POST", "/annotation/v1/rounds/r1/examples", EXAMPLE),
        ("GET", "/annotation/v1/rounds/r1/examples", page(EXAMPLE)),
        ("GET", "/annotation/v1/examples/e1", EXAMPLE),
        (
            "POST",
            "/annotation/v1/examples/e1/retraction",
            {**EXAMPLE, "retracted_at": "2026-11-21T08:01:00Z"},
        ),
        ("PUT", "/annotation/v1/examples/e1/explanations", {**EXAMPLE, "explanations": {"label": "irony"}}),
        ("POST", "/annotation/v1/examples/e1/inspections", {"delta": 0.01, "tokens": [{"text": "dog"}]}),
        ("GET", "/leaderboard/v1/rounds/r1", FIGURES),
        ("GET", "/leaderboard/v1/rounds/r1/history", {"points": [{"tries": 5, "fooled": 2, "mer": 0.4}]}),
        (
            "GET",
            "/leaderboard/v1/tasks",
            page({"task_slug": "sentiment", "rounds": 1, "current_round": FIGURES}),
        ),
        ("POST", "/validation/v1/rounds/r1/leases", LEASE),
        ("DELETE", "/validation/v1/leases/l1", None),
        ("POST", "/validation/v1/leases/l1/votes", VOTE),
        ("PUT", "/validation/v1/votes/v1/judgement", {"vote_id": "v1", "agrees": True}),
        ("GET", "/gateway/v1/models", {"models": ["minilm-a"]}),
        ("GET", "/gateway/v1/models/minilm-a", MODEL),
        (
            "POST",
            "/gateway/v1/models/minilm-a:predict",
            {"predictions": [{"label": "positive", "probabilities": {"positive": 0.9}}]},
        ),
        ("POST", "/gateway/v1/models/minilm-a:explain", {"explanations": [{"delta": 0.01}]}),
    ]:
        stub.tell(method, path, body)


VERBS: dict[str, tuple[str, ...]] = {
    "login": ("URL", "--token", "dbt_x"),
    "whoami": (),
    "tasks list": (),
    "tasks show": ("sentiment",),
    "tasks create": ("FILE",),
    "rounds list": (),
    "rounds show": ("r1",),
    "rounds create": ("sentiment", "--target", "minilm-a"),
    "rounds open": ("r1",),
    "rounds pause": ("r1",),
    "rounds close": ("r1",),
    "rounds history": ("r1",),
    "contexts add": ("r1", "FILE"),
    "contexts list": ("r1",),
    "examples create": ("r1", "--text", "my dog got most of it", "--label", "negative"),
    "examples show": ("e1",),
    "examples list": ("r1",),
    "examples retract": ("e1",),
    "examples explain": ("e1", "--why-label", "irony"),
    "examples inspect": ("e1", "minilm-a"),
    "validate next": ("r1",),
    "validate vote": ("l1", "negative"),
    "validate skip": ("l1",),
    "validate judge": ("v1", "--agree"),
    "models list": (),
    "models show": ("minilm-a",),
    "models predict": ("minilm-a", "my dog got most of it"),
    "models explain": ("minilm-a", "my dog got most of it"),
    "board list": (),
    "board show": ("r1",),
    "tokens list": (),
    "tokens create": ("laptop",),
    "tokens revoke": ("k1",),
}


def commands() -> dict[str, Any]:
    """Return every verb that the command line has."""
    found = {}
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        children = getattr(command, "commands", None)
        if children is None:
            found[name] = command
        else:
            found |= {f"{name} {child}": verb for child, verb in children.items()}
    return found


@pytest.mark.parametrize("verb", sorted(commands()))
def test_each_verb_has_json_a_sentence_and_an_entry_in_the_readme(verb: str) -> None:
    command = commands()[verb]
    assert "--json" in {option for parameter in command.params for option in parameter.opts}
    assert command.help
    assert f"| `dynabench {verb}" in README.read_text(encoding="utf-8")


def test_the_readme_names_no_verb_that_does_not_exist() -> None:
    rows = re.findall(r"^\| `dynabench ([a-z ]+)", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert {row.strip() for row in rows} == set(commands()) == set(VERBS)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "input.jsonl"
    path.write_text('{"fields": {"prompt": "A prompt"}, "tags": ["a"]}\n')
    return path


def arguments(verb: str, stub: Any, file: Path) -> list[str]:
    given = {"URL": stub.url, "FILE": str(file)}
    return [*verb.split(), *(given.get(argument, argument) for argument in VERBS[verb])]


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_each_verb_prints_one_json_document_and_nothing_else(
    run: Run, stub: Any, file: Path, verb: str
) -> None:
    tell_everything(stub)
    result = run(*arguments(verb, stub, file), "--json")
    assert result.exit_code == 0, result.stderr
    assert isinstance(json.loads(result.stdout), dict)
    assert result.stderr == ""


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_each_verb_prints_plain_lines_in_a_pipe(run: Run, stub: Any, file: Path, verb: str) -> None:
    tell_everything(stub)
    result = run(*arguments(verb, stub, file))
    assert result.exit_code == 0, result.stderr
    assert result.stdout
    assert all("\t" in line for line in result.stdout.splitlines())
    assert "\x1b" not in result.stdout


def test_a_round_is_shown_with_its_figures(run: Run, stub: Any) -> None:
    tell_everything(stub)
    shown = json.loads(run("rounds", "show", "r1", "--json").stdout)
    for name in ("tries", "fooled", "votes", "resolved", "pending", "validated_errors"):
        assert shown[name] == FIGURES[name]
    for name in ("mer", "vmer", "vmer_projected", "validity"):
        assert shown[name]["value"] == FIGURES[name]["value"]  # type: ignore[index]
    assert (shown["state"], shown["number"], shown["targets"]) == ("open", 3, ["minilm-a"])
    assert shown["target_figures"][0]["target"] == "minilm-a"
    assert shown["segments"][0]["segment_id"] == "s1"
    lines = dict(line.split("\t") for line in run("rounds", "show", "r1").stdout.splitlines())
    assert lines["MER"] == "40.0 % (37.3-42.8)"
    assert lines["vMER"] == "20.0 % (no interval: under 5 annotators)"
    assert lines["vMER (projected)"] == "26.7 %, not checked: not_fooled"
    assert lines["validity"] == "nothing resolved"


def test_a_round_that_has_no_figures_yet_is_shown_with_none(run: Run, stub: Any, tell_problem: Any) -> None:
    tell_everything(stub)
    stub.tell("GET", "/leaderboard/v1/rounds/r1", tell_problem(404, "round-not-found"))
    shown = json.loads(run("rounds", "show", "r1", "--json").stdout)
    assert (shown["state"], shown["tries"], shown["mer"]["value"]) == ("open", 0, None)


def test_lists_are_read_to_the_last_page(run: Run, stub: Any) -> None:
    stub.tell("GET", "/accounts/v1/tokens", {"items": [TOKEN], "next_cursor": "more"}, page(TOKEN, TOKEN))
    assert len(json.loads(run("tokens", "list", "--json").stdout)["items"]) == 3
    assert [request.query for request in stub.requests[1:]] == ["limit=200", "limit=200&cursor=more"]


def test_a_list_stops_at_the_limit(run: Run, stub: Any) -> None:
    stub.tell("GET", "/annotation/v1/rounds/r1/examples", {"items": [EXAMPLE] * 3, "next_cursor": "more"})
    shown = json.loads(run("examples", "list", "r1", "--all", "--limit", "2", "--json").stdout)
    assert len(shown["items"]) == 2
    assert stub.requests[-1].query == "author=all&limit=2"


def test_contexts_are_sent_by_the_thousand_and_bare_fields_will_do(
    run: Run, stub: Any, tmp_path: Path
) -> None:
    stub.tell("POST", "/annotation/v1/rounds/r1/contexts", {})
    file = tmp_path / "contexts.jsonl"
    file.write_text("\n\n".join(json.dumps({"prompt": f"Prompt {number}"}) for number in range(1001)))
    assert json.loads(run("contexts", "add", "r1", str(file), "--json").stdout)["added"] == 1001
    first, second = stub.seen("POST", "/annotation/v1/rounds/r1/contexts")
    assert (len(first.body["contexts"]), len(second.body["contexts"])) == (1000, 1)
    assert first.body["contexts"][0] == {"fields": {"prompt": "Prompt 0"}, "tags": []}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"prompt": "a"}\nnonsense', "line 2: not JSON"),
        (b"[1]", "line 1: not an object"),
        (b"", "holds no context"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_bad_file_of_contexts_is_refused_before_anything_is_sent(
    run: Run, stub: Any, tmp_path: Path, content: bytes, said: str
) -> None:
    file = tmp_path / "contexts.jsonl"
    file.write_bytes(content)
    result = run("contexts", "add", "r1", str(file))
    assert (result.exit_code, result.stdout) == (1, "")
    what, remedy = result.stderr.splitlines()
    assert said in what
    assert remedy
    assert stub.requests == []


def test_a_vote_says_what_kind_it_is(run: Run, stub: Any) -> None:
    tell_everything(stub)
    for answer in (["neutral"], ["--flag", "spam"], ["--unsure"], ["correct", "--judgement"]):
        assert run("validate", "vote", "l1", *answer).exit_code == 0
    sent = [request.body for request in stub.seen("POST", "/validation/v1/leases/l1/votes")]
    assert sent == [
        {"kind": "label", "label": "neutral"},
        {"kind": "flag", "reason": "spam"},
        {"kind": "unsure"},
        {"kind": "judgement", "label": "correct"},
    ]
    assert run("validate", "vote", "l1").exit_code == 1
    assert run("validate", "vote", "l1", "neutral", "--unsure").exit_code == 1


def test_an_empty_queue_is_an_answer_not_an_error(run: Run, stub: Any) -> None:
    nothing = {"lease_id": None, "reason": "All examples are resolved.", "retry_after_seconds": 30}
    stub.tell("POST", "/validation/v1/rounds/r1/leases", nothing)
    result = run("validate", "next", "r1")
    assert result.exit_code == 0
    assert "All examples are resolved." in result.stdout
    assert json.loads(run("validate", "next", "r1", "--json").stdout)["lease_id"] is None


def test_a_try_takes_any_field_of_the_task(run: Run, stub: Any) -> None:
    tell_everything(stub)
    run(
        "examples",
        "create",
        "r1",
        "--context",
        "c9",
        "--input",
        "text=a=b",
        "--input",
        "label=x",
        "--why-label",
        "w",
    )
    (sent,) = stub.seen("POST", "/annotation/v1/rounds/r1/examples")
    assert sent.body == {
        "context_id": "c9",
        "input": {"text": "a=b", "label": "x"},
        "explanations": {"label": "w"},
    }
    assert run("examples", "create", "r1", "--input", "nameless").exit_code == 1
    assert run("examples", "create", "r1").exit_code == 1
    assert run("examples", "explain", "e1").exit_code == 1


def test_texts_to_predict_come_from_lines_of_standard_input_too(run: Run, stub: Any, told: Any) -> None:
    def predict(request: Any) -> Any:
        one = {"label": "positive", "probabilities": {"positive": 0.9}}
        return told({"predictions": [one for _ in request.body["instances"]]})

    path = "/gateway/v1/models/minilm-a:predict"
    stub.tell("POST", path, predict)
    lines = "\n".join(f"text {number}" for number in range(20)) + "\n\n"
    result = run("models", "predict", "minilm-a", "--json", input=lines)
    items = json.loads(result.stdout)["items"]
    assert [item["text"] for item in items] == [f"text {number}" for number in range(20)]
    assert len(stub.seen("POST", path)) == 2


def test_signing_in_with_a_password_stores_an_api_token_instead(
    run: Run, stub: Any, told: Any, tmp_path: Path
) -> None:
    tell_everything(stub)
    access = {"access_token": "a1", "expires_in": 900, "person": PERSON}
    cookie = {"Set-Cookie": "dynabench_refresh=r1; Path=/"}
    stub.tell("POST", "/accounts/v1/sessions", told(access, 200, cookie))
    profile = tmp_path / "fresh.json"
    result = run("login", stub.url, "--user-name", "ada", input="violet otter canoe\n", profile=profile)
    assert result.exit_code == 0, result.stderr
    assert profiles.read(profile) == Profile(stub.url, "dbt_new")
    assert "violet" not in profile.read_text() + result.stdout
    (session,) = stub.seen("POST", "/accounts/v1/sessions")
    assert session.body == {"user_name": "ada", "password": "violet otter canoe"}


def test_text_of_others_can_not_steer_the_terminal(run: Run, stub: Any) -> None:
    tell_everything(stub)
    assert "\x1b" not in run("examples", "show", "e1").stdout
    assert json.loads(run("examples", "show", "e1", "--json").stdout)["input"] == EXAMPLE["input"]

"""The command line against a stub platform."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dynabench_cli.app import app
from dynabench_client import profiles
from dynabench_client.profiles import Profile
from typer.main import get_command
from typer.testing import Result

from services.cli.tests.cli_answers import (
    DYNATASK,
    EXAMPLE,
    FIGURES,
    PERSON,
    TASK,
    VERBS,
    tell_everything,
)
from services.cli.tests.cli_owner_answers import AGREEMENT, page
from services.client.tests.stub_platform import StubPlatform, Told, problem

README = Path(__file__).parents[2] / "README.md"
MEASURES = ("raw", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1")
CARD_FILE = "---\nlicence: MIT\nlanguages: [en]\nparameters: 22713216\n---\nA card.\n"
Run = Callable[..., Result]
Login = Callable[..., tuple[Result, Path]]


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


TRIED_APART = {
    "api",
    *(f"dead-letters {verb}" for verb in ("list", "redrive", "discard")),
    *(f"models {verb}" for verb in ("init", "package", "check", "sign", "verify")),
}
"""Their own modules try them: they ask any service, several at once, or none."""


def test_every_verb_has_a_sentence_json_and_a_place_in_the_readme() -> None:
    readme = README.read_text(encoding="utf-8")
    assert set(commands()) == {*VERBS, *TRIED_APART}
    for verb, command in commands().items():
        assert command.help, verb
        assert verb == "api" or "--json" in {each for option in command.params for each in option.opts}, verb
        assert f"`dynabench {verb}" in readme, verb


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "input.jsonl"
    path.write_text('{"fields": {"prompt": "A prompt"}, "tags": ["a"]}\n')
    return path


def arguments(verb: str, stub: StubPlatform, file: Path, folder: str) -> list[str]:
    dynatask, written = file.with_name("dynatask.yaml"), file.with_name(folder)
    dynatask.write_text(DYNATASK)
    picture = file.with_name("picture.png")
    picture.write_bytes(b"\x89PNG")
    card = file.with_name("card.md")
    card.write_text(CARD_FILE)
    exported = file.with_name("exported.jsonl")
    paths = {"CARD": str(card), "DYNATASK": str(dynatask), "FOLDER": str(written), "PICTURE": str(picture)}
    given = {
        "URL": stub.url,
        "FILE": str(file),
        "EXPORTED": str(exported),
        "DOWNLOADED": str(file.with_name("downloaded")),
        **paths,
    }
    return [*verb.split(), *(given.get(argument, argument) for argument in VERBS[verb])]


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_each_verb_prints_one_json_document_or_plain_lines(
    run: Run, stub: StubPlatform, file: Path, verb: str
) -> None:
    tell_everything(stub)
    result = run(*arguments(verb, stub, file, "as-lines"))
    assert result.exit_code == 0, result.stderr
    assert result.stdout
    assert all("\t" in line for line in result.stdout.splitlines())
    assert "\x1b" not in result.stdout
    tell_everything(stub)
    result = run(*arguments(verb, stub, file, "as-json"), "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert isinstance(json.loads(result.stdout), dict)


def test_a_round_is_shown_with_its_figures(run: Run, stub: StubPlatform) -> None:
    tell_everything(stub)
    shown = json.loads(run("rounds", "show", "r1", "--json").stdout)
    for name in ("tries", "fooled", "votes", "resolved", "pending", "validated_errors"):
        assert shown[name] == FIGURES[name]
    for name in ("mer", "vmer", "vmer_projected", "validity"):
        assert shown[name]["value"] == FIGURES[name]["value"]  # type: ignore[index]
    assert (shown["state"], shown["number"], shown["targets"]) == ("open", 3, ["minilm-a"])
    assert shown["target_figures"][0]["target"] == "minilm-a"
    assert shown["segments"][0]["segment_id"] == "s1"
    assert shown["agreement"] == {name: AGREEMENT[name] for name in MEASURES}
    lines = dict(line.split("\t") for line in run("rounds", "show", "r1").stdout.splitlines())
    assert lines["fool rate"] == "40.0 % of 1000 (37.3-42.8)"
    assert lines["confirmed fool rate"] == (
        "20.0 % of 1000 (no interval: under 5 annotators) now; 20.0-30.0 % when the 100 being checked are in"
    )
    assert lines["confirmed fool rate (projected)"] == "26.7 % of 1000, not checked: not_fooled"
    assert lines["validity"] == "nothing resolved"
    assert lines["Krippendorff's alpha"] == "0.616"


def test_of_an_import_without_claims_it_is_unknown_what_fooled(run: Run, stub: Any) -> None:
    tell_everything(stub)
    nothing = {"value": None, "low": None, "high": None, "n": 0, "reason": "no try has a verdict"}
    counts = {"tries": 22, "fooled": 0, "decided": 0, "unknown": 19, "undecided": 3, "no_target": 0}
    still = {"low": None, "high": None, "pending": 0}
    rates = {"mer": nothing, "vmer": nothing, "vmer_range": still, "validity": nothing}
    stub.tell("GET", "/leaderboard/v1/rounds/r1", {**FIGURES, **counts, **rates, "resolved": 18})
    lines = dict(line.split("\t") for line in run("rounds", "show", "r1").stdout.splitlines())
    assert (lines["fooled"], lines["with a verdict"], lines["fool rate"]) == (
        "unknown",
        "0",
        "no try has a verdict",
    )
    assert (lines["unknown"], lines["undecided"], lines["without model"]) == ("19", "3", "0")
    assert lines["checked"] == "18 of 22 tries, 0 of them fooled and got an answer"


def test_a_round_that_has_no_figures_yet_is_shown_with_none(
    run: Run, stub: StubPlatform, tell_problem: Callable[..., Told]
) -> None:
    tell_everything(stub)
    for path in ("/leaderboard/v1/rounds/r1", "/validation/v1/rounds/r1/agreement"):
        stub.tell("GET", path, tell_problem(404, "round-not-found"))
    shown = json.loads(run("rounds", "show", "r1", "--json").stdout)
    assert (shown["state"], shown["tries"], shown["mer"]["value"]) == ("open", 0, None)
    assert {measure["value"] for measure in shown["agreement"].values()} == {None}


def test_lists_are_read_to_the_last_page(run: Run, stub: StubPlatform) -> None:
    stub.tell("GET", "/annotation/v1/tasks", {"items": [TASK], "next_cursor": "more"}, page(TASK, TASK))
    assert len(json.loads(run("tasks", "list", "--json").stdout)["items"]) == 3
    assert [request.query for request in stub.requests[1:]] == ["limit=200", "limit=200&cursor=more"]


def test_a_list_stops_at_the_limit(run: Run, stub: StubPlatform) -> None:
    stub.tell("GET", "/annotation/v1/rounds/r1/examples", {"items": [EXAMPLE] * 3, "next_cursor": "more"})
    shown = json.loads(run("examples", "list", "r1", "--all", "--limit", "2", "--json").stdout)
    assert len(shown["items"]) == 2
    assert stub.requests[-1].query == "author=all&limit=2"


SESSIONS = "/accounts/v1/sessions"
SIGNED_IN = Told(
    {"access_token": "a1", "expires_in": 900, "person": PERSON},
    200,
    {"Set-Cookie": "dynabench_refresh=r1; Path=/"},
)
CODE_NEEDED = problem(401, "second-factor-needed", field="code", challenge="c1")


@pytest.fixture
def login(run: Run, stub: StubPlatform, tmp_path: Path) -> Login:
    """Sign in as ada, typing these lines; return the result and the profile's path."""
    tell_everything(stub)
    profile = tmp_path / "fresh.json"

    def login(*typed: str) -> tuple[Result, Path]:
        lines = "".join(f"{each}\n" for each in typed)
        return run("login", stub.url, "--user-name", "ada", input=lines, profile=profile), profile

    return login


def test_signing_in_with_a_password_stores_an_api_token_instead(login: Login, stub: StubPlatform) -> None:
    stub.tell("POST", SESSIONS, SIGNED_IN)
    result, profile = login("violet otter canoe")
    assert result.exit_code == 0, result.stderr
    assert profiles.read(profile) == Profile(stub.url, "dbt_new")
    assert "violet" not in profile.read_text() + result.stdout
    (session,) = stub.seen("POST", SESSIONS)
    assert session.body == {"user_name": "ada", "password": "violet otter canoe"}


def test_signing_in_asks_for_the_code_of_a_second_factor(login: Login, stub: StubPlatform) -> None:
    stub.tell("POST", SESSIONS, CODE_NEEDED)
    stub.tell("POST", f"{SESSIONS}/second-step", SIGNED_IN)
    result, profile = login("violet otter canoe", "123456")
    assert result.exit_code == 0, result.stderr
    assert profiles.read(profile) == Profile(stub.url, "dbt_new")
    (step,) = stub.seen("POST", f"{SESSIONS}/second-step")
    assert step.body == {"challenge": "c1", "code": "123456"}


def test_a_wrong_code_stores_no_profile(login: Login, stub: StubPlatform) -> None:
    stub.tell("POST", SESSIONS, CODE_NEEDED)
    wrong = problem(422, "code-wrong", field="code", remedy="Type the newest code.")
    stub.tell("POST", f"{SESSIONS}/second-step", wrong)
    result, profile = login("violet otter canoe", "000000")
    assert result.exit_code == 1
    assert "Type the newest code." in result.stderr
    assert not profile.exists()


def test_an_answer_is_shown_with_its_judgement_or_why_it_is_missing(run: Run, stub: StubPlatform) -> None:
    late = {"target": "n-gram-c", "not_asked": True}
    stub.tell("GET", "/annotation/v1/examples/e1", {**EXAMPLE, "answers": [*EXAMPLE["answers"], late]})  # type: ignore[misc]
    lines = dict(line.split("\t") for line in run("examples", "show", "e1").stdout.splitlines())
    assert lines["minilm-a"] == "positive 91 %  wrong"
    assert lines["n-gram-b"] == "no answer: no answer in time"
    assert lines["n-gram-c"] == "not asked: a model of an earlier tier was right"


def test_text_of_others_can_not_steer_the_terminal(run: Run, stub: StubPlatform) -> None:
    tell_everything(stub)
    assert "\x1b" not in run("examples", "show", "e1").stdout
    assert json.loads(run("examples", "show", "e1", "--json").stdout)["input"] == EXAMPLE["input"]

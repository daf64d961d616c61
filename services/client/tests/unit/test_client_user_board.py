"""People ranked, and badges, on the command line."""

import json
from collections.abc import Callable

from typer.testing import Result

from services.client.tests.client_people_answers import PEOPLE_TOLD, PERSON_ID
from services.client.tests.conftest import StubPlatform

Run = Callable[..., Result]


def tell(stub: StubPlatform) -> None:
    for method, path, body in PEOPLE_TOLD:
        stub.tell(method, path, body)
    stub.tell(
        "GET",
        "/annotation/v1/tasks/sentiment",
        {"slug": "sentiment", "rounds": [{"round_id": "r1", "number": 3}]},
    )


def test_people_are_ranked_in_a_task_and_in_a_round_of_it(run: Run, stub: StubPlatform) -> None:
    tell(stub)
    result = run("people", "--task", "sentiment")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith(f"1\t{PERSON_ID}\t3\t9\t")
    assert "You: rank 1, 3 validated errors." in result.stderr
    found = json.loads(run("people", "--task", "sentiment", "--round", "3", "--json").stdout)
    assert stub.requests[-1].path.endswith("/rounds/r1/people")
    assert (found["people"], found["mine"]["rank"], len(found["items"])) == (1, 1, 1)


def test_a_board_of_people_needs_a_task_and_a_round_that_there_is(run: Run, stub: StubPlatform) -> None:
    tell(stub)
    assert run("people", "--round", "3").exit_code == 2
    missing = run("people", "--task", "sentiment", "--round", "9")
    assert missing.exit_code == 1
    assert "sentiment has no round 9" in missing.stderr


def test_badges_are_listed_with_those_that_come_next(run: Run, stub: StubPlatform) -> None:
    tell(stub)
    lines = run("badges").stdout.splitlines()
    assert lines[0].startswith("first_example\t2026-11-04\tsentiment")
    assert lines[1].startswith("ten_examples\t9 of 10")

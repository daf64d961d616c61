"""Undecided tries count as not fooling once they are retracted or a day old."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from annotation.adapters import tables
from annotation.service_layer.examples import decide_overdue
from dynabench.example.v1.example_pb2 import Verdict, VerdictDecided
from dynabench_common.testing import FixedClock
from sqlalchemy import select

from .conftest import MakePlatform, Platform

ASK = {"wrong_when": "ask_annotator"}
ALMOST_A_DAY = timedelta(hours=23, minutes=59)
A_DAY = timedelta(hours=24, minutes=1)


@pytest.fixture
def asking(make_platform: MakePlatform) -> Platform:
    return with_nothing_left(make_platform(**ASK))


def with_nothing_left(platform: Platform) -> Platform:
    """Decide what other tests have left undecided in the database."""
    while after(platform, timedelta(days=36_500)):
        pass
    return platform


def decisions(platform: Platform, example_id: str) -> tuple[list[tuple[int, list[str]]], list[str]]:
    """Return the verdicts that were decided after the try, and all its events by name."""
    statement = (
        select(tables.outbox.c.type, tables.outbox.c.payload)
        .where(tables.outbox.c.aggregate_id == example_id)
        .order_by(tables.outbox.c.aggregate_version)
    )
    with platform.dependencies.engine.connect() as connection:
        rows = connection.execute(statement).all()
    names = [row.type.rsplit(".", 1)[-1] for row in rows]
    found = [VerdictDecided.FromString(bytes(row.payload)) for row in rows if "VerdictDecided" in row.type]
    return [(event.verdict, list(event.wrong_targets)) for event in found], names


def after(platform: Platform, passed: timedelta) -> int:
    """Let time pass and the worker look; return how many tries it decided."""
    clock = FixedClock(platform.clock.now() + passed)
    return decide_overdue(replace(platform.dependencies, clock=clock))


def retract(platform: Platform, example: dict[str, Any]) -> dict[str, Any]:
    path = f"/examples/{example['example_id']}/retraction"
    answer: dict[str, Any] = platform.call("POST", path, person=example["author_id"]).get_json()
    return answer


def test_a_retracted_undecided_try_did_not_fool(asking: Platform) -> None:
    example = asking.example(asking.open_round(), uuid4())

    retracted = retract(asking, example)

    assert (example["verdict"], retracted["verdict"]) == ("undecided", "not_fooled")
    assert [answer["wrong"] for answer in retracted["answers"]] == [False]
    assert decisions(asking, example["example_id"]) == (
        [(Verdict.VERDICT_NOT_FOOLED, [])],
        ["ExampleCreated", "VerdictDecided", "ExampleRetracted"],
    )


def test_a_decided_try_keeps_its_verdict_when_it_is_retracted(asking: Platform) -> None:
    example = asking.example(asking.open_round(), uuid4())
    path = f"/examples/{example['example_id']}/decision"
    asking.call("PUT", path, {"wrong_targets": ["alpha"]}, person=example["author_id"])

    assert retract(asking, example)["verdict"] == "fooled"
    assert after(asking, A_DAY) == 0


def test_a_try_that_is_left_undecided_for_a_day_did_not_fool(asking: Platform) -> None:
    example = asking.example(asking.open_round(), uuid4())

    assert after(asking, ALMOST_A_DAY) == 0
    assert after(asking, A_DAY) == 1
    assert after(asking, A_DAY) == 0

    assert decisions(asking, example["example_id"])[0] == [(Verdict.VERDICT_NOT_FOOLED, [])]
    path = f"/examples/{example['example_id']}/decision"
    late = asking.call("PUT", path, {"wrong_targets": ["alpha"]}, person=example["author_id"])
    assert (late.status_code, late.get_json()["type"]) == (409, "/problems/already-decided")


def test_an_imported_try_is_decided_by_the_same_rule(asking: Platform) -> None:
    round_id = asking.start_import()
    record = {
        "id": "r1",
        "context": {"prompt": "A prompt."},
        "input": {"text": "A text."},
        "label": "negative",
        "targets": {"alpha": "positive"},
    }
    sent = asking.send_lines(f"/rounds/{round_id}/records", [record], first_line=1)
    assert sent.status_code == 200, sent.get_data(as_text=True)

    assert after(asking, datetime.now(UTC) - asking.clock.now() + A_DAY) == 1


def test_a_try_without_targets_waits_for_nobody(make_platform: MakePlatform) -> None:
    made = make_platform(**ASK, conditions=[{"name": "control", "targets": "none"}])
    platform = with_nothing_left(made)
    example = platform.example(platform.open_round(), uuid4())

    assert after(platform, A_DAY) == 0
    assert retract(platform, example)["verdict"] == "undecided"


def test_examples_of_a_released_round_stay_as_they_are(asking: Platform) -> None:
    round_id = asking.open_round()
    asking.example(round_id, uuid4())
    with asking.dependencies.engine.begin() as connection:
        own = tables.round_.c.round_id == round_id
        connection.execute(tables.round_.update().where(own).values(state="released"))

    assert after(asking, A_DAY) == 0

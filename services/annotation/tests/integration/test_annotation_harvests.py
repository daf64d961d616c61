"""Harvests: targets run over text, and what they get wrong or are unsure of becomes examples."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest
from werkzeug.test import TestResponse

from .conftest import Platform

SURE = {"label": "positive", "probabilities": {"positive": 0.9, "negative": 0.1}}
UNSURE = {"label": "positive", "probabilities": {"positive": 0.55, "negative": 0.45}}


def text(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"t{number}",
        "context": {"prompt": "P"},
        "input": {"text": f"It rained on day {number}."},
        **more,
    }


def harvest(platform: Platform, round_id: str, lines: bytes | Sequence[object], **query: Any) -> TestResponse:
    return platform.send_lines(f"/rounds/{round_id}/harvest", lines, **query)


def start(
    platform: Platform, answer: dict[str, Any] | None = SURE, targets: Sequence[str] = ("alpha",)
) -> str:
    for target in platform.gateway.targets.values():
        target.answer = answer
    return platform.start_import(targets, origin="harvested", source="reviews")


def examples(platform: Platform, round_id: str) -> list[dict[str, Any]]:
    page = platform.owner("GET", f"/rounds/{round_id}/examples?author=all")
    found: list[dict[str, Any]] = page["items"][::-1]
    return found


def test_what_a_target_gets_wrong_is_kept(platform: Platform) -> None:
    round_id = start(platform)
    lines = [text(1, label="positive"), text(2, label="negative", tags=["rain"]), text(3)]

    answer = harvest(platform, round_id, lines).get_json()

    assert answer == {"seen": 3, "stored": 1, "repeated": 0, "wrong": 1, "unsure": 0}
    [example] = examples(platform, round_id)
    assert (example["source_id"], example["verdict"], example["claimed"]) == ("t2", "fooled", "negative")
    assert (example["author_id"], example["cohort"]) == (None, "imported")
    assert example["answers"][0]["model_digest"] == "sha256:model-1"
    assert example["segment_id"]
    assert platform.gateway.targets["alpha"].instances[-1].keys() == {"text"}


def test_what_a_target_is_unsure_of_is_kept_by_its_margin(platform: Platform) -> None:
    round_id = start(platform, UNSURE)
    lines = [text(1), text(2, label="positive"), text(3, label="negative")]
    assert harvest(platform, round_id, lines, margin_below=0.05).get_json()["stored"] == 1
    answer = harvest(platform, round_id, lines, margin_below=0.2).get_json()
    assert answer == {"seen": 3, "stored": 2, "repeated": 1, "wrong": 0, "unsure": 2}
    assert [each["verdict"] for each in examples(platform, round_id)] == ["fooled", "unknown", "not_fooled"]


def test_what_is_stored_is_not_asked_again(platform: Platform) -> None:
    round_id = start(platform)
    lines = [text(1, label="negative"), text(1, label="negative")]
    assert harvest(platform, round_id, lines).get_json()["repeated"] == 1
    asked = len(platform.gateway.targets["alpha"].instances)
    answer = harvest(platform, round_id, lines).get_json()
    assert answer == {"seen": 2, "stored": 0, "repeated": 2, "wrong": 0, "unsure": 0}
    assert len(platform.gateway.targets["alpha"].instances) == asked


def test_a_target_that_fails_leaves_nothing_stored(platform: Platform) -> None:
    round_id = start(platform)
    platform.gateway.targets["alpha"].status = 503
    platform.gateway.targets["alpha"].retry_after = 9
    response = harvest(platform, round_id, [text(1, label="negative")])
    assert (response.status_code, response.headers["Retry-After"]) == (503, "9")
    assert response.get_json()["type"] == "/problems/verdict-undecidable"
    assert examples(platform, round_id) == []


def test_text_that_a_target_refuses_is_named_by_line(platform: Platform) -> None:
    round_id = start(platform)
    platform.gateway.targets["alpha"].status = 422
    response = harvest(platform, round_id, [text(1), text(2)], first_line=51)
    problem = response.get_json()
    assert (response.status_code, problem["type"]) == (422, "/problems/records-unusable")
    assert [(each["line"], each["field"]) for each in problem["errors"]] == [(51, "input"), (52, "input")]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (text(1, votes=[]), "votes"),
        (text(1, targets={"alpha": "positive"}), "targets"),
        (text(1, label="glad"), "label"),
        ({"id": "t1", "input": {"text": "x"}}, "context.prompt"),
    ],
)
def test_a_line_that_cant_be_used_is_named_and_nobody_is_asked(
    platform: Platform, line: dict[str, Any], field: str
) -> None:
    round_id = start(platform)
    asked = len(platform.gateway.targets["alpha"].instances)
    problem = harvest(platform, round_id, [text(2), line]).get_json()
    assert [(each["line"], each["field"]) for each in problem["errors"]] == [(2, field)]
    assert len(platform.gateway.targets["alpha"].instances) == asked


def test_at_most_two_hundred_lines_come_at_a_time(platform: Platform) -> None:
    problem = harvest(platform, start(platform), [text(n) for n in range(201)]).get_json()
    assert problem["errors"][0]["reason"] == "goes beyond the 200 lines that it may have"


def test_targets_must_be_served_and_fit(platform: Platform) -> None:
    path = f"/tasks/{platform.slug}/imports/reviews"
    platform.gateway.targets["beta"].labels = ["yes", "no"]
    for target, kind in (("beta", "target-unfit"), ("gamma", "target-unknown")):
        body = {"targets": [target], "origin": "harvested"}
        response = platform.call("PUT", path, body, person=uuid4(), roles=["admin"])
        assert (response.status_code, response.get_json()["type"]) == (409, f"/problems/{kind}")


def test_each_round_takes_its_own_kind(platform: Platform) -> None:
    harvested, imported = start(platform), platform.start_import(source="records")
    for response in (
        platform.send_lines(f"/rounds/{harvested}/records", [text(1)]),
        harvest(platform, imported, [text(1)]),
        harvest(platform, platform.draft(), [text(1)]),
    ):
        assert (response.status_code, response.get_json()["type"]) == (409, "/problems/round-not-collected")


def test_a_finished_harvest_takes_no_more_text(platform: Platform) -> None:
    round_id = start(platform)
    harvest(platform, round_id, [text(1, label="negative")])
    platform.set_state(round_id, "closed")
    assert harvest(platform, round_id, [text(1, label="negative")]).get_json()["repeated"] == 1
    response = harvest(platform, round_id, [text(2, label="negative")])
    assert (response.status_code, response.get_json()["type"]) == (409, "/problems/import-finished")


def test_a_target_replaced_meanwhile_begins_a_new_segment(platform: Platform) -> None:
    round_id = start(platform)
    harvest(platform, round_id, [text(1, label="negative")])
    platform.gateway.targets["alpha"].model_digest = "sha256:model-2"
    harvest(platform, round_id, [text(2, label="negative")])
    assert len({each["segment_id"] for each in examples(platform, round_id)}) == 2

"""A type of field that one module and two page fragments add, from a task's file to the files of a release.

The module and the fragments are those of docs/extend/task-language.md. They are in a folder of their own, laid out as
that page says, which this platform's services have on their path (`DYNABENCH_EXTENSIONS`).
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until
from playwright.sync_api import Page, expect

from tests.scenarios import board

pytestmark = pytest.mark.slow

LANDING, DAY_BEFORE, DAY_AFTER = "1969-07-20", "1969-07-19", "1969-07-21"
DAY = {"name": "day", "type": "date", "label": "The day it speaks of"}
TASK = {
    "title": "Days",
    "languages": ["en"],
    "context": [{"name": "event", "type": "string"}],
    "input": [{"name": "text", "type": "string"}, DAY],
    "output": [DAY],
    "metadata": {
        "validate": [{**DAY, "name": "heard_of_it", "label": "When you heard of it", "optional": True}]
    },
    "wrong_when": {"exact_match": {"fields": ["day"]}},
    "validation": {"validate": "all"},
}


def record(number: int, claimed: str, answered: str, voted: str) -> dict[str, Any]:
    voters = [f"voter {number} {each}" for each in range(2)]
    return {
        "id": f"record {number}",
        "context": {"event": "The first landing on the moon"},
        "input": {"text": f"Two people walked there for the first time, {number} of us watched."},
        "label": claimed,
        "author": f"author {number}",
        "targets": {"almanac": answered},
        "votes": [{"label": voted, "voter": voter} for voter in voters],
    }


def test_a_date_goes_from_the_form_to_the_release(
    admin: Dynabench, dynabench: Callable[..., Any], new_member: Callable[..., Any], tmp_path: Path
) -> None:
    slug = f"days-{uuid4().hex[:8]}"
    file = tmp_path / f"{slug}.yaml"
    file.write_text(json.dumps({"slug": slug, **TASK}), encoding="utf-8")
    assert dynabench("tasks", "check", str(file))["valid"]
    dynabench("tasks", "create", str(file))

    round_id = dynabench("rounds", "create", slug)["round_id"]
    admin.annotation.add_contexts(
        round_id, [{"fields": {"event": "The first landing on the moon"}, "tags": []}]
    )
    admin.annotation.set_round_state(round_id, "open")
    author, first, second = (new_member() for _ in range(3))
    for member in (author, first, second):
        member.sign_in()
    write(author.open(f"/rounds/{round_id}/create"))
    for voter in (first, second):
        wait_until(lambda voter=voter: voter.client.validation.lease(round_id).lease_id, what="an example")
        vote(voter.open(f"/rounds/{round_id}/validate"))
    (example,) = author.client.annotation.examples(round_id).items
    assert example.claimed == LANDING
    wait_until(
        lambda: admin.validation.resolution(example.example_id).resolution == "correct", what="the votes"
    )


def test_recorded_answers_of_a_new_type_are_judged_validated_and_released(
    admin: Dynabench, dynabench: Callable[..., Any], tmp_path: Path
) -> None:
    slug = f"days-{uuid4().hex[:8]}"
    file, collection = tmp_path / f"{slug}.yaml", tmp_path / "collection.jsonl"
    file.write_text(json.dumps({"slug": slug, **TASK}), encoding="utf-8")
    dynabench("tasks", "create", str(file))
    records = [
        record(1, LANDING, DAY_BEFORE, LANDING),
        record(2, LANDING, LANDING, LANDING),
        record(3, DAY_BEFORE, LANDING, LANDING),
        *(record(number, DAY_AFTER, LANDING, DAY_AFTER) for number in range(4, 9)),
    ]
    collection.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    round_id = dynabench("rounds", "import", "--task", slug, "--format", "records", str(collection))[
        "round_id"
    ]

    wait_until(lambda: board(admin, round_id).validated_errors == 6, what="the validated errors")
    figures = board(admin, round_id)
    assert (figures.tries, figures.fooled) == (8, 7)
    wait_until(
        lambda: admin.datasets.preview_release(round_id, dev=1, test=1).allowed, what="scoring to hear of it"
    )
    asked = admin.datasets.release(round_id, dev=1, test=1, licence="CC0-1.0")
    wait_until(lambda: admin.datasets.release_state(asked.release_id).is_finished, what="the release")
    dataset_id = admin.datasets.release_state(asked.release_id).dataset_id
    rows = [
        json.loads(line)
        for line in b"".join(admin.datasets.export_round(round_id, "jsonl")).decode().splitlines()
    ]
    assert dataset_id
    assert {row["label"] for row in rows if row["resolution"] == "correct"} == {LANDING, DAY_AFTER}
    assert {row["targets"]["almanac"] for row in rows} == {LANDING, DAY_BEFORE}


def write(page: Page) -> None:
    page.fill("[name='input.text']", "Two people walked on the moon for the first time.")
    page.fill("input[type=date][name='input.day']", LANDING)
    page.click("#try-form button[value=submit]")
    expect(page.locator("#verdict-heading")).to_be_visible()


def vote(page: Page) -> None:
    page.fill("input[type=date][name='vote.value']", LANDING)
    page.click("button.primary:has-text('Answer')")
    page.click("button:has-text('See what the author says')")
    expect(page.locator("#reveal-heading")).to_contain_text(LANDING)

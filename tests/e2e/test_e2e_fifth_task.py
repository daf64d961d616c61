"""A task that nobody wrote code for: from a YAML file to a validated error, by command line and browser alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from dynabench_client import Dynabench, ProblemError
from dynabench_common.testing import wait_until
from dynabench_local.layout import checkout
from playwright.sync_api import Page, expect

from tests.scenarios import board

pytestmark = pytest.mark.slow

EXAMPLES = checkout() / "examples"
TARGETS = ("topics-words", "topics-characters", "topics-pairs")
TITLE = "Everything at once"
TEXT = "A singer who races sledges buys a clinic in the woods and runs it by computer."
TOPICS = ("culture", "economy", "health", "nature", "sport", "technology")


def write_an_item(page: Page) -> None:
    page.fill("[name='input.title']", TITLE)
    page.fill("[name='input.text']", TEXT)
    for topic in TOPICS:
        page.check(f"[name='input.topics'][value={topic}]")
    page.click("#try-form button[value=submit]")
    expect(page.locator("#verdict-heading")).to_contain_text("You fooled")


def vote(member: Any, round_id: str) -> None:
    wait_until(lambda: member.client.validation.lease(round_id).lease_id, what="an example to validate")
    page = member.open(f"/rounds/{round_id}/validate")
    expect(page.locator("#work")).to_contain_text(TITLE)
    for topic in TOPICS:
        page.locator(f"input[type=checkbox][value={topic}]").check()
    page.click("button.primary:has-text('Answer')")
    page.click("button:has-text('See what the author says')")
    expect(page.locator("#reveal-heading")).to_contain_text("technology")


def test_a_task_from_a_file_runs_without_code(
    admin: Dynabench, dynabench: Callable[..., Any], new_member: Callable[..., Any], tmp_path: Path
) -> None:
    slug = f"topics-{uuid4().hex[:8]}"
    file = tmp_path / f"{slug}.yaml"
    shipped = (EXAMPLES / "topics.yaml").read_text(encoding="utf-8")
    own = shipped.replace("slug: topics\n", f"slug: {slug}\n")
    file.write_text(own.replace("reading_speed: 100", "reading_speed: 0"), encoding="utf-8")

    assert dynabench("tasks", "check", str(file))["valid"]
    dynabench("tasks", "create", str(file))
    targets = [word for target in TARGETS for word in ("--target", target)]
    round_id = dynabench("rounds", "create", slug, *targets)["round_id"]
    dynabench("contexts", "upload", round_id, str(EXAMPLES / "topics-contexts.jsonl"))
    assert dynabench("rounds", "open", round_id)["state"] == "open"
    for target in TARGETS:
        wait_until(lambda target=target: predicts(admin, target), 120, f"{target} to predict")

    author, first, second = (new_member() for _ in range(3))
    for member in (author, first, second):
        member.sign_in()
    page = author.open(f"/rounds/{round_id}/create")
    write_an_item(page)
    for target in TARGETS:
        expect(page.locator("section.verdict")).to_contain_text(target)
    expect(page.locator("section.verdict")).to_contain_text("at least 2 of the 3")
    vote(first, round_id)
    vote(second, round_id)

    wait_until(lambda: board(admin, round_id).validated_errors == 1, what="the validated error")
    matrix = admin.leaderboard.matrix(round_id)
    assert set(matrix.targets) == set(TARGETS)
    assert (matrix.answered_by_all, matrix.patterns[0].validated) == (1, 1)
    assert len(matrix.patterns[0].fooled) >= 2
    expect(author.open(f"/rounds/{round_id}").locator("main")).to_contain_text("topics-pairs")


def predicts(client: Dynabench, target: str) -> bool:
    try:
        client.gateway.predict(target, [{"title": "Rain", "text": "It rains."}], wait_seconds=30)
    except ProblemError as err:
        if err.status != 503:
            raise
        return False
    return True

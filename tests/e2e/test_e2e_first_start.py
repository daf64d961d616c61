"""A first start fills the board of a task with the shipped models, and pages with examples of a demonstration."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from dynabench_client import Dynabench
from dynabench_client.results.annotation import Round
from dynabench_common.testing import wait_until
from dynabench_local.layout import checkout

from tests.e2e.first_minute import Person

sys.path.insert(0, str(checkout() / "scripts"))
import demo_lines
import demo_round
import seed
from demo_release import DEMONSTRATION

TASK, NAME = "hate-speech", "hate-speech-challenge"
FOLDER = checkout() / "services" / "evaluation" / "challenge_sets"
SECONDS = 200.0
DEMONSTRATED = "nli"


def test_the_board_of_a_shipped_task_has_scores_without_anybody_asking(
    owner: Dynabench, new_member: Callable[..., Any]
) -> None:
    for _ in range(2):
        seed.ensure_challenge_set(owner, TASK, FOLDER)
    [uploaded] = [
        each for each in owner.evaluations.scored_datasets(TASK, limit=200).items if each.name == NAME
    ]
    assert (uploaded.version, uploaded.access, uploaded.items) == (1, "open", 72)

    def scored() -> bool:
        rows = owner.leaderboard.model_board(TASK).rows
        shipped = [row for row in rows if row.is_baseline]
        return bool(shipped) and all(
            row.rank is not None and NAME in row.datasets and row.datasets[NAME].state == "done"
            for row in shipped
        )

    wait_until(scored, SECONDS, "every shipped model to be ranked")
    member = new_member()
    page = member.open("/")
    researcher = Person(page)
    researcher.click("header a[href='/models']")
    researcher.choose("select[name=task]", TASK)
    researcher.click("form.filters button")
    researcher.click(f"main a[href='/tasks/{TASK}/board']")
    researcher.read("[data-board-row=hate-speech-minilm]")
    assert researcher.clicks <= 4, str(researcher)
    member.open(f"/datasets/scored/{uploaded.dataset_id}")
    page.get_by_role("heading", name="Challenge set: Hate speech").wait_for()


@pytest.fixture
def begin_demonstration(platform: Any) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Starts the script that makes the demonstration, as a first start does; kills what is left of it."""
    processes: list[subprocess.Popen[bytes]] = []

    def begin() -> subprocess.Popen[bytes]:
        command = [sys.executable, str(checkout() / "scripts" / "demo_round.py"), "--task", DEMONSTRATED]
        processes.append(subprocess.Popen(command, env=platform.stack.client_environment()))
        return processes[-1]

    yield begin
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_the_demonstration_is_made_once_however_often_its_script_is_killed(
    owner: Dynabench,
    begin_demonstration: Callable[[], subprocess.Popen[bytes]],
    new_member: Callable[..., Any],
) -> None:
    def made() -> list[Round]:
        rounds = owner.annotation.rounds(DEMONSTRATED, limit=200).items
        return [found for found in rounds if found.title == DEMONSTRATION]

    def killed_once(reached: Callable[[], bool], what: str) -> None:
        process = begin_demonstration()
        wait_until(reached, SECONDS, what)
        process.kill()
        process.wait()

    killed_once(lambda: bool(made()), "the demonstration to be drafted")
    round_id = made()[0].round_id
    killed_once(lambda: owner.annotation.counts(round_id).fooled > 0, "a first example that fooled")
    killed_once(lambda: owner.validation.counts(round_id).votes > 0, "a first vote")
    first, second = begin_demonstration(), begin_demonstration()
    assert (first.wait(SECONDS), second.wait(SECONDS)) == (0, 0)
    wait_until(lambda: made()[0].state == "released", SECONDS, "the demonstration to be released")
    assert begin_demonstration().wait(SECONDS) == 0

    assert [found.round_id for found in made()] == [round_id]
    known = {line.text for line in demo_lines.lines(f"{demo_round.FILES.name}/{DEMONSTRATED}")}
    written = [
        str(each.input["hypothesis"]) for each in owner.annotation.examples(round_id, author="all").items
    ]
    assert len(set(written)) == len(written) > len(known) / 2
    assert set(written) <= known
    public = owner.public_examples.list(round_id=round_id, limit=50).items
    assert len(public) >= 3
    assert {each.round_title for each in public} == {DEMONSTRATION}
    assert not owner.leaderboard.people_of_round(round_id).items, "a demonstration ranks nobody"
    page = new_member().open(f"/tasks/{DEMONSTRATED}")
    page.locator(".example-wall").get_by_text(DEMONSTRATION).first.wait_for()
    [dataset] = [each for each in owner.datasets.datasets(DEMONSTRATED).items if each.round_id == round_id]
    assert owner.datasets.dataset(dataset.dataset_id).description == demo_round.DESCRIPTION

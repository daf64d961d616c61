"""From an empty folder to a target in a round, by the command line, and from the page, by a browser."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from dynabench_client import Dynabench, ProblemError, profiles
from dynabench_common.testing import wait_until

from tests.scenarios import OwnTask, heard_of

pytestmark = pytest.mark.slow

CHECKS_SECONDS = 240
MOVING = ("draft", "checking")
NO_SANDBOXES = ("there is no pool sandboxed", "can't be isolated")
CARD = "---\nlicence: MIT\ncontact: ada@example.org\nlanguages: [en]\n---\nAnswers by a list of words.\n"
WRITTEN = {"text": "The soup was dreadful.", "label": "negative"}


@dataclass(frozen=True)
class Shell:
    """The `dynabench` command of one person."""

    program: str
    profile: Path

    def __call__(self, *arguments: str, code: int = 0) -> Any:
        """Run a verb and return its JSON; `code` is the exit code that it must have."""
        environment = {**os.environ, "DYNABENCH_PROFILE": str(self.profile)}
        done = subprocess.run(
            [self.program, *arguments, "--json"], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
        return json.loads(done.stdout) if done.stdout else done.stderr


@pytest.fixture
def shell(platform: Any, tmp_path: Path) -> Callable[[Dynabench], Shell]:
    def make(client: Dynabench) -> Shell:
        profile = tmp_path / f"{uuid4().hex}.json"
        token = client.accounts.create_token("a test").token
        profiles.write(profile, profiles.Profile(platform.url, token))
        return Shell(str(platform.stack.layout.scripts / "dynabench"), profile)

    return make


@pytest.fixture
def task(new_task: Callable[..., OwnTask], owner: Dynabench) -> OwnTask:
    """A task of the test's own, once the registry knows it."""
    made = new_task()
    area = made.owner.client.registry
    wait_until(lambda: heard_of(lambda: area.submissions(task=made.slug)) is not None, what="the registry")
    return made


def ended(shell: Shell, submission_id: str) -> dict[str, Any]:
    """Return a submission once its checks have ended or wait for a person."""
    found: dict[str, Any] = {}

    def is_still() -> bool:
        found.update(shell("models", "submission", submission_id))
        return found["state"] not in MOVING

    wait_until(is_still, CHECKS_SECONDS, "the checks")
    return found


def skip_without_sandboxes(submission: dict[str, Any]) -> None:
    """Skip if this machine can't sandbox programs: they are refused there, with the reason."""
    for each in submission["steps"]:
        if each["fault"] == "ours" and any(words in each["reason"] for words in NO_SANDBOXES):
            pytest.skip(f"no sandboxes on this machine: {each['reason']}")


def test_from_an_empty_folder_into_a_rounds_loop(
    task: OwnTask,
    shell: Callable[[Dynabench], Shell],
    new_annotator: Callable[[], Dynabench],
    tmp_path: Path,
) -> None:
    client, other = new_annotator(), new_annotator()
    submitter, owner = shell(client), shell(task.owner.client)
    project, archive, name = tmp_path / "project", tmp_path / "words.mar", f"words-{uuid4().hex[:6]}"

    submitter("models", "init", "--task", task.slug, str(project))
    submitter("models", "package", str(project), "-o", str(archive))
    assert submitter("models", "check", str(archive), "--task", task.slug)["passed"]
    sent = submitter("models", "submit", str(archive), "--task", task.slug, "--model", name)
    submission_id = sent["submission_id"]

    waiting = ended(submitter, submission_id)
    assert (waiting["state"], waiting["step"], waiting["pool"]) == ("waiting", "deployed", "sandboxed")
    [notice] = [each for each in task.owner.client.accounts.notices().items if each.kind == "model_waits"]
    assert notice.submission_id == submission_id
    with pytest.raises(ProblemError) as not_theirs:
        client.registry.decide_on_submission(submission_id, approve=True, reason="I read it.")
    assert not_theirs.value.status == 403
    task.owner.client.registry.decide_on_submission(submission_id, approve=True, reason="I read it.")
    deployed = ended(submitter, submission_id)
    skip_without_sandboxes(deployed)
    assert [each["state"] for each in deployed["steps"]] == ["passed"] * 9, deployed["steps"]
    smoke_test = next(each for each in deployed["steps"] if each["step"] == "smoke_test")
    assert len(smoke_test["samples"]) == 3
    served = deployed["serving_name"]

    answered = submitter("models", "predict", served, WRITTEN["text"])
    assert answered["items"][0]["label"] in ("negative", "neutral", "positive")
    with pytest.raises(ProblemError) as unseen:
        other.gateway.predict(served, [{"text": "a"}])
    assert unseen.value.status == 404
    with pytest.raises(ProblemError) as unfit:
        task.open_round([served])
    assert unfit.value.type == "/problems/target-unfit"

    card = tmp_path / "card.md"
    card.write_text(CARD)
    submitter("models", "card", submission_id, str(card))
    submitter("models", "publish", submission_id)
    wait_until(
        lambda: heard_of(lambda: other.gateway.predict(served, [{"text": "a"}])) is not None,
        what="the published model to answer everybody",
    )
    check_that_it_is_ranked_by_itself(owner, task.slug, name, tmp_path)
    round_id = task.open_round([served])
    context = other.annotation.assign(round_id).context
    example = other.annotation.create_example(round_id, context.context_id, WRITTEN)
    assert [each.target for each in example.answers] == [served]
    with pytest.raises(ProblemError) as closed:
        client.gateway.predict(served, [{"text": "a"}])
    assert closed.value.type == "/problems/target-in-the-loop"
    check_that_it_can_not_be_taken_from_the_round(task, client, submission_id, round_id)


def check_that_it_is_ranked_by_itself(owner: Shell, slug: str, name: str, folder: Path) -> None:
    """An uploaded set suffices."""
    path = folder / "items.jsonl"
    path.write_text(
        "".join(
            json.dumps({"id": text, "context": {"prompt": "A day."}, "input": {"text": text}, "label": label})
            + "\n"
            for text, label in (
                ("I loved it.", "positive"),
                ("I hated it.", "negative"),
                ("It is on Monday.", "neutral"),
            )
        )
    )
    began = time.monotonic()
    owner("datasets", "upload", str(path), "--task", slug, "--name", "three-items")
    weights = "accuracy=1,throughput=0,memory=0,fairness=0,robustness=0"

    def is_ranked() -> bool:
        rows = owner("board", "--task", slug, "--weights", weights)["rows"]
        return [row["rank"] for row in rows if row["model"].startswith(name)] == [1]

    wait_until(is_ranked, CHECKS_SECONDS, "the new model to be ranked")
    print(f"a new model, upload to rank: {time.monotonic() - began:.1f} s")


def check_that_it_can_not_be_taken_from_the_round(
    task: OwnTask, submitter: Dynabench, submission_id: str, round_id: str
) -> None:
    """The draft that could not be opened keeps it as the open round does, until its owner removes it."""
    registry, owner = submitter.registry, task.owner.client
    drafted = next(
        each.round_id for each in owner.annotation.rounds(task.slug).items if each.state == "draft"
    )
    wait_until(
        lambda: (
            {each.round_id: each.state for each in registry.submission(submission_id).in_the_loop}
            == {drafted: "draft", round_id: "open"}
        ),
        what="the registry to hear of both rounds",
    )
    acts: list[Callable[[], object]] = [
        lambda: registry.withdraw_model(submission_id),
        lambda: owner.registry.retire_model(submission_id, "It is old."),
    ]
    for take_away in acts:
        with pytest.raises(ProblemError) as held:
            take_away()
        assert held.value.type == "/problems/model-in-the-loop"
        assert f"round 1 of {task.slug}, round 2 of {task.slug}" in held.value.detail
        assert held.value.remedy
    owner.annotation.set_targets(drafted, [], "Its submitter wants it back.")
    owner.annotation.set_round_state(round_id, "closed", "Enough.")
    wait_until(
        lambda: not registry.submission(submission_id).in_the_loop, what="the registry to hear of the end"
    )
    assert registry.withdraw_model(submission_id).state == "withdrawn"


def test_a_browser_sends_an_archive_and_shows_its_checks(
    platform: Any, task: OwnTask, new_member: Callable[..., Any]
) -> None:
    member, name = new_member(), f"words-{uuid4().hex[:6]}"
    member.sign_in()
    page = member.open(f"/models/submit?task={task.slug}")
    page.fill("#submit-model", name)
    page.set_input_files("#submit-file", platform.stack.layout.model_store / "sentiment-words.mar")
    page.click("[data-archive-send]")
    page.wait_for_url("**/submissions/*", timeout=60_000)
    submission_id = page.url.rsplit("/", 1)[-1]
    page.get_by_text(f"{name}-v1", exact=False).first.wait_for(timeout=CHECKS_SECONDS * 1000)
    found = member.client.registry.submission(submission_id)
    assert (found.state, found.pool) == ("deployed", "shared"), found.failed_step
    assert member.client.gateway.predict(f"{name}-v1", [{"text": "Wonderful."}], wait_seconds=30).predictions
    kinds = {each.counts.popitem()[0] for each in member.client.accounts.notices().items}
    assert "model_deployed" in kinds
    member.client.registry.withdraw_model(submission_id)


def test_an_archive_that_is_none_is_refused_with_reason_and_remedy(
    task: OwnTask, shell: Callable[[Dynabench], Shell], new_annotator: Callable[[], Dynabench], tmp_path: Path
) -> None:
    submitter, archive = shell(new_annotator()), tmp_path / "text.mar"
    archive.write_text("This is no archive, only a text that is long enough.")
    sent = submitter("models", "submit", str(archive), "--task", task.slug, "--model", "a-text")
    refused = ended(submitter, sent["submission_id"])
    failed = next(each for each in refused["steps"] if each["state"] == "failed")
    assert (refused["state"], failed["step"], failed["fault"]) == ("refused", "opened", "yours")
    assert failed["reason"]
    assert failed["remedy"]
    submitter("models", "follow", sent["submission_id"], code=1)

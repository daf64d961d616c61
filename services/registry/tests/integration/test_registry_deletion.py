"""Deletion for good: what goes, what stays, who may, and what happens when it is interrupted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from dynabench_archives.model_servers import BuildOrder, BuildState, BuildStatus
from dynabench_common.object_store import ObjectsUnavailable
from dynabench_common.work.jobs import LeaseLost
from registry.adapters.archive_objects import ArchiveObjects
from registry.adapters.submission_store import keep_entry_texts
from registry.adapters.tables import round_, submission
from registry.domain.errors import AgentAway
from registry.domain.submission import Step
from registry.service_layer.checks.runner import CHECKS, Checker
from registry.service_layer.checks.serving_steps import deployed
from registry.service_layer.checks.step_run import Outcome, StepRun
from registry.service_layer.cleaning import sweep
from registry.service_layer.dependencies import WorkerDependencies
from registry.service_layer.removing import remove_deleted
from sqlalchemy import Engine, select, text

from tests import hostile_archives as hostile

from .checked import BUILT, DIGEST, GOOD, events, look
from .submissions import Submitter

CARD = {"text": "Small.", "licence": "MIT", "contact": "a@example.org", "languages": ["en"]}
TOLD = ("submission_step", "submission_log", "submission_entry", "webhook_call")
REASON = {"reason": "It was trained on letters of patients."}


class Agent:
    """Fake agent with a preset build status. It removes files unless it is away."""

    def __init__(self) -> None:
        self.build: BuildStatus | None = BUILT
        self.away = False
        self.removed: list[tuple[UUID, tuple[str, ...], str | None]] = []

    def start(self, order: BuildOrder) -> None:
        raise AssertionError("nothing is built here")

    def printed(self, serving_name: str) -> Sequence[str]:
        raise AssertionError("nothing runs here")

    def status(self, submission_id: UUID) -> BuildStatus | None:
        return self.build

    def remove(self, submission_id: UUID, files: Sequence[str], serving_name: str | None) -> None:
        if self.away:
            raise AgentAway("x.mar is served")
        self.removed.append((submission_id, tuple(files), serving_name))


@pytest.fixture
def agent() -> Agent:
    return Agent()


@pytest.fixture
def remove(app: WorkerDependencies, agent: Agent) -> Callable[[], int]:
    return lambda: remove_deleted(replace(app, builder=agent))


@pytest.fixture
def published(submitter: Submitter, checker: Checker) -> Mapping[str, Any]:
    sent = submitter.submit(GOOD)
    assert checker.turn()
    path = f"/submissions/{sent['submission_id']}"
    assert submitter.put(f"{path}/card", CARD).status_code == 200
    found: Mapping[str, Any] = submitter.post(f"{path}/publication", {"anonymous": False}).get_json()
    return found


def delete(by: Submitter, found: Mapping[str, Any], body: Mapping[str, str] = REASON) -> Any:
    return by.post(f"/submissions/{found['submission_id']}/deletion", body)


def put_object(objects: ArchiveObjects, key: str) -> None:
    """Store an object as the agent does."""
    objects._client.put_object(**objects._bucket.at(key), Body=b"built")


def key_of(found: Mapping[str, Any]) -> str:
    return f"submissions/{found['submission_id']}.mar"


def test_what_it_said_goes_and_a_tombstone_stays(
    published: Mapping[str, Any],
    submitter: Submitter,
    new_submitter: Callable[..., Submitter],
    engine: Engine,
) -> None:
    deleted = delete(submitter, published)
    assert deleted.status_code == 200, deleted.get_json()
    left = look(submitter, published)
    assert left == deleted.get_json()
    assert left["state"] == "deleted"
    kept = ("submission_id", "model", "version", "task", "digest", "created_at", "received_at", "ended_at")
    assert {name: left[name] for name in kept} == {name: published[name] for name in kept}
    assert {**left["tombstone"], "deleted_at": None} == {
        "deleted_at": None,
        "deleted_as": "submitter",
        "reason": REASON["reason"],
        "removed_at": None,
    }
    assert (left["steps"], left["scan"], left["webhook"], left["file_name"]) == ([], None, None, "")
    assert left["card"]["text"] == ""
    assert not any(value for name, value in left.items() if name.startswith("may_"))
    with engine.connect() as connection:
        assert {connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in TOLD} == {0}
        assert not connection.execute(text("SELECT wanted FROM served_model")).scalar_one()
    assert events(engine)[-2:] == ["ModelWithdrawn", "ModelDeleted"]
    stranger = new_submitter()
    assert stranger.get(f"/submissions/{published['submission_id']}").status_code == 404
    shown = stranger.get("/published-models/tiny-v1").get_json()
    assert (shown["published"], shown["tombstone"]["reason"]) == (False, REASON["reason"])
    assert stranger.get("/published-models").get_json()["items"] == []


def test_of_a_model_that_was_not_shown_others_learn_nothing(
    submitter: Submitter, checker: Checker, new_submitter: Callable[..., Submitter], owner: Submitter
) -> None:
    sent = submitter.submit(GOOD)
    assert checker.turn()
    assert delete(submitter, sent, {"reason": ""}).status_code == 200
    assert new_submitter().get("/published-models/tiny-v1").status_code == 404
    assert owner.get("/published-models/tiny-v1").get_json()["tombstone"]["reason"] == ""


def test_an_owner_needs_a_reason_and_others_may_not(
    published: Mapping[str, Any], owner: Submitter, new_submitter: Callable[..., Submitter], engine: Engine
) -> None:
    assert delete(new_submitter("owner:nli"), published).status_code == 404
    refused = delete(owner, published, {"reason": "  "})
    assert (refused.status_code, refused.get_json()["type"]) == (422, "/problems/reason-missing")
    assert look(owner, published)["may_delete"]
    deleted = delete(owner, published)
    assert deleted.get_json()["tombstone"]["deleted_as"] == "owner"
    assert events(engine)[-1] == "ActionTaken"
    assert delete(new_submitter("admin"), published, {"reason": "again"}).get_json() == {
        **deleted.get_json(),
        "mine": False,
    }
    assert events(engine).count("ModelDeleted") == 1


@pytest.mark.parametrize("state", ["draft", "open", "paused"])
def test_a_target_of_a_round_is_not_deleted(
    published: Mapping[str, Any], submitter: Submitter, engine: Engine, state: str
) -> None:
    with engine.begin() as connection:
        connection.execute(
            round_.insert().values(round_id=UUID(int=7), number=2, targets=["tiny-v1"], state=state)
        )
    refused = delete(submitter, published)
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/model-in-the-loop")
    assert not look(submitter, published)["may_delete"]


def test_its_name_and_version_are_never_given_out_again(
    published: Mapping[str, Any], submitter: Submitter, new_submitter: Callable[..., Submitter]
) -> None:
    delete(submitter, published)
    taken = new_submitter().begin(GOOD)
    assert (taken.status_code, taken.get_json()["type"]) == (409, "/problems/model-name-taken")
    again = submitter.begin(GOOD).get_json()
    assert (again["known"], again["submission"]["version"]) == (False, 2)


def test_nothing_can_be_done_with_it_any_more(published: Mapping[str, Any], submitter: Submitter) -> None:
    delete(submitter, published)
    path = f"/submissions/{published['submission_id']}"
    tries = [
        submitter.put(f"{path}/card", CARD),
        submitter.post(f"{path}/publication", {"anonymous": False}),
        submitter.post(f"{path}/withdrawal", {"reason": ""}),
        submitter.post(f"{path}/steps/checksum/runs"),
        submitter.post(f"{path}/cancellation"),
        submitter.post(f"{path}/upload/completion"),
        submitter.post(f"{path}/upload/parts", {"numbers": [1]}),
    ]
    assert {(each.status_code, each.get_json()["type"]) for each in tries} == {
        (409, "/problems/submission-state")
    }


def test_it_still_counts_as_one_of_the_days_submissions(
    published: Mapping[str, Any], submitter: Submitter
) -> None:
    before = submitter.get("/submissions?task=sentiment").get_json()["quota"]
    delete(submitter, published)
    assert submitter.get("/submissions?task=sentiment").get_json()["quota"] == before


def test_its_bytes_are_removed_from_both_stores(
    published: Mapping[str, Any],
    submitter: Submitter,
    remove: Callable[[], int],
    agent: Agent,
    objects: ArchiveObjects,
    engine: Engine,
) -> None:
    for key in ("served/x.mar", "served/x.mar.json"):
        put_object(objects, key)
    assert objects.size(key_of(published)) == len(GOOD)
    assert remove() == 0
    delete(submitter, published)
    assert remove() == 1
    for key in (key_of(published), "served/x.mar", "served/x.mar.json"):
        assert objects.size(key) is None
    assert agent.removed == [(UUID(published["submission_id"]), ("x.mar",), "tiny-v1")]
    assert look(submitter, published)["tombstone"]["removed_at"] is not None
    with engine.connect() as connection:
        served = connection.execute(select(submission.c.served)).scalar_one()
    assert served == {"sha256": DIGEST, "model_digest": DIGEST, "handler_digest": DIGEST}
    assert remove() == 0


def test_what_was_interrupted_is_finished_later(
    published: Mapping[str, Any],
    submitter: Submitter,
    remove: Callable[[], int],
    agent: Agent,
    objects: ArchiveObjects,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    delete(submitter, published)

    def away(*_: object) -> None:
        raise ObjectsUnavailable(5)

    with monkeypatch.context() as broken:
        broken.setattr(objects, "abandon", away)
        assert remove() == 0
    agent.build = BuildStatus(BuildState.RUNNING)
    assert remove() == 0
    agent.build, agent.away = None, True
    assert remove() == 0
    assert look(submitter, published)["tombstone"]["removed_at"] is None
    agent.away = False
    assert remove() == 1
    assert agent.removed[0][1] == ("x.mar",)


def test_an_archive_that_another_one_serves_stays(
    published: Mapping[str, Any],
    submitter: Submitter,
    new_submitter: Callable[..., Submitter],
    checker: Checker,
    remove: Callable[[], int],
    agent: Agent,
    objects: ArchiveObjects,
) -> None:
    put_object(objects, "served/x.mar")
    new_submitter().submit(GOOD, "other")
    assert checker.turn()
    delete(submitter, published)
    assert remove() == 1
    assert agent.removed[0][1] == ()
    assert objects.size("served/x.mar") is not None


def test_an_upload_under_way_is_deleted_with_its_parts(
    submitter: Submitter, remove: Callable[[], int], agent: Agent, objects: ArchiveObjects, engine: Engine
) -> None:
    begun = submitter.begin(GOOD).get_json()["submission"]
    submitter.send_parts(begun, GOOD)
    assert delete(submitter, begun, {"reason": ""}).get_json()["state"] == "deleted"
    agent.build = None
    assert remove() == 1
    with engine.connect() as connection:
        upload_id = connection.execute(text("SELECT upload_id FROM submission")).scalar_one()
    assert objects.held(key_of(begun), upload_id) is None


@pytest.mark.parametrize("at", [Step.SCANNED, Step.DEPLOYED])
def test_checks_that_run_meanwhile_leave_nothing(
    submitter: Submitter,
    engine: Engine,
    app: WorkerDependencies,
    tmp_path: Path,
    at: Step,
) -> None:
    sent = submitter.submit(hostile.packed(hostile.declarative()))

    def deleted_first(run: StepRun, app: WorkerDependencies) -> Outcome:
        assert delete(submitter, sent, {"reason": ""}).status_code == 200
        return CHECKS[at](run, app)

    assert Checker(1, app, {**CHECKS, at: deleted_first}).turn()
    assert look(submitter, sent)["state"] == "deleted"
    assert list(tmp_path.iterdir()) == []
    with engine.connect() as connection:
        assert {connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in TOLD} == {0}
        assert connection.execute(text("SELECT count(*) FROM served_model WHERE wanted")).scalar_one() == 0


def test_texts_are_kept_only_while_it_is_checked(
    published: Mapping[str, Any], submitter: Submitter, engine: Engine
) -> None:
    delete(submitter, published)
    keep_entry_texts(engine, UUID(published["submission_id"]), {"notes.txt": "secret"})
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM submission_entry")).scalar_one() == 0


def test_archives_that_a_killed_worker_left_are_swept(
    published: Mapping[str, Any],
    submitter: Submitter,
    app: WorkerDependencies,
    tmp_path: Path,
) -> None:
    waiting = submitter.submit(hostile.packed(hostile.declarative()), "waiting", digest=None)
    for found in (published, waiting):
        (tmp_path / f"{found['submission_id']}.mar").write_bytes(b"left")
    (tmp_path / f"{published['submission_id']}.partial").write_bytes(b"left")
    (tmp_path / "notes.txt").write_text("not ours")
    assert sweep(app) == 2
    assert {path.name for path in tmp_path.iterdir()} == {f"{waiting['submission_id']}.mar", "notes.txt"}


def test_a_lost_lease_ends_the_deploying_of_a_deleted_submission(
    submitter: Submitter,
    app: WorkerDependencies,
) -> None:
    sent = submitter.submit(GOOD)
    with app.unit_of_work() as uow:
        held = uow.submissions.get(UUID(sent["submission_id"]))
    delete(submitter, sent, {"reason": ""})
    with pytest.raises(LeaseLost):
        deployed(StepRun(held, app.folder), app)

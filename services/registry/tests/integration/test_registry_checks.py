"""Runs of the checks: order of steps, responsibility for failures, dying workers, and fairness.

PostgreSQL and S3 are real; the model server is a fake with preset results.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest
from dynabench_archives.model_servers import BuildState, BuildStatus, Fault
from dynabench_common.object_store import ObjectsUnavailable
from dynabench_common.testing import FixedClock
from dynabench_common.work.jobs import LeaseLost
from registry.domain.errors import DiskFull
from registry.domain.submission import Step
from registry.service_layer.checks import runner
from registry.service_layer.checks.runner import CHECKS, Checker
from registry.service_layer.checks.step_run import Outcome, StepRun, redacted
from registry.service_layer.dependencies import WorkerDependencies
from sqlalchemy import Engine, text

from tests import hostile_archives as hostile
from tests.hostile_handlers import handler

from .checked import DIGEST, GOOD, Serving, events, look, step
from .submissions import Submitter, digest_of


def test_an_archive_of_data_goes_through_all_steps(
    submitter: Submitter, checker: Checker, serving: Serving, engine: Engine
) -> None:
    sent = submitter.submit(GOOD)
    assert checker.turn()
    found = look(submitter, sent)
    assert found["state"] == "deployed"
    assert {each["state"] for each in found["steps"]} == {"passed"}
    assert (found["serving_name"], found["pool"], found["counted"]) == ("tiny-v1", "shared", True)
    assert len(step(found, "smoke_test")["samples"]) == 3
    assert step(found, "smoke_test")["samples"][0]["answer"]["label"] == "neutral"
    (order,) = serving.ordered
    assert (order.source_digest, order.labels) == (sent["digest"], hostile.LABELS)
    assert events(engine) == ["ModelSubmitted", "ModelDeployed"]
    with engine.connect() as connection:
        row = connection.execute(text("SELECT name, wanted, pool FROM served_model")).one()
    assert tuple(row) == ("tiny-v1", True, "shared")
    lines = submitter.get(f"/submissions/{sent['submission_id']}/log").get_json()["lines"]
    assert {line["step"] for line in lines} == {each["step"] for each in found["steps"]}
    assert not checker.turn()


def test_a_digest_that_nobody_announced_is_taken(submitter: Submitter, checker: Checker) -> None:
    sent = submitter.submit(GOOD, digest=None)
    checker.turn()
    assert look(submitter, sent)["digest"] == digest_of(GOOD)


def test_other_bytes_than_announced_are_the_submitters_fault_and_count(
    submitter: Submitter, checker: Checker, engine: Engine
) -> None:
    begun = submitter.begin(GOOD).get_json()["submission"]
    submitter.send_parts(begun, GOOD[:-1] + b"!")
    submitter.complete(begun)
    checker.turn()
    found = look(submitter, begun)
    assert (found["state"], found["step"], found["counted"]) == ("refused", "checksum", True)
    failed = step(found, "checksum")
    assert (failed["state"], failed["fault"]) == ("failed", "yours")
    assert "was announced" in failed["reason"]
    assert failed["remedy"]
    assert events(engine) == ["ModelSubmitted", "ModelRefused"]


def test_a_model_of_another_shape_is_told_what_the_task_needs(submitter: Submitter, checker: Checker) -> None:
    said = hostile.description(labels=["yes", "no"])
    sent = submitter.submit(hostile.packed(hostile.declarative(**{"dynabench.json": said})))
    checker.turn()
    failed = step(look(submitter, sent), "contract")
    assert failed["fault"] == "yours"
    assert "negative, neutral, positive" in failed["reason"]


def test_code_waits_for_an_owner_who_sees_what_it_is(
    submitter: Submitter, owner: Submitter, checker: Checker, engine: Engine
) -> None:
    sent = submitter.submit(hostile.packed(hostile.with_code(handler())))
    path = f"/submissions/{sent['submission_id']}"
    checker.turn()
    found = look(owner, sent)
    assert (found["state"], found["step"], found["pool"]) == ("waiting", "deployed", "sandboxed")
    assert step(found, "deployed")["state"] == "held"
    assert found["may_decide"]
    assert not look(submitter, sent)["may_decide"]
    assert "class Handler" in owner.get(f"{path}/entries/text?path=handler.py").get_json()["text"]
    assert owner.get(f"{path}/entries/text?path=other").get_json()["text"] is None
    assert not checker.turn()
    assert submitter.post(f"{path}/decision", {"approve": True, "reason": "mine"}).status_code == 403
    approved = owner.post(f"{path}/decision", {"approve": True, "reason": "Keyword rules, nothing else."})
    assert approved.get_json()["state"] == "checking"
    checker.turn()
    assert look(submitter, sent)["state"] == "deployed"
    assert events(engine) == ["ModelSubmitted", "ModelAwaitsApproval", "ActionTaken", "ModelDeployed"]


def test_identity_is_computed_from_the_bytes_whatever_an_archive_declares(
    submitter: Submitter, owner: Submitter, checker: Checker, engine: Engine
) -> None:
    said = hostile.description(model_digest=DIGEST, handler_digest=DIGEST)
    programs = {"one": handler(), "two": handler() + "\n", "three": handler()}
    archives = {
        name: hostile.packed({**hostile.with_code(program), "dynabench.json": said, f"{name}.txt": b""})
        for name, program in programs.items()
    }
    for name, archive in archives.items():
        sent = submitter.submit(archive, name)
        checker.turn()
        owner.post(f"/submissions/{sent['submission_id']}/decision", {"approve": True, "reason": "Rules."})
        checker.turn()
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT name, archive FROM served_model"))
        found = {name.removesuffix("-v1"): archive for name, archive in rows}
    assert {name: found[name]["model_digest"] for name in found} == {
        name: digest_of(archive) for name, archive in archives.items()
    }
    handlers = [found[name]["handler_digest"] for name in ("one", "two", "three")]
    assert handlers[0] == handlers[2] != handlers[1]
    assert DIGEST not in handlers


def test_code_that_an_owner_declines_is_refused_with_the_reason(
    submitter: Submitter, owner: Submitter, checker: Checker
) -> None:
    sent = submitter.submit(hostile.packed(hostile.with_code("pass")))
    checker.turn()
    owner.post(
        f"/submissions/{sent['submission_id']}/decision", {"approve": False, "reason": "It calls home."}
    )
    found = look(submitter, sent)
    assert (found["state"], found["counted"]) == ("refused", False)
    assert (step(found, "deployed")["fault"], step(found, "deployed")["reason"]) == (
        "owner",
        "It calls home.",
    )


def test_a_model_that_breaks_the_contract_fails_its_smoke_test(
    submitter: Submitter, checker: Checker, serving: Serving, engine: Engine
) -> None:
    serving.label = "entailment"
    sent = submitter.submit(GOOD)
    checker.turn()
    failed = step(look(submitter, sent), "smoke_test")
    assert failed["state"] == "failed"
    assert "'entailment'" in failed["reason"]
    with engine.connect() as connection:
        assert not connection.execute(text("SELECT wanted FROM served_model")).scalar_one()


def test_a_build_that_fails_says_whose_fault_it_is_and_can_be_run_again(
    submitter: Submitter, checker: Checker, serving: Serving
) -> None:
    good = serving.build
    serving.build = BuildStatus(
        BuildState.FAILED, ("reading config.json",), Fault.YOURS, "config.json has no id2label", "Add it."
    )
    sent = submitter.submit(GOOD)
    checker.turn()
    found = look(submitter, sent)
    assert (step(found, "contract")["fault"], found["may_retry"]) == ("yours", True)
    serving.build = good
    ordered = len(serving.ordered)
    path = f"/submissions/{sent['submission_id']}/steps"
    assert submitter.post(f"{path}/smoke_test/runs").status_code == 409
    again = submitter.post(f"{path}/scanned/runs")
    assert again.status_code == 202
    assert [each["state"] for each in again.get_json()["steps"]].count("passed") == 3
    checker.turn()
    found = look(submitter, sent)
    assert found["state"] == "deployed"
    assert step(found, "contract")["attempt"] == 2
    assert len(serving.ordered) == ordered + 1, "what failed was not built again"


def test_a_full_disk_is_told_from_other_faults(
    submitter: Submitter, checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: SimpleNamespace(free=len(GOOD)))
    sent = submitter.submit(GOOD)
    checker.turn()
    waiting = step(look(submitter, sent), "checksum")
    assert (waiting["state"], waiting["fault"]) == ("waiting", "ours")
    assert waiting["reason"].startswith("There is no room on our disk")


@pytest.mark.long
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError("the disk is gone"), "Something on our side failed."),
        (DiskFull("5 bytes are free"), "There is no room on our disk for the archive."),
        (ObjectsUnavailable(5), "Our object store does not answer, or takes nothing."),
    ],
)
def test_what_the_platform_breaks_is_tried_again_and_then_given_up_for_free(
    error: Exception,
    said: str,
    submitter: Submitter,
    app: WorkerDependencies,
    clock: FixedClock,
    engine: Engine,
) -> None:
    def broken(_run: StepRun, _app: WorkerDependencies) -> Outcome:
        raise error

    checker = Checker(1, app, {**CHECKS, Step.OPENED: broken})
    sent = submitter.submit(GOOD)
    checker.turn()
    found = look(submitter, sent)
    waiting = step(found, "opened")
    assert (found["state"], waiting["state"], waiting["fault"]) == ("checking", "waiting", "ours")
    assert waiting["reason"] == f"{said} We try again within 4 s."
    assert not checker.turn()
    for _ in range(runner.MOST_ATTEMPTS):
        clock.move(runner.LONGEST_PAUSE_SECONDS + 1)
        checker.turn()
    found = look(submitter, sent)
    assert (found["state"], found["counted"], step(found, "opened")["fault"]) == ("refused", False, "ours")
    assert step(found, "opened")["reason"] == f"{said} We tried this step {runner.MOST_ATTEMPTS} times."
    assert "quota" in step(found, "opened")["remedy"]
    assert events(engine) == ["ModelSubmitted", "ModelRefused"]


@pytest.mark.parametrize("at", [each for each in Step if each is not Step.RECEIVED])
def test_a_worker_that_dies_in_any_step_is_replaced(
    submitter: Submitter, app: WorkerDependencies, clock: FixedClock, at: Step
) -> None:
    """One that is killed says nothing more: its lease ends, and another worker goes on at the same step."""

    class Killed(BaseException):
        """Passes by everything that catches errors, as the end of a process does."""

    def killed(_run: StepRun, _app: WorkerDependencies) -> Outcome:
        raise Killed

    sent = submitter.submit(GOOD)
    dying = Checker(1, replace(app, folder=app.folder / "one"), {**CHECKS, at: killed})
    with pytest.raises(Killed):
        dying.turn()
    other = Checker(2, replace(app, folder=app.folder / "two"))
    assert not other.turn()
    assert look(submitter, sent)["state"] == "checking"
    clock.move(runner.LEASE_SECONDS)
    assert other.turn()
    assert look(submitter, sent)["state"] == "deployed"


def test_a_worker_that_was_only_slow_writes_nothing_over_the_other(
    submitter: Submitter, app: WorkerDependencies, clock: FixedClock
) -> None:
    entered, may_go = threading.Event(), threading.Event()

    def slow(run: StepRun, _app: WorkerDependencies) -> Outcome:
        entered.set()
        may_go.wait(60)
        return Outcome({"pool": "sandboxed"})

    sent = submitter.submit(GOOD)
    late = Checker(1, replace(app, folder=app.folder / "one"), {**CHECKS, Step.SCANNED: slow})
    thread = threading.Thread(target=late.turn)
    thread.start()
    assert entered.wait(60)
    clock.move(runner.LEASE_SECONDS + 1)
    other = Checker(2, replace(app, folder=app.folder / "two"))
    taken = other.turn()
    may_go.set()
    thread.join(60)
    found = look(submitter, sent)
    assert found["pool"] == "shared"
    assert taken == (found["state"] == "deployed")


@pytest.mark.long
def test_a_worker_that_is_told_to_stop_gives_its_submission_back_at_once(
    submitter: Submitter, app: WorkerDependencies, clock: FixedClock
) -> None:
    entered, stop = threading.Event(), threading.Event()

    def long(run: StepRun, _app: WorkerDependencies) -> Outcome:
        entered.set()
        while True:
            run.pause(0.05)

    submitter.submit(GOOD)
    first = Checker(1, replace(app, folder=app.folder / "one"), {**CHECKS, Step.OPENED: long})
    thread = threading.Thread(target=first.run, args=(stop,))
    thread.start()
    assert entered.wait(60)
    stop.set()
    thread.join(60)
    assert not thread.is_alive()
    assert Checker(2, replace(app, folder=app.folder / "two")).turn()


def test_cancelling_ends_a_check_that_is_under_way(
    submitter: Submitter, app: WorkerDependencies, clock: FixedClock
) -> None:
    sent = submitter.submit(GOOD)

    def cancelled(run: StepRun, _app: WorkerDependencies) -> Outcome:
        submitter.post(f"/submissions/{sent['submission_id']}/cancellation")
        return Outcome()

    Checker(1, app, {**CHECKS, Step.OPENED: cancelled}).turn()
    found = look(submitter, sent)
    assert (found["state"], found["counted"]) == ("cancelled", False)
    assert step(found, "scanned")["state"] == "waiting"


def test_cancelling_ends_the_build(
    submitter: Submitter, checker: Checker, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = submitter.submit(GOOD)
    serving.build = BuildStatus(BuildState.RUNNING)

    def lost(run: StepRun, _seconds: float) -> None:
        submitter.post(f"/submissions/{sent['submission_id']}/cancellation")
        raise LeaseLost

    monkeypatch.setattr(StepRun, "pause", lost)
    checker.turn()
    assert [str(each) for each in serving.ended] == [sent["submission_id"]]
    assert look(submitter, sent)["state"] == "cancelled"


def test_a_hundred_of_one_person_do_not_keep_another_waiting(
    new_submitter: Callable[..., Submitter], checker: Checker, engine: Engine, clock: FixedClock
) -> None:
    eager, patient = new_submitter(), new_submitter()
    first = eager.submit(GOOD, model="m0")
    with engine.begin() as connection:
        for number in range(1, 100):
            connection.execute(
                text(
                    "INSERT INTO submission (submission_id, aggregate_version, model_name, version, task_slug,"
                    " submitted_by, file_name, archive_bytes, archive_digest, part_bytes, archive_key, upload_id,"
                    " state, step, created_at, requested_at, counted, anonymous)"
                    " SELECT gen_random_uuid(), 1, 'm' || :number, 1, task_slug, submitted_by, file_name,"
                    " archive_bytes, archive_digest, part_bytes, archive_key, upload_id, state, step, created_at,"
                    " requested_at, counted, anonymous FROM submission WHERE submission_id = :first"
                ),
                {"number": number, "first": first["submission_id"]},
            )
    checker.turn()
    clock.move(1)
    theirs = patient.submit(GOOD + b"", model="theirs")
    checker.turn()
    assert look(patient, theirs)["state"] == "deployed"


def test_lines_of_a_log_hold_no_secrets() -> None:
    address = "https://s3/x?X-Amz-Signature=abcdef&X-Amz-Credential=AKIA0123456789ABCDEF"
    shown = redacted(f"PUT {address} password=hunter22 Bearer abcdefgh.ijkl")
    for secret in ("abcdef&", "AKIA0123456789ABCDEF", "hunter22", "abcdefgh"):
        assert secret not in shown

"""The supervisor and its parts survive a full disk, and the status reports it."""

from dataclasses import replace
from pathlib import Path

import pytest
from dynabench_common.testing import wait_until
from dynabench_local import launch, stack
from dynabench_local.layout import Layout, checkout
from dynabench_local.part import Part
from dynabench_local.stack import Stack
from dynabench_local.supervising import FULL_BYTES, SPACE_BYTES, FullDisk, end_store
from dynabench_local.supervision import SOCKET, Supervisor, SupervisorAway

FULL = Path("/dev/full")
"""Every write to it fails as on a full disk."""
SPEAKS = "while :; do echo line; sleep 0.05; done"


def test_a_supervisor_whose_logs_find_no_room_goes_on_and_starts_parts_again(tmp_path: Path) -> None:
    layout = Layout(checkout(), tmp_path, 21_000)
    for folder, name in (("run", "supervisord.out"), ("run", "supervisord.log"), ("logs", "speaks.log")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).symlink_to(FULL)
    supervisor = Supervisor(layout)
    try:
        supervisor.start(
            [
                Part("speaks", ("/bin/sh", "-c", SPEAKS), tmp_path),
                Part("ends", ("/bin/sh", "-c", "sleep 1.2"), tmp_path),
            ]
        )
        for name in ("speaks", "ends"):
            supervisor.start_part(name)
        began = supervisor.states()["ends"]["pid"]
        wait_until(lambda: supervisor.states()["ends"]["pid"] not in {0, began}, 30, "another start")
        assert supervisor.states()["speaks"]["statename"] == "RUNNING"
    finally:
        launch.end_left_over(f"{tmp_path}|", tmp_path)


@pytest.mark.parametrize(
    ("free", "restarts"),
    [
        ((SPACE_BYTES, FULL_BYTES, SPACE_BYTES), 0),
        ((0, 0), 0),
        ((0, FULL_BYTES, SPACE_BYTES - 1), 0),
        ((0, FULL_BYTES, SPACE_BYTES, SPACE_BYTES), 1),
        ((FULL_BYTES - 1, SPACE_BYTES, FULL_BYTES - 1, SPACE_BYTES), 2),
    ],
)
def test_a_part_is_restarted_once_after_each_time_its_disk_was_full(
    free: tuple[int, ...], restarts: int
) -> None:
    restarted: list[int] = []
    disk = FullDisk(lambda: restarted.append(1))
    for free_bytes in free:
        disk.look(free_bytes)
    assert len(restarted) == restarts


def test_a_restart_that_failed_is_tried_again_at_the_next_look() -> None:
    answers: list[Exception | None] = [SupervisorAway("not yet"), None]

    def restart() -> None:
        if failed := answers.pop(0):
            raise failed

    disk = FullDisk(restart)
    disk.look(0)
    with pytest.raises(SupervisorAway):
        disk.look(SPACE_BYTES)
    disk.look(SPACE_BYTES)
    assert answers == []
    disk.look(SPACE_BYTES)


def test_the_supervisor_starts_a_store_again_that_was_ended_after_a_full_disk(tmp_path: Path) -> None:
    supervisor = Supervisor(Layout(checkout(), tmp_path, 21_000))
    socket = tmp_path / "run" / SOCKET
    with pytest.raises(SupervisorAway):
        end_store(socket)
    try:
        supervisor.start([Part("seaweedfs", ("/bin/sleep", "600"), tmp_path)])
        end_store(socket)
        assert supervisor.states()["seaweedfs"]["pid"] == 0
        supervisor.start_part("seaweedfs")
        began = supervisor.states()["seaweedfs"]["pid"]
        end_store(socket)
        wait_until(lambda: supervisor.states()["seaweedfs"]["pid"] not in {0, began}, 30, "another start")
    finally:
        launch.end_left_over(f"{tmp_path}|", tmp_path)


def test_the_status_reports_parts_without_a_supervisor_and_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Stack(Layout(checkout(), tmp_path, 21_000))
    assert own.troubles() == []
    monkeypatch.setattr(launch, "left_over", lambda _marker, _folder: [4711, 4712])
    monkeypatch.setattr(stack, "LOW_BYTES", 2**80)
    alone, full = own.troubles()
    assert "2 processes of it run on" in alone
    assert "make up" in alone
    assert "MiB free" in full


def test_the_demonstration_is_made_beside_the_platform_and_ends_with_it(tmp_path: Path) -> None:
    own, sources = Layout(checkout(), tmp_path / "home", 21_000), tmp_path / "checkout"
    (sources / "scripts").mkdir(parents=True)
    (sources / "scripts" / "demo_round.py").write_text(
        "import time; print('begun', flush=True); time.sleep(600)"
    )
    beside = Stack(own)
    beside.layout = replace(own, checkout=sources)
    own.logs.mkdir()
    log = own.logs / "demo-round.log"
    beside.begin_demo_round()
    wait_until(lambda: log.read_text() == "begun\n", 30, "the script to begin")
    assert launch.end_left_over(f"{own.home}|", own.home) == 1

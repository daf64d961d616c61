"""A worker touches the file that probes look at, and ends with its first component that fails."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from dynabench_common.settings import SettingsError
from dynabench_common.work.worker import Every, run_worker
from sqlalchemy.exc import OperationalError


class _StopsOnceSeen:
    name = "stops-once-seen"

    def __init__(self, alive_file: Path) -> None:
        self._alive_file = alive_file

    def run(self, stop: threading.Event) -> None:
        while not self._alive_file.exists() and not stop.is_set():
            stop.wait(0.05)


class _Fails:
    name = "fails"

    def run(self, stop: threading.Event) -> None:
        raise RuntimeError("broken")


def test_a_running_worker_touches_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    alive_file = tmp_path / "alive"
    monkeypatch.setenv("WORKER_ALIVE_FILE", str(alive_file))
    with pytest.raises(SystemExit) as ended:
        run_worker("common", [_StopsOnceSeen(alive_file)])
    assert ended.value.code == 0
    assert alive_file.exists()


def test_a_worker_that_failed_leaves_the_file_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    alive_file = tmp_path / "alive"
    monkeypatch.setenv("WORKER_ALIVE_FILE", str(alive_file))
    with pytest.raises(SystemExit) as ended:
        run_worker("common", [_Fails()])
    assert ended.value.code == 1
    assert not alive_file.exists()


def test_a_file_in_no_folder_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WORKER_ALIVE_FILE", str(tmp_path / "missing" / "alive"))
    with pytest.raises(SettingsError, match="there is no folder"):
        run_worker("common", [])


def test_a_step_that_fails_is_repeated() -> None:
    stop = threading.Event()
    failures: Iterator[Exception] = iter([ValueError("a slip"), OperationalError("", {}, Exception("away"))])

    def step() -> None:
        for failure in failures:
            raise failure
        stop.set()

    Every("things", 0.0, step).run(stop)
    assert next(failures, None) is None


def test_a_step_that_left_work_is_repeated_at_once() -> None:
    stop = threading.Event()
    left = iter([True, True])

    def step() -> bool:
        has_more = next(left, False)
        if not has_more:
            stop.set()
        return has_more

    running = threading.Thread(target=Every("things", 3_600.0, step).run, args=(stop,), daemon=True)
    running.start()
    running.join(60)
    assert not running.is_alive()

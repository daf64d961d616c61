"""Readings of processes' memory, processor time and pressure from the kernel."""

import os
from pathlib import Path

from model_agent.process_memory import (
    largest_peak,
    peak_bytes,
    pressure_seconds,
    processor_seconds,
    worker_peak_bytes,
)

MEBIBYTE = 1 << 20


def test_a_process_that_runs_has_a_peak() -> None:
    peak = peak_bytes(os.getpid())
    assert peak is not None
    assert 10 * MEBIBYTE < peak < 10_000 * MEBIBYTE
    assert peak % MEBIBYTE == 0


def test_what_can_not_be_told_is_none(tmp_path: Path) -> None:
    for pid, text in ((5, "Name:\tkthread\n"), (6, "VmHWM:\n"), (7, "VmHWM:\tmany kB\n")):
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "status").write_text(text)
    assert [peak_bytes(pid, tmp_path) for pid in (-1, 0, 4, 5, 6, 7)] == [None] * 6
    assert largest_peak((-1, 4, 5), tmp_path) is None


def test_the_largest_of_several_counts_in_whole_mebibytes(tmp_path: Path) -> None:
    for pid, kibibytes in ((5, 1), (6, 2048), (7, 1025)):
        (tmp_path / str(pid)).mkdir()
        # A program may give itself a name that is no text.
        (tmp_path / str(pid) / "status").write_bytes(b"Name:\t\xff\xfe\nVmHWM:\t    %d kB\n" % kibibytes)
    assert [peak_bytes(pid, tmp_path) for pid in (5, 6, 7)] == [MEBIBYTE, 2 * MEBIBYTE, 2 * MEBIBYTE]
    assert largest_peak((5, 6, 7, 8), tmp_path) == 2 * MEBIBYTE


def test_only_a_worker_of_torchserve_counts_as_one(tmp_path: Path) -> None:
    for pid, command in (
        (5, b"python\0/x/ts/model_service_worker.py\0--sock-name"),
        (6, b"postgres: writer"),
    ):
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "status").write_text("VmHWM:\t2048 kB\n")
        (tmp_path / str(pid) / "cmdline").write_bytes(command)
    found = [worker_peak_bytes(pid, tmp_path) for pid in (5, 6, 7, -1)]
    assert found == [2 * MEBIBYTE, None, None, None]


def test_processor_time_is_that_of_all_processes_in_their_own_and_the_kernels_code(tmp_path: Path) -> None:
    second = os.sysconf("SC_CLK_TCK")
    for pid, (own, kernel) in {5: (2 * second, second), 6: (second, 0)}.items():
        (tmp_path / str(pid)).mkdir()
        # A program's name may hold spaces and brackets.
        (tmp_path / str(pid) / "stat").write_text(f"{pid} (a ) b) S {'0 ' * 10}{own} {kernel} 0 0")
    assert processor_seconds((5, 6, 7), tmp_path) == 4
    assert processor_seconds([os.getpid()]) > 0


def test_pressure_is_the_time_in_which_some_program_waited(tmp_path: Path) -> None:
    assert pressure_seconds(tmp_path) == 0
    (tmp_path / "pressure").mkdir()
    (tmp_path / "pressure" / "cpu").write_text(
        "some avg10=1.00 avg60=1.00 avg300=1.00 total=2500000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
    )
    assert pressure_seconds(tmp_path) == 2.5

"""Parts of a sandbox: control groups, system call filter, command line and log."""

import os
import struct
import subprocess
from pathlib import Path

import pytest
from model_agent.sandbox import bubblewrap
from model_agent.sandbox.control_groups import ControlGroup, ControlGroups, NoControlGroups
from model_agent.sandbox.enclosure import Enclosure
from model_agent.sandbox.isolation import Isolation
from model_agent.sandbox.journal import Journal
from model_agent.sandbox.limits import SandboxLimits, SandboxPlaces
from model_agent.sandbox.system_calls import ALLOW, KILL, MACHINES, REFUSE, REFUSED, filter_program

LIMITS = SandboxLimits()
PERMITTED_FAMILIES = {"unix": 1, "internet": 2, "internet 6": 10}
REFUSED_FAMILIES = {"netlink": 16, "packet": 17, "vsock": 40}
# read, write, openat, mmap, clone, futex: what no program can do without.
NEEDED = {"x86_64": (0, 1, 257, 9, 56, 202), "aarch64": (63, 64, 56, 222, 220, 98)}


def verdict(program: bytes, audit: int, number: int, argument: int = 0) -> int:
    """Run the program as the kernel would."""
    steps = list(struct.iter_unpack("=HBBI", program))
    words = {0: number, 4: audit, 16: argument}
    place = held = 0
    while True:
        code, if_true, if_false, value = steps[place]
        place += 1
        match code:
            case 0x20:
                held = words[value]
            case 0x15:
                place += if_true if held == value else if_false
            case 0x35:
                place += if_true if held >= value else if_false
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"unknown step {code}")


@pytest.mark.parametrize("machine", MACHINES)
def test_the_filter_refuses_what_it_lists_and_nothing_that_is_needed(machine: str) -> None:
    program = filter_program(machine)
    assert program is not None
    audit, place, opens_socket, limits = MACHINES[machine]
    for name, numbers in REFUSED.items():
        assert verdict(program, audit, numbers[place]) == REFUSE, name
    for number in NEEDED[machine]:
        assert verdict(program, audit, number) == ALLOW
    for family in PERMITTED_FAMILIES.values():
        assert verdict(program, audit, opens_socket, family) == ALLOW
    for family in REFUSED_FAMILIES.values():
        assert verdict(program, audit, opens_socket, family) == REFUSE
    assert verdict(program, audit, limits, 0) == ALLOW
    assert verdict(program, audit, limits, 1) == REFUSE
    assert verdict(program, audit, 0x40000000) == REFUSE
    assert verdict(program, 0x40000003, 0) == KILL


def test_an_unknown_machine_has_no_filter() -> None:
    assert filter_program("riscv64") is None


def unified(folder: Path) -> Path:
    """Make a folder that looks like control groups version 2 handed to this process."""
    handed = folder / "handed"
    for path in (handed, handed / "dynabench-sandboxes", handed / "dynabench-sandboxes" / "mine"):
        path.mkdir()
        (path / "cgroup.subtree_control").write_text("memory cpu pids")
    return handed


def test_version_2_is_limited_in_one_folder(tmp_path: Path) -> None:
    group = ControlGroups("mine", unified(tmp_path)).make("one", LIMITS)
    [folder] = group.folders
    written = {path.name: path.read_text() for path in folder.iterdir()}
    assert written == {
        "memory.max": str(LIMITS.memory_bytes),
        "memory.oom.group": "1",
        "memory.swap.max": "0",
        "cpu.max": "100000 100000",
        "pids.max": "256",
    }


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("memory.events", "low 0\noom 3\noom_kill 1\n", "it ran out of memory"),
        ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n", "it ran out of memory"),
        ("pids.events", "max 7\n", "it started too many processes"),
        ("memory.events", "low 0\noom 0\noom_kill 0\n", None),
        ("pids.events", "max 0\n", None),
    ],
)
def test_a_limit_that_was_run_against_is_named(
    tmp_path: Path, file: str, text: str, reason: str | None
) -> None:
    (tmp_path / file).write_text(text)
    assert ControlGroup((tmp_path,)).excess() == reason


@pytest.mark.parametrize(
    ("used", "waited_for", "is_busy"), [(0.0, 60.0, True), (80.0, 60.0, False), (0.0, 5.0, False)]
)
def test_a_start_waits_for_the_machine_where_others_had_its_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, used: float, waited_for: float, is_busy: bool
) -> None:
    """In 100 s with one processor: busy is who used less than half and waited for more than half."""
    process = subprocess.Popen(["true"])
    now = 0.0
    monkeypatch.setattr(bubblewrap, "monotonic", lambda: now)
    monkeypatch.setattr(bubblewrap, "pressure_seconds", lambda: waited_for if now else 0.0)
    monkeypatch.setattr(bubblewrap, "processor_seconds", lambda _: used)
    run = bubblewrap.ProcessRun(process, ControlGroup((tmp_path,)), (), processors=1.0)
    now = 100.0
    process.wait()
    assert run.hint() == (bubblewrap.BUSY if is_busy else "")


def test_without_control_groups_the_reason_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NoControlGroups, match="name a folder of control groups"):
        ControlGroups("mine", tmp_path)


def places(folder: Path, bubblewrap: str = "bwrap") -> SandboxPlaces:
    return SandboxPlaces(folder, folder / "boxes", folder / "python", folder, bubblewrap=bubblewrap)


def test_without_bubblewrap_the_reason_names_the_package(tmp_path: Path) -> None:
    problem = Isolation(places(tmp_path, "bwrap-is-missing"), LIMITS, "mine").problem()
    assert problem == "bwrap-is-missing is not installed; install the package bubblewrap"


@pytest.mark.parametrize("user_id", [None, 64_100])
def test_the_command_hands_on_nothing_of_ours(tmp_path: Path, user_id: int | None) -> None:
    enclosure = Enclosure("bwrap", LIMITS, user_id)
    enclosure.show(tmp_path / "model.mar", "/store/model.mar")
    command = enclosure.command(["program"], {"HOME": "/tmp"}, ControlGroup((tmp_path,)), 7)
    assert str(tmp_path / "cgroup.procs") in command
    assert command[-2:] == ["--", "program"]
    inner = command[len(command) - 1 - command[::-1].index("bwrap") :]
    for wall in ("--unshare-user", "--disable-userns", "--unshare-all", "--die-with-parent", "--clearenv"):
        assert wall in inner
    assert inner[inner.index("--seccomp") + 1] == "7"
    assert not {"--bind", "--dev-bind", "--share-net"} & set(inner)
    assert ("setpriv" in command) is (user_id is not None)


def test_a_log_keeps_the_last_and_never_grows_past_its_size(tmp_path: Path) -> None:
    read, write = os.pipe()
    thread = Journal(tmp_path / "sandbox.log", 1_000).follow(read)
    for number in range(50):
        os.write(write, b"%099d\n" % number)
    os.close(write)
    thread.join()
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(files) == {"sandbox.log", "sandbox.previous.log"}
    assert max(map(len, files.values())) <= 500
    assert files["sandbox.log"].endswith(b"%099d\n" % 49)


def test_a_start_leaves_the_log_of_the_one_before(tmp_path: Path) -> None:
    for said in (b"first", b"second"):
        read, write = os.pipe()
        os.write(write, said)
        os.close(write)
        Journal(tmp_path / "sandbox.log", 1_000).follow(read).join()
    assert (tmp_path / "sandbox.log").read_bytes() == b"second"
    assert (tmp_path / "sandbox.previous.log").read_bytes() == b"first"

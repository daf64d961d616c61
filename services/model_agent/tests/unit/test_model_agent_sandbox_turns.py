"""Turns of sandboxes when not all may run: order, memory, and the answer of `served` meanwhile."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from dynabench_archives.model_servers import Archive, Registration, Worker
from model_agent.errors import ModelServerRefused
from model_agent.sandbox import Bubblewrap, Sandboxes, SandboxLimits, SandboxPlaces
from model_agent.sandbox.backend import SandboxBackend

LIMITS = SandboxLimits(most_at_once=2)


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class SandboxInMemory:
    """Runs nothing; its worker is ready until it is ended."""

    def __init__(self, position: int) -> None:
        self.position = position
        self.waits_for = self.last_end = ""
        self.workers: tuple[Worker, ...] = (Worker(position + 1, "READY"),)

    def end(self) -> None:
        self.workers = ()


class Boxes(Sandboxes):
    """Sandboxes on a machine whose ability to isolate the test decides."""

    problem: str | None = None

    def can_isolate(self) -> str | None:
        return self.problem


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def boxes(tmp_path: Path, clock: Clock) -> Iterator[Boxes]:
    for name in "abcd":
        (tmp_path / f"{name}.mar").write_text(name)
    places = SandboxPlaces(tmp_path, tmp_path / "boxes", Path("python"), tmp_path)

    def new(_r: Registration, _a: Archive, _w: SandboxBackend, _n: str, position: int) -> SandboxInMemory:
        return SandboxInMemory(position)

    boxes = Boxes(Bubblewrap(places, LIMITS), clock, new)
    yield boxes
    boxes.close()


def wanted(name: str) -> Registration:
    return Registration(
        serving_name=name,
        archive=Archive(f"{name}.mar", name, "sha256:m", "sha256:h"),
        fields=("text",),
        workers=1,
        on_demand=True,
        batch_size=1,
        max_batch_delay_milliseconds=1,
        response_timeout_seconds=10,
        explains=False,
    )


def told(boxes: Boxes) -> dict[str, tuple[int, int]]:
    """Return by name how many workers are wanted, and how many are ready."""
    return {name: (held.min_workers, held.ready_workers) for name, held in boxes.served().items()}


def test_as_many_run_as_may_and_others_wait_for_their_turn(boxes: Boxes, clock: Clock) -> None:
    for name in "abcd":
        boxes.register(wanted(name))
        clock.now += 1
    assert told(boxes) == {"a": (1, 1), "b": (1, 1), "c": (1, 0), "d": (1, 0)}
    boxes.unregister("a")
    assert told(boxes) == {"b": (1, 1), "c": (1, 1), "d": (1, 0)}
    boxes.scale("b", 0)
    assert told(boxes) == {"b": (0, 0), "c": (1, 1), "d": (1, 1)}


def test_what_was_scaled_down_and_up_again_waits_behind_the_others(boxes: Boxes, clock: Clock) -> None:
    for name in "abc":
        boxes.register(wanted(name))
        clock.now += 1
    boxes.scale("a", 0)
    clock.now += 1
    boxes.scale("a", 1)
    assert told(boxes) == {"a": (1, 0), "b": (1, 1), "c": (1, 1)}
    clock.now += 3_600
    assert told(boxes) == {"a": (1, 0), "b": (1, 1), "c": (1, 1)}


def test_places_are_used_again_and_never_shared(boxes: Boxes) -> None:
    for name in "ab":
        boxes.register(wanted(name))
    boxes.scale("a", 0)
    boxes.register(wanted("c"))
    assert sorted(held.workers[0].pid for held in boxes.served().values() if held.workers) == [1, 2]


def test_a_registration_takes_the_place_of_the_one_before(boxes: Boxes) -> None:
    boxes.register(wanted("a"))
    boxes.register(replace(wanted("a"), batch_size=2))
    assert [held.batch_size for held in boxes.served().values()] == [2]


def test_an_address_is_one_in_the_own_folder(boxes: Boxes, tmp_path: Path) -> None:
    boxes.register(wanted("a"))
    address = boxes.address("a")
    assert address is not None
    assert address.startswith(f"unix:{tmp_path}/boxes/")
    assert boxes.address("b") is None
    assert (tmp_path / "boxes").stat().st_mode & 0o777 == 0o700


def test_what_cannot_be_isolated_is_refused_with_the_reason(boxes: Boxes) -> None:
    boxes.problem = "bwrap is not installed"
    with pytest.raises(ModelServerRefused, match="bwrap is not installed"):
        boxes.register(wanted("a"))
    assert boxes.served() == {}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"archive": None}, "there is no archive"),
        ({"archive": Archive("missing.mar", "", "", "")}, "can't be read"),
        ({"explains": True}, "for predictions only"),
    ],
)
def test_what_cannot_be_served_is_refused(boxes: Boxes, changes: dict[str, object], reason: str) -> None:
    with pytest.raises(ModelServerRefused, match=reason):
        boxes.register(replace(wanted("a"), **changes))  # type: ignore[arg-type]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user, who could not read it")
def test_an_archive_that_only_root_can_read_is_refused(boxes: Boxes, tmp_path: Path) -> None:
    (tmp_path / "a.mar").chmod(0o600)
    with pytest.raises(ModelServerRefused, match="mode 644"):
        boxes.register(wanted("a"))


def test_an_unknown_name_is_refused(boxes: Boxes) -> None:
    with pytest.raises(ModelServerRefused, match="a is not registered"):
        boxes.unregister("a")
    with pytest.raises(ModelServerRefused, match="a is not registered"):
        boxes.scale("a", 1)


def test_a_folder_has_one_owner_at_a_time(boxes: Boxes, tmp_path: Path) -> None:
    with pytest.raises(BlockingIOError):
        Bubblewrap(SandboxPlaces(tmp_path, tmp_path / "boxes", Path("python"), tmp_path))


def test_a_folder_too_deep_for_sockets_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="choose a shorter one"):
        Bubblewrap(SandboxPlaces(tmp_path, tmp_path / ("x" * 100), Path("python"), tmp_path))

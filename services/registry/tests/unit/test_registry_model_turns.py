"""Turns of submitted models when not all can have workers, against a model server in memory."""

import pytest
from dynabench_archives.model_servers import Pool
from registry.domain.declarations import read_declarations
from registry.domain.served_model import Origin
from registry.service_layer.worker_use import WorkerUse

from services.registry.tests.unit.reconciled_world import ENTRY, ServerInMemory, Time, World


def submitted(*names: str) -> World:
    """A world of submitted models, of which two may have workers at once."""
    entries = [{**ENTRY, "name": name, "start": "on_demand", "explain": None} for name in names]
    world = World(*entries)
    world.written.origin = Origin.SUBMISSION
    return world


@pytest.fixture
def submitted_to_sandboxes() -> World:
    """Return a world with one sandbox and three models that need one."""
    world = submitted("one", "two", "always")
    world.written.pool = Pool.SANDBOXED
    world.servers[Pool.SANDBOXED] = world.server
    world.servers[Pool.SHARED] = ServerInMemory()
    world.restart_registry()
    return world


def test_the_least_recently_used_submitted_model_makes_room() -> None:
    world = submitted("one", "two", "three")
    for name in ("one", "two"):
        world.use.note(name)
        world.passes(2)
    world.time.now += 60
    world.use.note("three")
    world.passes(2)
    assert world.states() == {"one": "starting", "two": "ready", "three": "ready"}
    assert "no more submitted models can run" in str(world.model.reason)
    assert world.server.held["one"].min_workers == 0


def test_a_submitted_model_in_use_is_not_stopped_for_another() -> None:
    world = submitted("one", "two", "three")
    for _ in range(3):
        for name in ("one", "two", "three"):
            world.use.note(name)
            world.passes(1)
    assert world.states() == {"one": "ready", "two": "ready", "three": "starting"}
    world.time.now += 31
    world.use.note("two")
    world.passes(2)
    assert world.states() == {"one": "starting", "two": "ready", "three": "ready"}


def test_submitted_models_that_always_run_leave_one_place_for_the_others() -> None:
    world = submitted("one", "two", "three")
    entries = [{**ENTRY, "name": name, "explain": None} for name in ("always", "ever")]
    world.written.declared += read_declarations({"models": entries})
    for name in ("one", "two"):
        world.use.note(name)
    world.passes(4)
    assert world.states() == {
        "one": "ready",
        "two": "starting",
        "three": "stopped",
        "always": "ready",
        "ever": "ready",
    }


def test_sandboxes_take_turns_of_their_own(submitted_to_sandboxes: World) -> None:
    world = submitted_to_sandboxes
    for name in ("one", "two"):
        world.use.note(name)
        world.passes(2)
    assert world.states() == {"one": "ready", "two": "starting", "always": "stopped"}
    world.time.now += 60
    world.use.note("two")
    world.passes(2)
    assert world.states() == {"one": "starting", "two": "ready", "always": "stopped"}


def test_a_sandbox_that_always_runs_leaves_no_place_where_there_is_one(
    submitted_to_sandboxes: World,
) -> None:
    world = submitted_to_sandboxes
    entries = [{**ENTRY, "name": "always", "explain": None}]
    world.written.declared = world.written.declared[:2] + read_declarations({"models": entries})
    world.use.note("one")
    world.passes(3)
    assert world.states() == {"one": "starting", "two": "stopped", "always": "ready"}


def test_models_of_the_file_take_no_turns() -> None:
    world = World(*({**ENTRY, "name": name, "start": "on_demand"} for name in ("one", "two", "three")))
    for name in ("one", "two", "three"):
        world.use.note(name)
    world.passes(3)
    assert set(world.states().values()) == {"ready"}


def test_what_others_wrote_down_counts_as_use() -> None:
    time = Time()
    ages = {"old": 100.0, "new": 1.0}
    use = WorkerUse(time, lambda: ages)
    start = read_declarations({"models": [{**ENTRY, "start": "on_demand", "idle_seconds": 60}]})[0].start
    use.refresh()
    assert (use.is_used("old", start), use.is_used("new", start)) == (False, True)
    time.now += 58
    ages["new"] += 58
    use.refresh()
    assert use.is_used("new", start)
    time.now += 2
    assert not use.is_used("new", start)

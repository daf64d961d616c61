"""The reconciler against a model server in memory: from nothing to ready, and back after whatever happens."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from registry.domain.declarations import read_declarations
from registry.domain.served_model import Origin, ServedModel
from registry.domain.serving import Archive, Registration, Served, Worker
from registry.domain.submission import Pool
from registry.service_layer.catalogue import ModelRecord
from registry.service_layer.ports import (
    ArchiveOnItsWay,
    ModelServer,
    ModelServerAway,
    ModelServerRefused,
    PoolAbsent,
)
from registry.service_layer.reconciler import Reconciler, ServingLimits
from registry.service_layer.worker_use import WorkerUse

ENTRY = {
    "name": "mini",
    "version": "1",
    "archive": "mini.mar",
    "task": "sentiment",
    "task_type": "text-classification",
    "labels": ["no", "yes"],
    "explain": {"idle_seconds": 60},
}
ARCHIVE = Archive("mini.mar", "aa", "sha256:m", "sha256:h")


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class ServerInMemory:
    """Workers are ready one pass after they were asked for."""

    def __init__(self) -> None:
        self.held: dict[str, Served] = {}
        self.digests = ARCHIVE.digests
        self.is_away = False
        self.breaks_at: str | None = None
        self.calls: list[str] = []
        self.probed: list[dict[str, str]] = []
        self._pids = iter(range(100, 10_000))

    def served(self) -> Mapping[str, Served]:
        if self.is_away:
            raise ModelServerAway("refused")
        return dict(self.held)

    def let_workers_start(self) -> None:
        for name, held in self.held.items():
            status = "UNLOADING" if self.breaks_at == "load" else "READY"
            workers = tuple(Worker(next(self._pids), status) for _ in range(held.min_workers))
            self.held[name] = replace(held, workers=workers)

    def register(self, registration: Registration) -> None:
        self.calls.append(f"register {registration.serving_name}")
        if self.breaks_at == "fetch":
            raise ArchiveOnItsWay("its archive is being fetched: 1 of 3 MB")
        if self.breaks_at == "register":
            raise ModelServerRefused("status 404: Model not found")
        assert registration.archive is not None
        self.held[registration.serving_name] = Served(
            registration.serving_name,
            registration.archive.file,
            registration.batch_size,
            registration.max_batch_delay_milliseconds,
            registration.response_timeout_seconds,
            registration.workers,
            (),
        )

    def unregister(self, serving_name: str) -> None:
        self.calls.append(f"unregister {serving_name}")
        del self.held[serving_name]

    def scale(self, serving_name: str, workers: int) -> None:
        self.calls.append(f"scale {serving_name} {workers}")
        self.held[serving_name] = replace(self.held[serving_name], min_workers=workers, workers=())

    def probe(self, registration: Registration) -> tuple[str, str]:
        self.probed.append(registration.sample_instance())
        if self.breaks_at == "probe":
            raise ModelServerRefused("status 503: Prediction failed")
        return self.digests


class AbsentServer(ServerInMemory):
    """A pool that this machine does not have."""

    def served(self) -> Mapping[str, Served]:
        raise PoolAbsent("there is no pool sandboxed here: no cgroups")


class WrittenDown:
    """What should be served, from the file or from people."""

    def __init__(self, entries: Sequence[Mapping[str, object]]) -> None:
        self.declared = read_declarations({"models": [dict(entry) for entry in entries]})
        self.found: Archive | str = ARCHIVE
        self.origin = Origin.FILE
        self.pool = Pool.SHARED

    def models(self) -> tuple[ServedModel, ...]:
        return tuple(ServedModel(each, self.found, self.origin, self.pool) for each in self.declared)

    def problem(self) -> str | None:
        return None


class Told:
    """What was published last."""

    models: Sequence[ModelRecord] = ()

    def publish(self, models: Sequence[ModelRecord], problem: str | None) -> None:
        assert problem is None
        self.models = models


class World:
    """A reconciler and everything around it."""

    def __init__(self, *entries: Mapping[str, object]) -> None:
        self.time = Time()
        self.server = ServerInMemory()
        self.servers: dict[Pool, ModelServer] = {Pool.SHARED: self.server, Pool.SANDBOXED: AbsentServer()}
        self.written = WrittenDown(entries or [ENTRY])
        self.told = Told()
        self.restart_registry()

    def restart_registry(self) -> None:
        self.use = WorkerUse(self.time)
        limits = ServingLimits(settled=2.0, busy=1.0, start_timeout=120.0, most_loaded=2)
        self.reconciler = Reconciler(self.servers, self.written, self.use, self.told, limits, self.time)

    def passes(self, number: int) -> ModelRecord:
        for _ in range(number):
            self.reconciler.make_pass()
            self.server.let_workers_start()
            self.time.now += 1
        return self.model

    @property
    def model(self) -> ModelRecord:
        return self.told.models[0]

    def states(self) -> dict[str, str]:
        return {model.name: model.state for model in self.told.models}


def test_a_model_becomes_ready_only_when_it_answers() -> None:
    world = World()
    assert world.passes(1).state == "starting"
    assert world.passes(1).state == "ready"
    assert world.model.explain is not None
    assert world.model.explain.state == "stopped"
    assert world.server.calls == ["register mini"]


def test_a_model_server_that_restarted_empty_is_filled_again() -> None:
    world = World()
    world.passes(2)
    world.server.is_away = True
    assert world.passes(1).state == "starting"
    assert "does not answer" in str(world.model.reason)
    world.server.is_away, world.server.held = False, {}
    assert world.passes(1).state == "starting"
    assert world.passes(1).state == "ready"


def test_a_registry_that_restarted_takes_over_what_answers_as_it_should() -> None:
    world = World()
    world.passes(2)
    world.server.calls.clear()
    world.restart_registry()
    assert world.passes(1).state == "ready"
    assert world.server.calls == []


def test_a_registry_that_restarted_leaves_what_runs_on_demand_its_idle_time() -> None:
    world = World({**ENTRY, "start": "on_demand", "idle_seconds": 60})
    world.use.note("mini")
    world.passes(2)
    world.server.calls.clear()
    world.restart_registry()
    assert world.passes(1).state == "ready"
    assert world.server.calls == []
    world.time.now += 61
    assert world.passes(1).state == "stopped"
    assert world.server.calls == ["scale mini 0"]


def test_a_registry_that_restarted_replaces_what_answers_as_something_else() -> None:
    world = World()
    world.passes(2)
    world.server.calls.clear()
    world.server.digests = ("sha256:old", "sha256:h")
    world.restart_registry()
    assert world.passes(1).state == "starting"
    world.server.digests = ARCHIVE.digests
    assert world.passes(2).state == "ready"
    assert {"unregister mini", "register mini"} <= set(world.server.calls)


def test_a_changed_archive_replaces_the_model() -> None:
    world = World()
    world.passes(2)
    world.written.found = Archive("mini.mar", "bb", "sha256:m2", "sha256:h")
    world.server.digests = ("sha256:m2", "sha256:h")
    assert world.passes(1).state == "starting"
    assert world.passes(1).state == "ready"
    assert world.model.model_digest == "sha256:m2"


def test_explanation_workers_come_on_demand_and_go_when_idle() -> None:
    world = World()
    world.passes(2)
    world.use.note("mini-explain")
    world.passes(1)
    assert world.model.explain is not None
    assert world.model.explain.state == "starting"
    assert not world.model.is_settled
    assert world.passes(1).explain.state == "ready"  # type: ignore[union-attr]
    world.time.now += 61
    assert world.passes(1).explain.state == "stopped"  # type: ignore[union-attr]
    assert world.server.calls[-2:] == ["register mini-explain", "scale mini-explain 0"]


def test_an_explainer_that_rested_for_long_gets_its_whole_time_to_start() -> None:
    world = World()
    world.use.note("mini-explain")
    world.passes(4)
    world.time.now += 10_000
    assert world.passes(1).explain.state == "stopped"  # type: ignore[union-attr]
    world.time.now += 10_000
    world.use.note("mini-explain")
    world.passes(1)
    world.server.held = {name: replace(held, workers=()) for name, held in world.server.held.items()}
    world.reconciler.make_pass()
    assert world.model.explain is not None
    assert world.model.explain.state == "starting"
    assert world.passes(2).explain.state == "ready"  # type: ignore[union-attr]


def test_prediction_workers_may_come_on_demand_and_go_when_idle() -> None:
    world = World({**ENTRY, "start": "on_demand", "idle_seconds": 60})
    assert world.passes(2).state == "stopped"
    assert (world.model.is_settled, world.server.calls) == (True, [])
    world.use.note("mini")
    assert world.passes(1).state == "starting"
    assert not world.model.is_settled
    assert world.passes(1).state == "ready"
    world.time.now += 61
    assert world.passes(1).state == "stopped"
    assert world.server.calls == ["register mini", "scale mini 0"]
    world.use.note("mini")
    assert world.passes(2).state == "ready"
    assert world.server.calls[-1] == "scale mini 1"


def test_models_that_always_run_start_first_and_their_second_workers_after_all_of_them() -> None:
    on_demand = {**ENTRY, "name": "topics", "start": "on_demand"}
    world = World(on_demand, {**ENTRY, "workers": 2}, {**ENTRY, "name": "other"})
    world.use.note("topics")
    world.passes(1)
    assert world.server.calls == ["register mini", "register other"]
    world.passes(1)
    assert world.server.calls[2:] == []
    world.passes(1)
    assert world.server.calls[2:] == ["scale mini 2", "register topics"]
    world.passes(2)
    assert [model.state for model in world.told.models] == ["ready"] * 3


def test_a_model_is_asked_with_the_texts_that_it_reads() -> None:
    world = World({**ENTRY, "task_type": "extractive-qa", "labels": []})
    assert world.passes(2).state == "ready"
    assert [list(instance) for instance in world.server.probed] == [["passage", "question"]]
    assert (world.model.fields, world.model.labels) == (("passage", "question"), ())


def test_a_missing_archive_is_a_failure_with_its_reason_until_it_comes() -> None:
    world = World()
    world.written.found = "mini.mar is not in the model store; build the archives"
    assert world.passes(1).state == "failed"
    assert world.model.reason == "mini.mar is not in the model store; build the archives"
    world.written.found = ARCHIVE
    assert world.passes(2).state == "ready"


def test_a_registration_that_is_refused_is_tried_again_later() -> None:
    world = World()
    world.server.breaks_at = "register"
    assert world.passes(1).state == "failed"
    assert "404" in str(world.model.reason)
    world.passes(5)
    assert world.server.calls.count("register mini") == 1
    world.server.breaks_at = None
    world.time.now += 15
    assert world.passes(2).state == "ready"
    assert world.model.reason is None


def test_workers_that_never_load_fail_and_are_unregistered() -> None:
    world = World()
    world.server.breaks_at = "load"
    assert world.passes(6).state == "failed"
    assert "end while they load" in str(world.model.reason)
    assert "unregister mini" in world.server.calls


def test_a_model_that_loads_but_does_not_answer_fails() -> None:
    world = World()
    world.server.breaks_at = "probe"
    assert world.passes(2).state == "starting"
    assert "a probe fails" in str(world.model.reason)
    assert world.passes(6).state == "failed"


def test_an_archive_whose_note_lies_fails() -> None:
    world = World()
    world.server.digests = ("sha256:other", "sha256:h")
    assert world.passes(2).state == "failed"
    assert "sha256:other" in str(world.model.reason)


def test_what_is_no_longer_declared_is_unregistered() -> None:
    world = World()
    world.passes(2)
    world.written.declared = ()
    world.reconciler.make_pass()
    assert world.server.held == {}
    assert world.told.models == ()


def test_an_archive_on_its_way_is_waited_for_and_is_no_failure() -> None:
    world = World()
    world.server.breaks_at = "fetch"
    assert world.passes(3).state == "starting"
    assert world.model.reason == "its archive is being fetched: 1 of 3 MB"
    assert world.server.calls == ["register mini"] * 3
    world.server.breaks_at = None
    assert world.passes(2).state == "ready"


def test_a_model_of_a_pool_that_is_not_there_fails_and_the_others_run() -> None:
    world = World()
    world.written.pool = Pool.SANDBOXED
    assert world.passes(1).state == "failed"
    assert world.model.reason == "there is no pool sandboxed here: no cgroups"
    assert world.server.calls == []
    world.written.pool = Pool.SHARED
    world.time.now += 15
    assert world.passes(2).state == "ready"


def submitted(*names: str) -> World:
    """A world of submitted models, of which two may have workers at once."""
    entries = [{**ENTRY, "name": name, "start": "on_demand", "explain": None} for name in names]
    world = World(*entries)
    world.written.origin = Origin.SUBMISSION
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
    assert "as many submitted models run" in str(world.model.reason)
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

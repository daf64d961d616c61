"""The reconciler against a model server in memory: from nothing to ready, and back after whatever happens."""

from dataclasses import replace
from uuid import uuid4

from dynabench_archives.model_servers import Archive, Pool
from registry.domain.declarations import scorer_name
from registry.domain.served_model import Origin
from registry.service_layer.worker_use import SCORER_IDLE_SECONDS, WorkerUse

from services.registry.tests.unit.reconciled_world import ARCHIVE, ENTRY, ServerInMemory, Time, World


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


def test_an_evaluation_has_a_sandbox_of_its_own_that_ends_after_it() -> None:
    world = World({**ENTRY, "start": "on_demand", "explain": None})
    world.written.pool, world.written.origin = Pool.SANDBOXED, Origin.SUBMISSION
    world.servers[Pool.SANDBOXED] = world.server
    world.servers[Pool.SHARED] = ServerInMemory()
    first, second = (scorer_name("mini", uuid4()) for _ in range(2))
    assert world.passes(2).scorers == ()
    world.use.note(first)
    found = world.passes(3)
    assert (found.state, [(each.serving_name, each.state) for each in found.scorers or ()]) == (
        "stopped",
        [(first, "ready")],
    )
    world.use.note("mini")
    world.use.note(second)
    world.time.now += SCORER_IDLE_SECONDS
    world.use.note("mini")
    world.passes(3)
    assert world.server.calls == [f"register {first}", f"unregister {first}", "register mini"]
    assert (world.model.state, world.model.scorers) == ("ready", ())


def test_a_model_in_the_shared_pool_needs_no_sandbox_for_evaluations() -> None:
    world = World()
    world.use.note(scorer_name("mini", uuid4()))
    assert world.passes(2).scorers is None
    assert world.server.calls == ["register mini"]


def test_a_model_named_like_the_sandbox_of_an_evaluation_is_none() -> None:
    use = WorkerUse(Time())
    for name in ("mini-score-v1", "mini-score-" + "0" * 32 + "-v1", "other-score-" + "0" * 32):
        use.note(name)
    assert use.scorers("mini") == []

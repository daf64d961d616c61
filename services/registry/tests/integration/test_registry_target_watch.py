"""The watch on targets of open rounds, in PostgreSQL: one worker at a time, one atomic report for each outage."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any
from uuid import uuid4

import pytest
from dynabench.model.v1.model_pb2 import TargetAnswersAgain, TargetStoppedAnswering
from dynabench_common.identifiers import new_id
from dynabench_common.testing import FixedClock
from registry.adapters.serving_states import take_over
from registry.adapters.serving_tables import reconciler, served_model, serving_state
from registry.adapters.tables import outbox, round_
from registry.adapters.target_looks import SqlTargetLook
from registry.domain.registration_records import WorkersState
from registry.service_layer.dependencies import WorkerDependencies
from registry.service_layer.target_watch import look_at_targets
from sqlalchemy import Engine, select, text, update

from .test_registry_http import MINI

Serve = Callable[..., None]
Watch = Callable[[], int]


@pytest.fixture
def watch(engine: Engine, app: WorkerDependencies) -> Watch:
    with engine.begin() as connection:
        take_over(connection)
        connection.execute(update(reconciler).values(has_looked=True))
    return lambda: look_at_targets(app)


@pytest.fixture
def serve(engine: Engine) -> Serve:
    """Return what writes that the reconciler sees a model in a state."""

    def write(name: str, state: WorkersState, **more: Any) -> None:
        record = {**asdict(MINI), "name": name, "state": state, "reason": "no worker was ready", **more}
        with engine.begin() as connection:
            connection.execute(serving_state.delete().where(serving_state.c.name == name))
            connection.execute(serving_state.insert().values(name=name, record=record))
            is_new = not connection.execute(select(served_model).where(served_model.c.name == name)).all()
            if is_new:
                connection.execute(
                    served_model.insert().values(
                        name=name, origin="file", pool="shared", declaration={}, archive={}, wanted=True
                    )
                )

    return write


def put_round(engine: Engine, state: str, *targets: str) -> None:
    with engine.begin() as connection:
        connection.execute(round_.insert().values(round_id=new_id(), targets=list(targets), state=state))


def told(engine: Engine) -> list[tuple[str, str, int]]:
    kinds = {kind.DESCRIPTOR.full_name: kind for kind in (TargetStoppedAnswering, TargetAnswersAgain)}
    with engine.connect() as connection:
        rows = connection.execute(select(outbox).order_by(outbox.c.id)).all()
    messages = [(row, kinds[row.type].FromString(row.payload)) for row in rows]
    return [
        (type(message).__name__, message.serving_name, row.aggregate_version) for row, message in messages
    ]


def look(watch: Watch, clock: FixedClock, times: int) -> None:
    for _ in range(times):
        watch()
        clock.move(10)


def test_a_target_of_an_open_round_is_told_once_and_taken_back(
    watch: Watch, engine: Engine, clock: FixedClock, serve: Serve
) -> None:
    put_round(engine, "open", "mini", "cnn")
    put_round(engine, "paused", "other")
    serve("mini", WorkersState.READY)
    serve("cnn", WorkersState.FAILED)
    serve("other", WorkersState.FAILED)
    look(watch, clock, 2)
    assert told(engine) == []
    look(watch, clock, 4)
    assert told(engine) == [("TargetStoppedAnswering", "cnn", 1)]
    with engine.begin() as connection:
        connection.execute(round_.update().values(targets=["mini"]))
    serve("cnn", WorkersState.READY)
    look(watch, clock, 2)
    assert told(engine) == [("TargetStoppedAnswering", "cnn", 1), ("TargetAnswersAgain", "cnn", 2)]


def test_nobody_is_told_while_no_reconciler_looks_or_the_servers_are_away(
    watch: Watch, engine: Engine, clock: FixedClock, serve: Serve
) -> None:
    put_round(engine, "open", "mini", "cnn")
    for name in ("mini", "cnn"):
        serve(name, WorkersState.STARTING, is_server_away=True)
    look(watch, clock, 6)
    assert told(engine) == []
    serve("mini", WorkersState.READY)
    serve("cnn", WorkersState.FAILED)
    with engine.begin() as connection:
        connection.execute(update(reconciler).values(beat_at=text("now() - interval '1 hour'")))
    look(watch, clock, 6)
    assert told(engine) == []


def test_what_is_not_served_at_all_counts_as_not_answering(
    watch: Watch, engine: Engine, clock: FixedClock
) -> None:
    put_round(engine, "open", "gone-v1")
    look(watch, clock, 4)
    assert told(engine) == [("TargetStoppedAnswering", "gone-v1", 1)]


def test_one_worker_looks_at_a_time_and_one_that_dies_has_told_nothing(
    watch: Watch, engine: Engine, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_round(engine, "open", "gone-v1")
    look(watch, clock, 2)
    with SqlTargetLook(engine) as other:
        assert other.begin()
        assert watch() == 0
    assert told(engine) == []

    def dies(_look: SqlTargetLook) -> None:
        raise SystemExit(str(uuid4()))

    with monkeypatch.context() as patched, pytest.raises(SystemExit):
        patched.setattr(SqlTargetLook, "commit", dies)
        watch()
    assert told(engine) == []
    assert watch() == 1
    assert told(engine) == [("TargetStoppedAnswering", "gone-v1", 1)]

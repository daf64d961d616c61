"""One reconciler at a time: of several workers one leads, and another follows when its connection ends."""

import threading
from collections.abc import Callable, Iterator

import pytest
from dynabench_common.testing import wait_until
from dynabench_common.work.leader import LockKey
from registry.adapters.serving_states import SqlStates, take_over
from registry.adapters.serving_tables import reconciler
from registry.adapters.worker_use import SqlWorkerUse
from registry.service_layer.leading import reconciling
from registry.service_layer.reconciler import Reconciler
from sqlalchemy import Engine, select, text


class Standing:
    """In a reconciler's place: says that it leads, and by which number."""

    def __init__(self, epoch: int, leads: list["Standing"]) -> None:
        self.epoch = epoch
        self.is_awake = threading.Event()
        self._leads = leads

    def wake(self) -> None:
        self.is_awake.set()

    def run(self, stop: threading.Event) -> None:
        self._leads.append(self)
        stop.wait()
        self._leads.remove(self)


@pytest.fixture
def start(engine: Engine) -> Iterator[Callable[[], tuple[list[Standing], threading.Event]]]:
    ends: list[tuple[threading.Event, threading.Thread]] = []

    def started() -> tuple[list[Standing], threading.Event]:
        leads: list[Standing] = []
        stop = threading.Event()

        def make(epoch: int) -> Reconciler:
            standing: object = Standing(epoch, leads)
            assert isinstance(standing, Standing)
            return standing  # type: ignore[return-value]

        thread = threading.Thread(target=reconciling(engine, make).run, args=(stop,))
        thread.start()
        ends.append((stop, thread))
        return leads, stop

    yield started
    for stop, _ in ends:
        stop.set()
    for _, thread in ends:
        thread.join(30)


def end_the_leaders_connection(engine: Engine) -> None:
    holders = text(
        "SELECT pg_terminate_backend(pid) FROM pg_locks "
        "WHERE locktype = 'advisory' AND granted AND objid = :key AND database = "
        "(SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    with engine.connect() as connection:
        assert connection.execute(holders, {"key": LockKey.REGISTRY_RECONCILER}).scalars().all() == [True]


def test_one_of_two_leads_and_the_other_follows(
    engine: Engine, start: Callable[[], tuple[list[Standing], threading.Event]]
) -> None:
    first, stop_first = start()
    wait_until(lambda: first, what="the first to lead")
    second, _ = start()
    SqlWorkerUse(engine).note("mini")
    wait_until(first[0].is_awake.is_set, what="the leader to be woken by use")
    assert second == []
    stop_first.set()
    wait_until(lambda: second, what="the second to lead")
    assert first == []
    assert second[0].epoch == 2


def test_a_leader_that_lost_its_connection_leads_no_more(
    engine: Engine, start: Callable[[], tuple[list[Standing], threading.Event]]
) -> None:
    leads, _ = start()
    wait_until(lambda: leads, what="the first to lead")
    lost = leads[0]
    end_the_leaders_connection(engine)
    wait_until(lambda: leads and leads[0] is not lost, what="to lead again")
    assert [standing.epoch for standing in leads] == [2]


def test_whoever_led_before_publishes_nothing(engine: Engine) -> None:
    with engine.begin() as connection:
        before, now = (SqlStates(engine, take_over(connection)) for _ in range(2))
    before.publish((), "of before")
    now.publish((), "of now")
    before.publish((), "of before")
    with engine.connect() as connection:
        assert connection.execute(select(reconciler.c.problem)).scalar_one() == "of now"

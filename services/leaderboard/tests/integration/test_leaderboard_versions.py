"""Two versions of the boards side by side: one is kept and read while the other is built, and neither disturbs it."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.consumer import apply_new
from dynabench_common.events.rebuilding import LogIsEmpty
from dynabench_common.events.replay import LogReader
from dynabench_common.testing import EventProbe, FixedClock, Issuer, wait_until
from leaderboard.adapters import read_models
from leaderboard.adapters.board_log import BoardLog
from leaderboard.adapters.projection import TOPICS, VERSION, BoardProjection
from leaderboard.adapters.read_model_version import MadeByNewerVersion, ReadModelGone
from leaderboard.adapters.read_models import Build, ReadModel
from leaderboard.adapters.rebuild import Builder
from leaderboard.adapters.retirement import drop_unused
from leaderboard.adapters.snapshot import snapshot
from leaderboard.adapters.standing_read_model import NoReadModel
from leaderboard.adapters.tables import inbox
from leaderboard.bootstrap import CONSUMER, build_builder, build_worker, dependencies
from leaderboard.domain.errors import RoundNotFound
from leaderboard.entrypoints.http.app import create_app
from leaderboard.queries.boards import Boards
from leaderboard.settings import WorkerSettings
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.exc import OperationalError

from conftest import Infrastructure
from services.leaderboard.tests.conftest import Story

pytestmark = pytest.mark.slow

NewStory = Callable[..., Story]
Log = tuple[EventProbe, WorkerSettings]
NEXT = VERSION + 1
JOINED_BY = 150.0
STEP = 10
"""Events per step of a build, few enough for many steps."""
SLOW_BUILD = """
import sys, time
from leaderboard.adapters.board_log import BoardLog
from leaderboard.adapters.rebuild import Builder
from leaderboard.adapters.retirement import drop_unused
from sqlalchemy import create_engine

class Slow(BoardLog):
    def apply(self, connection, read_model, records):
        time.sleep(0.2)
        return super().apply(connection, read_model, records)

url, servers, prefix = sys.argv[1:]
Builder(create_engine(url), Slow(servers, prefix, most_records=10), note=lambda *_, **__: None).rebuild()
"""


class _GatedReader(LogReader):
    polls = 0
    gate: "GatedLog"

    def poll(self) -> list[Any]:
        self.polls += 1
        if self.polls > 3:
            self.gate.reached.set()
            self.gate.opened.wait(JOINED_BY)
        return super().poll()


class GatedLog(BoardLog):
    """A log of which a few steps can be read, and the rest once the gate is opened."""

    def __init__(self, settings: WorkerSettings) -> None:
        super().__init__(settings.kafka_bootstrap_servers, settings.kafka_topic_prefix)
        self._where = settings.kafka_bootstrap_servers, settings.kafka_topic_prefix
        self.reached, self.opened = threading.Event(), threading.Event()

    def open(self) -> LogReader:
        reader = _GatedReader(TOPICS, *self._where, most_records=STEP)
        reader.gate = self
        return reader


@contextmanager
def working(
    settings: WorkerSettings, version: int, board_log: BoardLog | None = None
) -> Iterator[list[threading.Thread]]:
    """Run a worker of a version."""
    stop = threading.Event()
    parts = build_worker(settings, version, board_log)
    threads = [threading.Thread(target=part.run, args=(stop,)) for part in parts]
    for thread in threads:
        thread.start()
    try:
        yield threads
    finally:
        stop.set()
        for thread in threads:
            thread.join(15)


def publish(probe: EventProbe, events: Sequence[Event]) -> None:
    for event in events:
        probe.publish(
            event.topic,
            event.message,
            event.aggregate_id,
            event.aggregate_version,
            event_id=event.id,
            time=event.time,
        )


def one_more(probe: EventProbe, story: Story) -> None:
    publish(probe, [story.tried("negative", ["positive", ""], story.new_id())])


def tries(engine: Engine, story: Story, version: int) -> int:
    try:
        return Boards(engine, version).board(story.round_id).figures.total.tries
    except RoundNotFound:
        return 0


def builds(engine: Engine) -> list[Build]:
    with engine.connect() as connection:
        return read_models.list_all(connection)


def building(engine: Engine) -> Build:
    (found,) = [build for build in builds(engine) if build.state == read_models.BUILDING]
    return found


def from_nothing(infrastructure: Infrastructure, settings: WorkerSettings, version: int) -> dict[str, Any]:
    """Build a version in a database of its own and return its rows."""
    url = infrastructure.create_migrated_database("leaderboard").url
    engine = create_engine(url)
    build_builder(engine, settings, version).rebuild()
    rows = snapshot(engine, version)
    engine.dispose()
    return rows


def test_an_old_board_moves_on_while_a_new_one_is_built(
    log: Log, engine: Engine, infrastructure: Infrastructure, issuer: Issuer, new_story: NewStory
) -> None:
    probe, settings = log
    story = new_story(40)
    publish(probe, story.round_of_tries(30))
    gated = GatedLog(settings)
    old_app = create_app(dependencies(engine, issuer.verifier(), FixedClock(), VERSION)).test_client()
    new_app = create_app(dependencies(engine, issuer.verifier(), FixedClock(), NEXT)).test_client()
    address = f"/api/leaderboard/v1/rounds/{story.round_id}"
    with working(settings, VERSION):
        wait_until(lambda: tries(engine, story, VERSION) == 30, JOINED_BY, "the old board")
        with working(settings, NEXT, gated):
            assert gated.reached.wait(JOINED_BY)
            wait_until(lambda: building(engine).events_read >= STEP, JOINED_BY, "a step")
            one_more(probe, story)
            wait_until(lambda: tries(engine, story, VERSION) == 31, JOINED_BY, "the old board moving on")
            assert building(engine).events_read < building(engine).events_total
            assert old_app.get("/healthz/ready").status_code == 200
            unready = new_app.get("/healthz/ready")
            assert unready.status_code == 503
            assert f"of {building(engine).events_total:,} events read" in unready.get_json()["detail"]
            refused = new_app.get(address)
            assert (refused.status_code, refused.headers["Retry-After"]) == (503, "10")
            assert old_app.get(address).status_code == 200

            gated.opened.set()
            wait_until(lambda: new_app.get("/healthz/ready").status_code == 200, JOINED_BY, "the switch")
            one_more(probe, story)
            wait_until(lambda: tries(engine, story, NEXT) == 32, JOINED_BY, "the new board moving on")
            wait_until(lambda: tries(engine, story, VERSION) == 32, JOINED_BY, "the old board too")
    assert snapshot(engine, NEXT) == snapshot(engine, VERSION)
    assert snapshot(engine, NEXT) == from_nothing(infrastructure, settings, NEXT)


def test_an_old_worker_that_starts_after_the_switch_keeps_its_own(
    log: Log, engine: Engine, new_story: NewStory
) -> None:
    probe, settings = log
    story = new_story(41)
    publish(probe, story.round_of_tries(10))
    with working(settings, VERSION):
        wait_until(lambda: tries(engine, story, VERSION) == 10, JOINED_BY, "the old board")
    build_builder(engine, settings, NEXT).rebuild()
    new_rows = snapshot(engine, NEXT)
    with working(settings, VERSION):
        one_more(probe, story)
        wait_until(lambda: tries(engine, story, VERSION) == 11, JOINED_BY, "the old board moving on")
    assert snapshot(engine, NEXT) == new_rows


def test_a_copy_built_elsewhere_takes_nothing_from_the_live_board(
    infrastructure: Any, log: Log, engine: Engine, new_story: NewStory
) -> None:
    probe, settings = log
    story = new_story(44)
    publish(probe, story.round_of_tries(10))
    build_builder(engine, settings, VERSION).rebuild(hand_over_seconds=0)
    one_more(probe, story)
    from_nothing(infrastructure, settings, VERSION)
    with working(settings, VERSION):
        wait_until(lambda: tries(engine, story, VERSION) == 11, JOINED_BY, "the try before the copy was made")


def test_why_a_build_does_not_go_on_is_said(log: Log, engine: Engine, new_story: NewStory) -> None:
    probe, settings = log
    story = new_story(45)
    publish(probe, story.round_of_tries(10))
    with engine.begin() as connection:
        read_models.drop(connection, ReadModel(VERSION))
        read_models.note_trouble(connection, VERSION, "LogIsEmpty: the log is empty")
    with pytest.raises(NoReadModel, match="not built yet; that does not go on: LogIsEmpty"):
        tries(engine, story, VERSION)
    build_builder(engine, settings, VERSION).rebuild(hand_over_seconds=0)
    assert tries(engine, story, VERSION) == 10


def test_an_old_worker_whose_rows_are_gone_waits_and_writes_nothing(
    log: Log, engine: Engine, new_story: NewStory
) -> None:
    probe, settings = log
    story = new_story(42)
    publish(probe, story.round_of_tries(10))
    build_builder(engine, settings, NEXT).rebuild()
    new_rows = snapshot(engine, NEXT)
    with engine.begin() as connection:
        read_models.drop(connection, ReadModel(VERSION))
    with working(settings, VERSION) as threads:
        one_more(probe, story)
        threads[0].join(5)
        assert all(thread.is_alive() for thread in threads)
    assert [build.state for build in builds(engine)] == [read_models.DROPPED, read_models.STANDING]
    assert snapshot(engine, NEXT) == new_rows
    with pytest.raises(
        NoReadModel, match=f"version {NEXT} of the boards took the place of version {VERSION}"
    ):
        tries(engine, story, VERSION)


def test_a_slow_worker_writes_nothing_once_its_read_model_is_gone(
    log: Log, engine: Engine, new_story: NewStory
) -> None:
    probe, settings = log
    story = new_story(43)
    publish(probe, story.round_of_tries(5))
    build_builder(engine, settings, VERSION).rebuild(hand_over_seconds=0)
    late = story.tried("negative", ["positive", ""], story.new_id())
    built = ReadModel(VERSION, 1)
    with engine.begin() as connection:
        read_models.drop(connection, built)
    for gone, refusal in ((built, ReadModelGone), (ReadModel(VERSION), None)):
        with engine.connect() as connection, connection.begin() as transaction:
            connection.execute(text(f"SET LOCAL search_path TO {gone.search_path}"))
            if refusal is None:
                read_models.drop(connection, gone)
            with pytest.raises(refusal or MadeByNewerVersion):
                apply_new(connection, inbox, CONSUMER, BoardProjection(gone), [late])
            transaction.rollback()


def test_a_killed_build_is_gone_on_with(
    log: Log, engine: Engine, infrastructure: Infrastructure, new_story: NewStory
) -> None:
    probe, settings = log
    events = new_story(44).round_of_tries(40)
    publish(probe, events)
    where = (settings.database_url, settings.kafka_bootstrap_servers, settings.kafka_topic_prefix)
    slow = subprocess.Popen([sys.executable, "-c", SLOW_BUILD, *where])
    try:
        wait_until(
            lambda: any(build.events_read >= 2 * STEP for build in builds(engine)), JOINED_BY, "two steps"
        )
    finally:
        os.kill(slow.pid, signal.SIGKILL)
        slow.wait()
    left = building(engine)
    assert left.events_read < left.events_total == len(events)
    told: list[tuple[str, dict[str, Any]]] = []
    builder = build_builder(engine, settings, note=lambda event, **fields: told.append((event, fields)))
    assert builder.rebuild() == len(events)
    resumed = dict(told)["build_resumed"]
    assert resumed == {"schema": left.read_model.schema, "events_read": left.events_read}
    assert builds(engine)[-1].read_model == left.read_model
    assert snapshot(engine) == from_nothing(infrastructure, settings, VERSION)


def test_of_two_builders_one_builds_and_the_other_waits_without_a_lock(
    log: Log, engine: Engine, new_story: NewStory
) -> None:
    probe, settings = log
    publish(probe, new_story(45).round_of_tries(20))
    gated, stop = GatedLog(settings), threading.Event()
    built: list[ReadModel | None] = []
    first = threading.Thread(
        target=lambda: built.append(Builder(engine, gated, NEXT).build_missing(stop)), daemon=True
    )
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO inbox (consumer, event_id) VALUES ('x', gen_random_uuid())"))
    first.start()
    assert gated.reached.wait(JOINED_BY)
    second = build_builder(engine, settings, NEXT)
    assert second.build_missing(stop) is None
    gated.opened.set()
    first.join(JOINED_BY)
    assert built == [ReadModel(NEXT, 1)]
    # The server releases the lock of a closed connection a moment later.
    wait_until(lambda: second.build_missing(stop) == built[0], JOINED_BY, "the second builder")
    assert len(builds(engine)) == 2


def test_a_rebuild_on_demand_never_stops_the_board(
    log: Log, engine: Engine, infrastructure: Infrastructure, new_story: NewStory
) -> None:
    probe, settings = log
    story = new_story(46)
    publish(probe, story.round_of_tries(20))
    gated = GatedLog(settings)
    with working(settings, VERSION):
        wait_until(lambda: tries(engine, story, VERSION) == 20, JOINED_BY, "the board")
        rebuilding = threading.Thread(target=Builder(engine, gated).rebuild, daemon=True)
        rebuilding.start()
        assert gated.reached.wait(JOINED_BY)
        one_more(probe, story)
        wait_until(lambda: tries(engine, story, VERSION) == 21, JOINED_BY, "the board moving on meanwhile")
        gated.opened.set()
        wait_until(
            lambda: builds(engine)[-1].state == read_models.STANDING, JOINED_BY, "the switch to the new board"
        )
        one_more(probe, story)
        wait_until(lambda: tries(engine, story, VERSION) == 22, JOINED_BY, "the board moving on afterwards")
        rebuilding.join(JOINED_BY)
        one_more(probe, story)
        wait_until(lambda: tries(engine, story, VERSION) == 23, JOINED_BY, "the workers' turn")
    assert [build.state for build in builds(engine)] == [read_models.REPLACED, read_models.STANDING]
    assert snapshot(engine) == from_nothing(infrastructure, settings, VERSION)


def test_a_wrong_prefix_changes_nothing_and_ends_no_worker(
    log: Log, engine: Engine, new_story: NewStory, feed: Callable[..., None]
) -> None:
    _, settings = log
    feed(engine, new_story(47).round_of_tries(5))
    before = snapshot(engine)
    wrong = settings.model_copy(update={"kafka_topic_prefix": "nowhere."})
    with pytest.raises(LogIsEmpty):
        build_builder(engine, wrong).rebuild()
    with working(wrong, NEXT) as threads:
        threads[0].join(4)
        assert all(thread.is_alive() for thread in threads)
    assert [build.read_model for build in builds(engine)] == [ReadModel(VERSION)]
    assert snapshot(engine) == before


def test_a_build_of_another_log_is_not_gone_on_with(log: Log, engine: Engine, new_story: NewStory) -> None:
    """As when a build was begun with a wrong prefix, and killed."""
    probe, settings = log
    events = new_story(48).round_of_tries(5)
    publish(probe, events)
    with engine.begin() as connection:
        begun = read_models.begin(connection, VERSION).read_model
        connection.execute(
            text("""UPDATE read_model SET positions = '{"elsewhere:0": 7}' WHERE number = 1""")
        )
    assert build_builder(engine, settings).rebuild() == len(events)
    assert [build.state for build in builds(engine)][1:] == [read_models.DROPPED, read_models.STANDING]
    with engine.connect() as connection:
        assert (
            connection.execute(text("SELECT to_regnamespace(:name)"), {"name": begun.schema}).scalar() is None
        )


def test_what_is_over_is_removed_and_the_rest_stays(log: Log, engine: Engine, new_story: NewStory) -> None:
    probe, settings = log
    publish(probe, new_story(49).round_of_tries(5))
    for _ in range(2):
        build_builder(engine, settings).rebuild()
    rows = snapshot(engine)
    assert drop_unused(engine, VERSION) == []
    with engine.begin() as connection:
        connection.execute(text("UPDATE read_model SET replaced_at = replaced_at - interval '2 days'"))
    with engine.connect() as reader:
        reader.execute(text(f"SELECT count(*) FROM board_{VERSION}_1.tally"))
        with pytest.raises(OperationalError, match="lock timeout"):
            drop_unused(engine, VERSION)
    assert drop_unused(engine, VERSION) == [ReadModel(VERSION), ReadModel(VERSION, 1)]
    assert [build.state for build in builds(engine)] == [
        read_models.DROPPED,
        read_models.DROPPED,
        read_models.STANDING,
    ]
    assert snapshot(engine) == rows
    with engine.connect() as connection:
        assert not read_models.holds_anything(connection, "public")

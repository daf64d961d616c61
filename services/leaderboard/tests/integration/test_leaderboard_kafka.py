"""From the log to the board: live, rebuilt, and with poison in between."""

import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from dynabench.example.v1 import example_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.rebuilding import LogIsEmpty
from dynabench_common.testing import EventProbe, Issuer, wait_until
from flask.testing import FlaskClient
from leaderboard.adapters import read_models
from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.read_model_keeper import ReadModelKeeper
from leaderboard.adapters.read_models import ReadModel
from leaderboard.adapters.snapshot import snapshot
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import group_tally, inbox, read_model
from leaderboard.bootstrap import build_builder, build_worker
from leaderboard.domain.errors import RoundNotFound
from leaderboard.entrypoints.cli import app
from leaderboard.queries.boards import Boards
from leaderboard.settings import WorkerSettings
from sqlalchemy import Engine, create_engine, func, select
from typer.testing import CliRunner

from conftest import Infrastructure
from services.leaderboard.tests.conftest import Story

NewStory = Callable[..., Story]
JOINED_BY = 150.0
"""Seconds within which a consumer takes events in; on a busy machine the group may drop it once and let it in again."""
LONG_AGO = datetime(2025, 11, 1, 9, 0, tzinfo=UTC)


@pytest.fixture
def live(log: tuple[EventProbe, WorkerSettings]) -> Iterator[None]:
    """Run the worker's components until the test ends."""
    stop = threading.Event()
    threads = [threading.Thread(target=part.run, args=(stop,)) for part in build_worker(log[1])]
    for thread in threads:
        thread.start()
    yield
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


def tries(engine: Engine, story: Story) -> int:
    try:
        return Boards(engine).board(story.round_id).figures.total.tries
    except RoundNotFound:
        return 0


@pytest.mark.long
def test_a_rebuild_equals_the_live_board(
    live: None,
    log: tuple[EventProbe, WorkerSettings],
    engine: Engine,
    infrastructure: Infrastructure,
    new_story: NewStory,
) -> None:
    """Events months old, taken in live; then again into an empty database, and over the live one."""
    probe, settings = log
    story = new_story(8, LONG_AGO)
    events = story.round_of_tries(40)
    publish(probe, events)
    wait_until(lambda: taken_in(engine) == len(events), JOINED_BY, "every event taken in")
    assert tries(engine, story) == 40
    seen = snapshot(engine)

    other_url = infrastructure.create_database("leaderboard")
    printed = run_command(settings, "rebuild", "--database-url", other_url)
    assert printed == f"{len(events)} events applied\n"
    assert run_command(settings, "snapshot", "--json", "--database-url", other_url) == run_command(
        settings, "snapshot", "--json"
    )

    assert build_builder(engine, settings).rebuild() == len(events)
    assert snapshot(engine) == seen
    publish(probe, [story.tried("negative", ["positive", ""], story.new_id())])
    wait_until(lambda: tries(engine, story) == 41, JOINED_BY, "the worker going on after a rebuild")


@pytest.mark.slow
def test_a_rebuild_in_the_middle_of_a_stream_loses_and_doubles_nothing(
    live: None,
    log: tuple[EventProbe, WorkerSettings],
    engine: Engine,
    infrastructure: Infrastructure,
    new_story: NewStory,
) -> None:
    probe, settings = log
    story = new_story(12)
    events = story.round_of_tries(80)
    stream = threading.Thread(target=publish, args=(probe, events))
    stream.start()
    wait_until(lambda: tries(engine, story) > 5, JOINED_BY, "the stream reaching the board")
    build_builder(engine, settings).rebuild()
    stream.join()
    wait_until(lambda: taken_in(engine) == len(events), JOINED_BY, "every event taken in")
    live_board = snapshot(engine)
    assert len(live_board["example"]) == 80
    build_builder(engine, settings).rebuild()
    assert snapshot(engine) == live_board


def taken_in(engine: Engine) -> int:
    with StandingReadModel(engine).connect() as connection:
        return int(connection.execute(select(func.count()).select_from(inbox)).scalar_one())


def run_command(settings: WorkerSettings, *arguments: str) -> str:
    environment = {
        "DATABASE_URL": settings.database_url,
        "KAFKA_BOOTSTRAP_SERVERS": settings.kafka_bootstrap_servers,
        "KAFKA_TOPIC_PREFIX": settings.kafka_topic_prefix,
    }
    result = CliRunner().invoke(app, arguments, env=environment, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def noted_letters(client: FlaskClient, issuer: Issuer) -> int:
    headers = issuer.headers(uuid4(), ["admin"])
    items = client.get("/api/leaderboard/v1/dead-letters", headers=headers).get_json()["items"]
    return sum(item["count"] for item in items)


def test_poison_goes_to_the_dead_letters_and_the_rest_goes_on(
    live: None,
    log: tuple[EventProbe, WorkerSettings],
    engine: Engine,
    client: FlaskClient,
    issuer: Issuer,
    new_story: NewStory,
) -> None:
    probe, _ = log
    story = new_story(9)
    bad = story.tried("negative", ["positive", ""], story.new_id())
    assert isinstance(bad.message, example_pb2.ExampleCreated)
    bad.message.verdict = example_pb2.VERDICT_UNSPECIFIED
    publish(probe, [*story.opened(), bad])
    created = [("ce_type", b"dynabench.example.v1.ExampleCreated")]
    probe.publish_raw("dynabench.example.v1", b"no id", b"\xff\xff", created)
    publish(probe, [story.tried("negative", ["positive", ""], story.new_id()) for _ in range(20)])
    wait_until(lambda: tries(engine, story) == 20, JOINED_BY, "20 tries on the board")
    dead = probe.records("dynabench.example.v1.dlq", at_least=2)
    reasons = {dict(record.headers)["dlq_reason"].decode() for record in dead}
    assert any("verdict 0 means nothing here" in reason for reason in reasons)
    assert len(dead) == 2
    wait_until(lambda: noted_letters(client, issuer) == 2, JOINED_BY, "a note of both")


@pytest.mark.slow
def test_a_rebuild_passes_over_what_was_dead_lettered(
    log: tuple[EventProbe, WorkerSettings], engine: Engine, new_story: NewStory
) -> None:
    probe, settings = log
    story = new_story(10)
    bad = story.tried("negative", ["positive", ""], story.new_id())
    assert isinstance(bad.message, example_pb2.ExampleCreated)
    bad.message.verdict = example_pb2.VERDICT_UNSPECIFIED
    publish(probe, [*story.opened(), bad, story.tried("negative", ["positive", ""], story.new_id())])
    assert build_builder(engine, settings).rebuild() == 6
    assert tries(engine, story) == 1
    with engine.connect() as connection:
        assert read_models.list_all(connection)[-1].events_refused == 1


def test_an_empty_log_does_not_wipe_the_boards(
    log: tuple[EventProbe, WorkerSettings], engine: Engine, new_story: NewStory, feed: Callable[..., None]
) -> None:
    story = new_story(11)
    feed(engine, story.round_of_tries(5))
    before = snapshot(engine)
    with pytest.raises(LogIsEmpty):
        build_builder(engine, log[1]).rebuild()
    assert snapshot(engine) == before


def test_read_models_of_another_version_are_built_anew_at_the_workers_start(
    log: tuple[EventProbe, WorkerSettings], engine: Engine, new_story: NewStory, feed: Callable[..., None]
) -> None:
    """As after an upgrade: what stands was counted without the newest tables."""
    probe, settings = log
    events = new_story(14).round_of_tries(15)
    publish(probe, events)
    feed(engine, events)
    seen = snapshot(engine)
    with engine.begin() as connection:
        connection.execute(read_model.update().values(version=VERSION - 1))
        connection.execute(group_tally.delete())
    builder = build_builder(engine, settings)
    built = builder.build_missing(threading.Event())
    assert built == ReadModel(VERSION, 1)
    assert snapshot(engine) == seen
    assert builder.build_missing(threading.Event()) == built


def test_an_empty_database_is_left_to_the_consumer(
    log: tuple[EventProbe, WorkerSettings], engine: Engine, new_story: NewStory
) -> None:
    probe, settings = log
    publish(probe, new_story(15).opened())
    with engine.begin() as connection:
        connection.execute(read_model.update().values(version=VERSION - 1))
    for _ in range(2):
        found = build_builder(engine, settings).build_missing(threading.Event())
        assert found == ReadModel(VERSION)
        assert taken_in(engine) == 0


def test_the_worker_waits_for_the_broker_before_it_takes_events_in(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(read_model.update().values(version=VERSION - 1))
    stop, outages, ran = threading.Event(), iter([True, True, False]), []

    class Builder:
        def build_missing(self, _stop: threading.Event) -> ReadModel | None:
            if next(outages):
                raise ConnectionError("no broker")
            return ReadModel(VERSION)

    class Consumer:
        name = "consumer"

        def run(self, _stop: threading.Event) -> None:
            ran.append(True)
            stop.set()

    ReadModelKeeper(
        engine,
        Builder(),  # type: ignore[arg-type]
        lambda _: create_engine(engine.url),
        lambda _found, _engine: [Consumer()],
        pause_seconds=0,
    ).run(stop)
    assert ran == [True]
    assert next(outages, "all used") == "all used"

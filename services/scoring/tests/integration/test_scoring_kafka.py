"""From the log to a dataset and back to the log; and the facts read anew."""

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import uuid4

import pytest
from dynabench.audit.v1 import audit_pb2
from dynabench.dataset.v1 import dataset_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.rebuilding import LogIsEmpty, take_hold
from dynabench_common.events.stalled_partitions import list_stalled
from dynabench_common.settings import ObjectSettings
from dynabench_common.testing import EventProbe, wait_until
from flask.testing import FlaskClient
from scoring.adapters.projection import rebuild
from scoring.adapters.tables import COPIES, inbox
from scoring.bootstrap import build_worker, log_reader
from scoring.entrypoints.cli import app
from scoring.settings import WorkerSettings
from sqlalchemy import Engine, create_engine, func, select
from typer.testing import CliRunner

from conftest import Infrastructure
from services.scoring.tests.conftest import Story

NewStory = Callable[..., Story]
API = "/api/scoring/v1"


@pytest.fixture
def log(
    infrastructure: Infrastructure, engine: Engine, object_settings: ObjectSettings
) -> Iterator[tuple[EventProbe, WorkerSettings]]:
    """Return fresh topics and the settings that point at them and at the empty database."""
    prefix = f"scoring-{uuid4().hex[:8]}."
    infrastructure.create_topics(prefix)
    probe = EventProbe(infrastructure.kafka_bootstrap_servers, prefix)
    settings = WorkerSettings(
        database_url=engine.url.render_as_string(hide_password=False),
        kafka_bootstrap_servers=infrastructure.kafka_bootstrap_servers,
        kafka_topic_prefix=prefix,
        **object_settings.model_dump(),
    )
    yield probe, settings
    probe.close()


@pytest.fixture
def live(log: tuple[EventProbe, WorkerSettings]) -> Iterator[list[threading.Thread]]:
    """Run the worker's components until the test ends."""
    stop = threading.Event()
    threads = [threading.Thread(target=part.run, args=(stop,)) for part in build_worker(log[1])]
    for thread in threads:
        thread.start()
    yield threads
    stop.set()
    for thread in threads:
        thread.join(30)


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


def taken_in(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(inbox)).scalar_one()


def held(engine: Engine) -> dict[str, list[Any]]:
    with engine.connect() as connection:
        return {
            table.name: [
                tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in COPIES
        }


@pytest.mark.long
def test_a_round_becomes_a_dataset_and_says_so(
    live: list[threading.Thread],
    log: tuple[EventProbe, WorkerSettings],
    engine: Engine,
    client: FlaskClient,
    owner: dict[str, str],
    new_story: NewStory,
    infrastructure: Infrastructure,
) -> None:
    probe, settings = log
    story = new_story(8)
    events = story.finished()
    publish(probe, events)
    wait_until(lambda: taken_in(engine) == len(events), what="every event taken in")
    asked = client.post(f"{API}/rounds/{story.round_id}/releases", json={}, headers=owner).get_json()
    address = f"{API}/releases/{asked['release_id']}"
    wait_until(lambda: client.get(address, headers=owner).get_json()["state"] == "done", what="the release")
    (told,) = probe.events("dynabench.dataset.v1", [dataset_pb2.DatasetReleased], at_least=1)
    found = client.get(f"{API}/datasets/{told.aggregate_id}").get_json()
    assert isinstance(told.message, dataset_pb2.DatasetReleased)
    assert (told.message.digest, told.message.round_id) == (found["digest"], str(story.round_id))
    assert dict(told.message.splits) == {name: split["examples"] for name, split in found["splits"].items()}
    (entry,) = probe.events("dynabench.audit.v1", [audit_pb2.ActionTaken], at_least=1)
    assert isinstance(entry.message, audit_pb2.ActionTaken)
    assert (entry.message.action, entry.message.task_slug) == ("round.released", "sentiment")
    measurements = f"{API}/datasets/{told.aggregate_id}/measurements"
    wait_until(lambda: client.get(measurements).get_json()["state"] == "done", what="the measurements")
    seen = held(engine)
    assert rebuild(engine, log_reader(settings)) == len(events)
    assert held(engine) == seen
    assert client.get(f"{API}/datasets/{told.aggregate_id}").status_code == 200
    other = create_engine(infrastructure.create_database("scoring"))
    printed = run_command(
        settings, "rebuild", "--database-url", other.url.render_as_string(hide_password=False)
    )
    assert printed == f"{len(events)} events applied\n"
    assert held(other) == seen
    other.dispose()


def test_an_empty_log_does_not_wipe_the_facts(
    log: tuple[EventProbe, WorkerSettings], engine: Engine, new_story: NewStory, feed: Callable[..., None]
) -> None:
    feed(engine, new_story(11).finished(2, 1))
    before = held(engine)
    with pytest.raises(LogIsEmpty):
        rebuild(engine, log_reader(log[1]))
    assert held(engine) == before


@pytest.mark.slow
def test_a_long_rebuild_ends_no_part_of_the_worker(
    live: list[threading.Thread],
    log: tuple[EventProbe, WorkerSettings],
    engine: Engine,
    new_story: NewStory,
) -> None:
    """Its batches give up after five seconds, and again, until the rebuild is done."""
    events = new_story(12).finished(2, 1)
    with engine.begin() as rebuilding:
        take_hold(rebuilding)
        publish(log[0], events)
        wait_until(lambda: held_partitions(engine), what="a batch that gave up")
        assert all(thread.is_alive() for thread in live)
    wait_until(lambda: taken_in(engine) == len(events), what="every event taken in")
    wait_until(lambda: not held_partitions(engine), what="nothing held")
    assert all(thread.is_alive() for thread in live)


def held_partitions(engine: Engine) -> int:
    with engine.connect() as connection:
        return len(list_stalled(connection))


def run_command(settings: WorkerSettings, *arguments: str) -> str:
    environment = {
        name.upper(): str(value) for name, value in settings.model_dump().items() if value is not None
    }
    result = CliRunner().invoke(app, arguments, env=environment, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout

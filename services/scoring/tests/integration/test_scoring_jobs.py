"""Releases are built once, whatever becomes of their workers."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dynabench_common.object_store import S3ObjectStore
from dynabench_common.settings import ObjectSettings
from dynabench_common.testing import FixedClock, wait_until
from dynabench_common.work.retried_jobs import LEASE_SECONDS, MOST_ATTEMPTS, JobRunner
from flask.testing import FlaskClient
from scoring.adapters.tables import dataset, outbox, release
from scoring.service_layer.build_release import RELEASES
from scoring.service_layer.dependencies import WorkerDependencies
from sqlalchemy import Engine, func, select

from services.scoring.tests.conftest import Story
from services.scoring.tests.scoring_releases import Headers, ask, state


def test_a_killed_workers_release_is_taken_over_and_ended_once(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    story: Story,
    owner: Headers,
    engine: Engine,
    clock: FixedClock,
    worker: WorkerDependencies,
    object_settings: ObjectSettings,
) -> None:
    """The worker dies while it stores files; its lease ends; what it would still have done comes too late."""
    asked = ask(client, story, owner)
    doomed = JobRunner(RELEASES, replace(worker, store=DyingStore(object_settings, survives=3)))
    killed = doomed.claim()
    assert killed is not None
    with pytest.raises(Killed):
        doomed.attempt(killed)
    shown = state(client, asked, owner)
    assert (shown["state"], shown["step"]) == ("building", "storing files")
    assert 0.8 < shown["progress"] < 0.9
    assert not builder.turn(), "nobody takes a job over while its lease runs"
    clock.move(LEASE_SECONDS)
    assert builder.turn()
    assert state(client, asked, owner)["state"] == "done"
    builder.attempt(killed)
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(dataset)).scalar_one() == 1
        assert connection.execute(select(func.count()).select_from(outbox)).scalar_one() == 2


class Killed(BaseException):
    """The end of a process, as far as a test can have it."""


class DyingStore(S3ObjectStore):
    """An object store whose worker dies when it has stored some files."""

    def __init__(self, settings: ObjectSettings, survives: int) -> None:
        super().__init__(settings)
        self._survives = survives

    def store(self, key: str, path: Path, media_type: str) -> None:
        if self._survives == 0:
            raise Killed
        self._survives -= 1
        super().store(key, path, media_type)


def test_a_worker_that_is_told_to_stop_gives_its_job_back(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    story: Story,
    owner: Headers,
    engine: Engine,
    worker: WorkerDependencies,
    object_settings: ObjectSettings,
) -> None:
    """Another takes it over at once, and it counts as not tried."""
    asked = ask(client, story, owner)
    waiting = WaitingStore(object_settings)
    stopping = JobRunner(RELEASES, replace(worker, store=waiting))
    stop = threading.Event()
    thread = threading.Thread(target=stopping.run, args=(stop,))
    thread.start()
    try:
        assert waiting.reached.wait(60)
        stop.set()
        wait_until(lambda: leases(engine) == [(None, 0)], what="the job's return")
        assert builder.turn()
    finally:
        stop.set()
        waiting.go_on.set()
        thread.join(60)
    assert state(client, asked, owner)["state"] == "done"
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(dataset)).scalar_one() == 1


def leases(engine: Engine) -> list[tuple[Any, ...]]:
    with engine.connect() as connection:
        found = connection.execute(select(release.c.lease_id, release.c.attempts)).all()
    return [tuple(row) for row in found]


class WaitingStore(S3ObjectStore):
    """An object store that holds its worker up until it may go on."""

    def __init__(self, settings: ObjectSettings) -> None:
        super().__init__(settings)
        self.reached, self.go_on = threading.Event(), threading.Event()

    def store(self, key: str, path: Path, media_type: str) -> None:
        self.reached.set()
        self.go_on.wait(60)
        super().store(key, path, media_type)


def test_what_fails_again_and_again_is_given_up(
    client: FlaskClient, worker: WorkerDependencies, story: Story, owner: Headers, clock: FixedClock
) -> None:
    asked = ask(client, story, owner)
    builder = JobRunner(replace(RELEASES, work=fails), worker)
    for attempt in range(1, MOST_ATTEMPTS + 2):
        assert builder.turn(), attempt
        clock.move(120)
    ended = state(client, asked, owner)
    assert (ended["state"], ended["error"]["kind"]) == ("failed", "gave-up")
    ask(client, story, owner)


def fails(*_: object) -> None:
    raise OSError("the disk is full")

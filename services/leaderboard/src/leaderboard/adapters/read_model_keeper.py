"""Worker component that updates the current read model of its version, and builds one if there is none."""

import threading
from collections.abc import Callable, Sequence
from functools import partial

from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work.worker import Component
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from leaderboard.adapters import read_models
from leaderboard.adapters.projection import VERSION, look_again
from leaderboard.adapters.read_models import CONSUMER, ReadModel
from leaderboard.adapters.rebuild import Builder

log = get_logger(__name__)
PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
DRAIN_SECONDS = 8.0


class ReadModelKeeper:
    """Runs the consumer of the current read model, and changes within a second when another one becomes current.

    A failed build is reported, and retried with growing pauses. It never ends the worker.
    """

    name = f"consumer {CONSUMER}"

    def __init__(
        self,
        engine: Engine,
        builder: Builder,
        engine_of: Callable[[ReadModel], Engine],
        parts_of: Callable[[ReadModel, Engine], Sequence[Component]],
        version: int = VERSION,
        pause_seconds: float = PAUSE_SECONDS,
    ) -> None:
        self._engine = engine
        self._builder = builder
        self._engine_of = engine_of
        self._parts_of = parts_of
        self._version = version
        self._pause_seconds = pause_seconds

    def run(self, stop: threading.Event) -> None:
        """Build the read model if there is none, then keep it up to date, until `stop`."""
        pause = self._pause_seconds
        while not stop.is_set():
            try:
                found = self._standing() or self._builder.build_missing(stop)
            except Exception as err:
                self._tell(err)
                stop.wait(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
                continue
            pause = self._pause_seconds
            if found is None:
                stop.wait(pause)
            else:
                self._count_by_what_waited(found)
                self._keep(found, stop)

    def _standing(self) -> ReadModel | None:
        with self._engine.connect() as connection:
            return read_models.standing(connection, self._version)

    def _tell(self, err: Exception) -> None:
        trouble = f"{type(err).__name__}: {err}"
        log.error("read_model_not_built", version=self._version, reason=trouble[:500], exc_info=err)
        try:
            with self._engine.begin() as connection:
                read_models.note_trouble(connection, self._version, trouble)
        except SQLAlchemyError as away:
            log.warning("trouble_not_noted", reason=str(away)[:300])

    def _count_by_what_waited(self, found: ReadModel) -> None:
        """Apply configurations that an older version could not read; a failure does not stop the consumer."""
        engine = self._engine_of(found)
        try:
            with engine.begin() as connection:
                look_again(connection, found)
        except Exception as err:
            reason = f"{type(err).__name__}: {err}"
            log.error("configurations_not_taken_up", schema=found.schema, reason=reason[:500], exc_info=err)
        finally:
            engine.dispose()

    def _keep(self, found: ReadModel, stop: threading.Event) -> None:
        """Run the parts until `stop` or until another read model replaces this one. Raises a failed part's error."""
        engine = self._engine_of(found)
        log.info("read_model_kept", schema=found.schema, version=found.version)
        ended = threading.Event()
        failures: list[Exception] = []
        threads = [
            threading.Thread(target=partial(_run, part, ended, failures), name=part.name, daemon=True)
            for part in self._parts_of(found, engine)
        ]
        for thread in threads:
            thread.start()
        while not (stop.wait(self._pause_seconds) or ended.is_set() or self._is_replaced(found)):
            pass
        ended.set()
        for thread in threads:
            thread.join(DRAIN_SECONDS)
        engine.dispose()
        if failures:
            raise failures[0]

    def _is_replaced(self, found: ReadModel) -> bool:
        try:
            return self._standing() != found
        except SQLAlchemyError as err:
            log.warning("standing_read_model_unknown", reason=str(err)[:300])
            return False


def _run(part: Component, ended: threading.Event, failures: list[Exception]) -> None:
    try:
        part.run(ended)
    except Exception as err:
        failures.append(err)
    finally:
        ended.set()

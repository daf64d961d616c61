"""The consumer, let loose only on read models that its own version of the counting made."""

import threading

from dynabench_common.logging import get_logger
from dynabench_common.worker import Component
from kafka.errors import KafkaError
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from leaderboard.adapters.read_model_version import MadeByNewerVersion
from leaderboard.adapters.rebuild import ReplayLog, bring_up_to_date

log = get_logger(__name__)
PAUSE_SECONDS = 1.0


class UpToDate:
    """Runs another component once the read models are up to date.

    An outage is waited out, and so are a rebuild by another worker and read models of a newer version.
    """

    def __init__(
        self,
        engine: Engine,
        replay_log: ReplayLog,
        component: Component,
        pause_seconds: float = PAUSE_SECONDS,
    ) -> None:
        self.name = component.name
        self._engine = engine
        self._replay_log = replay_log
        self._component = component
        self._pause_seconds = pause_seconds

    def run(self, stop: threading.Event) -> None:
        """Bring the read models up to date, then run the component until `stop`."""
        while not stop.is_set():
            try:
                applied = bring_up_to_date(self._engine, self._replay_log)
            except (KafkaError, OSError, SQLAlchemyError, MadeByNewerVersion) as err:
                log.warning("rebuild_interrupted", reason=f"{type(err).__name__}: {err}")
                stop.wait(self._pause_seconds)
                continue
            if applied is not None:
                log.info("read_models_rebuilt", events=applied)
            self._component.run(stop)
            return

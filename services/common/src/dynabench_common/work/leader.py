"""Leader election: work that one worker of a service does at a time, however many workers there are.

A session advisory lock makes its owner the leader. The lock ends with its connection: when the leader dies, another
worker takes over within a second. `LockKey` names every advisory lock of the platform that has a fixed key.
"""

import threading
from collections.abc import Callable
from enum import IntEnum

from sqlalchemy import Connection, Engine, func, select

from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
POLL_SECONDS = 0.5
FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 2.0

Lead = Callable[[Connection, threading.Event], None]


class LockKey(IntEnum):
    """Keys of advisory locks, of all services; a lock holds within the database of one service."""

    RELAY = 4_711
    MIGRATIONS = 4_712
    QUARANTINE = 4_713
    PRUNING = 4_714

    LEADERBOARD_ALL_ROUNDS = 4_720
    LEADERBOARD_ROUND = 4_722
    LEADERBOARD_BUILD = 4_723
    LEADERBOARD_RETIREMENT = 4_726

    VALIDATION_PROJECTION = 4_721
    VALIDATION_AGREEMENT = 4_728
    VALIDATION_AGREEMENT_LEADER = 4_729
    VALIDATION_EVIDENCE_LEADER = 4_724
    VALIDATION_ROUND_COUNTS_LEADER = 4_725
    VALIDATION_WAITING_TASKS_LEADER = 4_727

    ACCOUNTS_NOTICES = 4_731
    REGISTRY_TARGET_LOOKS = 4_732
    REGISTRY_RECONCILER = 4_733

    CROWD_TIMEOUTS_LEADER = 4_741
    CROWD_RECONCILE_LEADER = 4_742
    CROWD_SETTLING_LEADER = 4_743
    CROWD_PAY_LEADER = 4_744
    CROWD_LATE_DECISIONS_LEADER = 4_745


class Leader:
    """A component of a worker that leads or waits to lead.

    `lead` works with the connection that holds the lock until the event is set. What it raises, and an outage of the
    database, ends the lead; another attempt follows after a pause.
    """

    def __init__(self, name: str, engine: Engine, key: LockKey, lead: Lead) -> None:
        self.name = name
        self._engine = engine
        self._key = key
        self._lead = lead

    def run(self, stop: threading.Event) -> None:
        """Lead or wait to lead, until `stop`."""
        pause = FIRST_PAUSE_SECONDS
        while not stop.is_set():
            try:
                self._lead_once(stop)
                pause = FIRST_PAUSE_SECONDS
            except Exception as err:
                reason = f"{type(err).__name__}: {err}"[:300]
                log.warning(
                    "component_interrupted", component=self.name, reason=reason, retry_in_seconds=pause
                )
                stop.wait(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)

    def _lead_once(self, stop: threading.Event) -> None:
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            try:
                while not connection.execute(select(func.pg_try_advisory_lock(self._key))).scalar_one():
                    if stop.wait(POLL_SECONDS):
                        return
                self._lead(connection, stop)
            finally:
                connection.invalidate()


def steps(step: Callable[[], bool], seconds: float = 1.0) -> Lead:
    """Return a lead that repeats `step`: at once while it returns True for more work, else after `seconds`."""

    def lead(connection: Connection, stop: threading.Event) -> None:
        while not stop.is_set():
            connection.execute(select(1))  # raises once the connection, and the lock with it, is lost
            if not step():
                stop.wait(seconds)

    return lead

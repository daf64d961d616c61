"""A periodic check for rounds that have reached their task's goal.

The leaderboard computes the figure. It publishes no event of it, since it may count anew at any time. So accounts asks
it for the very figure that a round's page shows. A reached goal is news only if the round was seen below it before.
"""

from typing import Any
from uuid import UUID

from dynabench_common.clock import Clock
from dynabench_common.http.client import JsonClient, UpstreamError
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work.leader import LockKey
from sqlalchemy import Engine, Row, func, select

from accounts.notifications.adapters.rounds import RoundNotices
from accounts.notifications.adapters.tables import notice_round, notice_start, notice_task
from accounts.notifications.adapters.writer import NoticeWriter

log = get_logger(__name__)
LOOK_SECONDS = 300.0
TIMEOUT_SECONDS = 5.0


class LeaderboardFigures:
    """The figures of rounds, as the leaderboard publishes them."""

    def __init__(self, url: str) -> None:
        self._client = JsonClient(url, TIMEOUT_SECONDS)

    def validated_errors(self, round_id: UUID) -> int:
        """Return how many validated errors a round has. Raises UpstreamError."""
        board = self._client.call("GET", f"/api/leaderboard/v1/rounds/{round_id}")
        try:
            return int(board["validated_errors"])
        except (KeyError, TypeError, ValueError) as err:
            raise UpstreamError(f"round {round_id}: an answer without validated_errors") from err


class GoalWatch:
    """Looks at rounds with a goal; an outage of the leaderboard only postpones its news."""

    def __init__(self, engine: Engine, figures: LeaderboardFigures, clock: Clock) -> None:
        self._engine = engine
        self._figures = figures
        self._clock = clock

    def look(self) -> None:
        """Check every round that has a goal and is not yet known to have reached it."""
        for watched in self._watched():
            try:
                validated = self._figures.validated_errors(watched.round_id)
            except UpstreamError as err:
                log.warning("goal_not_read", round_id=str(watched.round_id), reason=str(err)[:300])
                continue
            self._take(watched, validated)

    def _watched(self) -> list[Row[Any]]:
        chosen = (
            select(notice_round.c.round_id, notice_round.c.was_below_goal, notice_task.c.goal)
            .join(notice_task, notice_task.c.task_id == notice_round.c.task_id)
            .where(
                notice_task.c.goal.is_not(None),
                notice_round.c.is_written_here,
                notice_round.c.opened_at.is_not(None),
                notice_round.c.released_at.is_(None),
                notice_round.c.is_goal_told.is_(False),
            )
        )
        with self._engine.connect() as connection:
            rows: list[Row[Any]] = list(connection.execute(chosen))
        return rows

    def _take(self, watched: Row[Any], validated: int) -> None:
        is_reached = validated >= watched.goal
        if not is_reached and watched.was_below_goal:
            return
        with self._engine.begin() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(LockKey.ACCOUNTS_NOTICES)))
            started_at = connection.execute(select(notice_start.c.started_at)).scalar_one()
            news = RoundNotices(connection, NoticeWriter(connection, started_at, self._clock.now()))
            if is_reached:
                news.notify_goal_reached(watched.round_id, watched.goal)
            else:
                news.note_below_goal(watched.round_id)

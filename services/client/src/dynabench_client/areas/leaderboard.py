"""Figures of rounds and people."""

from dynabench_client.connection import Area, segment
from dynabench_client.results.base import Page
from dynabench_client.results.leaderboard import (
    FoolingMatrix,
    History,
    MyFigures,
    RoundFigures,
    TaskHeadline,
)


class LeaderboardClient(Area):
    """Client of the leaderboard service."""

    service = "leaderboard"

    def round(self, round_id: str) -> RoundFigures:
        """Return a round's figures, split by segment and target."""
        return self._get(f"/rounds/{segment(round_id)}", RoundFigures)

    def history(self, round_id: str) -> History:
        """Return a round's figures over time."""
        return self._get(f"/rounds/{segment(round_id)}/history", History)

    def matrix(self, round_id: str) -> FoolingMatrix:
        """Return which tries fooled which targets of a round."""
        return self._get(f"/rounds/{segment(round_id)}/matrix", FoolingMatrix)

    def tasks(self, *, limit: int | None = None, cursor: str | None = None) -> Page[TaskHeadline]:
        """List tasks with the headline of their current rounds."""
        return self._get("/tasks", Page[TaskHeadline], limit=limit, cursor=cursor)

    def me(self, round_id: str | None = None) -> MyFigures:
        """Return one's own counts, of one round or of all."""
        return self._get("/people/me", MyFigures, round_id=round_id)

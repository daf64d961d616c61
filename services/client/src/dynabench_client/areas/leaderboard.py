"""Figures of rounds and people, and the standing of rounds."""

from collections.abc import Mapping

from dynabench_client.areas.shared_boards import SharedBoardsClient, joined_weights
from dynabench_client.connection import segment
from dynabench_client.results.base import Page
from dynabench_client.results.leaderboard import (
    Badges,
    Breakdown,
    Effort,
    FoolingMatrix,
    History,
    ModelBoard,
    MovingParts,
    MyFigures,
    MyRound,
    NextRound,
    OwnBadges,
    OwnWeek,
    PeopleRanks,
    PersonWeeks,
    RoundFigures,
    RoundStanding,
    Standing,
    TargetProposals,
    TaskHeadline,
    UserBoard,
)


class LeaderboardClient(SharedBoardsClient):
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

    def breakdown(self, round_id: str, by: str) -> Breakdown:
        """Return a round's figures split by segment, target, condition, cohort, tag or week."""
        return self._get(f"/rounds/{segment(round_id)}/breakdown", Breakdown, by=by)

    def effort(self, round_id: str) -> tuple[Effort, ...]:
        """Return what fooling each target cost, and the rule as a whole under target None."""
        return self._list(f"/rounds/{segment(round_id)}/effort", Effort)

    def standing(self, round_id: str) -> Standing:
        """Return the standing of a round, for the task's owner."""
        return self._get(f"/rounds/{segment(round_id)}/standing", Standing)

    def standings(self, *, limit: int | None = None, cursor: str | None = None) -> Page[RoundStanding]:
        """List the standing of rounds: owners see those of their tasks, administrators all."""
        return self._get("/standings", Page[RoundStanding], limit=limit, cursor=cursor)

    def next_round(self, round_id: str) -> NextRound:
        """Return whether it is time for the next round, with the evidence; for the task's owner."""
        return self._get(f"/rounds/{segment(round_id)}/next-round", NextRound)

    def tasks(self, *, limit: int | None = None, cursor: str | None = None) -> Page[TaskHeadline]:
        """List tasks with the headline of their current rounds."""
        return self._get("/tasks", Page[TaskHeadline], limit=limit, cursor=cursor)

    def model_board(
        self,
        task: str,
        *,
        weights: Mapping[str, float] | str | None = None,
        datasets: Mapping[str, float] | str | None = None,
        gamma: float | None = None,
        mode: str | None = None,
        external: bool = False,
        scores: bool = True,
    ) -> ModelBoard:
        """Return a task's models ranked, under the task's weights or your own, by dimension and by dataset.

        An `external` board ranks the models that were measured elsewhere, by the classic rule. Without `scores` rows
        leave out what is known of each model dataset by dataset.
        """
        return self._get(
            f"/tasks/{segment(task)}/model-board",
            ModelBoard,
            weights=joined_weights(weights),
            datasets=joined_weights(datasets),
            gamma=gamma,
            mode=mode,
            external="true" if external else None,
            scores=None if scores else "false",
        )

    def moving_parts(
        self,
        task: str,
        *,
        weights: str | None = None,
        datasets: str | None = None,
        gamma: float | None = None,
        mode: str | None = None,
    ) -> MovingParts:
        """Return what the models' scores are made of, so that they can be ranked under any weights of dimensions.

        By the classic rule there are none.
        """
        return self._get(
            f"/tasks/{segment(task)}/model-board/moving-parts",
            MovingParts,
            weights=weights,
            datasets=datasets,
            gamma=gamma,
            mode=mode,
        )

    def target_proposals(self, task: str, *, targets: int | None = None) -> TargetProposals:
        """Return the models that the task's next round could have as targets, the best first."""
        return self._get(f"/tasks/{segment(task)}/target-proposals", TargetProposals, targets=targets)

    def me(self, round_id: str | None = None) -> MyFigures:
        """Return your own counts, of one round or of all."""
        return self._get("/people/me", MyFigures, round_id=round_id)

    def my_rounds(self) -> tuple[MyRound, ...]:
        """Return the rounds that one wrote in, the one that was opened last first."""
        return self._list("/people/me/rounds", MyRound)

    def people_of_task(self, task: str, *, limit: int | None = None, cursor: str | None = None) -> UserBoard:
        """Rank the people who tried in a task by validated errors, a page of them."""
        return self._get(f"/tasks/{segment(task)}/people", UserBoard, limit=limit, cursor=cursor)

    def people_of_round(
        self, round_id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> UserBoard:
        """Rank the people who tried in a round by validated errors, a page of them."""
        return self._get(f"/rounds/{segment(round_id)}/people", UserBoard, limit=limit, cursor=cursor)

    def people_ranks(self, *, task: str | None = None, period: str = "all") -> PeopleRanks:
        """Return the first 100 people by validated errors, in a task or in all; `period` is `week` or `all`."""
        return self._get("/people/ranks", PeopleRanks, task=task, period=period)

    def person_weeks(self, person_id: str) -> PersonWeeks:
        """Return the weeks with validated errors of a person, newest first."""
        return self._get(f"/people/{segment(person_id)}/weeks", PersonWeeks)

    def my_week(self) -> OwnWeek:
        """Return figures of your own tries since Monday (UTC), in all tasks."""
        return self._get("/people/me/week", OwnWeek)

    def my_badges(self) -> OwnBadges:
        """Return your own badges, newest first, and the next ones."""
        return self._get("/people/me/badges", OwnBadges)

    def badges(self, person_id: str) -> Badges:
        """Return somebody's badges, the newest first."""
        return self._get(f"/people/{segment(person_id)}/badges", Badges)

"""Query and answers about the standing of rounds, for their owners."""

from dataclasses import asdict
from typing import Any

from dynabench_api.leaderboard import (
    BurnUpAnswer,
    ForecastAnswer,
    NextRoundAnswer,
    StandingAnswer,
    StandingHeadlineAnswer,
    StandingsAnswer,
)
from dynabench_api.words import Advice
from dynabench_common.http.schemas import (
    PageQuery,
    cursor_id,
    cursor_name,
    cursor_number,
    cut_page,
    page_start,
)

from leaderboard.domain.board import Board
from leaderboard.domain.next_round import Evidence
from leaderboard.domain.standing import BurnUp
from leaderboard.entrypoints.http.round_answers import headline_fields, outcomes_answer
from leaderboard.queries.standings import Place, RoundHead, Standing


class StandingsQuery(PageQuery):
    """A page of rounds."""

    def place(self) -> Place | None:
        """Return the round that the page starts after. Raises Problem 422 for a cursor of another list."""
        return page_start(self.cursor, _place)


def _place(slug: object, number: object, round_id: object) -> Place:
    return Place(cursor_name(slug), cursor_number(number), cursor_id(round_id))


def burn_up_answer(found: BurnUp) -> BurnUpAnswer:
    """Return the answer for a burn-up."""
    band = found.forecast
    return BurnUpAnswer(
        goal=found.goal,
        points=[{"at": at, "validated": validated} for at, validated in found.points],
        per_day=found.per_day,
        forecast=band
        and ForecastAnswer(low=band.low.date(), expected=band.expected.date(), high=band.high.date()),
        reason=found.reason,
    )


def standing_answer(found: Standing) -> StandingAnswer:
    """Return the answer for a standing."""
    funnel = asdict(found.funnel)
    return StandingAnswer(
        **_of_head(found.head),
        opened_at=found.opened_at,
        funnel={**funnel, **funnel.pop("outcomes")},
        burn_up=burn_up_answer(found.burn_up),
        authors=found.authors,
        labels={"claimed": found.claimed, "gold": found.gold},
        cohorts=found.cohorts,
        as_of=found.as_of,
    )


def standing_headline_answer(head: RoundHead, board: Board) -> StandingHeadlineAnswer:
    """Return the answer for a round and its board."""
    figures = board.figures
    return StandingHeadlineAnswer(
        **_of_head(head),
        **headline_fields(figures),
        outcomes=outcomes_answer(figures.total),
        pending=figures.total.pending,
        as_of=board.as_of,
    )


def standings_answer(found: list[tuple[RoundHead, Board]], limit: int) -> StandingsAnswer:
    """Return the page of at most `limit` rounds; one more than that says that there are more."""
    page, cursor = cut_page(found, limit, lambda each: (each[0].task_slug, each[0].number, each[0].round_id))
    return StandingsAnswer(
        items=[standing_headline_answer(head, board) for head, board in page], next_cursor=cursor
    )


def next_round_answer(advice: Advice, evidence: list[Evidence]) -> NextRoundAnswer:
    """Return the answer for an advice."""
    return NextRoundAnswer(advice=advice, evidence=evidence)


def _of_head(head: RoundHead) -> dict[str, Any]:
    return {**asdict(head), "task_slug": head.task_slug or None}

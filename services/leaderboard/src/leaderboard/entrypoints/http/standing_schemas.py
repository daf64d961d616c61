"""Response schemas of the standing of rounds, for their owners."""

from dataclasses import asdict
from datetime import date, datetime
from typing import Self
from uuid import UUID

from dynabench_common.schemas import PageQuery, cursor_invalid, decode_cursor, encode_cursor
from pydantic import BaseModel, Field

from leaderboard.domain.board import Board
from leaderboard.domain.next_round import Advice, Evidence, Says
from leaderboard.domain.standing import BurnUp, Concentration, Funnel
from leaderboard.entrypoints.http.schemas import HeadlineAnswer, headline_fields
from leaderboard.queries.standings import Place, RoundHead, Standing


class StandingsQuery(PageQuery):
    """A page of rounds."""

    def place(self) -> Place | None:
        """Return the round that the page starts after. Raises Problem 422 for a cursor of another list."""
        match decode_cursor(self.cursor) if self.cursor else None:
            case None:
                return None
            case [str() as slug, int() as number, str() as round_id] if slug.isprintable():
                try:
                    return Place(slug, number, UUID(round_id))
                except ValueError as err:
                    raise cursor_invalid() from err
        raise cursor_invalid()


class FunnelAnswer(BaseModel):
    """How far the tries have come; correct to no_claim split the resolved ones."""

    tries: int
    decided: int = Field(description="Tries with a verdict, retracted ones too: what MER and vMER divide by")
    undecided: int
    unknown: int = Field(description="Imported without a claim, so that nothing says whether they fooled")
    no_target: int
    fooled: int
    resolved: int = Field(description="Of all tries, with a verdict or without")
    correct: int
    incorrect: int
    flagged: int
    disputed: int
    no_claim: int
    retracted: int
    pending: int

    @classmethod
    def of(cls, funnel: Funnel) -> Self:
        """Return the answer for a funnel."""
        return cls(
            tries=funnel.tries,
            decided=funnel.decided,
            undecided=funnel.undecided,
            unknown=funnel.unknown,
            no_target=funnel.no_target,
            fooled=funnel.fooled,
            resolved=funnel.resolved,
            **funnel.outcomes,
            retracted=funnel.retracted,
            pending=funnel.pending,
        )


class BurnUpPointAnswer(BaseModel):
    """Validated errors until a moment."""

    at: datetime
    validated: int


class ForecastAnswer(BaseModel):
    """When the goal is reached; with 95 % chance from `low` to `high`."""

    low: date
    expected: date
    high: date


class BurnUpAnswer(BaseModel):
    """Validated errors over time beside the goal, at most 60 points."""

    goal: int | None
    points: list[BurnUpPointAnswer]
    per_day: float | None = Field(
        description="Validated errors per day, over the last 28 days; null in the first day"
    )
    forecast: ForecastAnswer | None
    reason: str | None = Field(description="Why there is no forecast")

    @classmethod
    def of(cls, found: BurnUp) -> Self:
        """Return the answer for a burn-up."""
        band = found.forecast
        return cls(
            goal=found.goal,
            points=[BurnUpPointAnswer(at=at, validated=validated) for at, validated in found.points],
            per_day=found.per_day,
            forecast=band
            and ForecastAnswer(low=band.low.date(), expected=band.expected.date(), high=band.high.date()),
            reason=found.reason,
        )


class AuthorsAnswer(BaseModel):
    """How much of the tries a few people made; shares are null while no author is known."""

    people: int
    top5_share: float | None
    top1_share: float | None
    hhi: float | None = Field(description="Sum of the squared shares: 1 if one person made all")

    @classmethod
    def of(cls, found: Concentration) -> Self:
        """Return the answer for a concentration."""
        return cls(
            people=found.people, top5_share=found.top5_share, top1_share=found.top1_share, hhi=found.hhi
        )


class LabelsAnswer(BaseModel):
    """Examples by label, retracted ones left out; empty where no labels are claimed."""

    claimed: dict[str, int]
    gold: dict[str, int]


class StandingAnswer(BaseModel):
    """Where a round stands."""

    round_id: UUID
    task_slug: str | None
    number: int
    title: str
    state: str
    origin: str
    opened_at: datetime | None = Field(description="When it was opened first")
    funnel: FunnelAnswer
    burn_up: BurnUpAnswer
    authors: AuthorsAnswer
    labels: LabelsAnswer
    cohorts: dict[str, int] = Field(description="Tries by cohort")
    as_of: datetime

    @classmethod
    def of(cls, found: Standing) -> Self:
        """Return the answer for a standing."""
        return cls(
            **_head(found.head),
            opened_at=found.opened_at,
            funnel=FunnelAnswer.of(found.funnel),
            burn_up=BurnUpAnswer.of(found.burn_up),
            authors=AuthorsAnswer.of(found.authors),
            labels=LabelsAnswer(claimed=dict(found.claimed), gold=dict(found.gold)),
            cohorts=dict(found.cohorts),
            as_of=found.as_of,
        )


class StandingHeadlineAnswer(HeadlineAnswer):
    """A round in the list of all rounds."""

    round_id: UUID
    task_slug: str | None
    number: int
    title: str
    state: str
    origin: str
    pending: int
    as_of: datetime

    @classmethod
    def of(cls, head: RoundHead, board: Board) -> Self:
        """Return the answer for a round and its board."""
        figures = board.figures
        return cls(
            **_head(head),
            **headline_fields(figures),
            pending=figures.total.pending,
            as_of=board.as_of,
        )


class StandingsAnswer(BaseModel):
    """A page of rounds, by task and then the newest first."""

    items: list[StandingHeadlineAnswer]
    next_cursor: str | None

    @classmethod
    def of(cls, found: list[tuple[RoundHead, Board]], limit: int) -> Self:
        """Return the page of at most `limit` rounds; one more than that says that there are more."""
        last = found[limit - 1][0] if len(found) > limit else None
        return cls(
            items=[StandingHeadlineAnswer.of(head, board) for head, board in found[:limit]],
            next_cursor=last and encode_cursor(last.task_slug, last.number, str(last.round_id)),
        )


class EvidenceAnswer(BaseModel):
    """One question about the next round and its answer."""

    name: str = Field(description="goal, saturation, yield, validity or pending")
    says: Says
    text: str
    value: float | None
    threshold: float | None


class NextRoundAnswer(BaseModel):
    """Whether it is time for the next round, and why."""

    advice: Advice
    evidence: list[EvidenceAnswer]

    @classmethod
    def of(cls, advice: Advice, evidence: list[Evidence]) -> Self:
        """Return the answer for an advice."""
        return cls(advice=advice, evidence=[EvidenceAnswer(**asdict(each)) for each in evidence])


def _head(head: RoundHead) -> dict[str, object]:
    return {
        "round_id": head.round_id,
        "task_slug": head.task_slug or None,
        "number": head.number,
        "title": head.title,
        "state": head.state,
        "origin": head.origin,
    }

"""Response schemas of breakdowns and effort."""

from typing import Self
from uuid import UUID

from pydantic import BaseModel, Field

from leaderboard.domain.effort import Estimate
from leaderboard.entrypoints.http.schemas import FiguresAnswer, RatesOf, asked_fields
from leaderboard.queries.boards import Breakdown, By, SubjectEffort


class BreakdownQuery(BaseModel):
    """By what a round is broken down."""

    by: By = Field(description="A try is in the group of each tag of its context; weeks are ISO weeks, UTC")


class GroupAnswer(FiguresAnswer):
    """One group of a round's tries."""

    name: str = Field(description="A segment's number, a target, a condition, a cohort, a tag or an ISO week")
    not_asked: int = Field(description="Of a target: tries on which one of an earlier tier was right; else 0")
    rates_of: RatesOf


class BreakdownAnswer(BaseModel):
    """A round's figures by one dimension; of tags and the like at most the 200 with the most tries."""

    round_id: UUID
    by: By
    items: list[GroupAnswer]

    @classmethod
    def of(cls, round_id: UUID, by: By, found: Breakdown) -> Self:
        """Return the answer for a breakdown."""
        items = [GroupAnswer(**asked_fields(group.figures), name=group.name) for group in found.groups]
        return cls(round_id=round_id, by=by, items=items)


class CostAnswer(BaseModel):
    """A figure of effort; what is missing is null, and `reason` says why."""

    value: float | None
    n: int
    reason: str | None


class CostIntervalAnswer(CostAnswer):
    """A figure of effort with its 95 % interval."""

    low: float | None
    high: float | None

    @classmethod
    def of(cls, cost: Estimate) -> Self:
        """Return the answer for a figure."""
        return cls(value=cost.value, low=cost.low, high=cost.high, n=cost.n, reason=cost.reason)


class SurvivorsAnswer(BaseModel):
    """A step of the survival curve."""

    tries: int
    share: float = Field(
        description="Share of people's works on a context that are unfooled after so many tries"
    )
    at_risk: int = Field(description="Works that came to this try unfooled")
    low: float | None = Field(description="Of the 95 % interval; null where MER has none")
    high: float | None


class SubjectEffortAnswer(BaseModel):
    """What it took to fool one target, or the round's rule."""

    target: str | None = Field(description="Null for the rule")
    tries_per_fooling: CostIntervalAnswer = Field(description="`n` counts tries")
    minutes_per_validated_error: CostAnswer = Field(description="`n` counts validated errors")
    survival: list[SurvivorsAnswer]

    @classmethod
    def of(cls, found: SubjectEffort) -> Self:
        """Return the answer for a subject."""
        minutes = found.minutes_per_validated_error
        return cls(
            target=found.target,
            tries_per_fooling=CostIntervalAnswer.of(found.tries_per_fooling),
            minutes_per_validated_error=CostAnswer(value=minutes.value, n=minutes.n, reason=minutes.reason),
            survival=[
                SurvivorsAnswer(
                    tries=step.tries, share=step.share, at_risk=step.at_risk, low=step.low, high=step.high
                )
                for step in found.survival
            ],
        )


class EffortAnswer(BaseModel):
    """What fooling cost, the rule first, then the targets in the round's order."""

    items: list[SubjectEffortAnswer]

"""Request and response schemas of proposed targets."""

from datetime import datetime
from typing import Self

from dynabench_common.schemas import Input
from dynabench_tasks.configuration.task_configuration import MOST_TARGETS
from pydantic import BaseModel, Field

from leaderboard.domain.target_proposals import PassedOver, ProposedTarget, TargetProposals
from leaderboard.entrypoints.http.model_row_schemas import Ends, Places


class TargetProposalsQuery(Input):
    """How many targets the next round is to have."""

    targets: int = Field(default=1, ge=1, le=MOST_TARGETS)


class ProposedTargetAnswer(BaseModel):
    """A model to put into the loop, with its place on the board under the task's own weights."""

    model: str
    rank: int
    rank_set: Places
    score: float
    interval: Ends | None
    no_interval: str = Field(default="", description="Why it has no interval; empty if it has one")
    n: int = Field(description="Items that it is ranked by")
    is_baseline: bool
    trained_on: list[str] = Field(description="What its card says; empty where it says nothing")
    alike: dict[str, float] = Field(
        description="How its right and wrong answers correlate with those of the targets before it"
    )

    @classmethod
    def of(cls, found: ProposedTarget) -> Self:
        """Return the answer about a proposed target."""
        row = found.row
        return cls(
            model=row.model.name,
            rank=row.rank or 0,
            rank_set=list(row.rank_set or ()),
            score=row.score or 0.0,
            interval=None if row.interval is None else list(row.interval),
            no_interval=row.no_interval,
            n=row.n,
            is_baseline=row.model.is_baseline,
            trained_on=list(row.model.trained_on),
            alike=dict(found.alike),
        )


class PassedOverAnswer(BaseModel):
    """A model of the board that is not proposed, and why."""

    model: str
    rank: int | None
    reason: str

    @classmethod
    def of(cls, found: PassedOver) -> Self:
        """Return the answer about a model that was passed over."""
        return cls(model=found.row.model.name, rank=found.row.rank, reason=found.reason)


class TargetProposalsAnswer(BaseModel):
    """Targets for a task's next round, the best first."""

    task_slug: str
    as_of: datetime
    proposed: list[ProposedTargetAnswer]
    passed_over: list[PassedOverAnswer]
    waiting: list[str] = Field(
        description="Models whose evaluations are not all done; the proposal may change"
    )
    scored_rounds: list[int] = Field(description="Rounds whose items the models are ranked by")
    problem: str = Field(description="Why nobody is ranked; empty otherwise")

    @classmethod
    def of(cls, found: TargetProposals) -> Self:
        """Return the answer about proposals."""
        return cls(
            task_slug=found.board.facts.task_slug,
            as_of=found.board.facts.as_of,
            proposed=[ProposedTargetAnswer.of(each) for each in found.proposed],
            passed_over=[PassedOverAnswer.of(each) for each in found.passed_over],
            waiting=list(found.waiting),
            scored_rounds=[
                each.dataset.round_number
                for each in found.board.datasets
                if each.dataset.round_number and each.share > 0
            ],
            problem=found.board.problem,
        )

"""Bodies and answers of the routes about leases."""

from typing import Annotated, Any
from uuid import UUID

from dynabench_api.validation import LeaseAnswer
from dynabench_common.http.schemas import Input
from dynabench_tasks.verdict import Verdict
from pydantic import (
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

from validation.domain.queue import EVERYTHING, QueueFilter
from validation.entrypoints.http.schemas import question_about
from validation.service_layer.leases import Offer

LONGEST_NAME = 1_000
Name = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]


TELLING = ("verdict", "target", "claimed")
"""Filters that would tell who holds the example what its author claims, or whether that fooled."""


class FilterBody(Input):
    """Filters of the next example. A missing filter allows everything."""

    verdict: Verdict | None = Field(
        default=None, description="Refused, because it would reveal facts that voters must not know"
    )
    condition: Name | None = None
    cohort: Name | None = None
    tag: Name | None = Field(default=None, description="One of the example's tags")
    target: Name | None = Field(
        default=None, description="Refused, because it would reveal facts that voters must not know"
    )
    claimed: Name | None = Field(
        default=None, description="Refused, because it would reveal facts that voters must not know"
    )
    segment_id: UUID | None = None

    @field_validator(*TELLING)
    @classmethod
    def _tells_nothing(cls, value: Any) -> Any:
        if value is not None:
            raise ValueError(
                "would tell what a voter must not know; choose by condition, cohort, tag or segment_id instead, and "
                "see examples by verdict or claim in the list of the round's examples"
            )
        return value


class LeaseBody(Input):
    """The request for an example, with optional filters."""

    filter: FilterBody | None = Field(default=None, description="Only for owners of the task")

    @model_validator(mode="before")
    @classmethod
    def _may_be_left_out(cls, value: Any) -> Any:
        return {} if value is None else value

    def wanted(self) -> QueueFilter:
        """Return what the domain takes."""
        return QueueFilter(**self.filter.model_dump()) if self.filter else EVERYTHING


def lease_answer(offer: Offer) -> LeaseAnswer:
    """Return the answer that tells of an offer."""
    return LeaseAnswer(
        lease_id=offer.lease.lease_id,
        expires_at=offer.lease.expires_at,
        can_go_back=offer.can_go_back,
        **question_about(offer.example),
    )

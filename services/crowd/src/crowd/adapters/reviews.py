"""Owners' decisions on evidence, and keyed hashes of the addresses that people entered from."""

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from dynabench_api.words import FairPlayDecision
from sqlalchemy import Connection, and_, func, select
from sqlalchemy.dialects.postgresql import insert

from crowd.adapters.tables import assignment, campaign, entry_address, review
from crowd.domain.review import Review

IS_APPEALED = and_(review.c.appeal.is_not(None), review.c.answer.is_(None))
"""The appeal waits for the owner's answer."""


class SqlReviews:
    """Stored decisions, and addresses of entries."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, assignment_id: UUID) -> Review | None:
        """Return the decision on a person's assignment, if there is one."""
        return reviews_of(self._connection, [assignment_id]).get(assignment_id)

    def save(self, changed: Review) -> None:
        """Store a decision."""
        new = insert(review).values(**asdict(changed))
        again = new.on_conflict_do_update(index_elements=["assignment_id"], set_=dict(new.excluded.items()))
        self._connection.execute(again)

    def is_excluded(self, person_id: UUID, task_slug: str) -> bool:
        """Return whether a person is excluded from the campaigns of a task."""
        excluded = (
            select(review.c.assignment_id)
            .join(assignment, assignment.c.assignment_id == review.c.assignment_id)
            .join(campaign, campaign.c.campaign_id == assignment.c.campaign_id)
            .where(
                assignment.c.person_id == person_id,
                campaign.c.task_slug == task_slug,
                review.c.decision == FairPlayDecision.EXCLUDED,
            )
        )
        return self._connection.execute(excluded.limit(1)).first() is not None

    def saw_address(self, assignment_id: UUID, address: bytes, now: datetime) -> None:
        """Store the hash of the address that a person entered from."""
        new = insert(entry_address).values(assignment_id=assignment_id, address=address, seen_at=now)
        self._connection.execute(
            new.on_conflict_do_update(index_elements=["assignment_id", "address"], set_={"seen_at": now})
        )


def reviews_of(connection: Connection, assignment_ids: Collection[UUID]) -> dict[UUID, Review]:
    """Return the decisions by assignment."""
    rows = connection.execute(select(review).where(review.c.assignment_id.in_(assignment_ids)))
    return {
        row["assignment_id"]: Review(**{**row, "decision": FairPlayDecision(row["decision"])})
        for row in rows.mappings()
    }


def open_appeals(connection: Connection, campaign_ids: Collection[UUID]) -> dict[UUID, int]:
    """Return the number of appeals without an answer by campaign; none for the others."""
    counted = (
        select(assignment.c.campaign_id, func.count())
        .join(review, review.c.assignment_id == assignment.c.assignment_id)
        .where(assignment.c.campaign_id.in_(campaign_ids), IS_APPEALED)
        .group_by(assignment.c.campaign_id)
    )
    return {row[0]: row[1] for row in connection.execute(counted)}

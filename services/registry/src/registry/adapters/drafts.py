"""Uploads that have not ended."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import Engine, select

from registry.adapters.tables import submission
from registry.domain.submission import SubmissionState


class SqlDrafts:
    """Finds old ones."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def older(self, began_before: datetime, most: int) -> list[UUID]:
        """Return those that began before a moment, the oldest first."""
        statement = (
            select(submission.c.submission_id)
            .where(submission.c.state == SubmissionState.DRAFT, submission.c.created_at < began_before)
            .order_by(submission.c.created_at)
            .limit(most)
        )
        with self._engine.connect() as connection:
            return list(connection.execute(statement).scalars())

    def checked(self, submission_ids: Collection[UUID]) -> frozenset[UUID]:
        """Return those of these submissions whose checks go on."""
        statement = select(submission.c.submission_id).where(
            submission.c.submission_id.in_(submission_ids), submission.c.state == SubmissionState.CHECKING
        )
        with self._engine.connect() as connection:
            return frozenset(connection.execute(statement).scalars())

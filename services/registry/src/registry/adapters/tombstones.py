"""Tombstones in PostgreSQL: deletion of a submission's rows, and a list of its bytes that remain elsewhere."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, Row, select, text

from registry.adapters.submission_store import FREE, read_submission
from registry.adapters.tables import (
    submission,
    submission_entry,
    submission_log,
    submission_step,
    webhook_call,
)
from registry.domain.submission import Submission, SubmissionState
from registry.domain.tombstone import Remains, Tombstone

TOLD = (webhook_call, submission_entry, submission_log, submission_step)
DIGESTS = ("sha256", "model_digest", "handler_digest")
USED = text(
    "SELECT EXISTS (SELECT 1 FROM submission WHERE served->>'file' = :file"
    " AND submission_id <> :submission_id AND state <> 'deleted')"
)


class SqlTombstones:
    """Buries submissions, in the caller's transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def bury(self, deleted: Submission, tombstone: Tombstone) -> Submission:
        """Delete the content of a locked submission and store its tombstone; return the emptied submission."""
        for table in TOLD:
            self._connection.execute(table.delete().where(table.c.submission_id == deleted.submission_id))
        statement = (
            submission.update()
            .where(submission.c.submission_id == deleted.submission_id)
            .values(
                state=SubmissionState.DELETED,
                file_name="",
                scan=None,
                card=None,
                signed_by=None,
                signature=None,
                webhook_url=None,
                webhook_secret=None,
                ended_at=deleted.ended_at or tombstone.deleted_at,
                deleted_at=tombstone.deleted_at,
                deleted_as=tombstone.deleted_as,
                deletion_reason=tombstone.reason,
                was_published=tombstone.was_published,
                **FREE,
            )
            .returning(submission)
        )
        return read_submission(self._connection.execute(statement).one())


class SqlGraveyard:
    """Tombstones whose bytes may still be there."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def remains(self, most: int) -> Sequence[Remains]:
        """Return the bytes to remove, those of the earliest deletion first."""
        statement = (
            select(submission)
            .where(submission.c.deleted_at.is_not(None), submission.c.removed_at.is_(None))
            .order_by(submission.c.deleted_at)
            .limit(most)
        )
        with self._engine.connect() as connection:
            return [_remains(row) for row in connection.execute(statement)]

    def is_used(self, file: str, submission_id: UUID) -> bool:
        """Return whether a submission that is not deleted serves the same archive."""
        with self._engine.connect() as connection:
            given = {"file": file, "submission_id": submission_id}
            return bool(connection.execute(USED, given).scalar_one())

    def end(self, submission_id: UUID, now: datetime) -> None:
        """Record that all bytes are removed, and keep only the digests of the served archive."""
        with self._engine.begin() as connection:
            own = submission.c.submission_id == submission_id
            served = connection.execute(select(submission.c.served).where(own)).scalar_one() or {}
            digests = {name: served[name] for name in DIGESTS if name in served}
            connection.execute(submission.update().where(own).values(removed_at=now, served=digests or None))


def _remains(row: Row[Any]) -> Remains:
    served = row.served or {}
    return Remains(
        submission_id=row.submission_id,
        archive_key=row.archive_key,
        upload_id=row.upload_id,
        serving_name=row.serving_name,
        served_key=served.get("key"),
        served_file=served.get("file"),
    )

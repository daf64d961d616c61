"""Texts of archives' entries, for the people who decide on archives with code."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import Engine, select

from registry.adapters.tables import submission, submission_entry
from registry.domain.submission import SubmissionState


class SqlEntryTexts:
    """Keeps and reads them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def keep(self, submission_id: UUID, texts: Mapping[str, str]) -> None:
        """Replace what is kept of an archive; nothing is kept of one that is no longer checked."""
        rows = [
            {"submission_id": submission_id, "path": path, "content": content}
            for path, content in texts.items()
        ]
        own = select(submission.c.state).where(submission.c.submission_id == submission_id)
        with self._engine.begin() as connection:
            if connection.execute(own.with_for_update()).scalar_one_or_none() != SubmissionState.CHECKING:
                return
            connection.execute(
                submission_entry.delete().where(submission_entry.c.submission_id == submission_id)
            )
            if rows:
                connection.execute(submission_entry.insert(), rows)

    def text(self, submission_id: UUID, path: str) -> str | None:
        """Return the text of an entry, None where there is none to show."""
        statement = select(submission_entry.c.content).where(
            submission_entry.c.submission_id == submission_id, submission_entry.c.path == path
        )
        with self._engine.connect() as connection:
            return connection.execute(statement).scalar_one_or_none()

"""Submissions that should be served, among all that should be."""

from sqlalchemy import Connection

from registry.adapters.served_models import SqlServedModels
from registry.domain.served_model import Origin, submitted_model
from registry.domain.serving import Archive
from registry.domain.submission import Pool, Submission

ARCHIVE_FIELDS = ("file", "sha256", "model_digest", "handler_digest", "size", "key")


class SqlSubmittedModels:
    """Writes them, in the caller's transaction."""

    def __init__(self, connection: Connection) -> None:
        self._served = SqlServedModels(connection)

    def put(self, submission: Submission, name: str) -> None:
        """Serve a submission's archive under a name, on demand."""
        served, pool = submission.served or {}, submission.pool or Pool.SHARED
        archive = Archive(**{field: served[field] for field in ARCHIVE_FIELDS})
        declared = submitted_model(name, str(submission.version), submission.task_slug, served, archive, pool)
        self._served.put(declared, archive, Origin.SUBMISSION, pool, submission.submission_id)

    def withdraw(self, name: str) -> None:
        """Serve a model no longer."""
        self._served.withdraw(name)

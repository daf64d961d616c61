"""Desired models as rows of the database. The models file and submissions share one name space."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from dynabench_archives.model_servers import Archive, Pool
from sqlalchemy import Connection, Row, and_, func, select
from sqlalchemy.dialects.postgresql import insert

from registry.adapters.serving_tables import served_model
from registry.domain.declarations import Declared, read_declaration
from registry.domain.served_model import (
    Origin,
    ServedModel,
    read_archive,
    submitted_model,
    write_archive,
    write_declaration,
)
from registry.domain.submission import Submission

ARCHIVE_FIELDS = ("file", "sha256", "model_digest", "handler_digest", "size", "key")


class ServingNameTaken(Exception):
    """A model of another origin or another submission is served under the name."""


class SqlServedModels:
    """Reads and writes what should be served, in the caller's transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(
        self,
        declared: Declared,
        archive: Archive | str,
        origin: Origin,
        pool: Pool,
        submission_id: UUID | None = None,
    ) -> None:
        """Have a model served, or served otherwise than before; the same again has a failed one tried at once.

        `archive` may be the reason why there is none. Raises ServingNameTaken.
        """
        values = {
            "name": declared.name,
            "origin": origin.value,
            "submission_id": submission_id,
            "pool": pool.value,
            "declaration": write_declaration(declared),
            "archive": write_archive(archive),
            "wanted": True,
        }
        statement = insert(served_model).values(values)
        is_own = and_(
            served_model.c.origin == origin.value,
            served_model.c.submission_id.is_not_distinct_from(submission_id),
        )
        changed = {name: value for name, value in values.items() if name != "name"}
        statement = statement.on_conflict_do_update(
            index_elements=["name"], set_={**changed, "updated_at": func.clock_timestamp()}, where=is_own
        )
        if self._connection.execute(statement).rowcount == 0:
            raise ServingNameTaken(declared.name)

    def withdraw(self, name: str) -> bool:
        """Let a model be served no more; tell whether it was to be."""
        statement = (
            served_model.update()
            .where(served_model.c.name == name, served_model.c.wanted)
            .values(wanted=False, updated_at=func.now())
        )
        return self._connection.execute(statement).rowcount == 1

    def withdraw_of_file_except(self, names: Collection[str]) -> None:
        """Let the models of the file be served no more that are not named."""
        is_left = and_(
            served_model.c.origin == Origin.FILE.value,
            served_model.c.wanted,
            served_model.c.name.not_in(names),
        )
        self._connection.execute(
            served_model.update().where(is_left).values(wanted=False, updated_at=func.now())
        )

    def wanted(self) -> tuple[ServedModel, ...]:
        """Return the models that should be served, by name."""
        statement = select(served_model).where(served_model.c.wanted).order_by(served_model.c.name)
        return tuple(_read(row) for row in self._connection.execute(statement))


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


def _read(row: Row[Any]) -> ServedModel:
    return ServedModel(
        declared=read_declaration(row.declaration),
        archive=read_archive(row.archive),
        origin=Origin(row.origin),
        pool=Pool(row.pool),
        submission_id=row.submission_id,
        updated_at=row.updated_at,
    )

"""Imported records in PostgreSQL: the example made from each, and the pseudonyms of its people."""

from collections.abc import Collection, Sequence

from dynabench_common.database.bulk import as_document, insert_rows
from sqlalchemy import Connection, select

from annotation.adapters import tables
from annotation.domain.example import Example
from annotation.domain.identifiers import RoundId, TaskId
from annotation.domain.provenance import Pseudonyms


class SqlRecords:
    """Records that are stored as examples."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add_all(self, round_id: RoundId, examples: Sequence[Example]) -> None:
        """Store the source records of the examples."""
        rows = [
            {
                "round_id": round_id,
                "source_id": example.provenance.source_id,
                "example_id": example.example_id,
                "digest": example.provenance.digest,
            }
            for example in examples
            if example.provenance is not None
        ]
        if rows:
            self._connection.execute(insert_rows(tables.imported_record), as_document(rows))

    def digests(self, round_id: RoundId, source_ids: Collection[str]) -> dict[str, bytes]:
        """Return the digests of those records that are stored, by their ids in the collection."""
        record = tables.imported_record.c
        own = select(record.source_id, record.digest).where(
            record.round_id == round_id, record.source_id.in_(source_ids)
        )
        return {row.source_id: bytes(row.digest) for row in self._connection.execute(own)}

    def pseudonyms(self, task_id: TaskId) -> Pseudonyms:
        """Return the pseudonyms of a task that has a key; the import created the key at its start."""
        key = select(tables.task.c.pseudonym_key).where(tables.task.c.task_id == task_id)
        return Pseudonyms(bytes(self._connection.execute(key).scalar_one()))

    def ensure_key(self, task_id: TaskId, key: bytes) -> None:
        """Store this key for a task's pseudonyms, unless it has one."""
        task = tables.task
        self._connection.execute(
            task.update()
            .where(task.c.task_id == task_id, task.c.pseudonym_key.is_(None))
            .values(pseudonym_key=key)
        )

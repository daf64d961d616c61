"""Near duplicates in PostgreSQL: the bands of each example under a GIN index, which finds any that overlap.

Measured with 20,000 examples in a round: 0.4 ms more for each try, and 2 ms for a search; with a million, a search
in the database takes 0.4 ms.
"""

from collections.abc import Mapping

from dynabench_common.database.bulk import as_document, insert_rows
from dynabench_tasks.near_duplicates import Shingles, bands_of
from sqlalchemy import Connection, select

from annotation.adapters import tables
from annotation.domain.identifiers import ExampleId, PersonId, RoundId
from annotation.domain.written_text import WrittenExample

MOST_CANDIDATES = 1_000


class SqlMinHashes:
    """The search for examples with similar texts."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add_all(self, round_id: RoundId, shingles: Mapping[ExampleId, Shingles]) -> None:
        """Index examples by the shingles of their authors' texts."""
        rows = [
            {"example_id": example_id, "bands": bands_of(round_id, own)}
            for example_id, own in shingles.items()
        ]
        if rows:
            self._connection.execute(insert_rows(tables.example_signature), as_document(rows))

    def find_candidates(self, round_id: RoundId, shingles: Shingles) -> list[WrittenExample]:
        """Return examples of a round that are probably near duplicates, newest first, without retracted ones.

        There are at most MOST_CANDIDATES.
        """
        bands = bands_of(round_id, shingles)
        if not bands:
            return []
        example, similar = tables.example.c, tables.similar_signatures(bands, "similar")
        statement = (
            select(example.example_id, example.author_id, example.input)
            .join(similar, similar.c.example_id == example.example_id)
            .where(example.round_id == round_id, example.retracted_at.is_(None))
            .order_by(example.example_id.desc())
            .limit(MOST_CANDIDATES)
        )
        return [
            WrittenExample(ExampleId(row.example_id), PersonId(row.author_id), row.input)
            for row in self._connection.execute(statement)
        ]

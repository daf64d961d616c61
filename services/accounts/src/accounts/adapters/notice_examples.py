"""Known facts about examples, in PostgreSQL."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from uuid import UUID

from dynabench_common.bulk import as_document, as_ids, is_among, upsert_rows
from sqlalchemy import Connection, select

from accounts.adapters.notice_tables import notice_example
from accounts.domain.told_examples import ToldExample

CHOSEN = select(notice_example).where(is_among(notice_example.c.example_id))
SAVE = upsert_rows(notice_example)


def load_examples(connection: Connection, example_ids: Iterable[UUID]) -> dict[UUID, ToldExample]:
    """Return what is known of these examples, by id; nothing for those that are new."""
    wanted = list(example_ids)
    if not wanted:
        return {}
    rows = connection.execute(CHOSEN, as_ids(wanted))
    return {row.example_id: ToldExample(**row._mapping) for row in rows}


def save_examples(connection: Connection, examples: Sequence[ToldExample]) -> None:
    """Write them, in the order of their ids."""
    if examples:
        rows = [asdict(each) for each in sorted(examples, key=lambda each: each.example_id)]
        connection.execute(SAVE, as_document(rows))

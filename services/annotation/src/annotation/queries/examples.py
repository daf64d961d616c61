"""Examples, and counts of tries."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, and_, bindparam, func, select, true

from annotation.adapters import tables
from annotation.adapters.example_repository import select_examples
from annotation.adapters.rows import to_example
from annotation.domain.errors import NotFound
from annotation.domain.example import Example
from annotation.queries import read_rows


@dataclass(frozen=True)
class RoundCounts:
    """Counts of a round's tries; retracted ones stay tries, and their fooling is not counted."""

    tries: int
    fooled: int
    not_fooled: int
    retracted: int


def get_example(engine: Engine, example_id: UUID) -> Example:
    """Return an example. Raises NotFound."""
    rows = read_rows(engine, select_examples().where(tables.example.c.example_id == example_id))
    if not rows:
        raise NotFound("example", "example_id")
    return to_example(rows[0])


def list_examples(
    engine: Engine, round_id: UUID, author_id: UUID | None, limit: int, before_id: UUID | None
) -> list[Example]:
    """Return a round's examples, newest first, of one author or of all."""
    example = tables.example.c
    statement = select_examples().where(example.round_id == round_id)
    if author_id is not None:
        statement = statement.where(example.author_id == author_id)
    if before_id is not None:
        statement = statement.where(example.example_id < before_id)
    return [
        to_example(row)
        for row in read_rows(engine, statement.order_by(example.example_id.desc()).limit(limit))
    ]


def _counts() -> Any:
    example = tables.example.c
    kept, fooled = example.retracted_at.is_(None), tables.counts_as_fooling
    did_not_fool = and_(example.verdict.in_(("fooled", "not_fooled")), kept, ~fooled)
    counts = {"tries": true(), "fooled": fooled, "not_fooled": did_not_fool, "retracted": ~kept}
    numbers = (func.count().filter(condition).label(name) for name, condition in counts.items())
    return select(*numbers).where(example.round_id == bindparam("round_id"))


COUNTS = _counts()
OWN_COUNTS = COUNTS.where(tables.example.c.author_id == bindparam("author_id"))


def count_tries(engine: Engine, round_id: UUID, author_id: UUID | None = None) -> RoundCounts:
    """Count a round's tries, of one author or of all."""
    statement = COUNTS if author_id is None else OWN_COUNTS
    parameters = {"round_id": round_id, "author_id": author_id}
    return RoundCounts(**read_rows(engine, statement, parameters)[0]._mapping)


def count_records(engine: Engine, round_id: UUID) -> int:
    """Count the records of a collection that are in a round."""
    record = tables.imported_record.c
    return int(read_rows(engine, select(func.count()).where(record.round_id == round_id))[0][0])

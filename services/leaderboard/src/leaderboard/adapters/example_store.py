"""Known facts of examples, read and written in bulk."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any
from uuid import UUID

from dynabench_common.database.bulk import as_document, as_ids, insert_rows, is_among, upsert_rows
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.verdict import Verdict
from sqlalchemy import Connection, Row, Select, select

from leaderboard.adapters.tables import answer, example
from leaderboard.domain.facts import (
    AuthorsVerdict,
    Duplicate,
    Example,
    NewestResolution,
    Overruled,
    Retracted,
    StoredAnswer,
    Try,
    WaitingAgain,
)


class Part:
    """Columns of a part of an example, named after its fields if not `renamed`. All are empty while it is unknown."""

    def __init__(self, record: type[Any], **renamed: str) -> None:
        self._record = record
        self._columns = {field.name: renamed.get(field.name, field.name) for field in fields(record)}

    def read(self, columns: Mapping[str, Any]) -> Any:
        """Return the part, or None if it is unknown."""
        if columns[self._columns["version"]] is None:
            return None
        stored = {name: columns[column] for name, column in self._columns.items()}
        return self._record(**{name: READ.get(name, _unchanged)(value) for name, value in stored.items()})

    def columns_of(self, part: Any) -> dict[str, Any]:
        """Return the values of the columns."""
        return {column: part and _storable(getattr(part, name)) for name, column in self._columns.items()}


def _unchanged(value: Any) -> Any:
    return value


def _storable(value: Any) -> Any:
    return sorted(value) if isinstance(value, frozenset) else value


READ: Mapping[str, Callable[[Any], Any]] = {
    "verdict": Verdict,
    "outcome": Resolution,
    "golds": tuple,
    "tags": tuple,
    "wrong_targets": frozenset,
}
"""Readers of the fields that are stored in another form."""
PARTS: Mapping[str, Part] = {
    "attempt": Part(Try, version="try_version"),
    "authors_verdict": Part(AuthorsVerdict, version="decision_version", verdict="decided_verdict"),
    "retracted": Part(Retracted, version="retraction_version"),
    "resolved": Part(NewestResolution, version="resolution_version"),
    "waiting_again": Part(WaitingAgain, version="withdrawal_version"),
    "duplicate": Part(Duplicate, version="duplicate_version"),
    "overruled": Part(Overruled, version="overruled_version"),
}
"""The parts of `Example`, by name."""

CHUNK = 2_000
UPSERT_EXAMPLES = upsert_rows(example)
INSERT_ANSWERS = insert_rows(answer)


def load(connection: Connection, example_ids: Iterable[UUID]) -> dict[UUID, Example]:
    """Return the examples of these ids; an unknown one is returned empty."""
    ids = list(example_ids)
    known = {
        found.example_id: found
        for found in _read(connection, select(example).where(is_among(example.c.example_id)), as_ids(ids))
    }
    return {example_id: known.get(example_id) or Example(example_id) for example_id in ids}


def of_configuration(connection: Connection, task_id: UUID, configuration_version: int) -> Iterator[Example]:
    """Yield every example whose verdict that configuration decided, in chunks by id."""
    chosen = select(example).where(
        example.c.task_id == task_id, example.c.configuration_version == configuration_version
    )
    last = UUID(int=0)
    while True:
        statement = chosen.where(example.c.example_id > last).order_by(example.c.example_id).limit(CHUNK)
        chunk = _read(connection, statement, {})
        yield from chunk
        if len(chunk) < CHUNK:
            return
        last = chunk[-1].example_id


def save(connection: Connection, before: dict[UUID, Example], after: Sequence[Example]) -> None:
    """Write examples that changed, and the answers of those whose try is new."""
    if after:
        connection.execute(UPSERT_EXAMPLES, as_document([_example_row(changed) for changed in after]))
    answers = [
        {"example_id": changed.example_id, "position": position, **asdict(given)}
        for changed in after
        if changed.attempt is not None and before[changed.example_id].attempt is None
        for position, given in enumerate(changed.attempt.answers)
    ]
    if answers:
        connection.execute(INSERT_ANSWERS, as_document(answers))


def _read(connection: Connection, statement: Select[Any], parameters: dict[str, Any]) -> list[Example]:
    rows = connection.execute(statement, parameters).all()
    answers: dict[UUID, list[StoredAnswer]] = defaultdict(list)
    found = (
        select(answer).where(is_among(answer.c.example_id)).order_by(answer.c.example_id, answer.c.position)
    )
    for given in connection.execute(found, as_ids(row.example_id for row in rows)):
        answers[given.example_id].append(
            StoredAnswer(given.target, given.value, given.wrong, given.missing, given.not_asked)
        )
    return [_example(row, tuple(answers[row.example_id])) for row in rows]


def _example(row: Row[Any], answers: tuple[StoredAnswer, ...]) -> Example:
    columns = {**row._mapping, "answers": answers}
    parts = {name: part.read(columns) for name, part in PARTS.items()}
    return Example(row.example_id, votes=row.votes, **parts)


def _example_row(known: Example) -> dict[str, Any]:
    row = {"example_id": known.example_id, "votes": known.votes}
    for name, part in PARTS.items():
        row |= part.columns_of(getattr(known, name))
    del row["answers"]  # They have a table of their own.
    return row

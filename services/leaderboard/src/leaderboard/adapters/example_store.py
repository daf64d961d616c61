"""Known facts of examples, read and written in bulk."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
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

CHUNK = 2_000
UPSERT_EXAMPLES = upsert_rows(example)
INSERT_ANSWERS = insert_rows(answer)


def load(connection: Connection, example_ids: Iterable[UUID]) -> dict[UUID, Example]:
    """Return the examples of these ids; one that nothing is known of comes back empty."""
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
        {
            "example_id": changed.example_id,
            "position": position,
            "target": given.target,
            "value": given.value,
            "wrong": given.wrong,
            "missing": given.missing,
            "not_asked": given.not_asked,
        }
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
    attempt = authors_verdict = retracted = resolved = waiting_again = None
    if row.try_version is not None:
        attempt = Try(
            row.try_version,
            row.round_id,
            row.task_id,
            row.configuration_version,
            row.segment_id,
            row.author_id,
            Verdict(row.verdict),
            answers,
            row.created_at,
            row.condition,
            row.cohort or "",
            tuple(row.tags or ()),
            row.claimed or "",
            row.context_id,
            row.number or 0,
            row.milliseconds or 0,
            bool(row.from_elsewhere),
        )
    if row.decision_version is not None:
        authors_verdict = AuthorsVerdict(
            row.decision_version, Verdict(row.decided_verdict), frozenset(row.wrong_targets), row.decided_at
        )
    if row.retraction_version is not None:
        retracted = Retracted(row.retraction_version, row.retracted_at)
    if row.resolution_version is not None:
        resolved = NewestResolution(
            row.resolution_version,
            Resolution(row.outcome),
            tuple(row.golds),
            row.resolved_at,
        )
    if row.withdrawal_version is not None:
        waiting_again = WaitingAgain(row.withdrawal_version, row.withdrawn_at)
    duplicate = None if row.duplicate_version is None else Duplicate(row.duplicate_version, row.duplicate_of)
    overruled = None if row.overruled_version is None else Overruled(row.overruled_version)
    return Example(
        row.example_id,
        attempt,
        authors_verdict,
        retracted,
        resolved,
        waiting_again,
        row.votes,
        duplicate,
        overruled,
    )


def _example_row(known: Example) -> dict[str, Any]:
    attempt, decided, retracted = known.attempt, known.authors_verdict, known.retracted
    resolved, waiting = known.resolved, known.waiting_again
    return {
        "example_id": known.example_id,
        "try_version": attempt and attempt.version,
        "round_id": attempt and attempt.round_id,
        "task_id": attempt and attempt.task_id,
        "configuration_version": attempt and attempt.configuration_version,
        "segment_id": attempt and attempt.segment_id,
        "author_id": attempt and attempt.author_id,
        "verdict": attempt and attempt.verdict.value,
        "created_at": attempt and attempt.created_at,
        "condition": attempt and attempt.condition,
        "decision_version": decided and decided.version,
        "decided_verdict": decided and decided.verdict.value,
        "wrong_targets": decided and sorted(decided.wrong_targets),
        "decided_at": decided and decided.decided_at,
        "retraction_version": retracted and retracted.version,
        "retracted_at": retracted and retracted.retracted_at,
        "resolution_version": resolved and resolved.version,
        "outcome": resolved and resolved.outcome.value,
        "golds": resolved and list(resolved.golds),
        "resolved_at": resolved and resolved.resolved_at,
        "votes": known.votes,
        "cohort": attempt and attempt.cohort,
        "tags": attempt and list(attempt.tags),
        "claimed": attempt and attempt.claimed,
        "context_id": attempt and attempt.context_id,
        "number": attempt and attempt.number,
        "milliseconds": attempt and attempt.milliseconds,
        "from_elsewhere": attempt and attempt.from_elsewhere,
        "withdrawal_version": waiting and waiting.version,
        "withdrawn_at": waiting and waiting.withdrawn_at,
        "duplicate_version": known.duplicate and known.duplicate.version,
        "duplicate_of": known.duplicate and known.duplicate.duplicate_of,
        "overruled_version": known.overruled and known.overruled.version,
    }

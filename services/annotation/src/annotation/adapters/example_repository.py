"""Examples in PostgreSQL."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.database.bulk import as_document, insert_rows
from dynabench_common.events.outbox import outbox_message
from dynabench_common.work.locks import wait_for_lock
from dynabench_tasks.fields.labels import LONGEST_LABEL
from dynabench_tasks.rounds import RoundState
from dynabench_tasks.values import Value
from sqlalchemy import Connection, Select, Uuid, bindparam, column, exists, func, literal, select, true
from sqlalchemy.dialects.postgresql import ARRAY

from annotation.adapters import tables
from annotation.adapters.documents import answer_document
from annotation.adapters.rows import ATTEMPT_COLUMNS, EXAMPLE_COLUMNS, to_example
from annotation.adapters.task_repository import Record
from annotation.domain.errors import NotFound
from annotation.domain.example import Example
from annotation.domain.identifiers import ContextId, ExampleId, PersonId, RoundId, TaskId

INSERT = insert_rows(tables.example)
FILLED_AT_ONCE = 200


def select_examples() -> Select[Any]:
    """Select examples with the slug of their task and the record that they were made of, if any."""
    example, task, record = tables.example, tables.task, tables.imported_record
    joined = example.join(task, task.c.task_id == example.c.task_id).outerjoin(
        record, record.c.example_id == example.c.example_id
    )
    return select(example, task.c.slug, record.c.source_id, record.c.digest).select_from(joined)


class SqlExamples:
    """Stored examples."""

    def __init__(self, connection: Connection, record: Record) -> None:
        self._connection = connection
        self._record = record

    def add_all(self, examples: Sequence[Example]) -> None:
        """Store new examples."""
        if examples:
            self._connection.execute(INSERT, as_document([_row(example) for example in examples]))
            self._record(outbox_message(event) for example in examples for event in example.take_unsaved())

    def newest_attempts(self, authors: Iterable[tuple[ContextId, PersonId]]) -> dict[tuple[UUID, UUID], int]:
        """Return the number of the last try on a context for each author with tries: one look-up each."""
        pairs = list(authors)
        asked = (
            func.unnest(
                literal([context_id for context_id, _ in pairs], ARRAY(Uuid)),
                literal([author_id for _, author_id in pairs], ARRAY(Uuid)),
            )
            .table_valued(column("context_id", Uuid), column("author_id", Uuid))
            .render_derived()
        )
        example = tables.example.c
        newest = (
            select(example.attempt)
            .where(example.context_id == asked.c.context_id, example.author_id == asked.c.author_id)
            .order_by(example.attempt.desc())
            .limit(1)
            .lateral("newest")
        )
        rows = self._connection.execute(select(asked, newest).select_from(asked.join(newest, true())))
        return {(row.context_id, row.author_id): row.attempt for row in rows}

    def get(self, example_id: ExampleId) -> Example:
        """Return the example. Raises NotFound."""
        return self._one(select_examples().where(tables.example.c.example_id == example_id))

    def lock(self, example_id: ExampleId) -> Example:
        """Return the example, locked against other changes. Raises NotFound."""
        statement = select_examples().where(tables.example.c.example_id == example_id)
        return self._one(statement.with_for_update(of=tables.example, key_share=True))

    def lock_overdue(self, before: datetime, most: int) -> list[Example]:
        """Lock and return the oldest examples from before that time whose authors have not decided yet."""
        round_ = tables.round_.c
        is_released = exists().where(
            round_.round_id == tables.example.c.round_id, round_.state == RoundState.RELEASED.value
        )
        statement = (
            select_examples()
            .where(tables.waits_for_author, tables.example.c.created_at < before, ~is_released)
            .order_by(tables.example.c.created_at)
            .limit(most)
            .with_for_update(of=tables.example, key_share=True, skip_locked=True)
        )
        return [to_example(row) for row in self._connection.execute(statement)]

    def save(self, example: Example) -> None:
        """Store the changes: explanations, metadata, the author's decision, retraction."""
        if example.unsaved:
            own = tables.example.c.example_id == example.example_id
            self._connection.execute(tables.example.update().where(own).values(_changeable(example)))
            self._record(map(outbox_message, example.take_unsaved()))

    def count(self, round_id: RoundId, author_id: PersonId) -> int:
        """Count a person's tries in a round."""
        statement = select(func.count()).where(
            tables.example.c.round_id == round_id, tables.example.c.author_id == author_id
        )
        return int(self._connection.execute(statement).scalar_one())

    def find_unexplained_fooling(self, round_id: RoundId, author_id: PersonId) -> ExampleId | None:
        """Return the person's newest fooling example of a round if it has no explanation of the fooling."""
        example = tables.example.c
        newest = (
            select(example.example_id, example.model_explanation)
            .where(
                example.round_id == round_id,
                example.author_id == author_id,
                tables.counts_as_fooling,
            )
            .order_by(example.example_id.desc())
            .limit(1)
        )
        row = self._connection.execute(newest).one_or_none()
        return ExampleId(row.example_id) if row is not None and not row.model_explanation.strip() else None

    def find_fooling_text(
        self,
        task_id: TaskId,
        digest: bytes,
        claimed: Value | None,
        digest_of: Callable[[Any, Any], bytes],
    ) -> ExampleId | None:
        """Return the first example of the task that counts as fooling, and has the digest and the claim.

        Other look-ups of the digest wait until the transaction ends, so that one of two equal texts comes first.
        """
        wait_for_lock(self._connection, "fooling-text", f"{task_id} {digest.hex()}")
        self._fill_text_digests(task_id, digest_of)
        example = tables.example.c
        statement = (
            select(example.example_id, example.claimed)
            .where(example.task_id == task_id, example.text_digest == digest, tables.counts_as_fooling)
            .order_by(example.example_id)
        )
        found = (row.example_id for row in self._connection.execute(statement) if row.claimed == claimed)
        return next(map(ExampleId, found), None)

    def _fill_text_digests(self, task_id: TaskId, digest_of: Callable[[Any, Any], bytes]) -> None:
        """Work out some digests of imported foolings."""
        example = tables.example.c
        without = (
            select(example.example_id, example.context, example.input)
            .where(example.task_id == task_id, example.verdict == "fooled", example.text_digest.is_(None))
            .limit(FILLED_AT_ONCE)
            .with_for_update(skip_locked=True, key_share=True)
        )
        found = [
            {"id": row.example_id, "digest": digest_of(row.context, row.input)}
            for row in self._connection.execute(without)
        ]
        if found:
            fill = tables.example.update().where(example.example_id == bindparam("id"))
            self._connection.execute(fill.values(text_digest=bindparam("digest")), found)

    def _one(self, statement: Select[Any]) -> Example:
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise NotFound("example", "example_id")
        return to_example(row)


def _row(example: Example) -> dict[str, Any]:
    attempt = example.attempt
    return {
        **{name: getattr(attempt, name) for name in ATTEMPT_COLUMNS},
        **{name: getattr(example, name) for name in EXAMPLE_COLUMNS},
        "context_tags": attempt.context_tags,
        "claimed_labels": _labels(attempt.claimed),
        "attempt": attempt.number,
        **_changeable(example),
    }


def _labels(claimed: Value | None) -> list[str]:
    """Return the labels of a claim, which later configurations must keep."""
    if claimed is None:
        return []
    if isinstance(claimed, str):
        return [claimed] if len(claimed) <= LONGEST_LABEL else []
    return [] if isinstance(claimed, Mapping) else list(claimed)


def _changeable(example: Example) -> dict[str, Any]:
    return {
        "answers": [answer_document(answer) for answer in example.answers],
        "verdict": example.verdict,
        "metadata": dict(example.metadata),
        "label_explanation": example.explanations.label,
        "model_explanation": example.explanations.model,
        "retracted_at": example.retracted_at,
        "version": example.version,
        "duplicate_of": example.duplicate_of,
        "overruled_at": example.overruled_at,
    }

"""Reads: SQL to plain records."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from sqlalchemy import ColumnElement, Engine, Select, and_, func, select

from annotation.adapters import tables
from annotation.adapters.example_repository import select_examples
from annotation.adapters.rows import to_configuration, to_example
from annotation.adapters.task_repository import CONFIGURED, TASK_COLUMNS
from annotation.domain.errors import NotFound
from annotation.domain.example import Example

ROUND_COLUMNS = ("number", "title", "targets", "state", "created_at", "origin", "source")


@dataclass(frozen=True)
class RoundRecord:
    """A round as lists show it; `segments` and `contexts` are counts, of contexts those in use."""

    round_id: UUID
    task_slug: str
    number: int
    title: str
    targets: Sequence[str]
    state: str
    segments: int
    contexts: int
    created_at: datetime
    origin: str
    source: str


@dataclass(frozen=True)
class TaskRecord:
    """A task with its configuration in force and its rounds, newest first."""

    task_id: UUID
    slug: str
    configuration_version: int
    configuration: TaskConfiguration
    created_at: datetime
    rounds: Sequence[RoundRecord]

    @property
    def title(self) -> str:
        """Return the title that people see."""
        return self.configuration.title

    @property
    def description(self) -> str:
        """Return what the task is about."""
        return self.configuration.description

    @property
    def languages(self) -> Sequence[str]:
        """Return the language tags of the task."""
        return self.configuration.languages


@dataclass(frozen=True)
class VersionRecord:
    """One version of a task's configuration: the whole document, and the text that its owner wrote."""

    configuration_version: int
    document: dict[str, Any]
    source: str
    created_at: datetime


@dataclass(frozen=True)
class ContextRecord:
    """A context as owners see it."""

    context_id: UUID
    fields: dict[str, Any]
    tags: Sequence[str]
    use_count: int
    flags: int
    is_withdrawn: bool


@dataclass(frozen=True)
class RoundCounts:
    """Counts of a round's tries; retracted ones stay tries, and their fooling is not counted."""

    tries: int
    fooled: int
    not_fooled: int
    retracted: int


class Views:
    """All reads, each on a connection of its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def tasks(self, limit: int, after_slug: str | None) -> list[TaskRecord]:
        """Return tasks by slug."""
        slug = tables.task.c.slug
        statement = select(slug, *TASK_COLUMNS).select_from(CONFIGURED).order_by(slug).limit(limit)
        rows = self._rows(statement if after_slug is None else statement.where(slug > after_slug))
        own = tables.round_.c.task_id.in_([row.task_id for row in rows])
        rounds = self._rounds(and_(own, tables.is_announced))
        return [_task(row, [r for r in rounds if r.task_slug == row.slug]) for row in rows]

    def task(self, slug: str) -> TaskRecord:
        """Return a task with its rounds. Raises NotFound."""
        own = tables.task.c.slug == slug
        rows = self._rows(select(tables.task.c.slug, *TASK_COLUMNS).select_from(CONFIGURED).where(own))
        if not rows:
            raise NotFound("task", "slug")
        return _task(rows[0], self._rounds(and_(own, tables.is_announced)))

    def versions(self, slug: str, limit: int, before: int | None) -> list[VersionRecord]:
        """Return versions of a task's configuration, newest first. Raises NotFound."""
        version = tables.task_configuration.c
        statement = self._versions(slug).order_by(version.configuration_version.desc()).limit(limit)
        if before is not None:
            statement = statement.where(version.configuration_version < before)
        found = [VersionRecord(**row._mapping) for row in self._rows(statement)]
        if not found and before is None:
            raise NotFound("task", "slug")
        return found

    def version(self, slug: str, configuration_version: int) -> VersionRecord:
        """Return one version of a task's configuration. Raises NotFound."""
        own = tables.task_configuration.c.configuration_version == configuration_version
        rows = self._rows(self._versions(slug).where(own))
        if not rows:
            raise NotFound("version", "configuration_version")
        return VersionRecord(**rows[0]._mapping)

    @staticmethod
    def _versions(slug: str) -> Select[Any]:
        version = tables.task_configuration
        return (
            select(
                version.c.configuration_version, version.c.document, version.c.source, version.c.created_at
            )
            .select_from(version.join(tables.task, tables.task.c.task_id == version.c.task_id))
            .where(tables.task.c.slug == slug)
        )

    def round(self, round_id: UUID) -> RoundRecord:
        """Return a round. Raises NotFound."""
        found = self._rounds(tables.round_.c.round_id == round_id)
        if not found:
            raise NotFound("round", "round_id")
        return found[0]

    def rounds_of(self, slug: str, limit: int, before_number: int | None) -> list[RoundRecord]:
        """Return a task's rounds, newest first. Raises NotFound."""
        own = and_(tables.task.c.slug == slug, tables.is_announced)
        if before_number is None:
            self.task(slug)
            return self._rounds(own, limit)
        return self._rounds(and_(own, tables.round_.c.number < before_number), limit)

    def contexts(self, round_id: UUID, limit: int, after_id: UUID | None) -> list[ContextRecord]:
        """Return a round's contexts in the order they were added."""
        context, flag = tables.context, tables.context_flag
        flags = select(func.count()).where(flag.c.context_id == context.c.context_id).scalar_subquery()
        columns = [context.c[name] for name in ("context_id", "fields", "tags", "use_count", "is_withdrawn")]
        statement = (
            select(*columns, flags.label("flags"))
            .where(context.c.round_id == round_id)
            .order_by(context.c.context_id)
            .limit(limit)
        )
        rows = self._rows(statement if after_id is None else statement.where(context.c.context_id > after_id))
        return [ContextRecord(**row._mapping) for row in rows]

    def example(self, example_id: UUID) -> Example:
        """Return an example. Raises NotFound."""
        rows = self._rows(select_examples().where(tables.example.c.example_id == example_id))
        if not rows:
            raise NotFound("example", "example_id")
        return to_example(rows[0])

    def examples(
        self, round_id: UUID, author_id: UUID | None, limit: int, before_id: UUID | None
    ) -> list[Example]:
        """Return a round's examples, newest first, of one author or of all."""
        example = tables.example.c
        statement = select_examples().where(example.round_id == round_id)
        if author_id is not None:
            statement = statement.where(example.author_id == author_id)
        if before_id is not None:
            statement = statement.where(example.example_id < before_id)
        return [
            to_example(row) for row in self._rows(statement.order_by(example.example_id.desc()).limit(limit))
        ]

    def counts(self, round_id: UUID, author_id: UUID | None = None) -> RoundCounts:
        """Count a round's tries, of one author or of all."""
        example = tables.example.c
        kept, fooled = example.retracted_at.is_(None), tables.counts_as_fooling
        did_not_fool = and_(example.verdict.in_(("fooled", "not_fooled")), kept, ~fooled)
        statement = select(
            func.count().label("tries"),
            func.count().filter(fooled).label("fooled"),
            func.count().filter(did_not_fool).label("not_fooled"),
            func.count().filter(~kept).label("retracted"),
        ).where(example.round_id == round_id)
        if author_id is not None:
            statement = statement.where(example.author_id == author_id)
        return RoundCounts(**self._rows(statement)[0]._mapping)

    def records(self, round_id: UUID) -> int:
        """Count the records of a collection that a round holds."""
        record = tables.imported_record.c
        return int(self._rows(select(func.count()).where(record.round_id == round_id))[0][0])

    def _rounds(self, condition: ColumnElement[bool], limit: int | None = None) -> list[RoundRecord]:
        round_, segment, context = tables.round_, tables.segment, tables.context
        segments = select(func.count()).where(segment.c.round_id == round_.c.round_id).scalar_subquery()
        usable = and_(context.c.round_id == round_.c.round_id, ~context.c.is_withdrawn)
        statement = (
            select(
                round_.c.round_id,
                tables.task.c.slug.label("task_slug"),
                *(round_.c[name] for name in ROUND_COLUMNS),
                segments.label("segments"),
                select(func.count()).where(usable).scalar_subquery().label("contexts"),
            )
            .select_from(round_.join(tables.task, tables.task.c.task_id == round_.c.task_id))
            .where(condition)
            .order_by(tables.task.c.slug, round_.c.number.desc())
            .limit(limit)
        )
        return [RoundRecord(**row._mapping) for row in self._rows(statement)]

    def _rows(self, statement: Any) -> Sequence[Any]:
        with self._engine.connect() as connection:
            return connection.execute(statement).all()


def _task(row: Any, rounds: Sequence[RoundRecord]) -> TaskRecord:
    return TaskRecord(
        task_id=row.task_id,
        slug=row.slug,
        configuration_version=row.configuration_version,
        configuration=to_configuration(row.task_id, row.configuration_version, row.document),
        created_at=row.task_created_at,
        rounds=rounds,
    )

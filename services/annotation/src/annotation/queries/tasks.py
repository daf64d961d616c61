"""Tasks with their rounds, and the versions of their configurations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from sqlalchemy import Engine, Select, bindparam, select

from annotation.adapters import tables
from annotation.adapters.rows import to_configuration
from annotation.adapters.task_repository import CONFIGURED, TASK_COLUMNS
from annotation.domain.errors import NotFound
from annotation.queries import read_rows
from annotation.queries.rounds import RoundRecord, page_of_rounds, rounds_of_tasks


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
        """Return the description that people see."""
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


TASKS = select(tables.task.c.slug, *TASK_COLUMNS).select_from(CONFIGURED)
TASK = TASKS.where(tables.task.c.slug == bindparam("slug"))
PAGE = (
    TASKS.where(
        tables.task.c.slug.not_in(bindparam("hidden", expanding=True)),
        tables.task.c.slug > bindparam("after_slug"),
    )
    .order_by(tables.task.c.slug)
    .limit(bindparam("limit"))
)


def list_tasks(
    engine: Engine, limit: int, after_slug: str | None, hidden: frozenset[str]
) -> list[TaskRecord]:
    """Return tasks by slug, without those that are `hidden`."""
    parameters = {"after_slug": after_slug or "", "hidden": list(hidden), "limit": limit}
    rows = read_rows(engine, PAGE, parameters)
    rounds = rounds_of_tasks(engine, [row.slug for row in rows])
    return [_task(row, [r for r in rounds if r.task_slug == row.slug]) for row in rows]


def get_task(engine: Engine, slug: str) -> TaskRecord:
    """Return a task with its rounds. Raises NotFound."""
    rows = read_rows(engine, TASK, {"slug": slug})
    if not rows:
        raise NotFound("task", "slug")
    return _task(rows[0], rounds_of_tasks(engine, [slug]))


def list_versions(engine: Engine, slug: str, limit: int, before: int | None) -> list[VersionRecord]:
    """Return versions of a task's configuration, newest first. Raises NotFound."""
    version = tables.task_configuration.c
    statement = _versions(slug).order_by(version.configuration_version.desc()).limit(limit)
    if before is not None:
        statement = statement.where(version.configuration_version < before)
    found = [VersionRecord(**row._mapping) for row in read_rows(engine, statement)]
    if not found and before is None:
        raise NotFound("task", "slug")
    return found


def get_version(engine: Engine, slug: str, configuration_version: int) -> VersionRecord:
    """Return one version of a task's configuration. Raises NotFound."""
    own = tables.task_configuration.c.configuration_version == configuration_version
    rows = read_rows(engine, _versions(slug).where(own))
    if not rows:
        raise NotFound("version", "configuration_version")
    return VersionRecord(**rows[0]._mapping)


def list_rounds(engine: Engine, slug: str, limit: int, before_number: int | None) -> list[RoundRecord]:
    """Return a task's rounds, newest first. Raises NotFound."""
    if before_number is None:
        return list(get_task(engine, slug).rounds[:limit])
    return page_of_rounds(engine, slug, limit, before_number)


def _versions(slug: str) -> Select[Any]:
    version = tables.task_configuration
    return (
        select(version.c.configuration_version, version.c.document, version.c.source, version.c.created_at)
        .select_from(version.join(tables.task, tables.task.c.task_id == version.c.task_id))
        .where(tables.task.c.slug == slug)
    )


def _task(row: Any, rounds: Sequence[RoundRecord]) -> TaskRecord:
    return TaskRecord(
        task_id=row.task_id,
        slug=row.slug,
        configuration_version=row.configuration_version,
        configuration=to_configuration(row.task_id, row.configuration_version, row.document),
        created_at=row.task_created_at,
        rounds=rounds,
    )

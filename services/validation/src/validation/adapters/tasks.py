"""Tasks as of their newest configuration, and the rules of every configuration version, read once."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from uuid import UUID

from dynabench_common.database.bulk import as_ids, is_among
from dynabench_tasks.configuration.onboarding import Onboarding, read_onboarding
from sqlalchemy import Connection, Row, Select, bindparam, select

from validation.adapters.tables import round_, task_configuration
from validation.domain.errors import RoundUnknown, TaskUnknown
from validation.domain.identifiers import RoundId, TaskId
from validation.domain.rules import Task, ValidationRules, read_rules

configuration_columns = (
    task_configuration.c.task_id,
    task_configuration.c.configuration_version,
    task_configuration.c.configuration,
)


ONBOARDING_OF_ROUND = (
    select(
        task_configuration.c.task_id,
        task_configuration.c.slug,
        task_configuration.c.configuration["onboarding"].label("onboarding"),
    )
    .join(round_, round_.c.task_id == task_configuration.c.task_id)
    .where(round_.c.round_id == bindparam("round_id"))
    .order_by(task_configuration.c.configuration_version.desc())
    .limit(1)
)


@dataclass(frozen=True)
class _Published:
    task_id: UUID
    configuration_version: int
    document: dict[str, Any] = field(compare=False)


def rules_in(row: Row[Any]) -> ValidationRules:
    """Return the rules in a row's `configuration_columns`. Raises UnknownKind, ConfigurationError."""
    return _rules(_Published(row.task_id, row.configuration_version, row.configuration))


@lru_cache(maxsize=256)
def _rules(published: _Published) -> ValidationRules:
    return read_rules(published.document)


class SqlTasks:
    """The tasks that annotation published."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def named(self, slug: str) -> Task:
        """Return the task. Raises TaskUnknown."""
        found = self._newest(select(task_configuration).where(task_configuration.c.slug == slug))
        if found is None:
            raise TaskUnknown(slug)
        return found

    def of_round(self, round_id: RoundId) -> Task:
        """Return the round's task. Raises RoundUnknown."""
        of_round = round_.c.task_id == task_configuration.c.task_id
        statement = select(task_configuration).join(round_, of_round).where(round_.c.round_id == round_id)
        found = self._newest(statement)
        if found is None:
            raise RoundUnknown(round_id)
        return found

    def onboarding_of_round(self, round_id: RoundId) -> tuple[UUID, str, Onboarding | None] | None:
        """Return the id, slug and onboarding of the round's task; None while the task is unknown."""
        row = self._connection.execute(ONBOARDING_OF_ROUND, {"round_id": round_id}).one_or_none()
        if row is None:
            return None
        onboarding = read_onboarding({"onboarding": row.onboarding}) if row.onboarding is not None else None
        return row.task_id, row.slug, onboarding

    def slugs_of(self, round_ids: Iterable[RoundId]) -> dict[RoundId, str]:
        """Return the slugs of the tasks of rounds, without rounds and tasks that are not known yet."""
        statement = (
            select(round_.c.round_id, task_configuration.c.slug)
            .join(task_configuration, round_.c.task_id == task_configuration.c.task_id)
            .where(is_among(round_.c.round_id))
            .order_by(task_configuration.c.configuration_version)
        )
        rows = self._connection.execute(statement, as_ids(round_ids))
        # Rows are in order of versions, so the newest overwrites the others.
        return {RoundId(row.round_id): row.slug for row in rows}

    def _newest(self, statement: Select[Any]) -> Task | None:
        newest_first = statement.order_by(task_configuration.c.configuration_version.desc())
        row = self._connection.execute(newest_first.limit(1)).one_or_none()
        return None if row is None else _to_task(row)


def _to_task(row: Row[Any]) -> Task:
    rules = read_rules(row.configuration)
    return Task(TaskId(row.task_id), row.slug, row.configuration_version, row.configuration, rules)

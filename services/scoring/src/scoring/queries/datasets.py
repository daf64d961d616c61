"""Released datasets and measurements, the task of a round, and the targets of rounds in progress."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, Row, func, select
from sqlalchemy.dialects.postgresql import distinct_on

from scoring.adapters.dataset_files import json_lines_path
from scoring.adapters.tables import dataset, measurement, round_, task_configuration
from scoring.domain.errors import DatasetUnknown, FileUnknown, RoundUnknown, SplitUnknown
from scoring.domain.release import key_prefix

IN_PROGRESS = ("open", "paused")


@dataclass(frozen=True)
class Measured:
    """The state of a measurement; `result` is that of an earlier request while a new one is worked on."""

    state: str
    requested_at: datetime
    measured_at: datetime | None
    result: Mapping[str, Any] | None
    error: Mapping[str, Any] | None


def unexplained_targets(engine: Engine) -> frozenset[str]:
    """Return the targets of rounds in progress whose tasks allow no probes, by their newest configurations."""
    columns = task_configuration.c
    newest = (
        select(columns.task_id, func.coalesce(columns.configuration["probes"].astext, "none").label("probes"))
        .ext(distinct_on(columns.task_id))
        .order_by(columns.task_id, columns.configuration_version.desc())
        .subquery("newest")
    )
    statement = (
        select(round_.c.targets)
        .join_from(round_, newest, newest.c.task_id == round_.c.task_id)
        .where(round_.c.state.in_(IN_PROGRESS), newest.c.probes == "none")
    )
    with engine.connect() as connection:
        found = connection.execute(statement).scalars().all()
    return frozenset(target for targets in found for target in targets or ())


def task_of_round(engine: Engine, round_id: UUID) -> str:
    """Return the name of a round's task. Raises RoundUnknown."""
    statement = (
        select(task_configuration.c.slug)
        .join(round_, round_.c.task_id == task_configuration.c.task_id)
        .where(round_.c.round_id == round_id)
        .order_by(task_configuration.c.configuration_version.desc())
        .limit(1)
    )
    with engine.connect() as connection:
        slug: str | None = connection.execute(statement).scalar_one_or_none()
    if slug is None:
        raise RoundUnknown
    return slug


def released(
    engine: Engine, task: str | None, before: UUID | None, limit: int, hidden: frozenset[str]
) -> list[Row[Any]]:
    """Return datasets of tasks that are not `hidden`, the newest first; ids are ordered by the time they were made."""
    columns = dataset.c
    statement = (
        select(
            columns.dataset_id, columns.digest, columns.name, columns.version, columns.title,
            columns.task_slug, columns.round_id, columns.licence, columns.described, columns.released_at,
        )
        .where(columns.task_slug.not_in(hidden))
        .order_by(columns.dataset_id.desc())
        .limit(limit)
    )  # fmt: skip
    if task is not None:
        statement = statement.where(columns.task_slug == task)
    if before is not None:
        statement = statement.where(columns.dataset_id < before)
    with engine.connect() as connection:
        return list(connection.execute(statement))


def one_dataset(engine: Engine, dataset_id: UUID) -> Row[Any]:
    """Return a dataset whole. Raises DatasetUnknown."""
    with engine.connect() as connection:
        row = connection.execute(select(dataset).where(dataset.c.dataset_id == dataset_id)).one_or_none()
    if row is None:
        raise DatasetUnknown
    return row


def file_key(engine: Engine, dataset_id: UUID, path: str) -> str:
    """Return the key of a dataset's file in the object store. Raises DatasetUnknown, FileUnknown."""
    row = one_dataset(engine, dataset_id)
    if path not in {file["path"] for file in row.files}:
        raise FileUnknown
    return key_prefix(row.digest) + path


def split_key(row: Row[Any], split: str) -> str:
    """Return the key of the JSON lines of a dataset's split. Raises SplitUnknown."""
    if split not in {file["split"] for file in row.files}:
        raise SplitUnknown
    return key_prefix(row.digest) + json_lines_path(split)


def measured(engine: Engine, subject_id: UUID) -> Measured | None:
    """Return the measurement of a dataset or a round, None if nobody has asked for it."""
    columns = measurement.c
    statement = select(
        columns.state, columns.requested_at, columns.measured_at, columns.result, columns.error
    ).where(columns.subject_id == subject_id)
    with engine.connect() as connection:
        row = connection.execute(statement).one_or_none()
    return None if row is None else Measured(*row)

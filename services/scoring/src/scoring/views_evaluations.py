"""Reads of evaluations: SQL to plain records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Engine, Row, func, or_, select, true

from scoring.adapters.evaluation_store import WHOLE
from scoring.adapters.evaluation_tables import evaluated_model, evaluation, evaluation_dataset
from scoring.domain.errors import DatasetUnknown, EvaluationUnknown
from scoring.domain.evaluation import OPEN_STATES, EvaluationState


@dataclass(frozen=True)
class Reader:
    """Who reads: a person's id, None for strangers, and the tasks whose evaluations are all shown; None is all."""

    person_id: UUID | None
    tasks: frozenset[str] | None

    def may_see(self) -> ColumnElement[bool]:
        """Return the condition under which an evaluation is shown."""
        if self.tasks is None:
            return true()
        shown: list[ColumnElement[bool]] = [
            evaluated_model.c.published.is_(True),
            evaluation.c.task_slug.in_(self.tasks),
        ]
        if self.person_id is not None:
            shown.append(evaluation.c.submitted_by == self.person_id)
        return or_(*shown)


@dataclass(frozen=True)
class Filters:
    """Which evaluations to list; None is any."""

    task: str | None = None
    model: str | None = None
    dataset_id: UUID | None = None
    state: str | None = None


def evaluations(
    engine: Engine, reader: Reader, filters: Filters, before: UUID | None, limit: int
) -> Sequence[Row[Any]]:
    """Return evaluations, the newest first, each with its dataset."""
    columns = evaluation.c
    statement = WHOLE.where(reader.may_see()).order_by(columns.evaluation_id.desc()).limit(limit)
    for column, wanted in (
        (columns.task_slug, filters.task),
        (columns.model_name, filters.model),
        (columns.dataset_id, filters.dataset_id),
        (columns.state, filters.state),
    ):
        if wanted is not None:
            statement = statement.where(column == wanted)
    if before is not None:
        statement = statement.where(columns.evaluation_id < before)
    with engine.connect() as connection:
        return connection.execute(statement).all()


def one_evaluation(engine: Engine, reader: Reader, evaluation_id: UUID) -> Row[Any]:
    """Return an evaluation with its dataset. Raises EvaluationUnknown, also for one that is not shown."""
    statement = WHOLE.where(reader.may_see(), evaluation.c.evaluation_id == evaluation_id)
    with engine.connect() as connection:
        row = connection.execute(statement).one_or_none()
    if row is None:
        raise EvaluationUnknown
    return row


def ahead_of(engine: Engine, rows: Sequence[Row[Any]]) -> Mapping[UUID, int]:
    """Return how many evaluations that are still open were asked for before each that is queued."""
    queued = [row.evaluation_id for row in rows if row.state == EvaluationState.QUEUED]
    if not queued:
        return {}
    earlier = evaluation.alias()
    number = (
        select(func.count())
        .where(earlier.c.state.in_(OPEN_STATES), earlier.c.requested_at < evaluation.c.requested_at)
        .scalar_subquery()
    )
    statement = select(evaluation.c.evaluation_id, number.label("ahead")).where(
        evaluation.c.evaluation_id.in_(queued)
    )
    with engine.connect() as connection:
        return {row.evaluation_id: row.ahead for row in connection.execute(statement)}


def scored_datasets(engine: Engine, task: str | None, before: UUID | None, limit: int) -> Sequence[Row[Any]]:
    """Return datasets that models are scored on, the newest first."""
    columns = evaluation_dataset.c
    statement = select(evaluation_dataset).order_by(columns.dataset_id.desc()).limit(limit)
    if task is not None:
        statement = statement.where(columns.task_slug == task)
    if before is not None:
        statement = statement.where(columns.dataset_id < before)
    with engine.connect() as connection:
        return connection.execute(statement).all()


def one_scored_dataset(engine: Engine, dataset_id: UUID) -> Row[Any]:
    """Return a dataset that models are scored on. Raises DatasetUnknown."""
    with engine.connect() as connection:
        row = connection.execute(
            select(evaluation_dataset).where(evaluation_dataset.c.dataset_id == dataset_id)
        ).one_or_none()
    if row is None:
        raise DatasetUnknown
    return row


def newest_score(engine: Engine, reader: Reader, dataset_id: UUID, model: str) -> Row[Any]:
    """Return the newest evaluation of a model on a dataset that is done. Raises EvaluationUnknown."""
    statement = (
        WHOLE.where(
            reader.may_see(),
            evaluation.c.dataset_id == dataset_id,
            evaluation.c.model_name == model,
            evaluation.c.state == EvaluationState.DONE,
        )
        .order_by(evaluation.c.evaluation_id.desc())
        .limit(1)
    )
    with engine.connect() as connection:
        row = connection.execute(statement).one_or_none()
    if row is None:
        raise EvaluationUnknown
    return row

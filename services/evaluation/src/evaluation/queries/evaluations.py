"""Evaluations, and the datasets that models are scored on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, Engine, Row, Select, and_, func, or_, select, true
from sqlalchemy.dialects.postgresql import distinct_on

from evaluation.adapters.evaluation_store import OPEN, WHOLE
from evaluation.adapters.tables import (
    canary,
    evaluated_model,
    evaluation,
    evaluation_dataset,
    evaluation_line,
    leak,
    shard,
)
from evaluation.domain.errors import DatasetUnknown, EvaluationRefused, EvaluationUnknown
from evaluation.domain.evaluations import EvaluationState, FinishedShard, seconds_left

SHARDS_MEASURED = 10
"""Number of the newest finished shards that give a running evaluation's rate."""
MOST_LINES = 200
MOST_MODELS = 100
MOST_LEAKS = 100


@dataclass(frozen=True)
class Reader:
    """Reader: a person's id (None for strangers), and the tasks whose evaluations are all shown (None is all tasks).

    Nothing is shown of tasks that are `hidden`.
    """

    person_id: UUID | None
    tasks: frozenset[str] | None
    hidden: frozenset[str] = frozenset()

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
        return and_(or_(*shown), evaluation.c.task_slug.not_in(self.hidden))

    def may_act(self, row: Row[Any]) -> bool:
        """Return whether the reader may end this evaluation or run it again."""
        if self.tasks is None or row.task_slug in self.tasks:
            return True
        return self.person_id is not None and row.submitted_by == self.person_id


@dataclass(frozen=True)
class Filters:
    """Filters of the list of evaluations; None is any."""

    task: str | None = None
    model: str | None = None
    dataset_id: UUID | None = None
    state: str | None = None


def shown(
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


@dataclass(frozen=True)
class Outlook:
    """Expected start and end of open evaluations, by id, as far as they are known."""

    places: Mapping[UUID, int]
    seconds_left: Mapping[UUID, float]


def outlook(engine: Engine, rows: Sequence[Row[Any]]) -> Outlook:
    """Return the places of those of these evaluations that are queued, and the time left of those that run.

    One that waits for its model, or of which no shard was answered yet, has neither.
    """
    queued = [row.evaluation_id for row in rows if row.state == EvaluationState.QUEUED]
    running = [
        row.evaluation_id
        for row in rows
        if row.state == EvaluationState.RUNNING and row.waits_for is None and row.shards_done
    ]
    with engine.connect() as connection:
        return Outlook(
            _places(connection, queued) if queued else {},
            _seconds_left(connection, running) if running else {},
        )


def _places(connection: Connection, queued: Sequence[UUID]) -> Mapping[UUID, int]:
    """Return places from 1, in the order in which workers begin: submitters take turns, the older first."""
    columns = evaluation.c
    order = (columns.requested_at, columns.evaluation_id)
    turns = (
        select(
            columns.evaluation_id,
            columns.state,
            columns.requested_at,
            func.row_number()
            .over(
                partition_by=columns.submitted_by,
                order_by=((columns.state == EvaluationState.QUEUED).asc(), *order),
            )
            .label("turn"),
        )
        .where(columns.state.in_((EvaluationState.QUEUED, EvaluationState.RUNNING)))
        .subquery()
    )
    places = (
        select(
            turns.c.evaluation_id,
            func.row_number()
            .over(order_by=(turns.c.turn, turns.c.requested_at, turns.c.evaluation_id))
            .label("place"),
        )
        .where(turns.c.state == EvaluationState.QUEUED)
        .subquery()
    )
    found = connection.execute(select(places).where(places.c.evaluation_id.in_(queued)))
    return {row.evaluation_id: row.place for row in found}


def _seconds_left(connection: Connection, running: Sequence[UUID]) -> Mapping[UUID, float]:
    columns = shard.c
    place = func.row_number().over(partition_by=columns.evaluation_id, order_by=columns.answered_at.desc())
    newest = (
        select(
            columns.evaluation_id,
            columns.requests,
            columns.begun_at,
            columns.answered_at,
            place.label("place"),
        )
        .where(
            columns.evaluation_id.in_(running),
            columns.begun_at.is_not(None),
            columns.answered_at.is_not(None),
        )
        .subquery()
    )
    finished: dict[UUID, list[FinishedShard]] = {}
    for row in connection.execute(select(newest).where(newest.c.place <= SHARDS_MEASURED)):
        finished.setdefault(row.evaluation_id, []).append(
            FinishedShard(row.requests, row.begun_at, row.answered_at)
        )
    left = connection.execute(
        select(columns.evaluation_id, func.sum(columns.requests).label("requests"))
        .where(columns.evaluation_id.in_(running), columns.answered_at.is_(None), columns.state == OPEN)
        .group_by(columns.evaluation_id)
    )
    found = {
        row.evaluation_id: seconds_left(row.requests, finished.get(row.evaluation_id, ())) for row in left
    }
    return {evaluation_id: seconds for evaluation_id, seconds in found.items() if seconds is not None}


def log_lines(engine: Engine, evaluation_id: UUID) -> Sequence[Row[Any]]:
    """Return the newest lines of an evaluation's log, in the order in which they were written."""
    columns = evaluation_line.c
    statement: Select[Any] = (
        select(columns.at, columns.event, columns.facts)
        .where(columns.evaluation_id == evaluation_id)
        .order_by(columns.line_id.desc())
        .limit(MOST_LINES)
    )
    with engine.connect() as connection:
        return connection.execute(statement).all()[::-1]


def scored_datasets(
    engine: Engine, task: str | None, before: UUID | None, limit: int, hidden: frozenset[str]
) -> Sequence[Row[Any]]:
    """Return datasets that models are scored on, the newest first, without those of tasks that are `hidden`."""
    columns = evaluation_dataset.c
    statement = select(evaluation_dataset).where(columns.task_slug.not_in(hidden))
    statement = statement.order_by(columns.dataset_id.desc()).limit(limit)
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


@dataclass(frozen=True)
class Leaks:
    """Canaries of a hidden dataset: their number, the number of places where one was found, and the newest places."""

    words: int
    found: int
    newest: Sequence[Row[Any]]


def leaks(engine: Engine, dataset_id: UUID) -> Leaks:
    """Return where made-up words of a dataset were found, the newest first."""
    statement = (
        select(leak)
        .where(leak.c.dataset_id == dataset_id)
        .order_by(leak.c.found_at.desc(), leak.c.reference)
        .limit(MOST_LEAKS)
    )
    with engine.connect() as connection:
        words, found = (
            connection.execute(
                select(func.count()).select_from(table).where(table.c.dataset_id == dataset_id)
            ).scalar_one()
            for table in (canary, leak)
        )
        return Leaks(words, found, connection.execute(statement).all())


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


def compared_scores(
    engine: Engine, reader: Reader, dataset_id: UUID, first: str, second: str
) -> tuple[Row[Any], Row[Any]]:
    """Return the newest evaluations of two models on a dataset, with answers.

    Raises EvaluationUnknown, and EvaluationRefused if only scores of a model are known.
    """
    found = newest_score(engine, reader, dataset_id, first), newest_score(engine, reader, dataset_id, second)
    for field, row in zip(("first", "second"), found, strict=True):
        if row.predictions_key is None:
            raise EvaluationRefused(
                "no-answers-to-compare",
                field,
                "Only scores of this model are known, no answers.",
                "Choose a model whose answers are known.",
            )
    return found


def scores_on(engine: Engine, reader: Reader, dataset_id: UUID) -> Sequence[Row[Any]]:
    """Return the newest evaluation of each model on a dataset that is done, of at most 100 models, by their names."""
    columns = evaluation.c
    newest = (
        select(columns.evaluation_id)
        .ext(distinct_on(columns.model_name))
        .where(
            columns.dataset_id == dataset_id,
            columns.state == EvaluationState.DONE,
            columns.predictions_key.is_not(None),
        )
        .order_by(columns.model_name, columns.evaluation_id.desc())
    )
    statement = (
        WHOLE.where(reader.may_see(), columns.evaluation_id.in_(newest))
        .order_by(columns.evaluation_id.desc())
        .limit(MOST_MODELS)
    )
    with engine.connect() as connection:
        return sorted(connection.execute(statement).all(), key=lambda row: str(row.model_name))
